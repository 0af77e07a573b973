import type { Reading } from './reading.ts';

/** Writes an integer of 32 bits without sign. */
export function putVarint32(s: Reading, value: number): void {
  const { out } = s;
  let { q } = s;
  while (value > 127 || value < 0) {
    out[q++] = (value & 127) | 128;
    value >>>= 7;
  }
  out[q] = value;
  s.q = q + 1;
}

/** Writes an integer of 64 bits. */
export function putVarint64(s: Reading, low: number, high: number): void {
  const { out } = s;
  let { q } = s;
  while (high !== 0) {
    out[q++] = (low & 127) | 128;
    low = (low >>> 7) | (high << 25);
    high >>>= 7;
  }
  s.q = q;
  putVarint32(s, low);
}
