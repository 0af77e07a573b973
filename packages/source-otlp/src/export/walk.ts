// One walk along the wire bytes of a request, by the rows of its messages. Positions are indexes of `walk.src`. Functions here
// take more arguments than elsewhere, because objects would be made for every field.
import { type Column, type Header, Kind } from './check-tables.ts';
import { MAX_ANY_VALUES, MAX_DEPTH, MAX_GROUPS } from './nesting.ts';
import { textExtra } from './text-size.ts';

// The engine folds constants of the same file, not those of objects in others.
const ROW: typeof Column.count = 4;
const SUB: typeof Column.sub = 1;
const KEY_SIZE: typeof Column.keySize = 2;
const VALUE_SIZE: typeof Column.valueSize = 3;
const TAGS: typeof Header.tags = -1;
const ITEM: typeof Header.item = -2;
const ANY_VALUE: typeof Header.anyValue = -3;
const FIRST_DELIMITED: typeof Kind.message = 5;
const STRING: typeof Kind.string = 6;
const VARINT: typeof Kind.varint = 1;
const FIXED64: typeof Kind.fixed64 = 2;
const DOUBLE: typeof Kind.double = 3;
const FIXED32: typeof Kind.fixed32 = 4;

const MAX_VARINT = 10;
/** Inputs up to this size are copied to memory that stays. */
const KEPT_BYTES = 1024 * 1024;

/** What is being walked over, and what was found. */
export interface Walk {
  readonly rows: Int32Array;
  src: Buffer;
  from: DataView;
  strictUtf8: boolean;
  items: number;
  /** AnyValues inside too many others, which were not walked into. */
  tooDeep: number;
  /** Where readers leave the position behind what they read. */
  pos: number;
  /** Why the request was refused, and where the tag is of the field that is wrong. */
  reason: string;
  refusedAt: number;
}

/** Thrown when the request is not valid; why is in `walk.reason`. */
export const REFUSED = new Error('no valid request');

/** A walk for one request after the other. */
export function createWalk(rows: Int32Array): Walk {
  const src = Buffer.alloc(64 * 1024);
  return {
    rows,
    src,
    from: viewOf(src),
    strictUtf8: true,
    items: 0,
    tooDeep: 0,
    pos: 0,
    reason: '',
    refusedAt: 0,
  };
}

/** Walks over the request of which `root` is the row. Answers the bytes of its JSON at most, and leaves its items in `walk.items`. */
export function walkRequest(walk: Walk, root: number, request: Uint8Array): number {
  const { src, from } = walk;
  setInput(walk, request);
  walk.items = 0;
  walk.tooDeep = 0;
  try {
    return message(walk, root, 0, request.length, 1, 0) + 2;
  } finally {
    if (request.length > KEPT_BYTES) {
      walk.src = src;
      walk.from = from;
    }
  }
}

/** A copy costs less than views of each request would, and gives the engine always the same kind of array. */
function setInput(walk: Walk, request: Uint8Array): void {
  const { length } = request;
  if (length > KEPT_BYTES) {
    walk.src = Buffer.from(request.buffer, request.byteOffset, length);
    walk.from = viewOf(walk.src);
    return;
  }
  if (length > walk.src.length) {
    walk.src = Buffer.alloc(Math.min(length * 2, KEPT_BYTES));
    walk.from = viewOf(walk.src);
  }
  walk.src.set(request);
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
}

/** The message i .. end, inside so many messages and AnyValues, itself included. Answers the bytes of its JSON, without braces. */
function message(walk: Walk, start: number, i: number, end: number, depth: number, values: number): number {
  const { src, rows } = walk;
  const tags = rows[start + TAGS] as number;
  let json = 0;
  let before = 0;
  walk.items += rows[start + ITEM] as number;
  while (i < end) {
    const at = i;
    let tag = src[i++] as number;
    if (tag > 127) {
      tag = longTag(walk, at, end);
      i = walk.pos;
    }
    const row = tag < tags ? start + tag * ROW : 0;
    if (tag !== before) {
      json += rows[row + KEY_SIZE] as number;
      before = tag;
    }
    json += rows[row + VALUE_SIZE] as number;
    const kind = rows[row] as number;
    if (kind >= FIRST_DELIMITED) {
      let n = src[i++] as number;
      if (n > 127) {
        n = longSize(walk, at, i - 1, end);
        i = walk.pos;
      }
      const stop = i + n;
      // behind the input's end there is undefined, and then this is no number
      if (!(stop <= end)) refuse(walk, at, i > end ? 'truncated length' : 'length past the end');
      if (kind === FIRST_DELIMITED) {
        const sub = rows[row + SUB] as number;
        const inside = values + (rows[sub + ANY_VALUE] as number);
        if (inside > MAX_ANY_VALUES) walk.tooDeep++;
        else json += message(walk, sub, i, stop, depth + 1, inside);
      } else if (kind === STRING) {
        const extra = textExtra(src, walk.from, i, stop, walk.strictUtf8);
        if (extra < 0) refuse(walk, at, 'invalid UTF-8');
        json += n + extra;
      } else json += delimited(walk, at, row, i, stop);
      i = stop;
    } else if (kind === FIXED64) {
      if (end - i < 8) refuse(walk, at, 'truncated number');
      json += integerSize(walk.from, i);
      i += 8;
    } else if (kind === VARINT) {
      const from = i;
      if ((src[i++] as number) > 127) i = varintEnd(walk, at, from);
      if (i > end) refuse(walk, at, 'truncated varint');
      json += (i - from) * 2;
    } else if (kind === DOUBLE) {
      if (end - i < 8) refuse(walk, at, 'truncated number');
      json += doubleSize(walk.from, i);
      i += 8;
    } else if (kind === FIXED32) {
      if (end - i < 4) refuse(walk, at, 'truncated number');
      i += 4;
    } else i = skip(walk, at, tag, i, end, Math.max(depth, MAX_DEPTH - MAX_GROUPS));
  }
  return json;
}

/** A value with a length that is no message, at i .. stop. Answers what depends on it of the bytes of its JSON. */
function delimited(walk: Walk, at: number, row: number, i: number, stop: number): number {
  const { rows } = walk;
  const n = stop - i;
  switch (rows[row] as number) {
    case 8 satisfies typeof Kind.id: {
      const expected = rows[row + SUB] as number;
      if (n !== expected && n !== 0) {
        refuse(walk, at, `${n} ${n === 1 ? 'byte' : 'bytes'}, expected ${expected} or none`);
      }
      return n * 2;
    }
    case 7 satisfies typeof Kind.bytes:
      return Math.ceil(n / 3) * 4;
    default:
      return packed(walk, at, row, i, stop);
  }
}

/** Values behind one length. */
function packed(walk: Walk, at: number, row: number, i: number, stop: number): number {
  const { rows, src, from } = walk;
  const kind = rows[row];
  const valueSize = rows[row + VALUE_SIZE] as number;
  const width = kind === Kind.packedFixed32 ? 4 : 8;
  let json = 0;
  if (kind === Kind.packedVarint) {
    while (i < stop) {
      const first = i;
      if ((src[i++] as number) > 127) i = varintEnd(walk, at, first);
      json += valueSize + (i - first) * 2;
    }
    if (i > stop) refuse(walk, at, 'truncated varint');
    return json;
  }
  if ((stop - i) % width !== 0) refuse(walk, at, 'truncated number');
  for (; i < stop; i += width) {
    json += valueSize;
    if (kind === Kind.packedFixed64) json += integerSize(from, i);
    else if (kind === Kind.packedDouble) json += doubleSize(from, i);
  }
  return json;
}

/** Most digits, with the sign, of the 64-bit integer at i. */
function integerSize(from: DataView, i: number): number {
  if (from.getInt32(i + 4, true) !== 0) return 20;
  return from.getUint32(i, true) < 1000 ? 3 : 10;
}

/** Most characters of the double at i: few for a whole number below a million. */
function doubleSize(from: DataView, i: number): number {
  const value = from.getFloat64(i, true);
  return (value | 0) === value && value < 1_000_000 && value > -1_000_000 ? 7 : 24;
}

/** The tag at i, which has more than one byte. */
function longTag(walk: Walk, i: number, end: number): number {
  const stop = varintEnd(walk, i, i);
  if (stop > end) refuse(walk, i, 'truncated tag');
  const tag = value(walk, i, stop);
  if (stop - i > 5 || tag > 0xffffffff) refuse(walk, i, 'tag of more than 32 bits');
  return tag;
}

/** The length at i, which has more than one byte; `at` is that of its tag. */
function longSize(walk: Walk, at: number, i: number, end: number): number {
  const stop = varintEnd(walk, at, i);
  if (stop > end) refuse(walk, at, 'truncated length');
  return value(walk, i, stop);
}

/** The varint i .. stop as a number, which is exact as long as it can be a length or a tag. */
function value({ src }: Walk, i: number, stop: number): number {
  let number = 0;
  for (let k = stop - 1; k >= i; k--) number = number * 128 + ((src[k] as number) & 127);
  return number;
}

/** Behind the varint at i; may be behind the end. */
function varintEnd(walk: Walk, at: number, i: number): number {
  const { src } = walk;
  let k = i;
  while ((src[k++] as number) > 127) {
    if (k - i >= MAX_VARINT) refuse(walk, at, 'varint of more than ten bytes');
  }
  walk.pos = k;
  return k;
}

/** Passes the value of an unknown tag, in a message or group at `depth`. */
function skip(walk: Walk, at: number, tag: number, i: number, end: number, depth: number): number {
  if (tag < 8) refuse(walk, at, 'field number 0');
  const wireType = tag % 8;
  let stop = i;
  if (wireType === 0) {
    stop = varintEnd(walk, at, i);
    if (stop > end) refuse(walk, at, 'truncated varint');
  } else if (wireType === 1 || wireType === 5) {
    stop = i + (wireType === 1 ? 8 : 4);
    if (stop > end) refuse(walk, at, 'truncated number');
  } else if (wireType === 2) {
    if (i >= end) refuse(walk, at, 'truncated length');
    const n = longSize(walk, at, i, end);
    stop = walk.pos + n;
    if (stop > end) refuse(walk, at, 'length past the end');
  } else if (wireType === 3) stop = group(walk, at, tag, i, end, depth);
  else refuse(walk, at, wireType === 4 ? 'end of a group that was not started' : `wire type ${wireType}`);
  return stop;
}

/** Passes the group that starts at i, behind its tag, and its end. */
function group(walk: Walk, at: number, start: number, i: number, end: number, depth: number): number {
  if (depth >= MAX_DEPTH) refuse(walk, at, 'too many groups inside each other');
  while (i < end) {
    const tagAt = i;
    let tag = walk.src[i++] as number;
    if (tag > 127) {
      tag = longTag(walk, tagAt, end);
      i = walk.pos;
    }
    if (tag % 8 === 4) {
      if (tag !== start + 1) refuse(walk, at, 'end of another group');
      return i;
    }
    i = skip(walk, at, tag, i, end, depth + 1);
  }
  return refuse(walk, at, 'group without end');
}

function refuse(walk: Walk, at: number, reason: string): never {
  walk.reason = reason;
  walk.refusedAt = at;
  throw REFUSED;
}
