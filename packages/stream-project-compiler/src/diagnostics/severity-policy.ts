import { type DiagnosticCode, entryOf, findCode } from './catalogue.ts';
import type { Diagnostic, Severity } from './diagnostic.ts';

/** Severity by code or name (`LV1303`, `parsed-only`); `off` leaves the finding out. */
export type SeverityPolicy = Readonly<Record<string, Severity | 'off'>>;

/**
 * Findings with the severities of a policy. Codes after which a part of the project is missing stay errors: without them a
 * project would count as valid though nothing could be made of it. Names that do not exist change nothing:
 * {@link unknownPolicyNames} tells them.
 */
export function applySeverityPolicy(
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

/** Names of a policy that no code has. */
export function unknownPolicyNames(policy: SeverityPolicy): readonly string[] {
  return Object.keys(policy).filter((name) => findCode(name) === undefined);
}
