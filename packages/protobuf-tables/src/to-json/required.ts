import { Mode } from '../plan/kinds.ts';
import { findRow, formOf, NO_FORM } from './field-rows.ts';
import { counts } from './occurrences.ts';
import { skip, tagAt } from './reader.ts';
import { refuse, run } from './run.ts';
import { Column, Header } from './tables.ts';

/** Refuses the message in these ranges of bytes if one of its required fields (proto2) is missing. */
export function checkRequired(start: number, ranges: readonly number[], depth: number): void {
  const found = new Set<number>();
  for (let k = 0; k < ranges.length; k += 2) {
    const end = ranges[k + 1] as number;
    for (let at = ranges[k] as number; at < end; at = run.pos) {
      const tag = tagAt(at, end);
      const from = run.pos;
      const row = findRow(start, tag >>> 3);
      if (row !== -1 && formOf(row, tag) !== NO_FORM && counts(row, from)) found.add(row);
      skip(tag, from, end, depth);
    }
  }
  const { rows } = run;
  const behind = start + (rows[start + Header.rows] as number) * Column.count;
  for (let row = start; row < behind; row += Column.count) {
    if (isRequired(row) && !found.has(row)) refuseWithout(row);
  }
}

/** Whether the field of a row must be there. */
export function isRequired(row: number): boolean {
  const { rows } = run;
  return rows[row + Column.required] === 1 && rows[row + Column.mode] !== Mode.map;
}

/** Refuses the message because the field of a row is not there. */
export function refuseWithout(row: number): never {
  return refuse(`required field "${run.tables.fieldName(row)}" is missing`);
}
