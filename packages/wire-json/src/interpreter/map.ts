// Maps whose entries come one behind the other, each a key and a value, in an order that objects would keep.
import { Kind, Mode } from '../plan/kinds.ts';
import { gatheredMap } from './gathered-map.ts';
import { sameBytes } from './list.ts';
import { arrayIndex, isSameKey, isText, putKey } from './map-key.ts';
import { message } from './message.ts';
import type { Places } from './occurrences.ts';
import { MAX_DEPTH, size, tooDeep } from './reader.ts';
import { NO_ROOM, run, UNORDERED } from './run.ts';
import type { Column } from './tables.ts';
import { literal, value } from './value.ts';

const KIND: typeof Column.kind = 2;
const SUB: typeof Column.sub = 8;
const KEY_KIND: typeof Column.keyKind = 9;
const KEY_TAG: typeof Column.keyTag = 10;
const WIRE: typeof Column.wire = 11;
const ZERO: typeof Column.zero = 13;
const ZERO_SIZE: typeof Column.zeroSize = 14;

/** How many entries are compared with a key at most, in all; beyond it looking keys up is cheaper. */
const MAX_COMPARISONS = 4096;

/** Entries of a map, of which the first is at `tagFrom`, and its length at i. */
export function map(row: number, tagFrom: number, i: number, end: number, q: number, depth: number): number {
  if (run.careful) return carefully(row, entryPlaces(tagFrom, i, end), q, depth);
  const { rows, src, out } = run;
  const first = i;
  const tagSize = i - tagFrom;
  const kind = rows[row + KIND] as number;
  const sub = rows[row + SUB] as number;
  const keyKind = rows[row + KEY_KIND] as number;
  const keyTag = rows[row + KEY_TAG] as number;
  const valueTag = 16 + (rows[row + WIRE] as number);
  const text = isText(keyKind);
  let seen = 0;
  let compared = 0;
  let entries = 0;
  let lastIndex = -1;
  out[q++] = 123;
  do {
    if (q > run.limit) throw NO_ROOM;
    const stop = size(i, end) + run.pos;
    const keyAt = run.pos;
    const keyFrom = q;
    if (src[keyAt] !== keyTag || keyAt === stop) throw UNORDERED;
    q = text ? value(keyKind, 0, keyAt + 1, stop, q, depth) : putKey(keyKind, keyAt + 1, stop, q);
    const digit = out[keyFrom + 1] as number;
    const index = digit > 57 || digit < 48 ? -1 : arrayIndex(keyFrom, q);
    if (index !== -1) {
      // array indexes are ascending and before all other keys
      if (index <= lastIndex || seen !== 0) throw UNORDERED;
      lastIndex = index;
    } else {
      const bit = 1 << ((out[q - 2] as number) + (out[(keyFrom + q) >> 1] as number) + q - keyFrom);
      if ((seen & bit) !== 0) {
        compared += entries;
        if (compared > MAX_COMPARISONS || isRepeated(keyKind, first, tagSize, keyAt)) throw UNORDERED;
      }
      seen |= bit;
    }
    entries++;
    out[q++] = 58;
    if (run.pos === stop) q = missing(kind, sub, row, stop, q, depth);
    else {
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

/** The value of an entry that ends behind its key: most encoders write such values all the same. */
function missing(kind: number, sub: number, row: number, stop: number, q: number, depth: number): number {
  const { rows } = run;
  if (kind < Kind.message) return literal(rows[row + ZERO] as number, rows[row + ZERO_SIZE] as number, q);
  if (kind !== Kind.message) throw UNORDERED;
  if (depth >= MAX_DEPTH) tooDeep();
  const to = message(sub, stop, stop, q, depth + 1);
  run.pos = stop;
  return to;
}

/** Whether the key at `keyAt`, in front of `run.pos`, is in an entry before it, the first of which is at i. */
function isRepeated(kind: number, i: number, tagSize: number, keyAt: number): boolean {
  const behind = run.pos;
  let found = false;
  for (let at = i; ; ) {
    const stop = size(at, run.src.length) + run.pos;
    if (run.pos >= keyAt) break;
    found ||= isSameKey(kind, run.pos + 1, keyAt + 1);
    at = stop + tagSize;
  }
  run.pos = behind;
  return found;
}

function carefully(row: number, places: Places, q: number, depth: number): number {
  const to = gatheredMap(row, places, q, depth);
  run.pos = places[places.length - 1] as number;
  return to;
}

/** The places of the entries that come one behind the other. */
function entryPlaces(tagFrom: number, i: number, end: number): Places {
  const tagSize = i - tagFrom;
  const places: number[] = [];
  let at = i;
  do {
    const stop = size(at, end) + run.pos;
    places.push(Mode.map, at, stop);
    run.pos = stop;
    at = stop + tagSize;
  } while (at <= end && sameBytes(tagFrom, run.pos, tagSize));
  return places;
}
