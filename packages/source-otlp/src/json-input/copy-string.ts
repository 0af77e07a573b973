import { escaped, escapeLength } from './escapes.ts';
import { characterLength, noCharacter } from './pass-string.ts';
import { NO_ROOM, type Reading } from './reading.ts';
import { putCharacter } from './utf8.ts';

/** Writes the text of the string whose first character is at `pos`, as UTF-8, and passes its closing quote. */
export function copyString(s: Reading): void {
  const { src, from, out, view } = s;
  let i = s.pos;
  let q = s.q;
  // no text is longer than its string; most output is shorter than its input, so that this seldom is in the way
  if (q + s.length - i > s.limit) throw NO_ROOM;
  for (;;) {
    for (;;) {
      const x = from.getInt32(i, true);
      const odd = x | (x - 0x20202020) | ((x ^ 0x22222222) - 0x01010101) | ((x ^ 0x5c5c5c5c) - 0x01010101);
      if ((odd & 0x80808080) !== 0) break;
      view.setInt32(q, x, true);
      i += 4;
      q += 4;
    }
    const byte = src[i] as number;
    if (byte === 34) break;
    if (byte > 127) {
      do {
        const length = characterLength(s, i);
        view.setInt32(q, from.getInt32(i, true), true);
        i += length;
        q += length;
      } while ((src[i] as number) > 127);
    } else if (byte === 92) {
      const character = escaped(s, i);
      q = putCharacter(out, character, q);
      i += escapeLength(src, i, character);
    } else {
      if (byte < 32) noCharacter(s, i);
      out[q++] = byte;
      i++;
    }
  }
  s.pos = i + 1;
  s.q = q;
}
