// One walk along the wire bytes, by the rows of the message's fields. What makes it fast:
// - Encoders write fields in order of number: a tag is compared with that of the next row. Rows that are passed over are
//   absent fields, whose defaults stand ready as literals.
// - Positions are locals; that behind a value comes back in `run.pos`. The room is checked once a field.
// Functions here take more arguments than elsewhere, because objects would be made for every value.
import { Kind, Mode } from '../plan/kinds.ts';
import { checkTag, skip, varint } from './reader.ts';
import { list, map, packed } from './repeated.ts';
import { NO_ROOM, refuse, run, UNORDERED } from './run.ts';
import { END, Header } from './tables.ts';
import { isListed, literal, value } from './value.ts';

const ROW = 16;
const NUMBER = 1;
const KIND = 2;
const MODE = 3;
const KEY = 4;
const KEY_SIZE = 5;
const ABSENT = 6;
const ABSENT_SIZE = 7;
const SUB = 8;
const WIRE = 11;
const ONEOF = 12;
const ZERO = 13;
const ZERO_SIZE = 14;

/** Writes the message whose bytes are i .. end as an object. */
export function message(start: number, i: number, end: number, q: number, depth: number): number {
  const rows = run.rows;
  const src = run.src;
  const out = run.out;
  let row = start;
  let oneofs = 0;
  out[q++] = 123;
  while (i < end) {
    if (q > run.limit) throw NO_ROOM;
    const tagFrom = i;
    let tag = src[i++] as number;
    if (tag > 127) {
      tag = varint(src, tagFrom);
      i = run.pos;
      if (i - tagFrom > 2) checkTag(tag, i - tagFrom);
    }
    let mode = rows[row + MODE] as number;
    if (rows[row] !== tag) {
      // not the next field: those between are absent, or this one is unknown
      const number = tag >>> 3;
      for (; (rows[row + NUMBER] as number) < number; row += ROW) {
        q = literal(rows[row + ABSENT] as number, rows[row + ABSENT_SIZE] as number, q);
      }
      if (rows[row + NUMBER] !== number) {
        checkTag(tag, i - tagFrom);
        if (row > start && (rows[row - ROW + NUMBER] as number) >= number && findRow(start, number) !== -1)
          throw UNORDERED;
        skip(tag, i, end, depth);
        i = run.pos;
        continue;
      }
      mode = rows[row + MODE] as number;
      if (rows[row] !== tag) {
        // packed where unpacked was expected, or the reverse
        checkTag(tag, i - tagFrom);
        if (mode === Mode.list && (tag & 7) === 2 && rows[row + WIRE] !== 3) mode = Mode.packed;
        else if (mode === Mode.packed && (tag & 7) === rows[row + WIRE]) mode = Mode.list;
        else {
          skip(tag, i, end, depth);
          i = run.pos;
          continue;
        }
      }
    }
    const oneof = rows[row + ONEOF] as number;
    if (oneof !== 0) {
      if ((oneofs & oneof) !== 0) throw UNORDERED;
      oneofs |= oneof;
    }
    const keyFrom = q;
    q = literal(rows[row + KEY] as number, rows[row + KEY_SIZE] as number, q);
    if (mode === Mode.one) q = value(rows[row + KIND] as number, rows[row + SUB] as number, i, end, q, depth);
    else if (mode === Mode.list) q = list(row, tagFrom, i, end, q, depth);
    else if (mode === Mode.map) q = map(row, tagFrom, i, end, q, depth);
    else {
      q = sometimes(mode, row, i, end, q, depth);
      if (q === -1) {
        q = keyFrom;
        if (mode === Mode.closed) oneofs ^= oneof;
        i = run.pos;
        row += ROW;
        continue;
      }
    }
    out[q++] = 44;
    i = run.pos;
    row += ROW;
  }
  if (i !== end) refuse('truncated varint');
  if (q > run.limit) throw NO_ROOM;
  for (; rows[row + NUMBER] !== END; row += ROW) {
    q = literal(rows[row + ABSENT] as number, rows[row + ABSENT_SIZE] as number, q);
  }
  if (out[q - 1] !== 44) q++; // no field at all
  out[q - 1] = 125;
  return q;
}

/** A value that may turn out to be one that is not written; then -1. */
export function sometimes(
  mode: number,
  row: number,
  i: number,
  end: number,
  q: number,
  depth: number,
): number {
  const rows = run.rows;
  if (mode === Mode.extension) throw UNORDERED;
  if (mode === Mode.packed) {
    const to = packed(row, i, end, q, depth);
    return rows[row + ABSENT_SIZE] === 0 && to - q === 2 ? -1 : to;
  }
  const kind = rows[row + KIND] as number;
  const sub = rows[row + SUB] as number;
  const to = value(kind, sub, i, end, q, depth);
  if (mode === Mode.closed) return isListed(sub, varint(run.src, i)) ? to : -1;
  return isZero(row, i, q, to) ? -1 : to;
}

/** Whether the text q .. to, of the value at i, is that of the type's zero. */
function isZero(row: number, i: number, q: number, to: number): boolean {
  const { rows, out, pos } = run;
  if (to - q !== rows[row + ZERO_SIZE]) return false;
  literal(rows[row + ZERO] as number, to - q, to);
  for (let k = q; k < to; k++) if (out[k] !== out[k + to - q]) return false;
  if (rows[row + KIND] !== Kind.null) return true;
  // every number of NullValue is null
  const zero = varint(run.src, i) === 0;
  run.pos = pos;
  return zero;
}

/** The row of the field with this number, or -1. */
export function findRow(start: number, number: number): number {
  const rows = run.rows;
  let low = 0;
  let high = (rows[start + Header.rows] as number) - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const row = start + middle * ROW;
    const found = rows[row + NUMBER] as number;
    if (found === number) return row;
    if (found < number) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}
