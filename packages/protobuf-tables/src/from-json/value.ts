// One value of a field. It is not null.
import type { Kind } from '../plan/kinds.ts';
import { close, open, putVarint32, putVarint64 } from '../wire/writer.ts';
import { copyBase64 } from './base64.ts';
import { copyDouble, putFinite } from './double.ts';
import { copyHex } from './hex.ts';
import { readInteger } from './integer.ts';
import { message } from './message.ts';
import { type Reading, refuse } from './reading.ts';
import { copyString, passString, resolveEscapes } from './strings.ts';
import type { Column, Form, Range } from './tables.ts';

// Repeated for the engine's sake: see plan/kinds.ts.
const TAG: typeof Column.tag = 0;
const KIND: typeof Column.kind = 1;
const SUB: typeof Column.sub = 3;
const RANGE: typeof Column.range = 4;
const FORM: typeof Column.form = 5;
const IMPLICIT: typeof Column.implicit = 12;
const DOUBLE: typeof Column.double = 13;
const LENGTH_BYTES: typeof Column.lengthBytes = 15;
const VARINT: typeof Form.varint = 0;
const FIXED32: typeof Form.fixed32 = 2;
const FIXED64: typeof Form.fixed64 = 3;
const INT32: typeof Range.int32 = 0;

const TRUE = 0x65757274; // as little-endian words
const ALSE = 0x65736c61;

/** Writes the value at `pos` with its tag, and passes it. */
export function taggedValue(s: Reading, row: number): void {
  putVarint32(s, s.rows[row + TAG] as number);
  value(s, row);
}

/** As above, but writes nothing if the value equals the absent field. */
export function singleValue(s: Reading, row: number): void {
  const { rows, q } = s;
  taggedValue(s, row);
  if (rows[row + IMPLICIT] !== 0 && isZero(s, row, q)) s.q = q;
}

/** Whether the output since `from`, a tag and a scalar value, is zero or empty. */
function isZero(s: Reading, row: number, from: number): boolean {
  const { out, rows, q } = s;
  const isLong = (rows[row + TAG] as number) > 127;
  for (let at = from + (isLong ? 2 : 1); at < q; at++) if (out[at] !== 0) return false;
  return true;
}

/** Writes the value at `pos` without its tag, and passes it. */
export function value(s: Reading, row: number): void {
  switch (s.rows[row + KIND] as number) {
    case 20 satisfies typeof Kind.message:
      messageValue(s, row);
      break;
    case 0 satisfies typeof Kind.string:
      stringValue(s, row);
      break;
    case 4 satisfies typeof Kind.double:
      copyDouble(s);
      break;
    case 3 satisfies typeof Kind.bool:
      boolValue(s);
      break;
    case 6 satisfies typeof Kind.enum:
      enumValue(s, row);
      break;
    case 10 satisfies typeof Kind.bytes:
      bytesValue(s, row);
      break;
    case 11 satisfies typeof Kind.hex:
      hexValue(s, row);
      break;
    default:
      integerValue(s, row);
  }
}

// Reserves as many bytes for the length as the field's last one needed.
function messageValue(s: Reading, row: number): void {
  if (s.src[s.pos] !== 123) refuse(s, s.pos, 'expected an object');
  s.pos++;
  const { rows } = s;
  const at = open(s, rows[row + LENGTH_BYTES] as number);
  message(s, rows[row + SUB] as number);
  rows[row + LENGTH_BYTES] = close(s, at);
}

function stringValue(s: Reading, row: number): void {
  if (s.src[s.pos] !== 34) refuse(s, s.pos, 'expected a string');
  s.pos++;
  const { rows } = s;
  const at = open(s, rows[row + LENGTH_BYTES] as number);
  copyString(s);
  rows[row + LENGTH_BYTES] = close(s, at);
}

function boolValue(s: Reading): void {
  const { src, from, pos } = s;
  const isTrue = from.getInt32(pos, true) === TRUE;
  if (!isTrue && (src[pos] !== 102 || from.getInt32(pos + 1, true) !== ALSE)) {
    refuse(s, pos, 'expected true or false');
  }
  s.out[s.q++] = isTrue ? 1 : 0;
  s.pos = pos + (isTrue ? 4 : 5);
}

function integerValue(s: Reading, row: number): void {
  const { rows, pos } = s;
  if (readInteger(s, rows[row + RANGE] as number)) putInteger(s, row);
  else largeInteger(s, row, pos);
}

function putInteger(s: Reading, row: number): void {
  const { rows, view, low, high, q } = s;
  const form = rows[row + FORM] as number;
  if (form === FIXED64) {
    view.setInt32(q, low, true);
    view.setInt32(q + 4, high, true);
    s.q = q + 8;
  } else if (form === FIXED32) {
    view.setInt32(q, low, true);
    s.q = q + 4;
  } else {
    // 32-bit values have their sign in the upper half too
    const upper = rows[row + RANGE] === INT32 ? low >> 31 : high;
    if (form === VARINT) putVarint64(s, low, upper);
    else putVarint64(s, (low << 1) ^ (upper >> 31), ((upper << 1) | (low >>> 31)) ^ (upper >> 31));
  }
}

/**
 * Handles an integer at `from` that is too large. If the oneof has a double, it takes numbers as JavaScript writes doubles:
 * JavaScript SDKs send whole doubles as integers. Others would be rounded.
 */
function largeInteger(s: Reading, row: number, from: number): void {
  const { rows, src, pos } = s;
  const double = rows[row + DOUBLE] as number;
  const text = src.toString('latin1', from, pos);
  if (double === 0 || String(Number(text)) !== text) refuse(s, from, 'integer beyond the range of the field');
  // its tag has one byte, like that of the integer
  s.out[s.q - 1] = rows[double + TAG] as number;
  putFinite(s, from, pos);
  s.q += 8;
}

function enumValue(s: Reading, row: number): void {
  const { src, pos } = s;
  if (src[pos] === 34) enumName(s, row);
  else if (!readInteger(s, INT32)) refuse(s, pos, 'integer beyond the range of an enum');
  putVarint64(s, s.low, s.low >> 31);
}

function enumName(s: Reading, row: number): void {
  const { src, rows, tables, pos } = s;
  resolveEscapes(s, pos + 1);
  s.pos = pos + 1;
  passString(s);
  const names = tables.enums[rows[row + SUB] as number];
  const number = names?.get(src.toString('latin1', pos + 1, s.pos - 1));
  if (number === undefined) refuse(s, pos, 'unknown name of an enum value');
  s.low = number;
}

function bytesValue(s: Reading, row: number): void {
  const { rows, src, pos } = s;
  if (src[pos] !== 34) refuse(s, pos, 'expected a string in base64');
  resolveEscapes(s, pos + 1);
  s.pos = pos + 1;
  passString(s);
  const at = open(s, rows[row + LENGTH_BYTES] as number);
  if (!copyBase64(s, pos + 1, s.pos - 1)) refuse(s, pos, 'expected a string in base64');
  rows[row + LENGTH_BYTES] = close(s, at);
}

function hexValue(s: Reading, row: number): void {
  const { src, out, pos, q } = s;
  const bytes = s.rows[row + SUB] as number;
  if (src[pos] !== 34) refuse(s, pos, `expected ${bytes * 2} hexadecimal digits`);
  s.pos = pos + 1;
  s.q = q + 1;
  if (src[pos + 1] === 34) {
    out[q] = 0;
    s.pos = pos + 2;
  } else if (copyHex(s, bytes) || (resolveEscapes(s, pos + 1) && retry(s, pos + 1) && copyHex(s, bytes))) {
    out[q] = bytes;
  } else refuse(s, pos, `expected ${bytes * 2} hexadecimal digits or none`);
}

function retry(s: Reading, pos: number): true {
  s.pos = pos;
  return true;
}
