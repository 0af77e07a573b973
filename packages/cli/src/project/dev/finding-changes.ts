import type { Diagnostic } from '@levada/stream-project-compiler';

/** Findings that one run has and the run before did not, and the other way round. */
export interface FindingChanges {
  readonly added: readonly Diagnostic[];
  readonly removed: readonly Diagnostic[];
}

/** Compares findings by what they say, not by their lines: those move when something above them is edited. */
export function findingChanges(before: readonly Diagnostic[], after: readonly Diagnostic[]): FindingChanges {
  return { added: without(after, before), removed: without(before, after) };
}

/** Those that the others do not have; of equal ones as many as there are more. */
function without(findings: readonly Diagnostic[], others: readonly Diagnostic[]): readonly Diagnostic[] {
  const left = new Map<string, number>();
  for (const other of others) left.set(keyOf(other), (left.get(keyOf(other)) ?? 0) + 1);
  return findings.filter((finding) => {
    const key = keyOf(finding);
    const count = left.get(key) ?? 0;
    if (count === 0) return true;
    left.set(key, count - 1);
    return false;
  });
}

function keyOf({ code, severity, range, object, message }: Diagnostic): string {
  return [code, severity, range.file, object, message].join('\n');
}
