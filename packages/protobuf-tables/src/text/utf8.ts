/** Length of the non-ASCII character at i in bytes, or 0 if it is not valid UTF-8 (RFC 3629). */
export function sequenceLength(src: Uint8Array, i: number): number {
  const first = src[i] as number;
  const second = src[i + 1] as number;
  if (first < 0xc2 || first > 0xf4 || (second & 0xc0) !== 0x80) return 0;
  if (first < 0xe0) return 2;
  // overlong encodings, surrogates and code points above U+10FFFF are invalid
  if (first === 0xe0 && second < 0xa0) return 0;
  if (first === 0xed && second > 0x9f) return 0;
  if (first === 0xf0 && second < 0x90) return 0;
  if (first === 0xf4 && second > 0x8f) return 0;
  if (((src[i + 2] as number) & 0xc0) !== 0x80) return 0;
  if (first < 0xf0) return 3;
  return ((src[i + 3] as number) & 0xc0) === 0x80 ? 4 : 0;
}

/** Writes a character as UTF-8 and returns the position after it. May write up to four bytes. */
export function putCharacter(out: Uint8Array, code: number, q: number): number {
  if (code < 0x80) {
    out[q] = code;
    return q + 1;
  }
  if (code < 0x800) {
    out[q] = 0xc0 | (code >> 6);
    out[q + 1] = 0x80 | (code & 63);
    return q + 2;
  }
  if (code < 0x10000) {
    out[q] = 0xe0 | (code >> 12);
    out[q + 1] = 0x80 | ((code >> 6) & 63);
    out[q + 2] = 0x80 | (code & 63);
    return q + 3;
  }
  out[q] = 0xf0 | (code >> 18);
  out[q + 1] = 0x80 | ((code >> 12) & 63);
  out[q + 2] = 0x80 | ((code >> 6) & 63);
  out[q + 3] = 0x80 | (code & 63);
  return q + 4;
}
