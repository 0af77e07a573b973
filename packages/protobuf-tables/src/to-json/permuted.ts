import { Mode } from '../plan/kinds.ts';
import { formOf } from './field-rows.ts';
import { absent } from './gathered.ts';
import { list } from './list.ts';
import { map } from './map.ts';
import { seldomMode } from './message.ts';
import { varint } from './reader.ts';
import { NO_ROOM, run } from './run.ts';
import { Column, Header } from './tables.ts';
import { literal, value } from './value.ts';

/** Writes the message that ends at `end`, of which `arrangementOf` left the places of the fields. */
export function permuted(start: number, end: number, q: number, depth: number): number {
  const { rows, out, top } = run;
  const count = rows[start + Header.rows] as number;
  run.top = top + count;
  out[q++] = 123;
  for (let index = 0, row = start; index < count; index++, row += Column.count) {
    if (q > run.limit) throw NO_ROOM;
    const place = run.places[top + index] as number;
    q = place === -1 ? absent(row, q) : field(row, place, end, q, depth);
  }
  run.top = top;
  if (out[q - 1] !== 44) q++; // no field at all
  out[q - 1] = 125;
  return q;
}

function field(row: number, place: number, end: number, q: number, depth: number): number {
  const { rows, out, src } = run;
  const form = formOf(row, varint(src, place));
  const i = run.pos;
  const kind = rows[row + Column.kind] as number;
  const from = literal(rows[row + Column.key] as number, rows[row + Column.keySize] as number, q);
  let to: number;
  if (form === Mode.one) to = value(kind, rows[row + Column.sub] as number, i, end, from, depth);
  else if (form === Mode.list) to = list(row, place, i, end, from, depth);
  else if (form === Mode.map) to = map(row, place, i, end, from, depth);
  else to = seldomMode(form, row, i, end, from, depth);
  if (to === -1) return absent(row, q);
  out[to] = 44;
  return to + 1;
}
