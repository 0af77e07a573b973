import type { Reading } from './reading.ts';
import { Column } from './tables.ts';

/** What was written for a field. */
interface Written {
  readonly from: number;
  readonly end: number;
}

/** What was written for the last occurrence of each field of a message, by its row. */
export type KeptFields = Map<number, Written>;

/** Makes this the occurrence that counts. */
export function keepField(kept: KeptFields, row: number, written: Written): void {
  kept.delete(row); // so that fields are in the order of their last occurrences
  if (written.end > written.from) kept.set(row, written);
}

/** Takes out of what was written since `from` all that is not kept, and all but the last field of each oneof. */
export function moveTogether(s: Reading, kept: KeptFields, from: number): void {
  const { out, rows } = s;
  const last = new Map<number, number>();
  for (const row of kept.keys()) last.set(rows[row + Column.oneof] as number, row);
  let q = from;
  for (const [row, written] of kept) {
    const oneof = rows[row + Column.oneof] as number;
    if (oneof !== 0 && last.get(oneof) !== row) continue;
    if (q !== written.from) out.copyWithin(q, written.from, written.end);
    q += written.end - written.from;
  }
  s.q = q;
}
