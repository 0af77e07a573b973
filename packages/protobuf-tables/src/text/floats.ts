// Floats as the shortest JSON number that reads back as the same float. integers.ts explains `q`.
import { putAscii, putRareDouble } from './doubles.ts';
import { putInt, putNine, putUint } from './integers.ts';

/** Up to here all integers are floats, and no two of them share a shorter text. */
const MAX_SAFE_FLOAT = 16777216;
/** Smaller floats have fewer than six digits. */
const MIN_NORMAL = 1.1754943508222875e-38;
const POWERS = Float64Array.from({ length: 12 }, (_, n) => Number(`1e${n}`));

/**
 * Writes the float at i as the shortest text that reads back as the same float (0.1, not 0.10000000149011612), in the notation of
 * JSON.stringify. -0 keeps its sign. NaN and the infinities are the strings of ProtoJSON.
 */
export function putFloat(out: Uint8Array, view: DataView, from: DataView, i: number, q: number): number {
  const value = from.getFloat32(i, true);
  const size = Math.abs(value);
  if ((value | 0) === value && size <= MAX_SAFE_FLOAT && (value !== 0 || 1 / value > 0)) {
    return putInt(view, value | 0, q);
  }
  if (size >= 0.001 && size < 1e7) {
    if (value < 0) out[q++] = 45;
    return putFewDigits(out, view, size, q);
  }
  if (size === 0 || !(size < Number.POSITIVE_INFINITY)) return putRareDouble(out, view, value, q);
  const shortest = shortestFloat(size);
  return putAscii(out, `${value < 0 ? -shortest : shortest}`, q);
}

/** Tries six to nine digits; nine always suffice. The product of size and the power of ten is exact, and so is the comparison. */
function putFewDigits(out: Uint8Array, view: DataView, size: number, q: number): number {
  let decimals = decimalsOf(size);
  let power = POWERS[decimals] as number;
  let k = Math.round(size * power);
  while (Math.fround(k / power) !== size) {
    power = POWERS[++decimals] as number;
    k = Math.round(size * power);
  }
  const whole = Math.floor(k / power) | 0;
  const point = putUint(view, whole, q);
  const fraction = k - whole * power;
  if (fraction === 0) return point;
  out[point] = 46;
  let end = point + 1;
  for (; decimals > 9; decimals--) out[end++] = 48;
  putNine(view, (fraction * (POWERS[9 - decimals] as number)) | 0, end);
  end += 9;
  while (out[end - 1] === 48) end--;
  return end;
}

/** Number of decimals for six digits. */
function decimalsOf(size: number): number {
  if (size < 1) {
    if (size >= 0.1) return 6;
    return size >= 0.01 ? 7 : 8;
  }
  if (size < 1000) {
    if (size < 10) return 5;
    return size < 100 ? 4 : 3;
  }
  if (size < 1e4) return 2;
  return size < 1e5 ? 1 : 0;
}

/** The double with the fewest digits that rounds to the float `size`, at any magnitude. */
function shortestFloat(size: number): number {
  for (let digits = size < MIN_NORMAL ? 1 : 6; digits < 9; digits++) {
    const text = size.toExponential(digits - 1);
    const nearest = Number(text);
    if (Math.fround(nearest) === size) return nearest;
    // Below a power of two, floats are twice as dense as above it: the next decimal may fit when the nearest does not.
    const above = Number(nextAbove(text));
    if (Math.fround(above) === size) return above;
  }
  return Number(size.toExponential(8));
}

/** 1.25e-7 -> 126e-9 */
function nextAbove(text: string): string {
  const [mantissa = '', exponent = ''] = text.split('e');
  const digits = mantissa.replace('.', '');
  return `${Number(digits) + 1}e${Number(exponent) - digits.length + 1}`;
}
