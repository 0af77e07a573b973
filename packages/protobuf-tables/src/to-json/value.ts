// One value without its tag, by its kind.
import { Kind } from '../plan/kinds.ts';
import { putBase64, putHex } from '../text/bytes.ts';
import { lenientText } from '../text/decoders.ts';
import { putDouble } from '../text/doubles.ts';
import { putFloat } from '../text/floats.ts';
import { putInt, putUint } from '../text/integers.ts';
import { putInt64, putUint64 } from '../text/integers64.ts';
import { escapedSize, putString } from '../text/strings.ts';
import { groupEnd, refuse, size, skipFixed, tooDeep, varint } from '../wire/reader.ts';
import { NO_ROOM } from '../wire/writer.ts';
import { any } from './any.ts';
import { writeBare } from './bare.ts';
import { fieldMask } from './field-mask.ts';
import { message } from './message.ts';
import type { Run } from './run.ts';
import { duration, timestamp } from './times.ts';

const TRUE = 0x65757274; // as little-endian words
const FALS = 0x736c6166;
const NULL = 0x6c6c756e;

/** Writes the value at i and sets `run.pos` to the position after it. A bare value may end before `end`, the end of the message. */
export function value(
  run: Run,
  kind: number,
  sub: number,
  i: number,
  end: number,
  q: number,
  depth: number,
): number {
  const src = run.src;
  const out = run.out;
  const view = run.view;
  switch (kind) {
    case 0 satisfies typeof Kind.string:
    case 1 satisfies typeof Kind.text: {
      const n = size(run, i, end);
      const at = run.pos;
      run.pos = at + n;
      if (q + n * 6 > run.limit) checkRoom(run, at, n, q);
      const to = putString(src, run.from, out, view, at, n, q);
      return to < 0 ? invalidString(run, kind, at, n, q) : to;
    }
    case 2 satisfies typeof Kind.int32:
      return putInt(view, varint(run, i), q);
    case 3 satisfies typeof Kind.bool:
      if ((varint(run, i) | run.high) !== 0) {
        view.setInt32(q, TRUE, true);
        return q + 4;
      }
      view.setInt32(q, FALS, true);
      out[q + 4] = 101;
      return q + 5;
    case 4 satisfies typeof Kind.double:
      skipFixed(run, i, 8, end);
      return putDouble(out, view, run.from, i, q);
    case 20 satisfies typeof Kind.message: {
      const stop = size(run, i, end) + run.pos;
      if (depth >= run.maxDepth) tooDeep(run);
      const to = message(run, sub, run.pos, stop, q, depth + 1);
      run.pos = stop;
      return to;
    }
    case 5 satisfies typeof Kind.int64: {
      const low = varint(run, i);
      if (run.tables.safeIntegers) return writeWide(run, true, low, run.high, q);
      out[q] = 34;
      const to = putInt64(view, low, run.high, q + 1);
      out[to] = 34;
      return to + 1;
    }
    case 22 satisfies typeof Kind.timestamp: {
      const stop = size(run, i, end) + run.pos;
      if (depth >= run.maxDepth) tooDeep(run);
      return timestamp(run, run.pos, stop, q, depth + 1);
    }
    case 6 satisfies typeof Kind.enum:
      return enumText(run, sub, varint(run, i), q);
    case 7 satisfies typeof Kind.uint32:
      return putUint(view, varint(run, i), q);
    case 8 satisfies typeof Kind.uint64: {
      const low = varint(run, i);
      return writeWide(run, false, low, run.high, q);
    }
    case 9 satisfies typeof Kind.float:
      skipFixed(run, i, 4, end);
      return putFloat(out, view, run.from, i, q);
    case 10 satisfies typeof Kind.bytes:
    case 11 satisfies typeof Kind.hex: {
      const n = size(run, i, end);
      const at = run.pos;
      if (q + n * 2 > run.limit) throw NO_ROOM;
      run.pos = at + n;
      return kind === Kind.hex ? putHex(src, out, view, at, n, q) : putBase64(src, out, view, at, n, q);
    }
    case 12 satisfies typeof Kind.fixed64:
    case 13 satisfies typeof Kind.sfixed64:
      skipFixed(run, i, 8, end);
      return writeWide(
        run,
        kind === Kind.sfixed64,
        run.from.getInt32(i, true),
        run.from.getInt32(i + 4, true),
        q,
      );
    default:
      return seldomValue(run, kind, sub, i, end, q, depth);
  }
}

/** Writes values of seldom kinds. */
function seldomValue(
  run: Run,
  kind: number,
  sub: number,
  i: number,
  end: number,
  q: number,
  depth: number,
): number {
  const { out, view } = run;
  switch (kind) {
    case 14 satisfies typeof Kind.sint32: {
      const n = varint(run, i);
      return putInt(view, (n >>> 1) ^ -(n & 1), q);
    }
    case 15 satisfies typeof Kind.sint64: {
      const n = varint(run, i);
      const sign = -(n & 1);
      return writeWide(run, true, ((n >>> 1) | (run.high << 31)) ^ sign, (run.high >>> 1) ^ sign, q);
    }
    case 16 satisfies typeof Kind.fixed32:
      skipFixed(run, i, 4, end);
      return putUint(view, run.from.getInt32(i, true), q);
    case 17 satisfies typeof Kind.sfixed32:
      skipFixed(run, i, 4, end);
      return putInt(view, run.from.getInt32(i, true), q);
    case 18 satisfies typeof Kind.null:
      varint(run, i);
      view.setInt32(q, NULL, true);
      return q + 4;
    case 19 satisfies typeof Kind.finite: {
      skipFixed(run, i, 8, end);
      const exponent = (run.from.getInt32(i + 4, true) >> 20) & 0x7ff;
      if (exponent === 0x7ff) refuse(run, 'google.protobuf.Value with a number that is not finite');
      return putDouble(out, view, run.from, i, q);
    }
    case 21 satisfies typeof Kind.group:
      return group(run, sub, i, end, q, depth);
    default: {
      const stop = size(run, i, end) + run.pos;
      const to = body(run, kind, sub, run.pos, stop, q, depth);
      run.pos = stop;
      return to;
    }
  }
}

/** Writes the message from .. to, which is inside one at `depth`. */
export function body(
  run: Run,
  kind: number,
  sub: number,
  from: number,
  to: number,
  q: number,
  depth: number,
): number {
  if (depth >= run.maxDepth) tooDeep(run);
  switch (kind) {
    case Kind.message:
      return message(run, sub, from, to, q, depth + 1);
    case Kind.bare:
      return writeBare(run, sub, from, to, q, depth + 1);
    case Kind.timestamp:
      return timestamp(run, from, to, q, depth + 1);
    case Kind.duration:
      return duration(run, from, to, q, depth + 1);
    case Kind.fieldMask:
      return fieldMask(run, from, to, q, depth + 1);
    default:
      return any(run, from, to, q, depth + 1);
  }
}

/** Makes sure that the string fits, even if six times its size does not. */
function checkRoom(run: Run, at: number, n: number, q: number): void {
  if (q + n > run.limit || q + escapedSize(run.src, at, n) > run.limit) throw NO_ROOM;
}

/** Handles a string that is not valid UTF-8. */
function invalidString(run: Run, kind: number, at: number, n: number, q: number): number {
  if (kind === Kind.string) refuse(run, 'invalid UTF-8');
  const { src, out, limit } = run;
  const json = Buffer.from(JSON.stringify(lenientText(src.subarray(at, at + n))));
  if (q + json.length > limit) throw NO_ROOM;
  out.set(json, q);
  return q + json.length;
}

function group(run: Run, sub: number, i: number, end: number, q: number, depth: number): number {
  const { rows } = run;
  const stop = groupEnd(run, rows[sub + 2] as number, i, end, depth);
  const after = run.pos;
  const to = body(run, rows[sub] as number, rows[sub + 1] as number, i, stop, q, depth);
  run.pos = after;
  return to;
}

/** Writes a 64-bit integer as a string, or as a number if that is requested and a double holds it. */
function writeWide(run: Run, signed: boolean, low: number, high: number, q: number): number {
  const { out, view } = run;
  if (run.tables.safeIntegers && isSafe(signed, low, high)) {
    return signed ? putInt64(view, low, high, q) : putUint64(view, low, high, q);
  }
  out[q] = 34;
  const to = signed ? putInt64(view, low, high, q + 1) : putUint64(view, low, high, q + 1);
  out[to] = 34;
  return to + 1;
}

/** Whether the number is within 2^53 - 1. */
function isSafe(signed: boolean, low: number, high: number): boolean {
  if (!signed || high >= 0) return high >>> 0 <= 0x1fffff;
  return high > -0x200000 || (high === -0x200000 && low !== 0);
}

function enumText(run: Run, at: number, n: number, q: number): number {
  const found = enumPlace(run, at, n);
  if (found === -1) return putInt(run.view, n, q);
  return literal(run, run.rows[found + 1] as number, run.rows[found + 2] as number, q);
}

/** Whether an enum has a value with this number. */
export function isListed(run: Run, at: number, n: number): boolean {
  return enumPlace(run, at, n) !== -1;
}

function enumPlace(run: Run, at: number, n: number): number {
  const rows = run.rows;
  const count = rows[at] as number;
  const guess = at + 1 + n * 3; // values usually are 0, 1, 2 ...
  if (n >= 0 && n < count && rows[guess] === n) return guess;
  const end = at + 1 + count * 3;
  for (let place = at + 1; place < end; place += 3) if (rows[place] === n) return place;
  return -1;
}

/** Copies a literal. May write up to seven bytes more. */
export function literal(run: Run, word: number, size: number, q: number): number {
  const { literals, view } = run;
  const end = q + size;
  for (let at = q; at < end; at += 8) view.setFloat64(at, literals[word++] as number, true);
  return end;
}
