// In which order JavaScript's objects have the keys of a map: array indexes first, ascending, then others as they came. Rows are
// sorted by merging runs: who chooses the keys cannot choose the time, which is at most n log n.
import type { Entry } from './map-rows.ts';
import { run } from './run.ts';

const WIDTH: typeof Entry.width = 6;
const RANK: typeof Entry.rank = 3;
const HIGH: typeof Entry.high = 4;
const LOW: typeof Entry.low = 5;
/** The rank of entries whose key came before. */
const AGAIN = 2;

/** Where the entries are that are to be written: `count` places of rows, in order, from `run.places[from]` on. */
export interface Winners {
  readonly from: number;
  readonly count: number;
}

/**
 * The last entry of each key, in the order of the output, out of `count` rows from `base` on. Tells of each other entry. Uses
 * the room behind the rows.
 */
export function winners(base: number, count: number, superseded: (at: number) => void): Winners {
  const { places } = run;
  const behind = base + count * WIDTH;
  const order = sorted(base, count);
  const from = order === behind ? behind + count : behind;
  let found = 0;
  for (let k = order; k < order + count; ) {
    const first = places[k] as number;
    let last = first;
    for (k++; k < order + count && compare(places, places[k] as number, first) === 0; k++) {
      superseded(last);
      last = places[k] as number;
      places[last + RANK] = AGAIN;
    }
    if (places[first + RANK] === 0) places[from + found++] = last;
    else places[first + HIGH] = last;
  }
  for (let at = base; at < behind; at += WIDTH) {
    if (places[at + RANK] === 1) places[from + found++] = places[at + HIGH] as number;
  }
  return { from, count: found };
}

/** Array indexes come first, by number. Others come in any order, but equal ones together. */
function compare(places: Int32Array, a: number, b: number): number {
  const rank = (places[a + RANK] as number) - (places[b + RANK] as number);
  if (rank !== 0) return rank;
  const high = ((places[a + HIGH] as number) >>> 0) - ((places[b + HIGH] as number) >>> 0);
  return high === 0 ? ((places[a + LOW] as number) >>> 0) - ((places[b + LOW] as number) >>> 0) : high;
}

/** Sorts the places of the rows, equal ones as they came; answers in which half of the room behind the rows they are. */
function sorted(base: number, count: number): number {
  const { places } = run;
  let from = base + count * WIDTH;
  let to = from + count;
  for (let k = 0; k < count; k++) places[from + k] = base + k * WIDTH;
  let ends = runs(places, from, from + count);
  while (ends.length > 1) {
    const merged: number[] = [];
    let start = from;
    for (let k = 0; k < ends.length; k += 2) {
      const middle = ends[k] as number;
      const end = ends[k + 1] ?? middle;
      merge(places, start, middle, end, to - from);
      merged.push(end + to - from);
      start = end;
    }
    ends = merged;
    [from, to] = [to, from];
  }
  return from;
}

/** Where runs end that are in order; those that descend are turned round. */
function runs(places: Int32Array, from: number, end: number): number[] {
  const ends: number[] = [];
  for (let start = from; start < end; ) {
    let k = start + 1;
    while (k < end && compare(places, places[k] as number, places[k - 1] as number) < 0) k++;
    if (k - start > 1) places.subarray(start, k).reverse();
    else while (k < end && compare(places, places[k - 1] as number, places[k] as number) <= 0) k++;
    ends.push(k);
    start = k;
  }
  return ends;
}

/** Merges a .. b and b .. end to where they are `by` further on. */
function merge(places: Int32Array, start: number, middle: number, end: number, by: number): void {
  let a = start;
  let b = middle;
  for (let to = start + by; to < end + by; to++) {
    const left = a < middle && (b === end || compare(places, places[a] as number, places[b] as number) <= 0);
    places[to] = places[left ? a++ : b++] as number;
  }
}
