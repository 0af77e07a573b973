// Reading the wire. Positions are indexes of `src`; what was read ends at `pos`. The state is an argument of every function, so that
// each walk along a message has its own, and extends it by what it finds.

/** The input is followed by this many bytes that may be read, so that a number at its end needs no check of its own. */
export const PADDING = 16;

/** An input and how far it was read. */
export interface Reader {
  /** The input; what counts starts at 0. */
  src: Buffer;
  from: DataView;
  /** How many bytes of it count. */
  length: number;
  /** Where readers leave the position after what they read. */
  pos: number;
  /** Where `varint` leaves the upper 32 bits. */
  high: number;
  /** How many messages and groups may be inside each other. */
  readonly maxDepth: number;
  /** Where the tag is of the field that is being read. Of a message that is wrong as a whole: where its own tag is, -1 if it is in none. */
  at: number;
  /** Why the input was refused. */
  reason: string;
  /** Where groups end that have groups in them, by their start, 0 = unknown; of this input if `knowsGroups`. */
  groupEnds: Int32Array;
  knowsGroups: boolean;
}

/** Thrown when the input is not a valid message; why is in `reason`, and where in `at`. */
export const REFUSED = new Error('not a valid message');

/** Ends the walk because the input is not a valid message. */
export function refuse(reader: Reader, reason: string): never {
  reader.reason = reason;
  throw REFUSED;
}

/** Answers the low 32 bits; the upper ones are left in `reader.high`. May read over the end of the message by ten bytes. */
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

/** The length before a value at i, which must fit before `end`. */
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

/** Passes n bytes, which must be there. */
export function fixed(reader: Reader, i: number, n: number, end: number): void {
  if (end - i < n) refuse(reader, 'truncated number');
  reader.pos = i + n;
}

/** The tag at i, which lies before `end`. */
export function tagAt(reader: Reader, i: number, end: number): number {
  const tag = varint(reader, i);
  if (reader.pos > end) refuse(reader, 'truncated tag');
  if (reader.pos - i > 4) checkLongTag(reader, reader.pos - i);
  return checkTag(reader, tag);
}

/** Refuses tags that no field can have, and answers others. */
export function checkTag(reader: Reader, tag: number): number {
  if (tag >>> 3 === 0) refuse(reader, 'field number 0');
  if ((tag & 7) > 5) refuse(reader, `wire type ${tag & 7}`);
  return tag;
}

/** Refuses the tag that was just read if it was longer than tags can be. */
export function checkLongTag(reader: Reader, bytes: number): void {
  if (bytes > 5 || reader.high !== 0) refuse(reader, 'tag of more than 32 bits');
}

/** Passes the value of a tag, in a message at `depth`: groups in it may nest as deep as messages. */
export function skip(reader: Reader, tag: number, i: number, end: number, depth: number): void {
  const wire = tag & 7;
  if (wire === 0) {
    varint(reader, i);
    if (reader.pos > end) refuse(reader, 'truncated varint');
  } else if (wire === 1) fixed(reader, i, 8, end);
  else if (wire === 5) fixed(reader, i, 4, end);
  else if (wire === 2) reader.pos = size(reader, i, end) + reader.pos;
  else if (wire === 3) groupEnd(reader, tag >>> 3, i, end, depth);
  else refuse(reader, 'end of a group that was not started');
}

/** Where the content of the group ends that starts at i, after its tag. The end tag is passed, too. */
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

/** Groups up to this length are looked through again. */
const SHORT_GROUP = 8;

/** Groups inside others would be looked through once for each level above them if their ends were not kept. */
function noteGroupEnd(reader: Reader, start: number, end: number): void {
  const { length, groupEnds } = reader;
  if (!reader.knowsGroups) {
    if (groupEnds.length < length) reader.groupEnds = new Int32Array(length + 256);
    else groupEnds.fill(0, 0, length);
    reader.knowsGroups = true;
  }
  reader.groupEnds[start] = end;
}

/** Ends the walk because of its nesting. */
export function tooDeep(reader: Reader): never {
  return refuse(reader, `more than ${reader.maxDepth} messages inside each other`);
}

/** Whether the n bytes at a and b are equal. */
export function sameBytes({ src }: Reader, a: number, b: number, n: number): boolean {
  for (let k = 0; k < n; k++) if (src[a + k] !== src[b + k]) return false;
  return true;
}
