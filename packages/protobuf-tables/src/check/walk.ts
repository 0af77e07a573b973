// One walk along the wire bytes of a message, by the rows of its fields. Positions are indexes of `walk.src`. Functions here
// take more arguments than elsewhere, because objects would be made for every field.
import { Kind, Wire, wireOf } from '../plan/kinds.ts';
import { createReader, releaseInput, setInput } from '../wire/input.ts';
import { checkTag, type Reader, refuse, size, skip, tagAt, varint } from '../wire/reader.ts';
import type { CheckRules, CheckTables, Column, Header } from './tables.ts';
import { textExtra } from './text-size.ts';

// Repeated for the engine's sake: see plan/kinds.ts.
const ROW: typeof Column.count = 4;
const SUB: typeof Column.sub = 1;
const KEY_SIZE: typeof Column.keySize = 2;
const VALUE_SIZE: typeof Column.valueSize = 3;
const TAGS: typeof Header.tags = -1;
const ITEM: typeof Header.item = -2;
const NESTED: typeof Header.nested = -3;
const MESSAGE: typeof Kind.message = 20;
const STRING: typeof Kind.string = 0;
const DOUBLE: typeof Kind.double = 4;

/** State of a walk, and its findings. */
export interface Walk extends Reader {
  readonly rows: Int32Array;
  /** Maximum nesting of the bounded type. */
  readonly maxNested: number;
  /** Minimum depth at which groups of unknown fields count. */
  readonly groupDepth: number;
  strictUtf8: boolean;
  items: number;
  /** Messages skipped because they are nested too deep. */
  tooDeep: number;
}

/** A walk that is reused for each message. */
export function createWalk({ rows }: CheckTables, { nested, maxDepth, maxGroups }: CheckRules): Walk {
  return {
    ...createReader(maxDepth),
    rows,
    maxNested: nested.levels,
    groupDepth: maxDepth - maxGroups,
    strictUtf8: true,
    items: 0,
    tooDeep: 0,
  };
}

/** Walks over the message whose first row is `root`. Returns the maximum size of its JSON and counts its items in `walk.items`. */
export function walkMessage(walk: Walk, root: number, wire: Uint8Array): number {
  setInput(walk, wire);
  walk.items = 0;
  walk.tooDeep = 0;
  try {
    return message(walk, root, 0, wire.length, 1, 0) + 2;
  } finally {
    releaseInput(walk);
  }
}

/** Walks over the message i .. end. The depths include the message itself. Returns the size of its JSON without braces. */
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
      walk.at = at;
      tag = tagAt(walk, at, end) >>> 0;
      i = walk.pos;
    }
    const row = tag < tags ? start + tag * ROW : 0;
    if (tag !== before) {
      json += rows[row + KEY_SIZE] as number;
      before = tag;
    }
    json += rows[row + VALUE_SIZE] as number;
    const kind = rows[row] as number;
    const wire = tag & 7;
    if (wire === 2) {
      const from = i;
      let n = src[i++] as number;
      if (n > 127) n = (n & 127) | ((src[i++] as number) << 7);
      if (n > 16_383 || n > end - i) {
        walk.at = at;
        n = size(walk, from, end);
        i = walk.pos;
      }
      const stop = i + n;
      if (kind === MESSAGE + 1) {
        const sub = rows[row + SUB] as number;
        const inside = values + (rows[sub + NESTED] as number);
        if (inside > walk.maxNested) walk.tooDeep++;
        else json += message(walk, sub, i, stop, depth + 1, inside);
      } else if (kind === STRING + 1) {
        const extra = textExtra(src, walk.from, i, stop, walk.strictUtf8);
        if (extra < 0) refuseAt(walk, at, 'invalid UTF-8');
        json += n + extra;
      } else {
        walk.at = at;
        if (kind === 0) checkTag(walk, tag);
        else json += walkDelimited(walk, row, i, stop);
      }
      i = stop;
    } else if (kind === 0) {
      walk.at = at;
      skip(walk, checkTag(walk, tag), i, end, Math.max(depth, walk.groupDepth));
      i = walk.pos;
    } else if (wire === 1) {
      if (end - i < 8) refuseAt(walk, at, 'truncated number');
      json += kind === DOUBLE + 1 ? doubleSize(walk.from, i) : integerSize(walk.from, i);
      i += 8;
    } else if (wire === 0) {
      const from = i;
      if ((src[i++] as number) > 127) {
        walk.at = at;
        varint(walk, from);
        i = walk.pos;
      }
      if (i > end) refuseAt(walk, at, 'truncated varint');
      json += (i - from) * 2;
    } else {
      if (end - i < 4) refuseAt(walk, at, 'truncated number');
      i += 4;
    }
  }
  return json;
}

/** Stops the walk because of the field whose tag is at `at`. */
function refuseAt(walk: Walk, at: number, reason: string): never {
  walk.at = at;
  return refuse(walk, reason);
}

/** Walks over a value with a length that is not a message, at i .. stop. Returns the variable part of its JSON size. */
function walkDelimited(walk: Walk, row: number, i: number, stop: number): number {
  const { rows } = walk;
  const n = stop - i;
  switch ((rows[row] as number) - 1) {
    case 11 satisfies typeof Kind.hex: {
      const expected = rows[row + SUB] as number;
      if (n !== expected && n !== 0) {
        refuse(walk, `${n} ${n === 1 ? 'byte' : 'bytes'}, expected ${expected} or none`);
      }
      return n * 2;
    }
    case 10 satisfies typeof Kind.bytes:
      return Math.ceil(n / 3) * 4;
    default:
      return walkPacked(walk, row, i, stop);
  }
}

/** Walks over packed values. */
function walkPacked(walk: Walk, row: number, i: number, stop: number): number {
  const { rows, src, from } = walk;
  const kind = (rows[row] as number) - 1;
  const valueSize = rows[row + VALUE_SIZE] as number;
  const wire = wireOf(kind);
  let json = 0;
  if (wire === Wire.varint) {
    while (i < stop) {
      const first = i;
      if ((src[i++] as number) > 127) {
        varint(walk, first);
        i = walk.pos;
      }
      json += valueSize + (i - first) * 2;
    }
    if (i > stop) refuse(walk, 'truncated varint');
    return json;
  }
  const width = wire === Wire.fixed32 ? 4 : 8;
  if ((stop - i) % width !== 0) refuse(walk, 'truncated number');
  for (; i < stop; i += width) {
    json += valueSize;
    if (kind === Kind.double) json += doubleSize(from, i);
    else if (wire === Wire.fixed64) json += integerSize(from, i);
  }
  return json;
}

/** Maximum number of digits of the 64-bit integer at i, with the sign. */
function integerSize(from: DataView, i: number): number {
  if (from.getInt32(i + 4, true) !== 0) return 20;
  return from.getUint32(i, true) < 1000 ? 3 : 10;
}

/** Maximum number of characters of the double at i: few for a whole number below a million. */
function doubleSize(from: DataView, i: number): number {
  const value = from.getFloat64(i, true);
  return (value | 0) === value && value < 1_000_000 && value > -1_000_000 ? 7 : 24;
}
