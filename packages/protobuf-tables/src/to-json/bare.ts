// Messages whose JSON is that of their only set field: wrappers, Struct, Value, ListValue.
import { Mode } from '../plan/kinds.ts';
import { refuse, skip, tagAt } from '../wire/reader.ts';
import { NO_ROOM } from '../wire/writer.ts';
import { findRow, formOf, NO_FORM } from './field-rows.ts';
import { list } from './list.ts';
import { map } from './map.ts';
import { type Run, UNORDERED } from './run.ts';
import { Column, Header } from './tables.ts';
import { literal, value } from './value.ts';

/** Writes the bare message whose bytes are i .. end. */
export function writeBare(run: Run, start: number, i: number, end: number, q: number, depth: number): number {
  if (q > run.limit) throw NO_ROOM;
  const { rows, at: own } = run;
  let found = false;
  while (i < end) {
    run.at = i;
    const tag = tagAt(run, i, end);
    const tagFrom = i;
    const from = run.pos;
    const row = findRow(run, start, tag >>> 3);
    const form = row === -1 ? NO_FORM : formOf(run, row, tag);
    if (form === NO_FORM) skip(run, tag, from, end, depth);
    else {
      if (found) throw UNORDERED;
      found = true;
      if (form === Mode.list) q = list(run, row, tagFrom, from, end, q, depth);
      else if (form === Mode.map) q = map(run, row, tagFrom, from, end, q, depth);
      else
        q = value(
          run,
          rows[row + Column.kind] as number,
          rows[row + Column.sub] as number,
          from,
          end,
          q,
          depth,
        );
    }
    i = run.pos;
  }
  if (i !== end) refuse(run, 'truncated varint');
  if (found) return q;
  run.at = own;
  const size = rows[start + Header.unsetSize] as number;
  if (size === 0) refuse(run, 'google.protobuf.Value without a value');
  return literal(run, rows[start + Header.unset] as number, size, q);
}
