import type { Wire } from '../plan/kinds.ts';
import type { Reader } from './reader.ts';
import { checkTag, size, skip, tagAt } from './reader.ts';

/** A cursor over the fields of a message. One object for all fields, since messages may have millions. */
export interface Field {
  readonly reader: Reader;
  /** Position of the tag. */
  at: number;
  number: number;
  wireType: number;
  /** Start of the value, after the length if it has one. */
  body: number;
  /** Position after the value. */
  end: number;
  /** End of the message. */
  limit: number;
}

const DELIMITED: typeof Wire.delimited = 2;

/** Maximum nesting of skipped groups. */
const MAX_GROUPS = 250;

const NO_VIEW = new DataView(new ArrayBuffer(0));
const NO_GROUPS = new Int32Array(0);

/** A cursor before the first field of the message that starts at `from`. The bytes are not copied and must be a valid message. */
export function fieldsOf(bytes: Uint8Array, from = 0): Field {
  const { length } = bytes;
  const reader: Reader = {
    src: Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, length),
    from: NO_VIEW, // values are skipped, not read
    length,
    pos: 0,
    high: 0,
    maxDepth: MAX_GROUPS,
    at: 0,
    reason: '',
    groupEnds: NO_GROUPS,
    knowsGroups: false,
  };
  return { reader, at: from, number: 0, wireType: 0, body: from, end: from, limit: length };
}

/** Moves to the next field. Returns false if there is none. Throws REFUSED if the message is not valid there. */
export function nextField(field: Field): boolean {
  const { reader, end: at, limit } = field;
  if (at >= limit) return false;
  let tag = reader.src[at] as number;
  let body = at + 1;
  if (tag > 127 || tag < 8) {
    tag = tagAt(reader, at, limit);
    body = reader.pos;
  }
  if ((tag & 7) === DELIMITED) {
    const length = size(reader, body, limit);
    body = reader.pos;
    field.end = body + length;
  } else {
    skip(reader, checkTag(reader, tag), body, limit, 0);
    field.end = reader.pos;
  }
  field.at = at;
  field.number = tag >>> 3;
  field.wireType = tag & 7;
  field.body = body;
  return true;
}
