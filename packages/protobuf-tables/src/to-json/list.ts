// Lists whose values come one behind the other.
import { size } from './reader.ts';
import { NO_ROOM, refuse, run } from './run.ts';
import type { Column } from './tables.ts';
import { value } from './value.ts';

const KIND: typeof Column.kind = 2;
const SUB: typeof Column.sub = 8;

/** Values with a tag each, of which the first is at `tagFrom`, and its value at i. */
export function list(row: number, tagFrom: number, i: number, end: number, q: number, depth: number): number {
  const { out, rows } = run;
  const tagSize = i - tagFrom;
  const kind = rows[row + KIND] as number;
  const sub = rows[row + SUB] as number;
  out[q++] = 91;
  do {
    if (q > run.limit) throw NO_ROOM;
    q = value(kind, sub, i, end, q, depth);
    out[q++] = 44;
    i = run.pos + tagSize;
  } while (i <= end && sameBytes(tagFrom, run.pos, tagSize));
  out[q - 1] = 93;
  return q;
}

/** Values behind one length at i. */
export function packed(row: number, i: number, end: number, q: number, depth: number): number {
  const { out, rows } = run;
  const stop = size(i, end) + run.pos;
  const kind = rows[row + KIND] as number;
  const sub = rows[row + SUB] as number;
  out[q++] = 91;
  if (run.pos === stop) q++; // no value at all
  while (run.pos < stop) {
    if (q > run.limit) throw NO_ROOM;
    q = value(kind, sub, run.pos, stop, q, depth);
    out[q++] = 44;
  }
  if (run.pos !== stop) refuse('packed values past their end');
  out[q - 1] = 93;
  return q;
}

/** Whether the n bytes at a and b are equal. */
export function sameBytes(a: number, b: number, n: number): boolean {
  const { src } = run;
  for (let k = 0; k < n; k++) if (src[a + k] !== src[b + k]) return false;
  return true;
}
