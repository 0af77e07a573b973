// The entries of a map that is looked through before it is written: a row of numbers for each, on the stack in `run.places`.
import { isUtf8 } from 'node:buffer';
import { Kind } from '../plan/kinds.ts';
import { lenientText } from '../text/decoders.ts';
import { lowOf, numberIndex, textIndex } from './key-watch.ts';
import type { Places } from './occurrences.ts';
import { size, skip, tagAt } from './reader.ts';
import { refuse, reservePlaces, run } from './run.ts';
import { checkValue } from './superseded.ts';
import { Column } from './tables.ts';

/** Columns of an entry's row. */
export const Entry = {
  /** Where the key is; -1 = nowhere. */
  key: 0,
  /** Where the value is, and behind it; `from` may be NOWHERE or SEVERAL. */
  from: 1,
  to: 2,
  /** 0 = the key is an array index, 1 = it is none. */
  rank: 3,
  /** What is the same for equal keys; for array indexes, `low` is the index. */
  high: 4,
  low: 5,
  /** Behind the last column. */
  width: 6,
} as const;

/** There is no value. */
export const NOWHERE = -1;
/** The value is a message in parts. */
export const SEVERAL = -2;

/** Makes a row for each entry, from `run.top` on, and room for two numbers more for each; answers where the first row is. */
export function entryRows(row: number, places: Places, depth: number): number {
  const base = run.top;
  const count = places.length / 3;
  run.top += count * (Entry.width + 2);
  reservePlaces(run.top);
  const kind = run.rows[row + Column.keyKind] as number;
  const isText = kind === Kind.string || kind === Kind.text;
  const known = new Map<string, number>();
  let at = base;
  for (let k = 1; k < places.length; k += 3) {
    scan(row, places[k] as number, places[k + 1] as number, at, depth);
    if (isText) nameText(kind, known, at);
    else nameNumber(kind, at);
    at += Entry.width;
  }
  return base;
}

/** Looks through the entry whose length is at `from`, and fills its row. */
function scan(row: number, from: number, to: number, at: number, depth: number): void {
  const { rows, places } = run;
  const keyTag = rows[row + Column.keyTag] as number;
  const valueTag = 16 + (rows[row + Column.wire] as number);
  const kind = rows[row + Column.kind] as number;
  let key = -1;
  let valueFrom = NOWHERE;
  let valueTo = 0;
  size(from, to);
  for (let i = run.pos; i < to; i = run.pos) {
    const tag = tagAt(i, to);
    const content = run.pos;
    skip(tag, content, to, depth);
    const behind = run.pos;
    if (tag === keyTag) {
      if (key !== -1) checkValue(rows[row + Column.keyKind] as number, 0, key, to, depth);
      key = content;
    } else if (tag === valueTag) {
      if (valueFrom === NOWHERE || kind < Kind.message) {
        if (valueFrom !== NOWHERE) checkValue(kind, 0, valueFrom, valueTo, depth);
        valueFrom = content;
      } else valueFrom = SEVERAL;
      valueTo = behind;
    }
    run.pos = behind;
  }
  if (run.pos !== to) refuse('map entry past its end');
  places[at + Entry.key] = key;
  places[at + Entry.from] = valueFrom;
  places[at + Entry.to] = valueTo;
}

function nameNumber(kind: number, at: number): void {
  const { places } = run;
  const key = places[at + Entry.key] as number;
  run.high = 0;
  const low = key === -1 ? 0 : lowOf(kind, key);
  places[at + Entry.rank] = numberIndex(kind, low) === -1 ? 1 : 0;
  places[at + Entry.high] = run.high;
  places[at + Entry.low] = low;
}

/** Texts that are no array indexes are known by the row that they came first in. */
function nameText(kind: number, known: Map<string, number>, at: number): void {
  const { places, src } = run;
  const key = places[at + Entry.key] as number;
  const n = key === -1 ? 0 : size(key, src.length);
  const index = n === 0 ? -1 : textIndex(run.pos, n);
  places[at + Entry.rank] = index === -1 ? 1 : 0;
  places[at + Entry.high] = 0;
  places[at + Entry.low] = index === -1 ? firstOf(n === 0 ? '' : textAt(kind, run.pos, n), known, at) : index;
}

function firstOf(text: string, known: Map<string, number>, at: number): number {
  const first = known.get(text);
  if (first !== undefined) return first;
  known.set(text, at);
  return at;
}

/** Bytes that become the same text are the same. */
function textAt(kind: number, i: number, n: number): string {
  const { src } = run;
  let ascii = true;
  for (let k = i; k < i + n && ascii; k++) ascii = (src[k] as number) < 128;
  if (ascii || isUtf8(src.subarray(i, i + n))) return src.toString('latin1', i, i + n);
  if (kind === Kind.string) refuse('invalid UTF-8');
  return Buffer.from(lenientText(src.subarray(i, i + n))).toString('latin1');
}
