// JSON strings: copying as UTF-8, skipping, and replacing escapes in place.
import { putCharacter, sequenceLength } from '../text/utf8.ts';
import { NO_ROOM } from '../wire/writer.ts';
import { HEX_VALUES } from './hex.ts';
import { type Reading, refuse } from './reading.ts';

/** Writes the string as UTF-8 and passes its closing quote. `pos` is after the opening quote. */
export function copyString(s: Reading): void {
  const { src, from, out, view } = s;
  let i = s.pos;
  let q = s.q;
  // no text is longer than its string; most output is shorter than its input, so this seldom matters
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
      const character = decodeEscape(s, i);
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

/** Passes the string, including its closing quote. `pos` is after the opening quote. */
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

/** Length of the escape or non-ASCII character at i, in bytes. */
function oddLength(s: Reading, i: number): number {
  const { src } = s;
  const byte = src[i] as number;
  if (byte === 92) return escapeLength(src, i, decodeEscape(s, i));
  return byte > 127 ? characterLength(s, i) : noCharacter(s, i);
}

/** Length of the non-ASCII character at i, in bytes. */
function characterLength(s: Reading, i: number): number {
  const length = sequenceLength(s.src, i);
  return length === 0 ? refuse(s, i, 'invalid UTF-8') : length;
}

/** Refuses the control character at i. */
function noCharacter(s: Reading, i: number): never {
  return refuse(s, i, i < s.length ? 'control character in a string' : 'string without end');
}

/** Meaning of a letter after a backslash; 0 if invalid. */
const MEANINGS = new Uint8Array(256);
const LETTERS: readonly (readonly [letter: string, meaning: string])[] = [
  ['"', '"'],
  ['\\', '\\'],
  ['/', '/'],
  ['b', '\b'],
  ['f', '\f'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
];
for (const [letter, meaning] of LETTERS) MEANINGS[letter.charCodeAt(0)] = meaning.charCodeAt(0);

const LETTER_U = 117;
const REPLACEMENT = 0xfffd;

/** Decodes the escape whose backslash is at i. `escapeLength` returns its length. */
function decodeEscape(s: Reading, i: number): number {
  const { src } = s;
  const letter = src[i + 1] as number;
  if (letter !== LETTER_U) {
    const meaning = MEANINGS[letter] as number;
    if (meaning === 0) refuse(s, i, 'unknown escape');
    return meaning;
  }
  const unit = fourDigits(src, i + 2);
  if (unit < 0) refuse(s, i, 'escape without four hexadecimal digits');
  if ((unit & 0xf800) !== 0xd800) return unit;
  const isPair = unit < 0xdc00 && src[i + 6] === 92 && src[i + 7] === LETTER_U;
  const second = isPair ? fourDigits(src, i + 8) : -1;
  if (second >> 10 !== 0x37) {
    if (s.strictText) refuse(s, i, 'surrogate without its other half');
    return REPLACEMENT;
  }
  return 0x10000 + ((unit & 0x3ff) << 10) + (second & 0x3ff);
}

/** Length in bytes of the escape at i that encodes this character. */
function escapeLength(src: Uint8Array, i: number, character: number): number {
  if (src[i + 1] !== LETTER_U) return 2;
  return character > 0xffff ? 12 : 6;
}

/** Negative if any of them is not a digit. */
function fourDigits(src: Uint8Array, i: number): number {
  return (
    ((HEX_VALUES[src[i] as number] as number) << 12) |
    ((HEX_VALUES[src[i + 1] as number] as number) << 8) |
    ((HEX_VALUES[src[i + 2] as number] as number) << 4) |
    (HEX_VALUES[src[i + 3] as number] as number)
  );
}

/**
 * Replaces the escapes of the string whose first character is at i, if the result is printable ASCII without quotes and
 * backslashes. Fills the rest with spaces after the closing quote. Returns whether anything was replaced.
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
    const character = byte === 92 ? decodeEscape(s, k) : byte;
    k += byte === 92 ? escapeLength(src, k, character) : 1;
    src[to] = character; // never after k
  }
  src[to] = 34;
  src.fill(32, to + 1, end + 1);
  return true;
}

/** Whether the decoded string is printable ASCII without quotes and backslashes. */
function isPlain(s: Reading, i: number, end: number): boolean {
  const { src } = s;
  while (i < end) {
    const byte = src[i] as number;
    const character = byte === 92 ? decodeEscape(s, i) : byte;
    if (character < 32 || character > 126 || character === 34 || character === 92) return false;
    i += byte === 92 ? escapeLength(src, i, character) : 1;
  }
  return true;
}

function hasEscape(src: Uint8Array, i: number, end: number): boolean {
  while (i < end && src[i] !== 92) i++;
  return i < end;
}
