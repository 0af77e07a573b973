// Doubles as JSON numbers, straight into bytes. See integers.ts for what `q` is.
import { putInt, putPair, putUint } from './integers.ts';
import { putUint64 } from './integers64.ts';

/** 0 <= exactly this many integers are doubles. */
const MAX_SAFE = 9007199254740991;

/** As JSON.stringify writes it, but -0 keeps its sign; NaN and the infinities as the strings of ProtoJSON. */
export function putDouble(out: Uint8Array, view: DataView, value: number, q: number): number {
  if ((value | 0) === value) {
    if (value === 0 && 1 / value < 0) {
      out[q] = 45;
      out[q + 1] = 48;
      return q + 2;
    }
    return putInt(out, view, value | 0, q);
  }
  const size = Math.abs(value);
  if (size < 2147483648) {
    const end = putSixDecimals(out, view, value, q);
    if (end !== 0) return end;
  } else if (size <= MAX_SAFE && Math.floor(size) === size) {
    if (value < 0) out[q++] = 45;
    return putUint64(out, view, size | 0, Math.floor(size / 4294967296), q);
  }
  return putRareDouble(out, value, q);
}

/** Up to six decimals, or 0 if there are more: k / 10^d is exactly rounded, so that equality proves the text. */
function putSixDecimals(out: Uint8Array, view: DataView, value: number, q: number): number {
  const size = Math.abs(value);
  const whole = Math.floor(size);
  let k = Math.round(size * 100);
  if (k / 100 === size) {
    if (value < 0) out[q++] = 45;
    const end = putUint(out, view, whole, q);
    out[end] = 46;
    const decimals = (k - whole * 100) | 0;
    putPair(view, decimals, end + 1);
    return decimals % 10 === 0 ? end + 2 : end + 3;
  }
  k = Math.round(size * 1e6);
  if (k / 1e6 !== size) return 0;
  if (value < 0) out[q++] = 45;
  const point = putUint(out, view, whole, q);
  out[point] = 46;
  const decimals = (k - whole * 1e6) | 0;
  const upper = (decimals / 10_000) | 0;
  const lower = decimals - upper * 10_000;
  const middle = (lower / 100) | 0;
  putPair(view, upper, point + 1);
  putPair(view, middle, point + 3);
  putPair(view, lower - middle * 100, point + 5);
  let end = point + 7;
  while (out[end - 1] === 48) end--;
  return end;
}

/** Not a number, an infinity, or a number with digits that are not cheap to find. */
export function putRareDouble(out: Uint8Array, value: number, q: number): number {
  if (Number.isNaN(value)) return putAscii(out, '"NaN"', q);
  if (value === Number.POSITIVE_INFINITY) return putAscii(out, '"Infinity"', q);
  if (value === Number.NEGATIVE_INFINITY) return putAscii(out, '"-Infinity"', q);
  return putAscii(out, `${value}`, q);
}

/** Text without anything above U+007F, one byte a character. */
export function putAscii(out: Uint8Array, text: string, q: number): number {
  for (let k = 0; k < text.length; k++) out[q + k] = text.charCodeAt(k);
  return q + text.length;
}
