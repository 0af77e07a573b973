// Finds the row of a field, and the form of its values.
import { Mode, Wire } from '../plan/kinds.ts';
import { skip, tagAt } from '../wire/reader.ts';
import type { Run } from './run.ts';
import { Column, Header } from './tables.ts';

const NUMBER = Column.number;

/** The tag does not fit the field of its number; the value is dropped. */
export const NO_FORM = -1;

/** The row of the field with this number, or -1. */
export function findRow(run: Run, start: number, number: number): number {
  const rows = run.rows;
  let low = 0;
  let high = (rows[start + Header.rows] as number) - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const row = start + middle * Column.count;
    const found = rows[row + NUMBER] as number;
    if (found === number) return row;
    if (found < number) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}

/** How to read the values after this tag: the row's mode, packed instead of unpacked or the reverse, or NO_FORM. */
export function formOf(run: Run, row: number, tag: number): number {
  const rows = run.rows;
  const mode = rows[row + Column.mode] as number;
  const inner = mode === Mode.extension ? (rows[row + Column.keyKind] as number) : mode;
  if (rows[row] === tag) return inner;
  const wire = tag & 7;
  const single = rows[row + Column.wire] as number;
  if (inner === Mode.packed && wire === single) return Mode.list;
  const packable = single !== Wire.delimited && single !== Wire.startGroup;
  return inner === Mode.list && wire === Wire.delimited && packable ? Mode.packed : NO_FORM;
}

/** Position of the value of the last field with this tag in a message made up of all ranges; -1 if absent. */
export function lastField(run: Run, wanted: number, ranges: readonly number[], depth: number): number {
  let found = -1;
  eachField(run, ranges, depth, (tag, from) => {
    if (tag === wanted) found = from;
  });
  return found;
}

/** Calls `look` with the tag and the position of the value of each field. */
export function eachField(
  run: Run,
  ranges: readonly number[],
  depth: number,
  look: (tag: number, from: number) => void,
): void {
  for (let k = 0; k < ranges.length; k += 2) {
    const end = ranges[k + 1] as number;
    for (let at = ranges[k] as number; at < end; at = run.pos) {
      const tag = tagAt(run, at, end);
      const from = run.pos;
      skip(run, tag, from, end, depth);
      const { pos } = run;
      look(tag, from);
      run.pos = pos;
    }
  }
}
