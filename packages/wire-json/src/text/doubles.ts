// Doubles as JSON numbers, straight into bytes. See integers.ts for what `q` is.
import { putInt, putNine, putPair, putUint } from './integers.ts';
import { putUint64 } from './integers64.ts';

/** Up to here all integers are doubles. */
const MAX_SAFE = 9007199254740991;

/** Below it JSON.stringify writes exponents. */
const MIN_DECIMAL = 1e-6;

/** As JSON.stringify writes it, but -0 keeps its sign; NaN and the infinities as the strings of ProtoJSON. */
export function putDouble(out: Uint8Array, view: DataView, value: number, q: number): number {
  if ((value | 0) === value) {
    if (value === 0 && 1 / value < 0) return putAscii(out, '-0', q);
    return putInt(view, value | 0, q);
  }
  const size = Math.abs(value);
  if (size < 2147483648) {
    if (value < 0) out[q] = 45;
    const end = putFewDecimals(out, view, size, value < 0 ? q + 1 : q);
    if (end !== 0) return end;
  } else if (size <= MAX_SAFE && Math.floor(size) === size) {
    if (value < 0) out[q++] = 45;
    return putUint64(view, size | 0, Math.floor(size / 4294967296), q);
  }
  return putRareDouble(out, value, q);
}

/**
 * Up to nine decimals (six from four million on), or 0 if there are more. k / 10^d is exactly rounded and decimals are
 * further apart than doubles, so that equality proves the text.
 */
function putFewDecimals(out: Uint8Array, view: DataView, size: number, q: number): number {
  const whole = Math.floor(size);
  let k = Math.round(size * 100);
  if (k / 100 === size) {
    const point = putUint(view, whole, q);
    const decimals = (k - whole * 100) | 0;
    out[point] = 46;
    putPair(view, decimals, point + 1);
    return decimals % 10 === 0 ? point + 2 : point + 3;
  }
  const power = size < 4e6 ? 1e9 : 1e6;
  k = Math.round(size * power);
  if (k / power !== size || size < MIN_DECIMAL) return 0;
  const point = putUint(view, whole, q);
  const decimals = k - whole * power;
  out[point] = 46;
  putNine(view, (power === 1e9 ? decimals : decimals * 1000) | 0, point + 1);
  let end = point + 10;
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
