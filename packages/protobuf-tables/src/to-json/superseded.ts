// Values that a later one takes the place of are not written, but a message with an invalid one is refused all the same.
import { isUtf8 } from 'node:buffer';
import { Kind, Mode } from '../plan/kinds.ts';
import { findRow, formOf, NO_FORM } from './field-rows.ts';
import type { Places } from './occurrences.ts';
import { groupEnd, size, skip, tagAt, tooDeep } from './reader.ts';
import { refuse, run } from './run.ts';
import { Column } from './tables.ts';

const TEXT_TAG = 10;

/** Checks what comes of a field in a message at `depth`. */
export function checkSuperseded(row: number, places: Places, depth: number): void {
  for (let k = 0; k < places.length; k += 3) {
    checkField(row, places[k] as number, places[k + 1] as number, places[k + 2] as number, depth);
  }
}

/** Checks one value between known ends, a string above all. */
export function checkValue(kind: number, sub: number, from: number, to: number, depth: number): void {
  if (kind === Kind.string) checkText(from, to);
  else if (kind === Kind.group) {
    const { rows } = run;
    const end = groupEnd(rows[sub + 2] as number, from, to, depth);
    checkBody(rows[sub] as number, rows[sub + 1] as number, from, end, depth);
  } else if (kind >= Kind.message) {
    size(from, to);
    checkBody(kind, sub, run.pos, to, depth);
  }
}

function checkField(row: number, form: number, from: number, to: number, depth: number): void {
  const { rows } = run;
  if (rows[row + Column.mode] === Mode.extension) return; // read only when it is written
  const kind = rows[row + Column.kind] as number;
  const sub = rows[row + Column.sub] as number;
  if (form === Mode.packed) checkPacked(rows[row + Column.wire] as number, from, to, depth);
  else if (form === Mode.map) checkEntry(row, from, to, depth);
  else checkValue(kind, sub, from, to, depth);
}

function checkText(from: number, to: number): void {
  const n = size(from, to);
  if (!isUtf8(run.src.subarray(run.pos, run.pos + n))) refuse('invalid UTF-8');
}

function checkPacked(wire: number, from: number, to: number, depth: number): void {
  size(from, to);
  while (run.pos < to) skip(wire, run.pos, to, depth);
}

function checkEntry(row: number, from: number, to: number, depth: number): void {
  const { rows } = run;
  const valueTag = 16 + (rows[row + Column.wire] as number);
  size(from, to);
  for (let at = run.pos; at < to; ) {
    const tag = tagAt(at, to);
    const content = run.pos;
    skip(tag, content, to, depth);
    at = run.pos;
    if (tag === rows[row + Column.keyTag])
      checkValue(rows[row + Column.keyKind] as number, 0, content, at, depth);
    else if (tag === valueTag) {
      checkValue(rows[row + Column.kind] as number, rows[row + Column.sub] as number, content, at, depth);
    }
  }
}

/** The message from .. to, inside one at `depth`. */
function checkBody(kind: number, sub: number, from: number, to: number, depth: number): void {
  if (depth >= run.maxDepth) tooDeep();
  const hasRows = kind === Kind.message || kind === Kind.bare;
  const hasText = kind === Kind.fieldMask || kind === Kind.any;
  for (let at = from; at < to; ) {
    const tag = tagAt(at, to);
    const content = run.pos;
    skip(tag, content, to, depth + 1);
    at = run.pos;
    const row = hasRows ? findRow(sub, tag >>> 3) : -1;
    const form = row === -1 ? NO_FORM : formOf(row, tag);
    if (form !== NO_FORM) checkField(row, form, content, at, depth + 1);
    else if (hasText && tag === TEXT_TAG) checkValue(run.tables.textKind, 0, content, at, depth + 1);
  }
}
