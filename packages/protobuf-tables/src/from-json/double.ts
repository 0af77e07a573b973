import { passNumber } from './pass-number.ts';
import { type Reading, refuse } from './reading.ts';
import { resolveEscapes } from './strings.ts';

/** Powers of ten that are exact doubles. */
const POWERS = Float64Array.from({ length: 23 }, (_, n) => Number(`1e${n}`));
/** Smaller integers are exact doubles. */
const MAX_EXACT = 2 ** 53;

const WORDS: readonly (readonly [text: string, value: number])[] = [
  ['NaN"', Number.NaN],
  ['Infinity"', Number.POSITIVE_INFINITY],
  ['-Infinity"', Number.NEGATIVE_INFINITY],
];
const EXPECTED = 'expected a number, "NaN", "Infinity" or "-Infinity"';

/** Writes the double at `pos`, a number or a string with one, and passes it. */
export function copyDouble(s: Reading): void {
  if (s.src[s.pos] === 34) putQuoted(s);
  else putNumber(s);
  s.q += 8;
}

/** Writes the number at `pos` to `q`. */
function putNumber(s: Reading): void {
  const { src } = s;
  const from = s.pos;
  const negative = src[from] === 45;
  const first = negative ? from + 1 : from;
  let i = first;
  let value = 0;
  let digit = (src[i] as number) ^ 48;
  for (; digit < 10; digit = (src[++i] as number) ^ 48) value = value * 10 + digit;
  const whole = i - first;
  let scale = 0;
  if (src[i] === 46) {
    const point = i;
    digit = (src[++i] as number) ^ 48;
    for (; digit < 10; digit = (src[++i] as number) ^ 48) value = value * 10 + digit;
    scale = point + 1 - i;
  }
  let isPlain = (whole === 1 || (whole > 0 && src[first] !== 48)) && src[i - 1] !== 46;
  if (((src[i] as number) | 32) === 101) {
    const sign = src[++i] as number;
    if (sign === 43 || sign === 45) i++;
    const from = i;
    let exponent = 0;
    digit = (src[i] as number) ^ 48;
    for (; digit < 10; digit = (src[++i] as number) ^ 48) exponent = exponent * 10 + digit;
    isPlain &&= i > from && exponent < 400;
    scale += sign === 45 ? -exponent : exponent;
  }
  // a number that overflowed while it was read is not below the limit, however it was rounded
  if (!isPlain || !(value < MAX_EXACT) || scale <= -POWERS.length || scale >= POWERS.length) putOddNumber(s);
  else {
    // both operands are exact, so the result is rounded once, as the decimal itself would be
    if (scale < 0) value /= POWERS[-scale] as number;
    else if (scale > 0) value *= POWERS[scale] as number;
    s.view.setFloat64(s.q, negative ? -value : value, true);
    s.pos = i;
  }
}

/** Handles numbers that two exact doubles cannot represent, and invalid ones. */
function putOddNumber(s: Reading): void {
  const from = s.pos;
  if (!passNumber(s)) refuse(s, from, EXPECTED);
  putFinite(s, from, s.pos);
}

/** Writes the double nearest to the number from .. end to `q`. */
export function putFinite(s: Reading, from: number, end: number): void {
  const value = Number(s.src.toString('latin1', from, end));
  if (!Number.isFinite(value)) refuse(s, from, 'number beyond the range of doubles');
  s.view.setFloat64(s.q, value, true);
}

/** Writes a number or the name of one in the string at `pos`. */
function putQuoted(s: Reading): void {
  const { src, view, q } = s;
  const from = s.pos + 1;
  resolveEscapes(s, from);
  const isWord = (src[from] as number) > 57 || src[from + 1] === 73; // a letter, perhaps after a sign
  const word = isWord ? wordAt(src, from) : undefined;
  s.pos = from;
  if (word === undefined) {
    putNumber(s);
    if (src[s.pos] !== 34) refuse(s, from, EXPECTED);
    s.pos++;
  } else {
    view.setFloat64(q, word[1], true);
    s.pos += word[0].length;
  }
}

function wordAt(src: Buffer, at: number): readonly [text: string, value: number] | undefined {
  return WORDS.find(([text]) => src.toString('latin1', at, at + text.length) === text);
}
