// Integers are read into `low` and `high` as two's complement, never through a double.
import { passNumber } from './pass-number.ts';
import { type Reading, refuse } from './reading.ts';
import { resolveEscapes } from './strings.ts';
import type { Range } from './tables.ts';
import { BEYOND, FITS, NONE, wholeNumber } from './whole-number.ts';

const EXPECTED = 'expected an integer';

/**
 * Reads the integer at `pos`, a number with or without quotes, and passes it. Returns false if it is out of range. Throws if the
 * value is not an integer.
 */
export function readInteger(s: Reading, range: number): boolean {
  const { src, pos } = s;
  if (src[pos] === 34) return quotedInteger(s, range);
  const found = integer(s, pos, range);
  return found === NONE ? refuse(s, pos, EXPECTED) : found === FITS;
}

function quotedInteger(s: Reading, range: number): boolean {
  const { src } = s;
  const from = s.pos + 1;
  let found = integer(s, from, range);
  if (found === NONE || src[s.pos] !== 34) {
    found = resolveEscapes(s, from) ? integer(s, from, range) : NONE;
    if (found === NONE || src[s.pos] !== 34) refuse(s, from, EXPECTED);
  }
  s.pos++;
  return found === FITS;
}

function integer(s: Reading, from: number, range: number): number {
  const { src } = s;
  let i = from;
  let low = 0;
  let digit = (src[i] as number) ^ 48;
  for (const stop = i + 9; digit < 10 && i < stop; digit = (src[++i] as number) ^ 48) low = low * 10 + digit;
  // a sign, a leading zero, more than nine digits or any other character takes the slow path
  const isShort = i > from && digit > 9 && (src[from] !== 48 || i === from + 1);
  if (!isShort || isOdd(src[i] as number)) return longInteger(s, from, range);
  s.pos = i;
  s.low = low;
  s.high = 0;
  return FITS;
}

/** Whether the byte after digits starts a fraction or an exponent. */
function isOdd(byte: number): boolean {
  return byte === 46 || (byte | 32) === 101;
}

function longInteger(s: Reading, from: number, range: number): number {
  const negative = s.src[from] === 45;
  if (digits(s, negative ? from + 1 : from)) return putSign(s, negative, range);
  return seldomInteger(s, from, range);
}

/**
 * Reads digits from `at` on into `low` and `high`, and passes them. Returns false if the number has other parts, is not valid
 * JSON or exceeds 64 bits.
 */
function digits(s: Reading, at: number): boolean {
  const { src } = s;
  let i = at;
  let low = 0;
  let high = 0;
  for (;;) {
    const stop = i + 9;
    let chunk = 0;
    let power = 1;
    for (; i < stop; i++) {
      const digit = (src[i] as number) ^ 48;
      if (digit > 9) break;
      chunk = chunk * 10 + digit;
      power *= 10;
    }
    if (power === 1) break;
    // (high, low) = (high, low) * power + chunk, in parts that fit into doubles
    const first = (low & 0xffff) * power + chunk;
    const second = (low >>> 16) * power + Math.floor(first / 65536);
    low = (first & 0xffff) | (second << 16);
    high = high * power + Math.floor(second / 65536);
    if (high > 0xffffffff) return false;
    if (i < stop) break;
  }
  if (i === at || isOdd(src[i] as number) || (src[at] === 48 && i > at + 1)) return false;
  s.pos = i;
  s.low = low;
  s.high = high | 0;
  return true;
}

/** Applies the sign if the result is in range. */
function putSign(s: Reading, negative: boolean, range: number): number {
  const { low, high } = s;
  if (!inRange(low, high, negative, range)) return BEYOND;
  if (negative) {
    s.low = -low | 0;
    s.high = low === 0 ? -high | 0 : ~high;
  }
  return FITS;
}

function inRange(low: number, high: number, negative: boolean, range: number): boolean {
  switch (range) {
    case 0 satisfies typeof Range.int32:
      return high === 0 && (low >= 0 || (negative && low === -0x80000000));
    case 1 satisfies typeof Range.uint32:
      return high === 0 && (!negative || low === 0);
    case 2 satisfies typeof Range.int64:
      return high >= 0 || (negative && high === -0x80000000 && low === 0);
    default:
      return !negative || (low === 0 && high === 0);
  }
}

/** Handles numbers with a fraction, an exponent or more digits. */
function seldomInteger(s: Reading, from: number, range: number): number {
  s.pos = from;
  if (!passNumber(s)) return NONE;
  const found = wholeNumber(s, from, s.pos);
  return found === FITS ? putSign(s, s.src[from] === 45, range) : found;
}
