import type { Reading } from './reading.ts';

/** Passes the JSON number at `pos`. Returns false if there is no number. */
export function passNumber(s: Reading): boolean {
  const { src } = s;
  let i = s.pos;
  if (src[i] === 45) i++;
  const whole = passDigits(src, i);
  if (whole === i || (src[i] === 48 && whole > i + 1)) return false;
  i = whole;
  if (src[i] === 46) {
    const decimals = passDigits(src, i + 1);
    if (decimals === i + 1) return false;
    i = decimals;
  }
  if (((src[i] as number) | 32) === 101) {
    i++;
    if (src[i] === 43 || src[i] === 45) i++;
    const end = passDigits(src, i);
    if (end === i) return false;
    i = end;
  }
  s.pos = i;
  return true;
}

function passDigits(src: Uint8Array, i: number): number {
  while (((src[i] as number) ^ 48) <= 9) i++;
  return i;
}
