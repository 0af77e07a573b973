import { diagnose } from '../diagnostics/diagnose.ts';
import type { Diagnostic, DiagnosticCode, Severity } from '../diagnostics/diagnostic.ts';
import { quote } from '../diagnostics/quote.ts';
import type { Suppression } from '../diagnostics/suppression.ts';
import { jobCodes } from '../jobs/job-codes.ts';
import { parseCodes } from '../parse/parse-codes.ts';
import { testJobCodes } from '../test-jobs/test-job-codes.ts';
import { entryOf, findCode } from './catalogue.ts';

/** Severity by code or name (`LV1303`, `parsed-only`); `off` leaves the finding out. */
export type SeverityPolicy = Readonly<Record<string, Severity | 'off'>>;

/** Settings applied to the findings of all stages. */
export interface SettleOptions {
  readonly suppressions?: readonly Suppression[];
  readonly policy?: SeverityPolicy;
}

/** The findings of all stages as they are reported: hidden ones left out, severities by the policy, in order of their places. */
export function settleDiagnostics(
  diagnostics: readonly Diagnostic[],
  { suppressions = [], policy = {} }: SettleOptions = {},
): readonly Diagnostic[] {
  return [...applySeverityPolicy(applySuppressions(diagnostics, suppressions), policy)].sort(byPlace);
}

/** Names of a policy that no code has. */
export function unknownPolicyNames(policy: SeverityPolicy): readonly string[] {
  return Object.keys(policy).filter((name) => findCode(name) === undefined);
}

/**
 * Findings with the severities of a policy. Codes after which a part of the project is missing stay errors: without them a
 * project would count as valid though nothing could be made of it. Unknown names change nothing; {@link unknownPolicyNames}
 * lists them.
 */
function applySeverityPolicy(
  diagnostics: readonly Diagnostic[],
  policy: SeverityPolicy,
): readonly Diagnostic[] {
  const severities = new Map<DiagnosticCode, Severity | 'off'>();
  for (const [name, severity] of Object.entries(policy)) {
    const code = findCode(name);
    if (code !== undefined && entryOf(code).fixed !== true) severities.set(code, severity);
  }
  return diagnostics.flatMap((diagnostic) => {
    const severity = severities.get(diagnostic.code) ?? diagnostic.severity;
    if (severity === 'off') return [];
    return severity === diagnostic.severity ? [diagnostic] : [{ ...diagnostic, severity }];
  });
}

/**
 * The findings without those that comments hide, and a warning for each name in a comment that hides nothing. Codes after
 * which a part of the project is missing cannot be hidden.
 */
function applySuppressions(
  diagnostics: readonly Diagnostic[],
  suppressions: readonly Suppression[],
): readonly Diagnostic[] {
  if (suppressions.length === 0) return diagnostics;
  const used = new Set<string>();
  const places = new Set(
    suppressions.flatMap((one) => one.names.map((name) => placeOf(one, findCode(name)))),
  );
  const kept = diagnostics.filter(({ code, range }) => {
    const place = `${range.file}:${range.start.line}:${code}`;
    if (!places.has(place) || entryOf(code).fixed === true) return true;
    used.add(place);
    return false;
  });
  return [...kept, ...suppressions.flatMap((one) => unusedIn(one, used))];
}

function placeOf({ range, line }: Suppression, code: DiagnosticCode | undefined): string {
  return `${range.file}:${line}:${code ?? ''}`;
}

function unusedIn(suppression: Suppression, used: ReadonlySet<string>): readonly Diagnostic[] {
  const { names, range } = suppression;
  const unused = (message: string) => diagnose(parseCodes['unused-suppression'], { range, message });
  if (names.length === 0) return [unused('the comment names no code to hide')];
  return names.flatMap((name) => {
    const code = findCode(name);
    if (code !== undefined && used.has(placeOf(suppression, code))) return [];
    // They are found only in a project without errors
    if (code !== undefined && jobNumbers.has(code)) return [];
    return [unused(reasonUnused(name, code))];
  });
}

const jobNumbers: ReadonlySet<DiagnosticCode> = new Set(
  [jobCodes, testJobCodes].flatMap((table) => Object.values(table).map(({ code }) => code)),
);

function reasonUnused(name: string, code: DiagnosticCode | undefined): string {
  if (code === undefined) return `unknown code ${quote(name)}`;
  if (entryOf(code).fixed === true) return `${quote(name)} cannot be hidden by a comment`;
  return `${quote(name)} is not reported on that line`;
}

/** By file, then line, column and code; the project file before others. */
function byPlace(one: Diagnostic, other: Diagnostic): number {
  return (
    compare(rank(one.range.file), rank(other.range.file)) ||
    compare(one.range.file, other.range.file) ||
    one.range.start.line - other.range.start.line ||
    one.range.start.column - other.range.start.column ||
    compare(one.code, other.code) ||
    compare(one.message, other.message)
  );
}

function rank(file: string): string {
  return file.includes('/') ? '1' : '0';
}

function compare(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
