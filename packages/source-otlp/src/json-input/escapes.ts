import { HEX_VALUES } from './hex.ts';
import { type Reading, refuse } from './reading.ts';

/** What a letter behind a backslash stands for; 0: nothing. */
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

/** The character that the escape at i stands for; i is that of the backslash. `escapeLength` says how long it is. */
export function escaped(s: Reading, i: number): number {
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

/** How many bytes the escape at i has that stands for this character. */
export function escapeLength(src: Uint8Array, i: number, character: number): number {
  if (src[i + 1] !== LETTER_U) return 2;
  return character > 0xffff ? 12 : 6;
}

/** Negative if there are others. */
function fourDigits(src: Uint8Array, i: number): number {
  return (
    ((HEX_VALUES[src[i] as number] as number) << 12) |
    ((HEX_VALUES[src[i + 1] as number] as number) << 8) |
    ((HEX_VALUES[src[i + 2] as number] as number) << 4) |
    (HEX_VALUES[src[i + 3] as number] as number)
  );
}
