// One walk along the wire bytes, by the rows of the message's fields. What makes it fast:
// - Encoders write fields in order of number: a tag is compared with that of the next row. Rows that are passed over are
//   absent fields, whose defaults stand ready as literals.
// - Positions are locals; that behind a value comes back in `run.pos`. The room is checked once a field.
// Functions here take more arguments than elsewhere, because objects would be made for every value.
import { Kind, Mode } from '../plan/kinds.ts';
import { Arrangement, arrangementOf } from './arrangement.ts';
import { findRow, formOf, NO_FORM } from './field-rows.ts';
import { gathered } from './gathered.ts';
import { list, packed } from './list.ts';
import { map } from './map.ts';
import { permuted } from './permuted.ts';
import { checkLongTag, checkTag, skip, varint } from './reader.ts';
import { checkRequired } from './required.ts';
import { NO_ROOM, refuse, run, UNORDERED } from './run.ts';
import { Column, END, type Header } from './tables.ts';
import { isListed, literal, value } from './value.ts';

// The engine folds constants of the same file, not those of objects in others.
const ROW: typeof Column.count = 16;
const NUMBER: typeof Column.number = 1;
const KIND: typeof Column.kind = 2;
const MODE: typeof Column.mode = 3;
const KEY: typeof Column.key = 4;
const KEY_SIZE: typeof Column.keySize = 5;
const ABSENT: typeof Column.absent = 6;
const ABSENT_SIZE: typeof Column.absentSize = 7;
const SUB: typeof Column.sub = 8;
const ONEOF: typeof Column.oneof = 12;
const ONE: typeof Mode.one = 0;
const LIST: typeof Mode.list = 1;
const PACKED: typeof Mode.packed = 2;
const MAP: typeof Mode.map = 3;
const CLOSED: typeof Mode.closed = 5;
const REQUIRED: typeof Header.required = -2;

/** Writes the message whose bytes are i .. end as an object. */
export function message(start: number, i: number, end: number, q: number, depth: number): number {
  if (run.careful) {
    const arrangement = arrangementOf(start, i, end, depth);
    if (arrangement === Arrangement.tangled) return gathered(start, [i, end], q, depth);
    if (arrangement === Arrangement.permuted) return permuted(start, end, q, depth);
  }
  const rows = run.rows;
  const src = run.src;
  const out = run.out;
  const first = i;
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
      if (i - tagFrom > 4) checkLongTag(i - tagFrom);
    }
    let mode = rows[row + MODE] as number;
    if (rows[row] !== tag) {
      // not the next field: those between are absent, or this one is unknown
      checkTag(tag);
      const number = tag >>> 3;
      for (; (rows[row + NUMBER] as number) < number; row += ROW) {
        q = literal(rows[row + ABSENT] as number, rows[row + ABSENT_SIZE] as number, q);
      }
      mode = rows[row + MODE] as number;
      if (rows[row] !== tag) {
        if (rows[row + NUMBER] !== number) {
          if (
            row > start &&
            (rows[row - ROW + NUMBER] as number) >= number &&
            findRow(start, number) !== -1
          ) {
            throw UNORDERED;
          }
          mode = NO_FORM;
        } else {
          mode = formOf(row, tag);
          if (rows[row + MODE] === Mode.extension && mode !== NO_FORM) throw UNORDERED;
        }
        if (mode === NO_FORM) {
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
    if (mode === ONE) q = value(rows[row + KIND] as number, rows[row + SUB] as number, i, end, q, depth);
    else if (mode === LIST) q = list(row, tagFrom, i, end, q, depth);
    else if (mode === MAP) q = map(row, tagFrom, i, end, q, depth);
    else q = seldomMode(mode, row, i, end, q, depth);
    if (q === -1) {
      q = keyFrom;
      if (mode === CLOSED) oneofs ^= oneof;
    } else out[q++] = 44;
    i = run.pos;
    row += ROW;
  }
  if (i !== end) refuse('truncated varint');
  if (q > run.limit) throw NO_ROOM;
  for (; rows[row + NUMBER] !== END; row += ROW) {
    q = literal(rows[row + ABSENT] as number, rows[row + ABSENT_SIZE] as number, q);
  }
  if (rows[start + REQUIRED] !== 0) checkRequired(start, [first, end], depth);
  if (out[q - 1] !== 44) q++; // no field at all
  out[q - 1] = 125;
  return q;
}

/** A value, or values, that may turn out to be such as are not written; then -1. */
export function seldomMode(
  mode: number,
  row: number,
  i: number,
  end: number,
  q: number,
  depth: number,
): number {
  const rows = run.rows;
  if (mode === Mode.extension) throw UNORDERED;
  if (mode === Mode.never) checkTag(rows[row] as number);
  if (mode === PACKED) {
    const to = packed(row, i, end, q, depth);
    return rows[row + ABSENT_SIZE] === 0 && to - q === 2 ? -1 : to;
  }
  const kind = rows[row + KIND] as number;
  const sub = rows[row + SUB] as number;
  const to = value(kind, sub, i, end, q, depth);
  if (mode === CLOSED) return isListed(sub, varint(run.src, i)) ? to : -1;
  return isZero(row, i, q, to) ? -1 : to;
}

/** Whether the text q .. to, of the value at i, is that of the type's zero. */
export function isZero(row: number, i: number, q: number, to: number): boolean {
  const { rows, out, pos } = run;
  if (to - q !== rows[row + Column.zeroSize]) return false;
  literal(rows[row + Column.zero] as number, to - q, to);
  for (let k = q; k < to; k++) if (out[k] !== out[k + to - q]) return false;
  if (rows[row + KIND] !== Kind.null) return true;
  // every number of NullValue is null
  const zero = varint(run.src, i) === 0;
  run.pos = pos;
  return zero;
}
