import { Mode } from '../plan/kinds.ts';
import { refuse, skip, tagAt, varint } from '../wire/reader.ts';
import { findRow, formOf, NO_FORM } from './field-rows.ts';
import type { Run } from './run.ts';
import { Column, Header } from './tables.ts';
import { isListed } from './value.ts';

/** Refuses the message i .. end if a required field (proto2) is missing. */
export function checkRequired(run: Run, start: number, i: number, end: number, depth: number): void {
  const { rows } = run;
  const found = new Set<number>();
  for (let at = i; at < end; at = run.pos) {
    const tag = tagAt(run, at, end);
    const from = run.pos;
    const row = findRow(run, start, tag >>> 3);
    if (row !== -1 && formOf(run, row, tag) !== NO_FORM && counts(run, row, from)) found.add(row);
    skip(run, tag, from, end, depth);
  }
  const last = start + (rows[start + Header.rows] as number) * Column.count;
  for (let row = start; row < last; row += Column.count) {
    const isRequired = rows[row + Column.required] === 1 && rows[row + Column.mode] !== Mode.map;
    if (isRequired && !found.has(row)) {
      refuse(run, `required field "${run.tables.fieldName(row)}" is missing`);
    }
  }
}

/** Whether the value at i counts. An unknown number of a closed enum does not. */
export function counts(run: Run, row: number, i: number): boolean {
  const { rows } = run;
  if (rows[row + Column.mode] !== Mode.closed) return true;
  return isListed(run, rows[row + Column.sub] as number, varint(run, i));
}
