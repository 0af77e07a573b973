// Messages whose JSON is that of their one field that is set: wrappers, Struct, Value, ListValue.
import { Mode } from '../plan/kinds.ts';
import { findRow, formOf, NO_FORM } from './field-rows.ts';
import { values } from './gathered.ts';
import { list } from './list.ts';
import { map } from './map.ts';
import { occurrencesOf } from './occurrences.ts';
import { skip, tagAt } from './reader.ts';
import { NO_ROOM, refuse, run, UNORDERED } from './run.ts';
import { Column, Header } from './tables.ts';
import { literal, value } from './value.ts';

/** Writes the bare message whose bytes are from .. end. */
export function bare(start: number, i: number, end: number, q: number, depth: number): number {
  if (run.careful && !isSimple(start, i, end, depth)) return gatheredBare(start, [i, end], q, depth);
  if (q > run.limit) throw NO_ROOM;
  const { rows } = run;
  let found = false;
  while (i < end) {
    const tag = tagAt(i, end);
    const tagFrom = i;
    const from = run.pos;
    const row = findRow(start, tag >>> 3);
    const form = row === -1 ? NO_FORM : formOf(row, tag);
    if (form === NO_FORM) skip(tag, from, end, depth);
    else {
      if (found) throw UNORDERED;
      found = true;
      if (form === Mode.list) q = list(row, tagFrom, from, end, q, depth);
      else if (form === Mode.map) q = map(row, tagFrom, from, end, q, depth);
      else
        q = value(rows[row + Column.kind] as number, rows[row + Column.sub] as number, from, end, q, depth);
    }
    i = run.pos;
  }
  if (i !== end) refuse('truncated varint');
  return found ? q : unset(start, q);
}

/** Whether `bare` can write the message i .. end: what is in it comes once, or one behind the other. It must not be wrong. */
function isSimple(start: number, i: number, end: number, depth: number): boolean {
  if (run.path !== undefined) return false;
  let found = 0; // the tag
  let behind = 0;
  let size = 0;
  for (let at = i; at < end; at = run.pos) {
    const tag = tagAt(at, end);
    const tagSize = run.pos - at;
    const row = findRow(start, tag >>> 3);
    const form = row === -1 ? NO_FORM : formOf(row, tag);
    skip(tag, run.pos, end, depth);
    if (form === NO_FORM) continue;
    const goesOn = tag === found && at === behind && tagSize === size && form !== Mode.one;
    if (found !== 0 && !goesOn) return false;
    found = tag;
    size = tagSize;
    behind = run.pos;
  }
  return true;
}

/** Writes the bare message whose bytes are those of all ranges, in any order. */
export function gatheredBare(start: number, ranges: readonly number[], q: number, depth: number): number {
  if (q > run.limit) throw NO_ROOM;
  const { places } = occurrencesOf(start, ranges, depth);
  const index = places.findIndex((there) => there !== undefined);
  if (index === -1) return unset(start, q);
  return values(start + index * Column.count, places[index] ?? [], q, depth);
}

function unset(start: number, q: number): number {
  const size = run.rows[start + Header.unsetSize] as number;
  if (size === 0) refuse('google.protobuf.Value without a value');
  return literal(run.rows[start + Header.unset] as number, size, q);
}
