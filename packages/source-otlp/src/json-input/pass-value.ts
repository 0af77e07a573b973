import { passNumber } from './pass-number.ts';
import { passString } from './pass-string.ts';
import { passSpace, type Reading, refuse } from './reading.ts';

/** How deep arrays and objects may be inside each other where no field says what they are. */
const MAX_LEVELS = 100;

const WORDS: ReadonlyMap<number, string> = new Map(
  ['true', 'false', 'null'].map((word) => [word.charCodeAt(0), word]),
);

/** Passes the JSON value at `pos`, whatever it is, in so many arrays and objects. */
export function passValue(s: Reading, level: number): void {
  const byte = s.src[s.pos] as number;
  if (byte === 34) {
    s.pos++;
    passString(s);
  } else if (byte === 123 || byte === 91) {
    if (level >= MAX_LEVELS) refuse(s, s.pos, `more than ${MAX_LEVELS} arrays and objects inside each other`);
    if (byte === 123) passObject(s, level + 1);
    else passArray(s, level + 1);
  } else if (WORDS.has(byte)) passWord(s, WORDS.get(byte) as string);
  else if (!passNumber(s)) refuse(s, s.pos, 'expected a JSON value');
}

function passWord(s: Reading, word: string): void {
  const { src, pos } = s;
  if (src.toString('latin1', pos, pos + word.length) !== word) refuse(s, pos, 'expected a JSON value');
  s.pos = pos + word.length;
}

function passArray(s: Reading, level: number): void {
  const { src } = s;
  s.pos = passSpace(src, s.pos + 1);
  if (src[s.pos] === 93) {
    s.pos++;
    return;
  }
  for (;;) {
    passValue(s, level);
    if (behindValue(s, 93)) return;
  }
}

function passObject(s: Reading, level: number): void {
  const { src } = s;
  s.pos = passSpace(src, s.pos + 1);
  if (src[s.pos] === 125) {
    s.pos++;
    return;
  }
  for (;;) {
    passKey(s);
    passValue(s, level);
    if (behindValue(s, 125)) return;
  }
}

/** Passes the key at `pos`, its colon and what space there is. */
export function passKey(s: Reading): void {
  const { src } = s;
  if (src[s.pos] !== 34) refuse(s, s.pos, 'expected a key in double quotes');
  s.pos++;
  passString(s);
  s.pos = passSpace(src, s.pos);
  if (src[s.pos] !== 58) refuse(s, s.pos, 'expected ":"');
  s.pos = passSpace(src, s.pos + 1);
}

/** Passes the end of an array or object, and answers true; or a comma and the space behind it. */
export function behindValue(s: Reading, end: number): boolean {
  const { src } = s;
  let i = s.pos;
  let byte = src[i] as number;
  if (byte <= 32) {
    i = passSpace(src, i);
    byte = src[i] as number;
  }
  if (byte === end) {
    s.pos = i + 1;
    return true;
  }
  if (byte !== 44) refuse(s, i, end === 93 ? 'expected "," or "]"' : 'expected "," or "}"');
  i++;
  s.pos = (src[i] as number) > 32 ? i : passSpace(src, i);
  return false;
}
