import { passSpace, type Reading, refuse } from './reading.ts';
import { passString, resolveEscapes } from './strings.ts';
import type { Column, Header } from './tables.ts';

// Repeated for the engine's sake: see plan/kinds.ts.
const KEY: typeof Column.key = 6;
const KEY_WORDS: typeof Column.keyWords = 7;
const KEY_MASK: typeof Column.keyMask = 8;
const KEY_BYTES: typeof Column.keyBytes = 9;
const COUNT: typeof Column.count = 16;
const FIELDS: typeof Header.rows = -1;

/** Result of `readKey` if the message has no such field. */
export const UNKNOWN = -1;

/** Reads the key at `pos` and returns the row of its field in the message at `start`. Passes the key, its colon and space. */
export function readKey(s: Reading, start: number, guess: number): number {
  const { src, rows, pos } = s;
  if (src[pos] !== 34) refuse(s, pos, 'expected a key in double quotes');
  const row = isKey(s, guess, pos + 1) ? guess : findKey(s, start, pos + 1);
  if (row === UNKNOWN) return oddKey(s, start);
  const i = pos + 1 + (rows[row + KEY_BYTES] as number);
  s.pos = (src[i] as number) > 32 ? i : passSpace(src, i);
  return row;
}

/** Whether the name of the row is at i, followed by the quote and the colon. */
function isKey(s: Reading, row: number, i: number): boolean {
  const { rows, keys, from } = s;
  let at = rows[row + KEY] as number;
  const last = at + (rows[row + KEY_WORDS] as number) - 1;
  for (; at < last; at++, i += 4) if (from.getInt32(i, true) !== keys[at]) return false;
  return (from.getInt32(i, true) & (rows[row + KEY_MASK] as number)) === keys[at];
}

function findKey(s: Reading, start: number, i: number): number {
  const { rows } = s;
  const end = start + (rows[start + FIELDS] as number) * COUNT;
  for (let row = start; row < end; row += COUNT) if (isKey(s, row, i)) return row;
  return UNKNOWN;
}

/** Reads keys with escapes, with space before the colon, and unknown ones. */
function oddKey(s: Reading, start: number): number {
  const { src, pos } = s;
  const wasEscaped = resolveEscapes(s, pos + 1);
  s.pos = pos + 1;
  passString(s);
  const after = s.pos;
  const colon = passSpace(src, after);
  if (src[colon] !== 58) refuse(s, colon, 'expected ":"');
  s.pos = passSpace(src, colon + 1);
  if (!wasEscaped && colon === after) return UNKNOWN;
  src[colon] = 32;
  src[after] = 58;
  return findKey(s, start, pos + 1);
}
