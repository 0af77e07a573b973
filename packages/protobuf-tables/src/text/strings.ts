// UTF-8 bytes as JSON strings, escaped exactly as JSON.stringify does. integers.ts explains `q`.

const HEX_DIGITS = Uint8Array.from('0123456789abcdef', (digit) => digit.charCodeAt(0));

/** ESCAPES[byte]: 0 = written unchanged, 1 = written as \u00xx, else the letter after the backslash. */
const ESCAPES = new Uint8Array(256).fill(1, 0, 32);
const LETTERS: readonly (readonly [byte: number, letter: string])[] = [
  [8, 'b'],
  [9, 't'],
  [10, 'n'],
  [12, 'f'],
  [13, 'r'],
  [34, '"'],
  [92, '\\'],
];
for (const [byte, letter] of LETTERS) ESCAPES[byte] = letter.charCodeAt(0);

/** Size of the n bytes at i after escaping, without quotes. */
export function escapedSize(src: Uint8Array, i: number, n: number): number {
  let size = n;
  for (let k = i; k < i + n; k++) {
    const letter = ESCAPES[src[k] as number] as number;
    if (letter !== 0) size += letter === 1 ? 5 : 1;
  }
  return size;
}

/**
 * Writes the n bytes at i as a string, or returns -1 if they are not UTF-8. Needs room for `escapedSize` plus 8 bytes. Takes
 * steps of four bytes while they are printable ASCII without quotes and backslashes. Reads up to three bytes after the value.
 */
export function putString(
  src: Uint8Array,
  from: DataView,
  out: Uint8Array,
  view: DataView,
  i: number,
  n: number,
  q: number,
): number {
  const e = i + n;
  const last = e - 4;
  let k = i;
  out[q++] = 34;
  while (k < e) {
    for (; k <= last; k += 4, q += 4) {
      const x = from.getInt32(k, true);
      const odd = x | (x - 0x20202020) | ((x ^ 0x22222222) - 0x01010101) | ((x ^ 0x5c5c5c5c) - 0x01010101);
      if ((odd & 0x80808080) !== 0) break;
      view.setInt32(q, x, true);
    }
    if (k >= e) break;
    const byte = src[k] as number;
    const letter = ESCAPES[byte] as number;
    if (byte > 127) {
      const length = sequenceLength(src, k, e);
      if (length === 0) return -1;
      view.setInt32(q, from.getInt32(k, true), true);
      k += length;
      q += length;
    } else {
      if (letter === 0) out[q++] = byte;
      else q = putEscape(out, byte, letter, q);
      k++;
    }
  }
  out[q] = 34;
  return q + 1;
}

function putEscape(out: Uint8Array, byte: number, letter: number, q: number): number {
  out[q] = 92;
  if (letter !== 1) {
    out[q + 1] = letter;
    return q + 2;
  }
  out[q + 1] = 117;
  out[q + 2] = 48;
  out[q + 3] = 48;
  out[q + 4] = HEX_DIGITS[byte >> 4] as number;
  out[q + 5] = HEX_DIGITS[byte & 15] as number;
  return q + 6;
}

/** Length of the non-ASCII character at k in bytes, or 0 if it is not valid UTF-8 (RFC 3629). */
function sequenceLength(src: Uint8Array, k: number, e: number): number {
  const first = src[k] as number;
  const length = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  if (first < 0xc2 || first > 0xf4 || k + length > e) return 0;
  const second = src[k + 1] as number;
  if ((second & 0xc0) !== 0x80) return 0;
  if (length === 2) return 2;
  // overlong encodings, surrogates and code points above U+10FFFF are invalid
  if (first === 0xe0 && second < 0xa0) return 0;
  if (first === 0xed && second > 0x9f) return 0;
  if (first === 0xf0 && second < 0x90) return 0;
  if (first === 0xf4 && second > 0x8f) return 0;
  if (((src[k + 2] as number) & 0xc0) !== 0x80) return 0;
  if (length === 4 && ((src[k + 3] as number) & 0xc0) !== 0x80) return 0;
  return length;
}
