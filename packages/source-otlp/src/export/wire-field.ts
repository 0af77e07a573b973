/** One field on the wire. Positions are those of the bytes that it was read from. */
export interface WireField {
  readonly number: number;
  readonly wireType: number;
  /** Where its tag is. */
  readonly at: number;
  /** Where its value begins, behind the length if it has one. */
  readonly body: number;
  /** Behind the value. */
  readonly end: number;
}

/** Wire type of values with a length. */
export const DELIMITED = 2;
const START_GROUP = 3;
const END_GROUP = 4;

/** The field whose tag is at `at`. The bytes must be those of a valid message. */
export function wireField(bytes: Uint8Array, at: number): WireField {
  const tag = varint(bytes, at);
  const wireType = tag.value % 8;
  const number = Math.floor(tag.value / 8);
  const field = (body: number, end: number): WireField => ({ number, wireType, at, body, end });
  switch (wireType) {
    case 0:
      return field(tag.end, varint(bytes, tag.end).end);
    case 1:
      return field(tag.end, tag.end + 8);
    case 5:
      return field(tag.end, tag.end + 4);
    case DELIMITED: {
      const size = varint(bytes, tag.end);
      return field(size.end, size.end + size.value);
    }
    default:
      return field(tag.end, wireType === START_GROUP ? groupEnd(bytes, tag.end) : tag.end);
  }
}

interface Varint {
  /** Exact up to 2^53. */
  readonly value: number;
  readonly end: number;
}

function varint(bytes: Uint8Array, at: number): Varint {
  let value = 0;
  let end = at;
  for (let scale = 1; ; scale *= 128) {
    const byte = bytes[end++] ?? 0;
    value += (byte & 127) * scale;
    if (byte < 128 || end - at === 10) return { value, end };
  }
}

/** Behind the end of the group whose fields begin at `from`. Not by recursion: groups of refused requests may nest at will. */
function groupEnd(bytes: Uint8Array, from: number): number {
  let at = from;
  for (let open = 1; open > 0 && at < bytes.length; ) {
    const tag = varint(bytes, at);
    const wireType = tag.value % 8;
    if (wireType === START_GROUP) open++;
    if (wireType === END_GROUP) open--;
    at = wireType === START_GROUP ? tag.end : wireField(bytes, at).end;
  }
  return at;
}
