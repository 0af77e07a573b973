// Messages whose fields come in any order, or more than once: they are looked through first.
import { Kind, Mode } from '../plan/kinds.ts';
import { bodyOf } from './body.ts';
import { gatheredMap } from './gathered-map.ts';
import { isZero } from './message.ts';
import { type Occurrences, occurrencesOf, type Places } from './occurrences.ts';
import { groupEnd, size, varint } from './reader.ts';
import { isRequired, refuseWithout } from './required.ts';
import { NO_ROOM, refuse, run } from './run.ts';
import { Column, Header } from './tables.ts';
import { isListed, literal, value } from './value.ts';

/** Writes the message whose bytes are those of all ranges, in order, as an object. */
export function gathered(start: number, ranges: readonly number[], q: number, depth: number): number {
  const { rows, out } = run;
  const found = occurrencesOf(start, ranges, depth);
  const behind = start + (rows[start + Header.rows] as number) * Column.count;
  out[q++] = 123;
  for (let row = start, index = 0; row < behind; row += Column.count, index++) {
    if (q > run.limit) throw NO_ROOM;
    const places = found.places[index];
    if (places === undefined) q = absent(row, q);
    else if (rows[row + Column.mode] !== Mode.extension) q = field(row, places, q, depth);
  }
  q = extensions(start, found, q, depth);
  if (out[q - 1] !== 44) q++; // no field at all
  out[q - 1] = 125;
  return q;
}

/** What stands in the place of a field that is not there. */
export function absent(row: number, q: number): number {
  const { rows } = run;
  if (isRequired(row)) refuseWithout(row);
  return literal(rows[row + Column.absent] as number, rows[row + Column.absentSize] as number, q);
}

function extensions(start: number, found: Occurrences, q: number, depth: number): number {
  for (const row of found.extensions) {
    if (q > run.limit) throw NO_ROOM;
    q = field(row, found.places[(row - start) / Column.count] as Places, q, depth);
  }
  return q;
}

/** Key, value and comma, or nothing. */
function field(row: number, places: Places, q: number, depth: number): number {
  const { rows, out, path, tables } = run;
  path?.push(`.${tables.fieldName(row)}`);
  const from = literal(rows[row + Column.key] as number, rows[row + Column.keySize] as number, q);
  const to = values(row, places, from, depth);
  path?.pop();
  if (isLeftOut(row, places, from, to)) return q;
  out[to] = 44;
  return to + 1;
}

/** Whether a value that is there is not written all the same, because absent ones are not and it says as little. */
function isLeftOut(row: number, places: Places, from: number, to: number): boolean {
  const { rows, out } = run;
  const mode = rows[row + Column.mode] as number;
  if (mode === Mode.implicit) return isZero(row, places[1] as number, from, to);
  const list = places[0] === Mode.list || places[0] === Mode.packed;
  if (!list || to - from !== 2 || out[from] !== 91) return false;
  return !run.tables.defaults;
}

/** The JSON of all values of one field, of which there is one at least. */
export function values(row: number, places: Places, q: number, depth: number): number {
  const { rows } = run;
  const kind = rows[row + Column.kind] as number;
  const sub = rows[row + Column.sub] as number;
  const form = places[0] as number;
  if (form === Mode.map) return gatheredMap(row, places, q, depth);
  if (form === Mode.list || form === Mode.packed) return gatheredList(row, places, q, depth);
  const from = places[1] as number;
  if (form === Mode.closed && !isListed(sub, varint(run.src, from))) {
    // extensions only: what is unknown of them counts as their default
    return literal(rows[row + Column.zero] as number, rows[row + Column.zeroSize] as number, q);
  }
  if (places.length === 3 || kind < Kind.message)
    return value(kind, sub, from, places[2] as number, q, depth);
  return merged(kind, sub, places, q, depth);
}

function gatheredList(row: number, places: Places, q: number, depth: number): number {
  const { rows, out } = run;
  const single = { kind: rows[row + Column.kind] as number, sub: rows[row + Column.sub] as number, depth };
  let count = 0;
  out[q++] = 91;
  for (let k = 0; k < places.length; k += 3) {
    const from = places[k + 1] as number;
    const to = places[k + 2] as number;
    if (places[k] === Mode.list) {
      q = element(single, count++, from, to, q);
      continue;
    }
    size(from, to);
    while (run.pos < to) q = element(single, count++, run.pos, to, q);
    if (run.pos !== to) refuse('packed values past their end');
  }
  if (out[q - 1] !== 44) q++; // no value at all
  out[q - 1] = 93;
  return q;
}

interface Element {
  readonly kind: number;
  readonly sub: number;
  readonly depth: number;
}

function element(single: Element, index: number, from: number, end: number, q: number): number {
  const { path, out } = run;
  if (q > run.limit) throw NO_ROOM;
  path?.push(`[${index}]`);
  const to = value(single.kind, single.sub, from, end, q, single.depth);
  path?.pop();
  out[to] = 44;
  return to + 1;
}

/** A message that came in several parts. Answers also where there is none: then it is empty. */
export function merged(kind: number, sub: number, places: Places, q: number, depth: number): number {
  const { rows } = run;
  const ranges: number[] = [];
  for (let k = 0; k < places.length; k += 3) {
    const from = places[k + 1] as number;
    const to = places[k + 2] as number;
    if (kind === Kind.group) ranges.push(from, groupEnd(rows[sub + 2] as number, from, to, depth));
    else {
      size(from, to);
      ranges.push(run.pos, to);
    }
  }
  if (kind !== Kind.group) return bodyOf(kind, sub, ranges, q, depth);
  return bodyOf(rows[sub] as number, rows[sub + 1] as number, ranges, q, depth);
}
