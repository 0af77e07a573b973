import { NO_ROOM } from '../wire/writer.ts';
import type { Reading } from './reading.ts';

/** The value of each character in either alphabet; negative for other characters. */
const VALUES = new Int8Array(256).fill(-1);
for (const alphabet of ['+/', '-_']) {
  const characters = `ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789${alphabet}`;
  for (let value = 0; value < 64; value++) VALUES[characters.charCodeAt(value)] = value;
}

/** Writes the bytes of the base64 string i .. end: standard or URL-safe, with full padding or none. Returns false if it is invalid. */
export function copyBase64(s: Reading, from: number, end: number): boolean {
  const { src, out } = s;
  let last = end;
  while (last > from && end - last < 2 && src[last - 1] === 61) last--;
  const rest = (last - from) % 4;
  if (rest === 1 || (last < end && (end - from) % 4 !== 0)) return false;
  let q = s.q;
  if (q + last - from > s.limit) throw NO_ROOM;
  let i = from;
  for (const stop = last - rest; i < stop; i += 4, q += 3) {
    const value =
      ((VALUES[src[i] as number] as number) << 18) |
      ((VALUES[src[i + 1] as number] as number) << 12) |
      ((VALUES[src[i + 2] as number] as number) << 6) |
      (VALUES[src[i + 3] as number] as number);
    if (value < 0) return false;
    out[q] = value >> 16;
    out[q + 1] = value >> 8;
    out[q + 2] = value;
  }
  if (rest > 0) {
    const third = rest === 3 ? (VALUES[src[i + 2] as number] as number) : 0;
    const value =
      ((VALUES[src[i] as number] as number) << 18) |
      ((VALUES[src[i + 1] as number] as number) << 12) |
      (third << 6);
    if (value < 0) return false;
    out[q] = value >> 16;
    out[q + 1] = value >> 8;
    q += rest - 1;
  }
  s.q = q;
  return true;
}
