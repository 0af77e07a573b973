// Maps whose entries come in any order, more than once, or in an unusual form.
import { Kind, Mode } from '../plan/kinds.ts';
import { putAscii } from '../text/doubles.ts';
import { merged } from './gathered.ts';
import { putKey } from './key-text.ts';
import { winners } from './map-order.ts';
import { Entry, entryRows, NOWHERE, SEVERAL } from './map-rows.ts';
import type { Places } from './occurrences.ts';
import { size, skip, tagAt } from './reader.ts';
import { NO_ROOM, run } from './run.ts';
import { checkSuperseded, checkValue } from './superseded.ts';
import { Column } from './tables.ts';
import { literal, value } from './value.ts';

/** Longest part of a key that an error shows. */
const SHOWN_KEY = 40;

/**
 * Writes the map whose entries are at these places. Of equal keys the last value is written where the first one was; keys
 * that are array indexes come first, in ascending order, as in JavaScript's objects.
 */
export function gatheredMap(row: number, places: Places, q: number, depth: number): number {
  const { out, top, path } = run;
  const base = entryRows(row, places, depth);
  const found = winners(base, places.length / 3, (at) => {
    if ((run.places[at + Entry.from] as number) >= 0) checkSingle(row, at, depth);
    else checkSuperseded(row, partsOf(row, places, base, at, depth), depth);
  });
  const behind = found.from + found.count;
  out[q++] = 123;
  for (let k = found.from; k < behind; k++) {
    if (q > run.limit) throw NO_ROOM;
    const at = run.places[k] as number;
    const from = q;
    q = key(row, run.places[at + Entry.key] as number, q);
    path?.push(`[${out.toString('utf8', from, q).slice(0, SHOWN_KEY)}]`);
    out[q++] = 58;
    if ((run.places[at + Entry.from] as number) < 0) {
      q = partsValue(row, partsOf(row, places, base, at, depth), q, depth);
    } else q = singleValue(row, at, q, depth);
    out[q++] = 44;
    path?.pop();
  }
  run.top = top;
  if (out[q - 1] !== 44) q++; // no entry at all
  out[q - 1] = 125;
  return q;
}

/** The key at i, or that of an entry without one. */
function key(row: number, i: number, q: number): number {
  const kind = run.rows[row + Column.keyKind] as number;
  if (i !== -1) return putKey(kind, i, run.length, q);
  if (kind === Kind.string || kind === Kind.text) return putAscii(run.out, '""', q);
  return putAscii(run.out, kind === Kind.bool ? '"false"' : '"0"', q);
}

function singleValue(row: number, at: number, q: number, depth: number): number {
  const { rows, places } = run;
  const from = places[at + Entry.from] as number;
  const to = places[at + Entry.to] as number;
  return value(rows[row + Column.kind] as number, rows[row + Column.sub] as number, from, to, q, depth);
}

function checkSingle(row: number, at: number, depth: number): void {
  const { rows, places } = run;
  const from = places[at + Entry.from] as number;
  const to = places[at + Entry.to] as number;
  checkValue(rows[row + Column.kind] as number, rows[row + Column.sub] as number, from, to, depth);
}

/** A value that is not there, or in parts. */
function partsValue(row: number, parts: Places, q: number, depth: number): number {
  const { rows } = run;
  const kind = rows[row + Column.kind] as number;
  if (kind >= Kind.message) return merged(kind, rows[row + Column.sub] as number, parts, q, depth);
  return literal(rows[row + Column.zero] as number, rows[row + Column.zeroSize] as number, q);
}

/** Where the parts are of the value whose row is at `at`. */
function partsOf(row: number, places: Places, base: number, at: number, depth: number): Places {
  const from = run.places[at + Entry.from] as number;
  if (from === NOWHERE) return [];
  if (from !== SEVERAL) return [Mode.one, from, run.places[at + Entry.to] as number];
  const valueTag = 16 + (run.rows[row + Column.wire] as number);
  const place = ((at - base) / Entry.width) * 3;
  const to = places[place + 2] as number;
  const parts: number[] = [];
  size(places[place + 1] as number, to);
  for (let i = run.pos; i < to; i = run.pos) {
    const tag = tagAt(i, to);
    const content = run.pos;
    skip(tag, content, to, depth);
    if (tag === valueTag) parts.push(Mode.one, content, run.pos);
  }
  return parts;
}
