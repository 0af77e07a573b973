// Doubles as JSON numbers, written directly as bytes. integers.ts explains `q`.
import { putInt, putNine, putPair, putUint } from './integers.ts';
import { putUint64 } from './integers64.ts';

/** All integers up to here are exact doubles. */
const MAX_SAFE = 9007199254740991;

/** JSON.stringify writes smaller numbers with an exponent. */
const MIN_DECIMAL = 1e-6;

/**
 * Writes the double at i as JSON.stringify does, except that -0 keeps its sign and NaN and the infinities are the strings of
 * ProtoJSON. Reads the double itself, because passing doubles between functions allocates objects.
 */
export function putDouble(out: Uint8Array, view: DataView, from: DataView, i: number, q: number): number {
  const value = from.getFloat64(i, true);
  if ((value | 0) === value && (value !== 0 || 1 / value > 0)) return putInt(view, value | 0, q);
  const size = Math.abs(value);
  if (!(size < 2147483648 && size >= MIN_DECIMAL)) return putRareDouble(out, view, value, q);
  // Up to nine decimals, six from four million on. k / 10^d is exactly rounded, and decimals are further apart than doubles, so
  // equality proves the text.
  const whole = Math.floor(size) | 0;
  let k = Math.round(size * 100);
  let power = 100;
  if (k / 100 !== size) {
    power = size < 4e6 ? 1e9 : 1e6;
    k = Math.round(size * power);
    if (k / power !== size) return putRareDouble(out, view, value, q);
  }
  if (value < 0) out[q++] = 45;
  let end = putUint(view, whole, q);
  const decimals = (k - whole * power) | 0;
  out[end] = 46;
  if (power === 100) {
    putPair(view, decimals, end + 1);
    end += 3;
  } else {
    putNine(view, power === 1e9 ? decimals : decimals * 1000, end + 1);
    end += 10;
  }
  while (out[end - 1] === 48) end--;
  return end;
}

/** NaN, infinities, -0, integers beyond 32 bits, and numbers whose digits take long to compute. */
export function putRareDouble(out: Uint8Array, view: DataView, value: number, q: number): number {
  if (value === 0) return putAscii(out, '-0', q);
  if (Number.isNaN(value)) return putAscii(out, '"NaN"', q);
  const size = Math.abs(value);
  if (size === Number.POSITIVE_INFINITY) return putAscii(out, value < 0 ? '"-Infinity"' : '"Infinity"', q);
  if (size > MAX_SAFE || Math.floor(size) !== size) return putAscii(out, `${value}`, q);
  if (value < 0) out[q++] = 45;
  return putUint64(view, size | 0, (size / 4294967296) | 0, q);
}

/** Writes a text of ASCII characters, one byte each. */
export function putAscii(out: Uint8Array, text: string, q: number): number {
  for (let k = 0; k < text.length; k++) out[q + k] = text.charCodeAt(k);
  return q + text.length;
}
