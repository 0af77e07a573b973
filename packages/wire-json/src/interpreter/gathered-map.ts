// Maps whose entries come in any order, more than once, or in an unusual form.
import { Kind, Mode } from '../plan/kinds.ts';
import { putAscii } from '../text/doubles.ts';
import { merged } from './gathered.ts';
import { putKey } from './key-text.ts';
import { MAX_INDEX } from './key-watch.ts';
import type { Places } from './occurrences.ts';
import { size, skip, tagAt } from './reader.ts';
import { NO_ROOM, refuse, run } from './run.ts';
import { checkSuperseded, checkValue } from './superseded.ts';
import { Column } from './tables.ts';
import { literal, value } from './value.ts';

/** What is in one entry: where its key is, -1 if there is none, and where its value is. */
interface Entry {
  readonly key: number;
  readonly value: Places;
}

/** Longest part of a key that an error shows. */
const SHOWN_KEY = 40;

/**
 * Writes the map whose entries are at these places. Of equal keys the last value is written where the first one was; keys
 * that are array indexes come first, in ascending order, as in JavaScript's objects.
 */
export function gatheredMap(row: number, places: Places, q: number, depth: number): number {
  const { out, path } = run;
  const keys = keysOf(row, places, q, depth);
  out[q++] = 123;
  for (const [key, k] of keys) {
    if (q + key.length > run.limit) throw NO_ROOM;
    path?.push(`[${Buffer.from(key, 'latin1').toString().slice(0, SHOWN_KEY)}]`);
    q = putAscii(out, key, q);
    out[q++] = 58;
    const to = places[k + 1] as number;
    q = entryValue(row, entryAt(row, places[k] as number, to, depth), q, depth);
    out[q++] = 44;
    path?.pop();
  }
  if (out[q - 1] !== 44) q++; // no entry at all
  out[q - 1] = 125;
  return q;
}

/** The JSON of each key, byte by byte, and which place its last entry has; in the order of the output. */
function keysOf(row: number, places: Places, q: number, depth: number): Iterable<readonly [string, number]> {
  const kind = run.rows[row + Column.keyKind] as number;
  const keys = new Map<string, number>();
  for (let k = 1; k < places.length; k += 3) {
    const end = places[k + 1] as number;
    const entry = entryAt(row, places[k] as number, end, depth);
    const to = entry.key === -1 ? zeroKey(kind, q) : putKey(kind, entry.key, end, q);
    const key = run.out.toString('latin1', q, to);
    const before = keys.get(key);
    if (before !== undefined) {
      const superseded = entryAt(row, places[before] as number, places[before + 1] as number, depth);
      checkSuperseded(row, superseded.value, depth);
    }
    keys.set(key, k);
  }
  return inObjectOrder(keys);
}

function inObjectOrder(keys: ReadonlyMap<string, number>): Iterable<readonly [string, number]> {
  const indexes: number[] = [];
  const others: (readonly [string, number])[] = [];
  for (const entry of keys) {
    const index = indexIn(entry[0]);
    if (index === -1) others.push(entry);
    else indexes.push(index);
  }
  if (indexes.length === 0) return others;
  const sorted = indexes.sort((a, b) => a - b).map((index) => `"${index}"`);
  return [...sorted.map((key) => [key, keys.get(key) as number] as const), ...others];
}

/** The array index that a key in its quotes is, or -1. */
function indexIn(key: string): number {
  const first = key.charCodeAt(1);
  if (first < 48 || first > 57 || key.length > 12) return -1;
  const index = Number(key.slice(1, -1));
  return Number.isInteger(index) && index <= MAX_INDEX && `"${index}"` === key ? index : -1;
}

function zeroKey(kind: number, q: number): number {
  if (kind === Kind.string || kind === Kind.text) return putAscii(run.out, '""', q);
  return putAscii(run.out, kind === Kind.bool ? '"false"' : '"0"', q);
}

/** Looks through the entry whose length is at `from`. */
function entryAt(row: number, from: number, to: number, depth: number): Entry {
  const { rows } = run;
  const keyTag = rows[row + Column.keyTag] as number;
  const valueTag = 16 + (rows[row + Column.wire] as number);
  const isMessage = (rows[row + Column.kind] as number) >= Kind.message;
  let key = -1;
  const value: number[] = [];
  size(from, to);
  for (let at = run.pos; at < to; at = run.pos) {
    const tag = tagAt(at, to);
    const content = run.pos;
    skip(tag, content, to, depth);
    const behind = run.pos;
    if (tag === keyTag) {
      if (key !== -1) checkValue(rows[row + Column.keyKind] as number, 0, key, to, depth);
      key = content;
    } else if (tag === valueTag) {
      if (!isMessage) {
        checkSuperseded(row, value, depth);
        value.length = 0;
      }
      value.push(Mode.one, content, behind);
    }
    run.pos = behind;
  }
  if (run.pos !== to) refuse('map entry past its end');
  return { key, value };
}

function entryValue(row: number, entry: Entry, q: number, depth: number): number {
  const { rows } = run;
  const kind = rows[row + Column.kind] as number;
  const sub = rows[row + Column.sub] as number;
  const places = entry.value;
  if (kind >= Kind.message && places.length !== 3) return merged(kind, sub, places, q, depth);
  if (places.length === 0)
    return literal(rows[row + Column.zero] as number, rows[row + Column.zeroSize] as number, q);
  return value(kind, sub, places[1] as number, places[2] as number, q, depth);
}
