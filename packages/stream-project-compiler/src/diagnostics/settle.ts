import type { Diagnostic } from './diagnostic.ts';
import { applySeverityPolicy, type SeverityPolicy } from './severity-policy.ts';
import { applySuppressions, type Suppression } from './suppression.ts';

/** What decides about findings once all stages have run. */
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
