import type { Reading } from './reading.ts';

/** The value of each hexadecimal digit in either case; negative for other characters. */
export const HEX_VALUES = new Int8Array(256).fill(-1);
for (let digit = 0; digit < 16; digit++) {
  for (const text of [digit.toString(16), digit.toString(16).toUpperCase()]) {
    HEX_VALUES[text.charCodeAt(0)] = digit;
  }
}

/**
 * Writes the bytes of the hexadecimal string whose first digit is at `pos`, and passes its closing quote. Returns false and
 * changes no position unless the string has exactly `bytes` bytes.
 */
export function copyHex(s: Reading, bytes: number): boolean {
  const { src, out } = s;
  let i = s.pos;
  let q = s.q;
  const end = i + bytes * 2;
  for (; i < end; i += 2) {
    const value =
      ((HEX_VALUES[src[i] as number] as number) << 4) | (HEX_VALUES[src[i + 1] as number] as number);
    if (value < 0) return false;
    out[q++] = value;
  }
  if (src[end] !== 34) return false;
  s.pos = end + 1;
  s.q = q;
  return true;
}
