// Lists whose values are adjacent.
import { refuse, sameBytes, size } from '../wire/reader.ts';
import { NO_ROOM } from '../wire/writer.ts';
import type { Run } from './run.ts';
import type { Column } from './tables.ts';
import { value } from './value.ts';

const KIND: typeof Column.kind = 2;
const SUB: typeof Column.sub = 8;

/** Writes values with a tag each. The first tag is at `tagFrom`, and its value at i. */
export function list(
  run: Run,
  row: number,
  tagFrom: number,
  i: number,
  end: number,
  q: number,
  depth: number,
): number {
  const { out, rows } = run;
  const tagSize = i - tagFrom;
  const kind = rows[row + KIND] as number;
  const sub = rows[row + SUB] as number;
  out[q++] = 91;
  do {
    if (q > run.limit) throw NO_ROOM;
    run.at = i - tagSize;
    q = value(run, kind, sub, i, end, q, depth);
    out[q++] = 44;
    i = run.pos + tagSize;
  } while (i <= end && sameBytes(run, tagFrom, run.pos, tagSize));
  out[q - 1] = 93;
  return q;
}

/** Writes the packed values whose length is at i. */
export function writePacked(run: Run, row: number, i: number, end: number, q: number, depth: number): number {
  const { out, rows } = run;
  const stop = size(run, i, end) + run.pos;
  const kind = rows[row + KIND] as number;
  const sub = rows[row + SUB] as number;
  out[q++] = 91;
  if (run.pos === stop) q++; // no values
  while (run.pos < stop) {
    if (q > run.limit) throw NO_ROOM;
    q = value(run, kind, sub, run.pos, stop, q, depth);
    out[q++] = 44;
  }
  if (run.pos !== stop) refuse(run, 'packed values past their end');
  out[q - 1] = 93;
  return q;
}
