import { passNumber } from './pass-number.ts';
import { MAX_LEVELS, passSpace, type Reading, refuse } from './reading.ts';
import { passString } from './strings.ts';

const WORDS: ReadonlyMap<number, string> = new Map(
  ['true', 'false', 'null'].map((word) => [word.charCodeAt(0), word]),
);

/** Passes any JSON value at `pos`. Not recursive, because senders control the nesting. */
export function passValue(s: Reading): void {
  const { ends } = s;
  let level = 0;
  for (;;) {
    if (passLeaf(s)) {
      while (level > 0 && afterValue(s, ends[level - 1] as number)) level--;
      if (level === 0) return;
    } else {
      if (level === MAX_LEVELS)
        refuse(s, s.pos, `more than ${MAX_LEVELS} arrays and objects inside each other`);
      ends[level++] = (s.src[s.pos] as number) + 2; // "]" after "[", "}" after "{"
      s.pos = passSpace(s.src, s.pos + 1);
    }
    if (ends[level - 1] === 125) passKey(s);
  }
}

/** Passes the value at `pos` unless it is an array or object. Returns false for those. */
function passLeaf(s: Reading): boolean {
  const { src, pos } = s;
  const byte = src[pos] as number;
  if (byte === 123 || byte === 91) {
    const end = passSpace(src, pos + 1);
    if (src[end] !== byte + 2) return false;
    s.pos = end + 1;
  } else if (byte === 34) {
    s.pos++;
    passString(s);
  } else if (WORDS.has(byte)) passWord(s, WORDS.get(byte) as string);
  else if (!passNumber(s)) refuse(s, pos, 'expected a JSON value');
  return true;
}

function passWord(s: Reading, word: string): void {
  const { src, pos } = s;
  if (src.toString('latin1', pos, pos + word.length) !== word) refuse(s, pos, 'expected a JSON value');
  s.pos = pos + word.length;
}

/** Passes the key at `pos`, its colon and the space around it. */
export function passKey(s: Reading): void {
  const { src } = s;
  if (src[s.pos] !== 34) refuse(s, s.pos, 'expected a key in double quotes');
  s.pos++;
  passString(s);
  s.pos = passSpace(src, s.pos);
  if (src[s.pos] !== 58) refuse(s, s.pos, 'expected ":"');
  s.pos = passSpace(src, s.pos + 1);
}

/** Passes the end of an array or object and returns true, or passes a comma and the space after it. */
export function afterValue(s: Reading, end: number): boolean {
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
