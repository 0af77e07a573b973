// What stands behind its length. Room for the length is left before its end is known: as much as the last one of the field
// needed; when that was wrong, what was written is moved.
import type { Reading } from './reading.ts';
import { Column } from './tables.ts';
import { putVarint32 } from './varint.ts';

/** Leaves room for the length of a value of the field, and answers where. */
export function open(s: Reading, row: number): number {
  const at = s.q;
  const room = s.rows[row + Column.lengthBytes] as number;
  s.out[at] = room; // the field's guess may be another one when this value, which may hold others of the field, is closed
  s.q = at + room;
  return at;
}

/** Writes the length of what was written since `open` answered `at`. */
export function close(s: Reading, row: number, at: number): void {
  const { out, q } = s;
  const room = out[at] as number;
  const size = q - at - room;
  if (size < 128 && room === 1) {
    out[at] = size;
    return;
  }
  const bytes = size < 128 ? 1 : size < 16_384 ? 2 : size < 2_097_152 ? 3 : size < 268_435_456 ? 4 : 5;
  if (bytes !== room) {
    s.rows[row + Column.lengthBytes] = bytes;
    out.copyWithin(at + bytes, at + room, q);
  }
  s.q = at;
  putVarint32(s, size);
  s.q = at + bytes + size;
}
