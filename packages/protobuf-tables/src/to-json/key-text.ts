import { isWide, Kind } from '../plan/kinds.ts';
import { run } from './run.ts';
import { value } from './value.ts';

/** Whether values of this kind are text in JSON anyway, so that they can be keys as they are. */
export function isText(kind: number): boolean {
  if (kind === Kind.string || kind === Kind.text) return true;
  return isWide(kind) && !run.tables.safeIntegers;
}

/** Writes the key at i as text. */
export function putKey(kind: number, i: number, end: number, q: number): number {
  if (isText(kind)) return value(kind, 0, i, end, q, 0);
  const { out } = run;
  out[q] = 34;
  const to = value(kind, 0, i, end, q + 1, 0);
  if (out[q + 1] !== 34) {
    out[to] = 34;
    return to + 1;
  }
  // an integer too large to be a number has its own quotes
  out.copyWithin(q, q + 1, to);
  return to - 1;
}
