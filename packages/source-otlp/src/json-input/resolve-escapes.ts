import { escaped, escapeLength } from './escapes.ts';
import { passString } from './pass-string.ts';
import type { Reading } from './reading.ts';

/**
 * Writes out the escapes of the string whose first character is at i, in place, if it is all printable ASCII then, without
 * quotes and backslashes; spaces fill what is left behind its end. Answers whether there was anything to write out.
 */
export function resolveEscapes(s: Reading, i: number): boolean {
  const { src } = s;
  s.pos = i;
  passString(s);
  const end = s.pos - 1;
  if (!hasEscape(src, i, end) || !isPlain(s, i, end)) return false;
  let to = i;
  for (let k = i; k < end; to++) {
    const byte = src[k] as number;
    const character = byte === 92 ? escaped(s, k) : byte;
    k += byte === 92 ? escapeLength(src, k, character) : 1;
    src[to] = character; // never behind k
  }
  src[to] = 34;
  src.fill(32, to + 1, end + 1);
  return true;
}

/** Whether the string is printable ASCII without quotes and backslashes, once its escapes are written out. */
function isPlain(s: Reading, i: number, end: number): boolean {
  const { src } = s;
  while (i < end) {
    const byte = src[i] as number;
    const character = byte === 92 ? escaped(s, i) : byte;
    if (character < 32 || character > 126 || character === 34 || character === 92) return false;
    i += byte === 92 ? escapeLength(src, i, character) : 1;
  }
  return true;
}

function hasEscape(src: Uint8Array, i: number, end: number): boolean {
  while (i < end && src[i] !== 92) i++;
  return i < end;
}
