// Puts messages in order: a copy with each field once, in order of number, so that `message` converts it in one walk. All legal
// but unusual encodings are handled here: fields in any order, replaced values, messages in parts, partly packed lists, odd map
// entries. Replaced values are left out, but must be valid.
import { isUtf8 } from 'node:buffer';
import { Kind, Mode, Wire } from '../plan/kinds.ts';
import { releaseInput, setInput } from '../wire/input.ts';
import { groupEnd, refuse, size, skip, tagAt, tooDeep, varint } from '../wire/reader.ts';
import { close, open, outputOf, putVarint32, varintBytes, type Writer } from '../wire/writer.ts';
import { ANY_URL_TAG, ANY_VALUE_TAG, nameIn } from './any.ts';
import { putEntries } from './entries-in-order.ts';
import { PATHS_TAG } from './field-mask.ts';
import { eachField, findRow, formOf, lastField, NO_FORM } from './field-rows.ts';
import { counts } from './required.ts';
import { type Run, useTables } from './run.ts';
import { Column, Header, type Tables } from './tables.ts';

/** Positions of the values of one field: for each, its form, its first byte (after the tag) and the position after it. */
export type Places = number[];

/** Memory for copies of this size is kept between messages. */
const KEPT_BYTES = 256 * 1024;
/** Copying fewer bytes is faster in a loop than by a call. */
const FEW_BYTES = 24;

/** A copy in progress, or memory for the next one. */
export interface Copy extends Writer {
  readonly run: Run;
  /** Whether output is only checked, and then dropped. */
  checks: boolean;
}

/** Memory for copies of the messages that `run` converts. */
export function createCopy(run: Run): Copy {
  return { run, ...outputOf(FEW_BYTES), q: 0, checks: false };
}

/**
 * The message in order, valid until the next call. Throws REFUSED if it is invalid in a way that shows without reading the
 * remaining values.
 */
export function inOrder(copy: Copy, tables: Tables, wire: Uint8Array): Uint8Array {
  const { run } = copy;
  if (run.tables !== tables) useTables(run, tables);
  setInput(run, wire);
  const room = wire.length + 64;
  if (copy.out.length < room || copy.out.length > KEPT_BYTES) {
    Object.assign(copy, outputOf(room > KEPT_BYTES ? room : Math.min(room * 2, KEPT_BYTES)));
  }
  copy.q = 0;
  copy.checks = false;
  putBody(copy, tables.rootKind, tables.rootSub, [0, wire.length], 0);
  releaseInput(run);
  return copy.out.subarray(0, copy.q);
}

/** Copies the content of a message whose bytes are those of all ranges, which merges its parts. */
function putBody(copy: Copy, kind: number, sub: number, ranges: readonly number[], depth: number): void {
  const { run } = copy;
  if (depth >= run.maxDepth) tooDeep(run);
  if (kind === Kind.message || kind === Kind.bare) putFields(copy, sub, ranges, depth + 1);
  else if (kind === Kind.any) putAny(copy, ranges, depth + 1);
  else {
    // a single part is copied unchanged; of several, none may extend into the next one
    if (ranges.length > 2 || copy.checks) checkParts(copy, kind, ranges, depth + 1);
    for (let k = 0; k < ranges.length; k += 2) putBytes(copy, ranges[k] as number, ranges[k + 1] as number);
  }
}

function checkParts({ run, checks }: Copy, kind: number, ranges: readonly number[], depth: number): void {
  const hasText = checks && kind === Kind.fieldMask;
  eachField(run, ranges, depth, (tag, from) => {
    if (hasText && tag === PATHS_TAG) checkText(run, run.tables.textKind, from);
  });
}

function putFields(copy: Copy, start: number, ranges: readonly number[], depth: number): void {
  const { rows } = copy.run;
  const [from, to] = ranges as readonly [number, number];
  if (ranges.length === 2 && !copy.checks && isPlain(copy.run, start, from, to, depth)) {
    putBytes(copy, from, to);
    return;
  }
  const extensions: number[] = [];
  const fields = gather(copy, start, ranges, depth, extensions);
  for (let index = 0, row = start; index < fields.length; index++, row += Column.count) {
    const places = fields[index];
    if (places !== undefined && rows[row + Column.mode] !== Mode.extension)
      putField(copy, row, places, depth);
  }
  for (const row of extensions) {
    putField(copy, row, fields[(row - start) / Column.count] as Places, depth);
  }
}

/** Whether the message has only scalars, each once and in order of number, so that it can be copied unchanged. */
function isPlain(run: Run, start: number, i: number, end: number, depth: number): boolean {
  const { rows } = run;
  let row = start;
  for (let at = i; at < end; at = run.pos) {
    run.at = at;
    const tag = tagAt(run, at, end);
    const from = run.pos;
    while ((rows[row + Column.tag] as number) >>> 3 < tag >>> 3) row += Column.count;
    if (rows[row + Column.tag] !== tag || (rows[row + Column.kind] as number) >= Kind.message) return false;
    const mode = rows[row + Column.mode];
    if ((mode !== Mode.one && mode !== Mode.implicit) || rows[row + Column.oneof] !== 0) return false;
    skip(run, tag, from, end, depth);
    row += Column.count;
  }
  return true;
}

/**
 * Positions of the fields of a message, by index of the row. Only the last of values that replace each other is included, and
 * only the last member of a oneof. Rows of extensions are added to `extensions`, in order of first arrival.
 */
function gather(
  copy: Copy,
  start: number,
  ranges: readonly number[],
  depth: number,
  extensions: number[],
): (Places | undefined)[] {
  const { run } = copy;
  const { rows } = run;
  const own = run.at;
  const fields = new Array<Places | undefined>(rows[start + Header.rows] as number).fill(undefined);
  const gathering: Gathering = { fields, members: [], start, depth };
  for (let k = 0; k < ranges.length; k += 2) {
    const end = ranges[k + 1] as number;
    for (let at = ranges[k] as number; at < end; at = run.pos) {
      run.at = at;
      const tag = tagAt(run, at, end);
      const from = run.pos;
      const row = findRow(run, start, tag >>> 3);
      const form = row === -1 ? NO_FORM : formOf(run, row, tag);
      skip(run, tag, from, end, depth);
      if (form === NO_FORM) continue;
      const to = run.pos;
      if (counts(run, row, from)) {
        const isExtension = rows[row + Column.mode] === Mode.extension;
        if (isExtension && fields[(row - start) / Column.count] === undefined) extensions.push(row);
        note(copy, gathering, row, [form, from, to]);
      }
      run.pos = to;
    }
  }
  run.at = own;
  return fields;
}

interface Gathering {
  readonly fields: (Places | undefined)[];
  /** The index of the last member, by number of the oneof. */
  readonly members: number[];
  readonly start: number;
  readonly depth: number;
}

function note(copy: Copy, { fields, members, start, depth }: Gathering, row: number, place: Places): void {
  const { rows } = copy.run;
  const index = (row - start) / Column.count;
  const oneof = rows[row + Column.oneofNumber] as number;
  const other = members[oneof];
  if (oneof !== 0 && other !== index) {
    members[oneof] = index;
    const left = other === undefined ? undefined : fields[other];
    if (other !== undefined && left !== undefined) {
      fields[other] = undefined;
      check(copy, start + other * Column.count, left, depth);
    }
  }
  const before = fields[index];
  if (before !== undefined && joins(rows[row + Column.kind] as number, place[0] as number)) {
    before.push(...place);
    return;
  }
  if (before !== undefined) check(copy, row, before, depth);
  fields[index] = place;
}

/** Whether a value extends those before it: of a list or map, or as a part of a message. */
function joins(kind: number, form: number): boolean {
  return form === Mode.list || form === Mode.packed || form === Mode.map || kind >= Kind.message;
}

/** Checks values that are left out. Extensions are read only when they are written. */
function check(copy: Copy, row: number, places: Places, depth: number): void {
  if (copy.run.rows[row + Column.mode] === Mode.extension) return;
  const { q, checks } = copy;
  copy.checks = true;
  putField(copy, row, places, depth);
  copy.q = q;
  copy.checks = checks;
}

function putField(copy: Copy, row: number, places: Places, depth: number): void {
  const { rows } = copy.run;
  const kind = rows[row + Column.kind] as number;
  const wire = rows[row + Column.wire] as number;
  const number = rows[row + Column.number] as number;
  const form = places[0];
  if (form === Mode.map) putEntries(copy, row, places, depth);
  else if (form !== Mode.list && form !== Mode.packed) {
    // the last value of a scalar, all parts of a message together
    putTag(copy, (number << 3) | wire);
    putContent(copy, kind, rows[row + Column.sub] as number, places, depth);
  } else if (kind < Kind.message && wire !== Wire.delimited) putPacked(copy, row, places);
  else {
    for (let k = 0; k < places.length; k += 3) {
      const one = places.length === 3 ? places : places.slice(k, k + 3);
      putTag(copy, (number << 3) | wire);
      putContent(copy, kind, rows[row + Column.sub] as number, one, depth);
    }
  }
}

export function putContent(copy: Copy, kind: number, sub: number, places: Places, depth: number): void {
  const { run } = copy;
  if (kind >= Kind.message) {
    putMessage(copy, kind, sub, places, depth);
    return;
  }
  const from = places[places.length - 2] as number;
  run.at = from;
  if (copy.checks) checkText(run, kind, from);
  putBytes(copy, from, places[places.length - 1] as number);
}

function putMessage(copy: Copy, kind: number, sub: number, places: Places, depth: number): void {
  const { run } = copy;
  const { rows } = run;
  const ranges: number[] = [];
  let length = 0;
  for (let k = 0; k < places.length; k += 3) {
    const from = places[k + 1] as number;
    const to = places[k + 2] as number;
    length += to - from;
    run.at = from;
    if (kind === Kind.group) ranges.push(from, groupEnd(run, rows[sub + 2] as number, from, to, depth));
    else {
      size(run, from, to);
      ranges.push(run.pos, to);
      length -= run.pos - from;
    }
  }
  if (kind === Kind.group) {
    putBody(copy, rows[sub] as number, rows[sub + 1] as number, ranges, depth);
    putTag(copy, ((rows[sub + 2] as number) << 3) | Wire.endGroup);
  } else {
    const at = openAfter(copy, length);
    putBody(copy, kind, sub, ranges, depth);
    closeAt(copy, at);
  }
}

/** Writes all values of a list of numbers packed. */
function putPacked(copy: Copy, row: number, places: Places): void {
  const { run } = copy;
  const { rows } = run;
  const single = rows[row + Column.wire] as number;
  putTag(copy, ((rows[row + Column.number] as number) << 3) | Wire.delimited);
  const at = openAfter(copy, (places[places.length - 1] as number) - (places[1] as number));
  for (let k = 0; k < places.length; k += 3) {
    let from = places[k + 1] as number;
    const to = places[k + 2] as number;
    run.at = from;
    if (places[k] === Mode.packed) {
      size(run, from, to);
      from = run.pos;
      // values may not extend into the next run
      if (single === Wire.varint) while (run.pos < to) varint(run, run.pos);
      else while (run.pos < to) skip(run, single, run.pos, to, 0);
      if (run.pos !== to) refuse(run, 'packed values past their end');
    }
    putBytes(copy, from, to);
  }
  closeAt(copy, at);
}

/** Checks the text whose length is at i, if its kind requires valid UTF-8. */
export function checkText(run: Run, kind: number, i: number): void {
  if (kind !== Kind.string) return;
  const { pos } = run;
  const n = size(run, i, run.length);
  if (!isUtf8(run.src.subarray(run.pos, run.pos + n))) refuse(run, 'invalid UTF-8');
  run.pos = pos;
}

/** Copies a google.protobuf.Any: the type URL, then the message in order, if its type is known. */
function putAny(copy: Copy, ranges: readonly number[], depth: number): void {
  const { run } = copy;
  const url = lastField(run, ANY_URL_TAG, ranges, depth);
  const content = lastField(run, ANY_VALUE_TAG, ranges, depth);
  if (url !== -1) {
    if (copy.checks) checkText(run, run.tables.textKind, url);
    const n = size(run, url, run.length);
    putTag(copy, ANY_URL_TAG);
    putBytes(copy, url, run.pos + n);
  }
  if (content === -1) return;
  const n = size(run, content, run.length);
  const from = run.pos;
  const { tables } = run;
  const inner = url === -1 || copy.checks ? undefined : tables.resolve(nameIn(run, url));
  putTag(copy, ANY_VALUE_TAG);
  const at = openAfter(copy, n);
  if (inner === undefined) putBytes(copy, from, from + n);
  else {
    useTables(run, inner);
    putBody(copy, inner.rootKind, inner.rootSub, [from, from + n], depth);
    useTables(run, tables);
  }
  closeAt(copy, at);
}

/** Reserves bytes for the length after a tag. The guess is `length`, so that nested content seldom has to move. */
export function openAfter(copy: Copy, length: number): number {
  reserve(copy, 8);
  return open(copy, varintBytes(length));
}

export function closeAt(copy: Copy, at: number): void {
  reserve(copy, 8);
  close(copy, at);
}

export function putTag(copy: Copy, tag: number): void {
  reserve(copy, 8);
  putVarint32(copy, tag);
}

export function putBytes(copy: Copy, from: number, to: number): void {
  reserve(copy, to - from);
  const { out, run } = copy;
  const { src } = run;
  let { q } = copy;
  copy.q = q + to - from;
  if (to - from > FEW_BYTES) src.copy(out, q, from, to);
  else for (let i = from; i < to; i++) out[q++] = src[i] as number;
}

/** Makes room for this number of bytes. A copy is seldom longer than the message. */
export function reserve(copy: Copy, bytes: number): void {
  const { out, q } = copy;
  if (q + bytes <= out.length) return;
  Object.assign(copy, outputOf(Math.max(out.length * 2, q + bytes)));
  out.copy(copy.out, 0, 0, q);
}
