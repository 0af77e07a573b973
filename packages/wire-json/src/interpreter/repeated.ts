// Lists, packed lists and maps whose values come one behind the other.
import { isWide, Kind } from '../plan/kinds.ts';
import { message } from './message.ts';
import { size } from './reader.ts';
import { NO_ROOM, refuse, run, UNORDERED } from './run.ts';
import { literal, value } from './value.ts';

const KIND = 2;
const SUB = 8;
const KEY_KIND = 9;
const KEY_TAG = 10;
const WIRE = 11;
const ZERO = 13;
const ZERO_SIZE = 14;

/** Values with a tag each, of which the first starts at `tagFrom`, and its value at i. */
export function list(row: number, tagFrom: number, i: number, end: number, q: number, depth: number): number {
  const out = run.out;
  const tagSize = i - tagFrom;
  const kind = run.rows[row + KIND] as number;
  const sub = run.rows[row + SUB] as number;
  out[q++] = 91;
  do {
    if (q > run.limit) throw NO_ROOM;
    q = value(kind, sub, i, end, q, depth);
    out[q++] = 44;
    i = run.pos + tagSize;
  } while (i <= end && sameBytes(tagFrom, run.pos, tagSize));
  out[q - 1] = 93;
  return q;
}

/** Values behind one length at i. */
export function packed(row: number, i: number, end: number, q: number, depth: number): number {
  const out = run.out;
  const stop = size(i, end) + run.pos;
  const kind = run.rows[row + KIND] as number;
  const sub = run.rows[row + SUB] as number;
  out[q++] = 91;
  if (run.pos === stop) q++;
  while (run.pos < stop) {
    if (q > run.limit) throw NO_ROOM;
    q = value(kind, sub, run.pos, stop, q, depth);
    out[q++] = 44;
  }
  if (run.pos !== stop) refuse('packed values past their end');
  out[q - 1] = 93;
  return q;
}

/** Entries of a map, of which the first starts at `tagFrom`, and its length at i. */
export function map(row: number, tagFrom: number, i: number, end: number, q: number, depth: number): number {
  const { rows, src, out } = run;
  const first = i;
  const tagSize = i - tagFrom;
  const kind = rows[row + KIND] as number;
  const sub = rows[row + SUB] as number;
  const keyKind = rows[row + KEY_KIND] as Kind;
  const keyTag = rows[row + KEY_TAG] as number;
  const valueTag = 16 + (rows[row + WIRE] as number);
  const quoted = keyKind === Kind.string || keyKind === Kind.text || isWide(keyKind);
  let seen = 0;
  out[q++] = 123;
  do {
    if (q > run.limit) throw NO_ROOM;
    const stop = size(i, end) + run.pos;
    const keyAt = run.pos;
    if (src[keyAt] !== keyTag) throw UNORDERED;
    if (!quoted) out[q++] = 34;
    q = value(keyKind, 0, keyAt + 1, stop, q, depth);
    if (!quoted) out[q++] = 34;
    out[q++] = 58;
    const bit = 1 << ((src[run.pos - 1] as number) + (src[run.pos - 2] as number) + run.pos - keyAt);
    if ((seen & bit) !== 0 && repeated(first, tagSize, keyAt, run.pos)) throw UNORDERED;
    seen |= bit;
    if (run.pos === stop) {
      q =
        kind === Kind.message
          ? message(sub, stop, stop, q, depth + 1)
          : literal(rows[row + ZERO] as number, rows[row + ZERO_SIZE] as number, q);
    } else {
      if (src[run.pos] !== valueTag) throw UNORDERED;
      q = value(kind, sub, run.pos + 1, stop, q, depth);
    }
    if (run.pos !== stop) throw UNORDERED;
    out[q++] = 44;
    i = run.pos + tagSize;
  } while (i <= end && sameBytes(tagFrom, run.pos, tagSize));
  out[q - 1] = 125;
  return q;
}

function sameBytes(a: number, b: number, n: number): boolean {
  const src = run.src;
  for (let k = 0; k < n; k++) if (src[a + k] !== src[b + k]) return false;
  return true;
}

/** Whether the key from .. to (with its tag) is in an entry before it, the first of which is at i. */
function repeated(i: number, tagSize: number, from: number, to: number): boolean {
  const n = to - from;
  let found = false;
  for (let at = i; ; ) {
    const stop = size(at, run.src.length) + run.pos;
    if (run.pos >= from) break;
    found ||= sameBytes(run.pos, from, n);
    at = stop + tagSize;
  }
  run.pos = to;
  return found;
}
