import { escaped, escapeLength } from './escapes.ts';
import { type Reading, refuse } from './reading.ts';
import { sequenceLength } from './utf8.ts';

/** Passes the string whose first character is at `pos`, and its closing quote. */
export function passString(s: Reading): void {
  const { src, from } = s;
  let i = s.pos;
  for (;;) {
    for (;;) {
      const x = from.getInt32(i, true);
      const odd = x | (x - 0x20202020) | ((x ^ 0x22222222) - 0x01010101) | ((x ^ 0x5c5c5c5c) - 0x01010101);
      if ((odd & 0x80808080) !== 0) break;
      i += 4;
    }
    const byte = src[i] as number;
    if (byte === 34) break;
    i += byte > 31 && byte < 128 && byte !== 92 ? 1 : oddLength(s, i);
  }
  s.pos = i + 1;
}

/** How many bytes the escape has, or the character beyond ASCII, that is at i. */
function oddLength(s: Reading, i: number): number {
  const { src } = s;
  const byte = src[i] as number;
  if (byte === 92) return escapeLength(src, i, escaped(s, i));
  return byte > 127 ? characterLength(s, i) : noCharacter(s, i);
}

/** How many bytes the character at i has that is not ASCII. */
export function characterLength(s: Reading, i: number): number {
  const length = sequenceLength(s.src, i);
  return length === 0 ? refuse(s, i, 'invalid UTF-8') : length;
}

/** Refuses the control character at i. */
export function noCharacter(s: Reading, i: number): never {
  return refuse(s, i, i < s.length ? 'control character in a string' : 'string without end');
}
