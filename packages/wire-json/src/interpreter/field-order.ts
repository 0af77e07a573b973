import { Mode } from '../plan/kinds.ts';
import { findRow, formOf, NO_FORM } from './field-rows.ts';
import { skip, tagAt } from './reader.ts';
import { run } from './run.ts';
import { Column } from './tables.ts';

/** Whether the fields of the message i .. end come as `message` can write them one by one. It must not be wrong. */
export function isOrdered(start: number, i: number, end: number, depth: number): boolean {
  if (run.path !== undefined) return false;
  const { rows } = run;
  let row = start;
  let oneofs = 0;
  let repeated = -1; // the tag that may come again
  let repeatedSize = 0;
  for (let at = i; at < end; at = run.pos) {
    const tag = tagAt(at, end);
    const tagSize = run.pos - at;
    if (tag === repeated && tagSize === repeatedSize) {
      skip(tag, run.pos, end, depth);
      continue;
    }
    repeated = -1;
    const number = tag >>> 3;
    while ((rows[row + Column.number] as number) < number) row += Column.count;
    const form = rows[row + Column.number] === number ? formOf(row, tag) : NO_FORM;
    if (form === NO_FORM) {
      if (rows[row + Column.number] !== number && findRow(start, number) !== -1) return false;
    } else {
      const oneof = rows[row + Column.oneof] as number;
      if ((oneofs & oneof) !== 0 || rows[row + Column.mode] === Mode.extension) return false;
      oneofs |= oneof;
      if (form === Mode.list || form === Mode.map) repeated = tag;
      repeatedSize = tagSize;
      row += Column.count;
    }
    skip(tag, run.pos, end, depth);
  }
  return true;
}
