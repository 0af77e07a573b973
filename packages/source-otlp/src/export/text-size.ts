/** EXTRA[byte]: bytes that its escape has more than itself. */
const EXTRA = new Uint8Array(128).fill(5, 0, 32);
for (const letter of '\b\t\n\f\r"\\') EXTRA[letter.charCodeAt(0)] = 1;

/** U+FFFD has three bytes. */
const REPLACED = 2;

/**
 * Bytes that the JSON of the text at..end has more than the text, without quotes; -1 if it is not UTF-8 and `strict`. Of text
 * that is not, each wrong byte counts as U+FFFD, which is at least as much as decoders make of it.
 */
export function textExtra(src: Uint8Array, from: DataView, at: number, end: number, strict: boolean): number {
  const last = end - 4;
  let extra = 0;
  for (let k = at; k < end; ) {
    // printable ASCII without quotes and backslashes goes by four bytes a step
    while (k <= last && isPlain(from.getInt32(k, true))) k += 4;
    if (k >= end) break;
    const byte = src[k] as number;
    if (byte < 128) {
      extra += EXTRA[byte] as number;
      k++;
      continue;
    }
    const length = sequenceLength(src, k, end);
    if (length === 0) {
      if (strict) return -1;
      extra += REPLACED;
      k++;
    } else k += length;
  }
  return extra;
}

/** Whether none of the four bytes is odd. */
function isPlain(x: number): boolean {
  const odd = x | (x - 0x20202020) | ((x ^ 0x22222222) - 0x01010101) | ((x ^ 0x5c5c5c5c) - 0x01010101);
  return (odd & 0x80808080) === 0;
}

/** How many bytes the non-ASCII character at k has, or 0 if it is no valid UTF-8 (RFC 3629). */
function sequenceLength(src: Uint8Array, k: number, end: number): number {
  const first = src[k] as number;
  const length = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  if (first < 0xc2 || first > 0xf4 || k + length > end) return 0;
  const second = src[k + 1] as number;
  if (second < lowest(first) || second > highest(first)) return 0;
  for (let n = 2; n < length; n++) if (((src[k + n] as number) & 0xc0) !== 0x80) return 0;
  return length;
}

/** No longer forms than needed. */
function lowest(first: number): number {
  if (first === 0xe0) return 0xa0;
  return first === 0xf0 ? 0x90 : 0x80;
}

/** No surrogates, and nothing above U+10FFFF. */
function highest(first: number): number {
  if (first === 0xed) return 0x9f;
  return first === 0xf4 ? 0x8f : 0xbf;
}
