import { Kind, Mode } from '../plan/kinds.ts';
import { findRow, formOf, NO_FORM } from './field-rows.ts';
import { skip, tagAt, varint } from './reader.ts';
import { run } from './run.ts';
import { checkSuperseded } from './superseded.ts';
import { Column, Header } from './tables.ts';
import { isListed } from './value.ts';

/** Where the values of one field are: for each its form, its first byte (behind the tag) and the position behind it. */
export type Places = readonly number[];

/** Which fields a message has, and where. */
export interface Occurrences {
  /** By index of the row. Of values that replace each other only the last is here, of a oneof only the last member. */
  readonly places: readonly (Places | undefined)[];
  /** Rows of the extensions, in the order in which each came first. */
  readonly extensions: ReadonlySet<number>;
}

/** Looks through a message whose fields may be in any order. Its bytes are those of all ranges, in order. */
export function occurrencesOf(start: number, ranges: readonly number[], depth: number): Occurrences {
  const { rows, path, tables } = run;
  const places = new Array<number[] | undefined>(rows[start + Header.rows] as number);
  const extensions = new Set<number>();
  const members: number[] = [];
  for (let k = 0; k < ranges.length; k += 2) {
    const end = ranges[k + 1] as number;
    for (let at = ranges[k] as number; at < end; at = run.pos) {
      const tag = tagAt(at, end);
      const from = run.pos;
      const row = findRow(start, tag >>> 3);
      const form = row === -1 ? NO_FORM : formOf(row, tag);
      if (form !== NO_FORM) path?.push(`.${tables.fieldName(row)}`);
      skip(tag, from, end, depth);
      if (form === NO_FORM) continue;
      path?.pop();
      const to = run.pos;
      if (counts(row, from)) {
        note(places, members, { start, row, form, from, to, depth });
        if (rows[row + Column.mode] === Mode.extension) extensions.add(row);
      }
      run.pos = to;
    }
  }
  return { places, extensions };
}

interface Occurrence {
  readonly start: number;
  readonly row: number;
  readonly form: number;
  readonly from: number;
  readonly to: number;
  readonly depth: number;
}

function note(places: (number[] | undefined)[], members: number[], occurrence: Occurrence): void {
  const { start, row, form, from, to, depth } = occurrence;
  const index = (row - start) / Column.count;
  const oneof = run.rows[row + Column.oneofNumber] as number;
  const other = members[oneof];
  if (oneof !== 0 && other !== index) {
    members[oneof] = index;
    const left = other === undefined ? undefined : places[other];
    if (other !== undefined) places[other] = undefined;
    if (left !== undefined) checkSuperseded(start + (other as number) * Column.count, left, depth);
  }
  const before = places[index];
  if (before !== undefined && !replaces(row, form)) {
    before.push(form, from, to);
    return;
  }
  if (before !== undefined) checkSuperseded(row, before, depth);
  places[index] = [form, from, to];
}

/** Whether a later value of the field takes the place of an earlier one: neither joins a list or map, nor is merged. */
function replaces(row: number, form: number): boolean {
  const kind = run.rows[row + Column.kind] as number;
  return form !== Mode.list && form !== Mode.packed && form !== Mode.map && kind < Kind.message;
}

/** Whether the value at i counts: fields of closed enums do not know other numbers than theirs. */
export function counts(row: number, i: number): boolean {
  const { rows } = run;
  if (rows[row + Column.mode] !== Mode.closed) return true;
  return isListed(rows[row + Column.sub] as number, varint(run.src, i));
}
