import { Kind } from '../plan/kinds.ts';
import { close, NO_ROOM, open, putVarint32 } from '../wire/writer.ts';
import { afterValue } from './pass-value.ts';
import { isNull, NULL_BYTES, passSpace, type Reading, refuse } from './reading.ts';
import { Column, List } from './tables.ts';
import { taggedValue, value } from './value.ts';

/** Writes the values of the array at `pos`, and passes it. */
export function list(s: Reading, row: number): void {
  const { src, rows, pos } = s;
  if (src[pos] !== 91) refuse(s, pos, 'expected an array');
  s.pos = passSpace(src, pos + 1);
  if (src[s.pos] === 93) {
    s.pos++;
    return;
  }
  if (rows[row + Column.list] === List.packed) {
    putVarint32(s, rows[row + Column.tag] as number);
    const at = open(s, rows[row + Column.lengthBytes] as number);
    elements(s, row, true);
    rows[row + Column.lengthBytes] = close(s, at);
  } else elements(s, row, false);
}

function elements(s: Reading, row: number, packed: boolean): void {
  for (;;) {
    if (s.q > s.limit) throw NO_ROOM;
    if (packed) value(s, row);
    else if (isNull(s)) emptyMessage(s, row);
    else taggedValue(s, row);
    if (afterValue(s, 93)) return;
  }
}

/** A null in a list becomes an empty message. */
function emptyMessage(s: Reading, row: number): void {
  const { rows, pos } = s;
  if (rows[row + Column.kind] !== Kind.message) refuse(s, pos, 'null in a list');
  putVarint32(s, rows[row + Column.tag] as number);
  s.out[s.q++] = 0;
  s.pos = pos + NULL_BYTES;
}
