// Maps whose entries come one behind the other, each a key and a value, in an order that objects would keep.
import { Kind, Mode } from '../plan/kinds.ts';
import { gatheredMap } from './gathered-map.ts';
import { isText, putKey } from './key-text.ts';
import { isNext, watchKeys } from './key-watch.ts';
import { sameBytes } from './list.ts';
import { message } from './message.ts';
import type { Places } from './occurrences.ts';
import { size, skip, tooDeep } from './reader.ts';
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

/** Entries of a map, of which the first is at `tagFrom`, and its length at i. */
export function map(row: number, tagFrom: number, i: number, end: number, q: number, depth: number): number {
  const { rows, src, out, careful } = run;
  if (careful && !isPlainMap(row, tagFrom, i, end, depth)) {
    return carefully(row, entryPlaces(tagFrom, i, end), q, depth);
  }
  const tagSize = i - tagFrom;
  const kind = rows[row + KIND] as number;
  const sub = rows[row + SUB] as number;
  const keyKind = rows[row + KEY_KIND] as number;
  const keyTag = rows[row + KEY_TAG] as number;
  const valueTag = 16 + (rows[row + WIRE] as number);
  const text = isText(keyKind);
  const watch = watchKeys(keyKind, i, tagSize);
  out[q++] = 123;
  do {
    if (q > run.limit) throw NO_ROOM;
    const stop = size(i, end) + run.pos;
    const keyAt = run.pos;
    if (src[keyAt] !== keyTag || keyAt === stop) throw UNORDERED;
    if (!careful && !isNext(watch, keyAt, stop)) throw UNORDERED;
    q = text ? value(keyKind, 0, keyAt + 1, stop, q, depth) : putKey(keyKind, keyAt + 1, stop, q);
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

/** Whether all entries are such as `map` can write one by one. */
function isPlainMap(row: number, tagFrom: number, i: number, end: number, depth: number): boolean {
  if (run.path !== undefined) return false;
  const tagSize = i - tagFrom;
  const watch = watchKeys(run.rows[row + KEY_KIND] as number, i, tagSize);
  let at = i;
  do {
    const stop = size(at, end) + run.pos;
    const keyAt = run.pos;
    if (!isPlainEntry(row, keyAt, stop, depth) || !isNext(watch, keyAt, stop)) return false;
    run.pos = stop;
    at = stop + tagSize;
  } while (at <= end && sameBytes(tagFrom, run.pos, tagSize));
  return true;
}

/** Whether an entry is a key, and most often a value behind it. */
function isPlainEntry(row: number, keyAt: number, stop: number, depth: number): boolean {
  const { rows, src } = run;
  const kind = rows[row + KIND] as number;
  const keyTag = rows[row + KEY_TAG] as number;
  if (src[keyAt] !== keyTag || keyAt === stop) return false;
  skip(keyTag, keyAt + 1, stop, depth);
  if (run.pos === stop) return kind <= Kind.message;
  const valueTag = 16 + (rows[row + WIRE] as number);
  if (src[run.pos] !== valueTag) return false;
  skip(valueTag, run.pos + 1, stop, depth);
  return run.pos === stop;
}

/** The value of an entry that ends behind its key: most encoders write such values all the same. */
function missing(kind: number, sub: number, row: number, stop: number, q: number, depth: number): number {
  const { rows } = run;
  if (kind < Kind.message) return literal(rows[row + ZERO] as number, rows[row + ZERO_SIZE] as number, q);
  if (kind !== Kind.message) throw UNORDERED;
  if (depth >= run.maxDepth) tooDeep();
  const to = message(sub, stop, stop, q, depth + 1);
  run.pos = stop;
  return to;
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
