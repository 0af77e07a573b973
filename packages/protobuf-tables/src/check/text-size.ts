import { sequenceLength } from '../text/utf8.ts';

/** EXTRA[byte]: size of its escape minus one. */
const EXTRA = new Uint8Array(128).fill(5, 0, 32);
for (const letter of '\b\t\n\f\r"\\') EXTRA[letter.charCodeAt(0)] = 1;

/** U+FFFD has three bytes. */
const REPLACED = 2;

/**
 * Size of the JSON of the text at..end minus the size of the text, without quotes; -1 if it is not UTF-8 and `strict`. Otherwise
 * each invalid byte counts as U+FFFD, which is at least the size that decoders produce.
 */
export function textExtra(src: Uint8Array, from: DataView, at: number, end: number, strict: boolean): number {
  const last = end - 4;
  let extra = 0;
  for (let k = at; k < end; ) {
    // printable ASCII without quotes and backslashes, in steps of four bytes
    while (k <= last && isPlain(from.getInt32(k, true))) k += 4;
    if (k >= end) break;
    const byte = src[k] as number;
    if (byte < 128) {
      extra += EXTRA[byte] as number;
      k++;
      continue;
    }
    const length = sequenceLength(src, k);
    if (length === 0 || k + length > end) {
      if (strict) return -1;
      extra += REPLACED;
      k++;
    } else k += length;
  }
  return extra;
}

/** Whether all four bytes are printable ASCII without quotes and backslashes. */
function isPlain(x: number): boolean {
  const odd = x | (x - 0x20202020) | ((x ^ 0x22222222) - 0x01010101) | ((x ^ 0x5c5c5c5c) - 0x01010101);
  return (odd & 0x80808080) === 0;
}
