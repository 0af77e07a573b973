// Finding a field's row, and what a tag means for it.
import { Mode, Wire } from '../plan/kinds.ts';
import { run } from './run.ts';
import { Column, Header } from './tables.ts';

const NUMBER = Column.number;

/** What a tag means for the field of its number when the field does not come that way: nothing, the value is dropped. */
export const NO_FORM = -1;

/** The row of the field with this number, or -1. */
export function findRow(start: number, number: number): number {
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

/** How the values behind this tag are to be read: the row's mode, or packed for unpacked and the reverse, or NO_FORM. */
export function formOf(row: number, tag: number): number {
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
