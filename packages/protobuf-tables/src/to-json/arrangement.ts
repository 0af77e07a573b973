import { Mode } from '../plan/kinds.ts';
import { findRow, formOf, NO_FORM } from './field-rows.ts';
import { skip, tagAt } from './reader.ts';
import { reservePlaces, run } from './run.ts';
import { Column, Header } from './tables.ts';

/** How the fields of a message come. */
export const Arrangement = {
  /** In order of number, each once, values of a list or map one behind the other. */
  ordered: 0,
  /** The same in another order. */
  permuted: 1,
  /** In any way. */
  tangled: 2,
} as const;

/** Looks through the message i .. end. If it is permuted, `run.places` has what `permuted` needs. */
export function arrangementOf(start: number, i: number, end: number, depth: number): number {
  if (run.path !== undefined) return Arrangement.tangled;
  if (isOrdered(start, i, end, depth)) return Arrangement.ordered;
  return isPermuted(start, i, end, depth) ? Arrangement.permuted : Arrangement.tangled;
}

/** Whether `message` can write the fields one by one. It must not be wrong. */
function isOrdered(start: number, i: number, end: number, depth: number): boolean {
  const { rows } = run;
  let row = start;
  let oneofs = 0;
  let repeated = -1; // the tag that may come again
  let repeatedSize = 0;
  for (let at = i; at < end; at = run.pos) {
    const tag = tagAt(at, end);
    const from = run.pos;
    if (tag === repeated && from - at === repeatedSize) {
      skip(tag, from, end, depth);
      continue;
    }
    repeated = -1;
    const number = tag >>> 3;
    while ((rows[row + Column.number] as number) < number) row += Column.count;
    if (rows[row + Column.number] !== number) {
      if (findRow(start, number) !== -1) return false;
    } else {
      const form = rows[row] === tag ? (rows[row + Column.mode] as number) : formOf(row, tag);
      if (form !== NO_FORM) {
        const oneof = rows[row + Column.oneof] as number;
        if ((oneofs & oneof) !== 0 || rows[row + Column.mode] === Mode.extension) return false;
        oneofs |= oneof;
        if (form === Mode.list || form === Mode.map) repeated = tag;
        repeatedSize = from - at;
        row += Column.count;
      }
    }
    skip(tag, from, end, depth);
  }
  return true;
}

/**
 * Whether each field comes once, or its values one behind the other. Leaves in `run.places`, from `run.top` on, where the
 * tag of each field is, by index of the row; -1 = absent.
 */
function isPermuted(start: number, i: number, end: number, depth: number): boolean {
  const { rows, top } = run;
  const places = clearedPlaces(top, rows[start + Header.rows] as number);
  let row = start; // the one that follows in order
  let oneofs = 0;
  let repeated = -1;
  let repeatedSize = 0;
  for (let at = i; at < end; at = run.pos) {
    const tag = tagAt(at, end);
    const from = run.pos;
    if (tag !== repeated || from - at !== repeatedSize) {
      repeated = -1;
      const found = rows[row] === tag ? row : findRow(start, tag >>> 3);
      const form = found === -1 ? NO_FORM : formOf(found, tag);
      if (form !== NO_FORM) {
        const place = top + (found - start) / Column.count;
        const oneof = rows[found + Column.oneof] as number;
        if (places[place] !== -1 || (oneofs & oneof) !== 0) return false;
        if (rows[found + Column.mode] === Mode.extension) return false;
        oneofs |= oneof;
        places[place] = at;
        if (form === Mode.list || form === Mode.map) repeated = tag;
        repeatedSize = from - at;
        row = found + Column.count;
      }
    }
    skip(tag, from, end, depth);
  }
  return true;
}

/** Room for the places of a message's fields. */
function clearedPlaces(top: number, count: number): Int32Array {
  reservePlaces(top + count);
  const { places } = run;
  for (let place = top; place < top + count; place++) places[place] = -1;
  return places;
}
