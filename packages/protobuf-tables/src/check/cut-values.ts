import { Kind, Wire } from '../plan/kinds.ts';
import { fieldsOf, nextField } from '../wire/fields.ts';
import { Column, Header } from './tables.ts';
import type { Walk } from './walk.ts';

/** A copy in progress. */
interface Copy {
  readonly walk: Walk;
  readonly from: Uint8Array;
  readonly to: Uint8Array;
  /** Bytes written so far. */
  length: number;
}

/**
 * Copies a valid message and leaves messages that are nested too deep empty. Lengths keep their number of bytes, so the copy is
 * written once from front to back at any depth.
 */
export function cutValues(walk: Walk, root: number, wire: Uint8Array): Uint8Array {
  const copy: Copy = { walk, from: wire, to: new Uint8Array(wire.length), length: 0 };
  copyMessage(copy, root, { body: 0, end: wire.length, values: 0 });
  return copy.to.slice(0, copy.length);
}

/** A message inside the root, and the number of nested messages of the bounded type around it, including itself. */
interface Inside {
  readonly body: number;
  readonly end: number;
  readonly values: number;
}

function copyMessage(copy: Copy, start: number, { body, end, values }: Inside): void {
  const { rows, maxNested } = copy.walk;
  const cursor = fieldsOf(copy.from, body);
  cursor.limit = end;
  while (nextField(cursor)) {
    const sub = cursor.wireType === Wire.delimited ? messageOf(rows, start, cursor.number) : 0;
    if (sub === 0) {
      copyBytes(copy, cursor.at, cursor.end);
      continue;
    }
    const at = copy.length;
    copyBytes(copy, cursor.at, cursor.body);
    const from = copy.length;
    const inside = values + (rows[sub + Header.nested] as number);
    if (inside <= maxNested) copyMessage(copy, sub, { body: cursor.body, end: cursor.end, values: inside });
    putLength(copy, afterTag(copy.to, at), from);
  }
}

/** The first row of the message in this field; 0 if the field is unknown or not a message. */
function messageOf(rows: Int32Array, start: number, number: number): number {
  const tag = number * 8 + Wire.delimited; // of large numbers more than 31 bits
  if (tag >= (rows[start + Header.tags] as number)) return 0;
  const row = start + tag * Column.count;
  return rows[row + Column.kind] === Kind.message + 1 ? (rows[row + Column.sub] as number) : 0;
}

function copyBytes(copy: Copy, at: number, end: number): void {
  copy.to.set(copy.from.subarray(at, end), copy.length);
  copy.length += end - at;
}

function afterTag(bytes: Uint8Array, at: number): number {
  while ((bytes[at] as number) > 127) at++;
  return at + 1;
}

/** Writes the length of the message copied from `body` on into all bytes reserved for it at `at`. */
function putLength({ to, length }: Copy, at: number, body: number): void {
  let size = length - body;
  for (; at < body - 1; at++) {
    to[at] = (size & 127) | 128;
    size >>>= 7;
  }
  to[at] = size;
}
