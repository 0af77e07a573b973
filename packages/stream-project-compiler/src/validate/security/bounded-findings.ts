import type { Diagnostic } from '../../diagnostics/diagnostic.ts';

/** More columns of one model, sink or exposure are counted and not listed: each has a path of its own. */
const MAX_COLUMNS = 20;

/** A finding for each of the first columns, and one for how many more there are. */
export function boundedFindings<T>(
  found: readonly T[],
  one: (item: T) => Diagnostic,
  rest: (item: T, count: number) => Diagnostic,
): readonly Diagnostic[] {
  const listed = found.slice(0, MAX_COLUMNS).map(one);
  const next = found[MAX_COLUMNS];
  return next === undefined ? listed : [...listed, rest(next, found.length - MAX_COLUMNS)];
}
