/** A place in the bytes of a message, and the field there. One for all fields, since requests may have millions. */
export interface WireCursor {
  readonly bytes: Uint8Array;
  /** Where the field's tag is. */
  at: number;
  number: number;
  wireType: number;
  /** Where its value begins, behind the length if it has one. */
  body: number;
  /** Behind the value. */
  end: number;
  /** Where the message ends. */
  limit: number;
}

/** Wire type of values with a length. */
export const DELIMITED = 2;
const START_GROUP = 3;
const END_GROUP = 4;
const MAX_VARINT = 10;

/** Before the first field from `from` on. */
export function wireCursor(bytes: Uint8Array, from = 0): WireCursor {
  return { bytes, at: from, number: 0, wireType: 0, body: from, end: from, limit: bytes.length };
}

/** Goes on to the next field; answers false if there is none. The bytes before it must be those of a valid message. */
export function nextField(cursor: WireCursor): boolean {
  const at = cursor.end;
  if (at >= cursor.limit) return false;
  readField(cursor, at);
  const { number, wireType, body } = cursor;
  if (wireType !== START_GROUP) return true;
  passGroup(cursor);
  Object.assign(cursor, { at, number, wireType, body });
  return true;
}

/** Reads a field; of a group, its tag alone. */
function readField(cursor: WireCursor, at: number): void {
  cursor.at = at;
  const tag = readVarint(cursor, at);
  // tags have 32 bits at most
  cursor.number = tag >>> 3;
  cursor.wireType = tag & 7;
  cursor.body = cursor.end;
  if (cursor.wireType === 0) readVarint(cursor, cursor.body);
  else if (cursor.wireType === 1) cursor.end += 8;
  else if (cursor.wireType === 5) cursor.end += 4;
  else if (cursor.wireType === DELIMITED) {
    const length = readVarint(cursor, cursor.body);
    cursor.body = cursor.end;
    cursor.end += length;
  }
}

/** Goes on behind the end of the group whose tag was read. Not by recursion: groups of refused requests may nest at will. */
function passGroup(cursor: WireCursor): void {
  for (let open = 1; open > 0 && cursor.end < cursor.limit; ) {
    readField(cursor, cursor.end);
    if (cursor.wireType === START_GROUP) open++;
    if (cursor.wireType === END_GROUP) open--;
  }
}

/** The varint at `at`, exact up to 2^53. Behind it is `cursor.end`. */
function readVarint(cursor: WireCursor, at: number): number {
  const { bytes } = cursor;
  const first = bytes[at] ?? 0;
  cursor.end = at + 1;
  if (first < 128) return first;
  let value = 0;
  let end = at;
  for (let scale = 1; ; scale *= 128) {
    const byte = bytes[end++] ?? 0;
    value += (byte & 127) * scale;
    if (byte < 128 || end - at === MAX_VARINT) break;
  }
  cursor.end = end;
  return value;
}
