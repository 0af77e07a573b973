// One walk along the wire bytes, by the rows of the message's fields. It is fast because:
// - Encoders write fields in order of number, so a tag is compared with that of the next row. Skipped rows are absent fields,
//   whose defaults are literals. Messages in another order are put in order first (in-order.ts).
// - Positions are local variables; functions return the position after a value in `run.pos`. Room is checked once per field.
// Functions here take more arguments than elsewhere, because objects would be allocated for every value.
import { Kind, Mode } from '../plan/kinds.ts';
import { checkLongTag, checkTag, refuse, skip, tagAt, varint } from '../wire/reader.ts';
import { NO_ROOM } from '../wire/writer.ts';
import { findRow, formOf, NO_FORM } from './field-rows.ts';
import { list, writePacked } from './list.ts';
import { map } from './map.ts';
import { checkRequired } from './required.ts';
import { type Run, UNORDERED } from './run.ts';
import { Column, END, type Header } from './tables.ts';
import { isListed, literal, value } from './value.ts';

// Repeated for the engine's sake: see plan/kinds.ts.
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
const EXTENSION: typeof Mode.extension = 6;
const REQUIRED: typeof Header.required = -2;

/** Writes the message whose bytes are i .. end as an object. */
export function message(run: Run, start: number, i: number, end: number, q: number, depth: number): number {
  const rows = run.rows;
  const src = run.src;
  const out = run.out;
  const first = i;
  const own = run.at;
  let row = start;
  let oneofs = 0;
  out[q++] = 123;
  while (i < end) {
    if (q > run.limit) throw NO_ROOM;
    const tagFrom = i;
    run.at = i;
    let tag = src[i++] as number;
    if (tag > 127) {
      tag = varint(run, tagFrom);
      i = run.pos;
      if (i - tagFrom > 4) checkLongTag(run, i - tagFrom);
    }
    let mode = rows[row + MODE] as number;
    if (rows[row] !== tag) {
      // not the next field: the fields between are absent, or this one is unknown
      checkTag(run, tag);
      const number = tag >>> 3;
      for (; (rows[row + NUMBER] as number) < number; row += ROW) {
        q = literal(run, rows[row + ABSENT] as number, rows[row + ABSENT_SIZE] as number, q);
      }
      mode = rows[row + MODE] as number;
      if (rows[row] !== tag) {
        if (rows[row + NUMBER] !== number) {
          const isBefore = row > start && (rows[row - ROW + NUMBER] as number) >= number;
          const found = isBefore ? findRow(run, start, number) : -1;
          if (found !== -1 && rows[found + MODE] !== EXTENSION) throw UNORDERED;
          mode = found === -1 ? NO_FORM : EXTENSION;
        } else {
          mode = formOf(run, row, tag);
          if (mode !== NO_FORM && rows[row + MODE] === EXTENSION) mode = EXTENSION;
        }
        if (mode === NO_FORM) {
          skip(run, tag, i, end, depth);
          i = run.pos;
          continue;
        }
      }
    }
    if (mode === EXTENSION) {
      i = tagFrom;
      break;
    }
    const oneof = rows[row + ONEOF] as number;
    if (oneof !== 0) {
      if ((oneofs & oneof) !== 0 && !run.ordered) throw UNORDERED;
      oneofs |= oneof;
    }
    const keyFrom = q;
    q = literal(run, rows[row + KEY] as number, rows[row + KEY_SIZE] as number, q);
    if (mode === ONE) q = value(run, rows[row + KIND] as number, rows[row + SUB] as number, i, end, q, depth);
    else if (mode === LIST) q = list(run, row, tagFrom, i, end, q, depth);
    else if (mode === MAP) q = map(run, row, tagFrom, i, end, q, depth);
    else q = seldomMode(run, mode, row, i, end, q, depth);
    if (q === -1) {
      q = keyFrom;
      if (mode === CLOSED) oneofs ^= oneof;
    } else out[q++] = 44;
    i = run.pos;
    row += ROW;
  }
  if (q > run.limit) throw NO_ROOM;
  const isOver = i >= end;
  for (; rows[row + NUMBER] !== END; row += ROW) {
    q = literal(run, rows[row + ABSENT] as number, rows[row + ABSENT_SIZE] as number, q);
  }
  if (!isOver) {
    q = extensions(run, start, i, end, q, depth);
    i = run.pos;
  }
  if (i !== end) refuse(run, 'truncated varint');
  if (rows[start + REQUIRED] !== 0) {
    run.at = own;
    checkRequired(run, start, first, end, depth);
  }
  if (out[q - 1] !== 44) q++; // no fields
  out[q - 1] = 125;
  return q;
}

/** Writes one or more values in seldom modes. Returns -1 if they are not to be written. */
function seldomMode(
  run: Run,
  mode: number,
  row: number,
  i: number,
  end: number,
  q: number,
  depth: number,
): number {
  const rows = run.rows;
  if (mode === Mode.never) checkTag(run, rows[row] as number);
  if (mode === PACKED) {
    const to = writePacked(run, row, i, end, q, depth);
    return rows[row + ABSENT_SIZE] === 0 && to - q === 2 ? -1 : to;
  }
  const kind = rows[row + KIND] as number;
  const sub = rows[row + SUB] as number;
  const to = value(run, kind, sub, i, end, q, depth);
  if (mode === CLOSED) return isListed(run, sub, varint(run, i)) ? to : -1;
  return isZero(run, row, i, q, to) ? -1 : to;
}

/** Writes the extensions after the fields, each with a comma, in order of arrival. */
function extensions(run: Run, start: number, i: number, end: number, q: number, depth: number): number {
  const { rows, out } = run;
  const seen = new Set<number>();
  while (i < end) {
    if (q > run.limit) throw NO_ROOM;
    run.at = i;
    const tag = tagAt(run, i, end);
    const from = run.pos;
    const row = findRow(run, start, tag >>> 3);
    const form = row === -1 ? NO_FORM : formOf(run, row, tag);
    if (form === NO_FORM) skip(run, tag, from, end, depth);
    else {
      if (rows[row + MODE] !== Mode.extension || seen.has(row)) throw UNORDERED;
      seen.add(row);
      const key = literal(run, rows[row + KEY] as number, rows[row + KEY_SIZE] as number, q);
      const to = extension(run, form, row, i, from, end, key, depth);
      const isEmptyList = form === PACKED && to - key === 2;
      if (!isEmptyList || run.tables.defaults) {
        q = to + 1;
        out[to] = 44;
      }
    }
    i = run.pos;
  }
  return q;
}

function extension(
  run: Run,
  form: number,
  row: number,
  tagFrom: number,
  i: number,
  end: number,
  q: number,
  depth: number,
): number {
  const { rows } = run;
  if (form === LIST) return list(run, row, tagFrom, i, end, q, depth);
  if (form === PACKED) return writePacked(run, row, i, end, q, depth);
  const sub = rows[row + SUB] as number;
  // unknown numbers of a closed enum count as its default
  if (form === CLOSED && !isListed(run, sub, varint(run, i)))
    return literal(run, rows[row + Column.zero] as number, rows[row + Column.zeroSize] as number, q);
  return value(run, rows[row + KIND] as number, sub, i, end, q, depth);
}

/** Whether the text q .. to of the value at i is the zero of its type. */
function isZero(run: Run, row: number, i: number, q: number, to: number): boolean {
  const { rows, out, pos } = run;
  if (to - q !== rows[row + Column.zeroSize]) return false;
  literal(run, rows[row + Column.zero] as number, to - q, to);
  for (let k = q; k < to; k++) if (out[k] !== out[k + to - q]) return false;
  if (rows[row + KIND] !== Kind.null) return true;
  // every number of NullValue is null
  const zero = varint(run, i) === 0;
  run.pos = pos;
  return zero;
}
