import type { Reading } from './reading.ts';

type Registers = Pick<Reading, 'src' | 'low' | 'high'>;

/** Results: not an integer, fits, or does not fit. */
export const NONE = 0;
export const FITS = 1;
export const BEYOND = 2;

/** More digits than any 64-bit integer has. */
const MAX_DIGITS = 20;
/** Larger exponents have the same effect. Sums with positions in an input stay exact. */
const MAX_EXPONENT = 1e12;

/**
 * Reads the JSON number from .. end, with optional fraction and exponent, exactly and without its sign. Returns NONE if it is not
 * an integer and BEYOND if it exceeds 64 bits. Otherwise its value is in `low` and `high`. Takes linear time.
 */
export function wholeNumber(s: Registers, from: number, end: number): number {
  const { src } = s;
  let first = 0; // position of the first digit that is not zero
  let last = 0; // position of the last one
  let count = 0; // digits from the first to the last one
  let zeros = 0; // digits after it
  let decimals = 0;
  let point = end;
  let i = src[from] === 45 ? from + 1 : from;
  for (; i < end && (src[i] as number) < 58; i++) {
    if (src[i] === 46) {
      point = i;
      continue;
    }
    if (i > point) decimals++;
    if (src[i] !== 48) {
      if (count === 0) first = i;
      last = i;
      count += zeros + 1;
      zeros = 0;
    } else if (count > 0) zeros++;
  }
  s.low = 0;
  s.high = 0;
  if (count === 0) return FITS;
  const power = (i < end ? exponent(src, i + 1, end) : 0) - decimals + zeros;
  if (power < 0) return NONE;
  return count + power > MAX_DIGITS ? BEYOND : significant(s, [first, last], power);
}

/** Reads the digits between two positions, followed by this number of zeros. */
function significant(s: Registers, [first, last]: readonly [number, number], zeros: number): number {
  let low = 0;
  let high = 0;
  for (let i = first; i <= last + zeros; i++) {
    if (s.src[i] === 46 && i <= last) continue;
    const sum = low * 10 + (i <= last ? (s.src[i] as number) - 48 : 0);
    high = high * 10 + Math.floor(sum / 2 ** 32);
    low = sum >>> 0;
  }
  s.low = low | 0;
  s.high = high | 0;
  return high < 2 ** 32 ? FITS : BEYOND;
}

function exponent(src: Uint8Array, at: number, end: number): number {
  const sign = src[at];
  let value = 0;
  for (let i = sign === 43 || sign === 45 ? at + 1 : at; i < end; i++) {
    value = Math.min(value * 10 + (src[i] as number) - 48, MAX_EXPONENT);
  }
  return sign === 45 ? -value : value;
}
