// Reads the wire format. Positions are indexes of `src`; functions leave the position after their value in `pos`. The state is an
// argument, so that each walk has its own and can extend it.

/** Bytes after the input that may be read, so that a number at its end needs no extra check. */
export const PADDING = 16;

/** An input and the reading position. */
export interface Reader {
  /** The input, starting at 0. */
  src: Buffer;
  from: DataView;
  /** Length of the input in bytes. */
  length: number;
  /** Position after the value that was read last. */
  pos: number;
  /** The upper 32 bits of the last `varint`. */
  high: number;
  /** Maximum nesting of messages and groups. */
  readonly maxDepth: number;
  /** Position of the tag of the field being read. If a whole message is invalid, position of its tag; -1 for the root. */
  at: number;
  /** Why the input was refused. */
  reason: string;
  /** Ends of groups that contain groups, by their start, 0 = unknown. Valid for this input if `knowsGroups`. */
  groupEnds: Int32Array;
  knowsGroups: boolean;
}

/** Thrown if the input is not a valid message. The cause is in `reason`, the place in `at`. */
export const REFUSED = new Error('not a valid message');

/** Ends the walk because the input is not a valid message. */
export function refuse(reader: Reader, reason: string): never {
  reader.reason = reason;
  throw REFUSED;
}

/** Returns the low 32 bits and sets `reader.high` to the upper ones. May read up to ten bytes beyond the message. */
export function varint(reader: Reader, i: number): number {
  const first = reader.src[i] as number;
  if (first > 127) return longVarint(reader, i + 1, first & 127);
  reader.pos = i + 1;
  reader.high = 0;
  return first;
}

function longVarint(reader: Reader, i: number, first: number): number {
  const { src } = reader;
  let byte = src[i++] as number;
  let low = first | ((byte & 127) << 7);
  let high = 0;
  if (byte > 127) {
    byte = src[i++] as number;
    low |= (byte & 127) << 14;
    if (byte > 127) {
      byte = src[i++] as number;
      low |= (byte & 127) << 21;
      if (byte > 127) {
        byte = src[i++] as number;
        low |= byte << 28;
        high = (byte & 127) >> 4;
        for (let shift = 3; byte > 127; shift += 7) {
          if (shift > 31) refuse(reader, 'varint of more than ten bytes');
          byte = src[i++] as number;
          high |= (byte & 127) << shift;
        }
      }
    }
  }
  reader.pos = i;
  reader.high = high;
  return low;
}

/** The length before a value at i. The value must end before `end`. */
export function size(reader: Reader, i: number, end: number): number {
  const first = reader.src[i] as number;
  if (first < 128 && first < end - i) {
    reader.pos = i + 1;
    return first;
  }
  return longSize(reader, i, end);
}

function longSize(reader: Reader, i: number, end: number): number {
  const n = varint(reader, i);
  if (n < 0 || n > end - reader.pos || reader.high !== 0) {
    refuse(reader, reader.pos > end ? 'truncated length' : 'length past the end');
  }
  return n;
}

/** Passes n bytes, which must be present. */
export function skipFixed(reader: Reader, i: number, n: number, end: number): void {
  if (end - i < n) refuse(reader, 'truncated number');
  reader.pos = i + n;
}

/** The tag at i, which must be before `end`. */
export function tagAt(reader: Reader, i: number, end: number): number {
  const tag = varint(reader, i);
  if (reader.pos > end) refuse(reader, 'truncated tag');
  if (reader.pos - i > 4) checkLongTag(reader, reader.pos - i);
  return checkTag(reader, tag);
}

/** Refuses invalid tags and returns valid ones. */
export function checkTag(reader: Reader, tag: number): number {
  if (tag >>> 3 === 0) refuse(reader, 'field number 0');
  if ((tag & 7) > 5) refuse(reader, `wire type ${tag & 7}`);
  return tag;
}

/** Refuses the last tag if its encoding is longer than tags can be. */
export function checkLongTag(reader: Reader, bytes: number): void {
  if (bytes > 5 || reader.high !== 0) refuse(reader, 'tag of more than 32 bits');
}

/** Skips the value of a tag in a message at `depth`. Groups in it may nest as deep as messages. */
export function skip(reader: Reader, tag: number, i: number, end: number, depth: number): void {
  const wire = tag & 7;
  if (wire === 0) {
    varint(reader, i);
    if (reader.pos > end) refuse(reader, 'truncated varint');
  } else if (wire === 1) skipFixed(reader, i, 8, end);
  else if (wire === 5) skipFixed(reader, i, 4, end);
  else if (wire === 2) reader.pos = size(reader, i, end) + reader.pos;
  else if (wire === 3) groupEnd(reader, tag >>> 3, i, end, depth);
  else refuse(reader, 'end of a group that was not started');
}

/** Returns the end of the content of the group that starts at i, after its tag. The end tag is passed too. */
export function groupEnd(reader: Reader, number: number, i: number, end: number, depth: number): number {
  const known = reader.knowsGroups ? (reader.groupEnds[i] as number) : 0;
  if (known !== 0) {
    tagAt(reader, known, end);
    return known;
  }
  if (depth >= reader.maxDepth) refuse(reader, 'too many groups inside each other');
  let hasGroups = false;
  let at = i;
  while (at < end) {
    const tag = tagAt(reader, at, end);
    const wire = tag & 7;
    if (wire === 4) {
      if (tag >>> 3 !== number) refuse(reader, 'end of another group');
      if (hasGroups && at - i > SHORT_GROUP) noteGroupEnd(reader, i, at);
      return at;
    }
    if (wire === 3) hasGroups = true;
    skip(reader, tag, reader.pos, end, depth + 1);
    at = reader.pos;
  }
  return refuse(reader, 'group without end');
}

/** Shorter groups are read again instead of remembered. */
const SHORT_GROUP = 8;

/** Remembers the end of a group. Otherwise nested groups would be read once for each level around them. */
function noteGroupEnd(reader: Reader, start: number, end: number): void {
  const { length, groupEnds } = reader;
  if (!reader.knowsGroups) {
    if (groupEnds.length < length) reader.groupEnds = new Int32Array(length + 256);
    else groupEnds.fill(0, 0, length);
    reader.knowsGroups = true;
  }
  reader.groupEnds[start] = end;
}

/** Ends the walk because the message is nested too deep. */
export function tooDeep(reader: Reader): never {
  return refuse(reader, `more than ${reader.maxDepth} messages inside each other`);
}

/** Whether the n bytes at a and b are equal. */
export function sameBytes({ src }: Reader, a: number, b: number, n: number): boolean {
  for (let k = 0; k < n; k++) if (src[a + k] !== src[b + k]) return false;
  return true;
}
