import type { Reader } from './reader.ts';
import { skip, tagAt } from './reader.ts';

/** A field of a message, and how far the message is read. One for all fields, since messages may have millions. */
export interface Field {
  readonly reader: Reader;
  /** Where its tag is. */
  at: number;
  number: number;
  wireType: number;
  /** Where its value begins, after the length if it has one. */
  body: number;
  /** After the value. */
  end: number;
  /** Where the message ends. */
  limit: number;
}

/** How many groups inside each other are passed. */
const MAX_GROUPS = 250;

/** Before the first field of the message that starts at `from`. The bytes are not copied; they must be those of a valid message. */
export function fieldsOf(bytes: Uint8Array, from = 0): Field {
  const { buffer, byteOffset, length } = bytes;
  const reader: Reader = {
    src: Buffer.from(buffer as ArrayBuffer, byteOffset, length),
    from: new DataView(buffer, byteOffset, length),
    length,
    pos: 0,
    high: 0,
    maxDepth: MAX_GROUPS,
    at: 0,
    reason: '',
    groupEnds: new Int32Array(0),
    knowsGroups: false,
  };
  return { reader, at: from, number: 0, wireType: 0, body: from, end: from, limit: length };
}

/** Goes on to the next field; answers false if there is none. Throws REFUSED where the message turns out not to be valid. */
export function nextField(field: Field): boolean {
  const { reader, end: at, limit } = field;
  if (at >= limit) return false;
  const tag = tagAt(reader, at, limit);
  const content = reader.pos;
  skip(reader, tag, content, limit, 0);
  field.at = at;
  field.number = tag >>> 3;
  field.wireType = tag & 7;
  field.end = reader.pos;
  field.body = field.wireType === 2 ? bodyAt(reader.src, content) : content;
  return true;
}

/** After the length at i. */
function bodyAt(src: Uint8Array, i: number): number {
  while ((src[i] as number) > 127) i++;
  return i + 1;
}
