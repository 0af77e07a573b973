// AssemblyScript (https://www.assemblyscript.org), compiled to WebAssembly by tools/assembly/generate.mjs: one walk along the wire bytes of a message that checks it,
// counts its items, and writes its JSON. It takes plain messages alone: fields in order of number, each at most once, values of
// a list next to each other, everything valid. For any other it answers BAIL, and the interpreters in src/check and
// src/to-json decide. So it never has to say what is wrong, and has no rare cases.
//
// All positions are addresses. A message is described by rows of 32 bytes, one for each field number, which
// src/check/plain-tables.ts lays out. The input is followed by 16 bytes of room, the output, which ends at `limit`, by 512.

import { beginNumbers, decimal, double, quotedSigned, writeQuoted, writeSigned } from './numbers';
import { base64, beginText, hex, literal, text } from './text';

/** The message is not plain, or its JSON is too long. */
const BAIL: i32 = -1;
/** Maximum nesting of messages. */
const DEEPEST: i32 = 180;

// Kinds, plus one, as src/plan/kinds.ts numbers them.
const STRING: i32 = 1;
const INT32: i32 = 3;
const BOOL: i32 = 4;
const DOUBLE: i32 = 5;
const INT64: i32 = 6;
const UINT32: i32 = 8;
const UINT64: i32 = 9;
const BYTES: i32 = 11;
const HEX: i32 = 12;
const FIXED64: i32 = 13;
const SFIXED64: i32 = 14;
const SINT32: i32 = 15;
const SINT64: i32 = 16;
const FIXED32: i32 = 17;
const SFIXED32: i32 = 18;
const MESSAGE: i32 = 21;

const IMPLICIT: i32 = 1;
const LIST: i32 = 2;

let pos: i32 = 0;
let zero: bool = false;
let itemCount: i32 = 0;
let limit: i32 = 0;
let maxNested: i32 = 0;

/** Returns the address where tables may begin. Call once, before any other function. */
export function begin(): i32 {
  beginNumbers();
  beginText();
  return <i32>((__heap_base + 15) & ~15);
}

/** Items in the last converted message. */
export function items(): i32 {
  return itemCount;
}

/** Writes the JSON of the message at from .. to. Returns the position after it, or BAIL. */
export function convert(root: i32, from: i32, to: i32, q: i32, last: i32, nested: i32): i32 {
  itemCount = 0;
  limit = last;
  maxNested = nested;
  return message(root, from, to, q, 0, load<i32>(root - 4));
}

function message(start: i32, i: i32, end: i32, q: i32, depth: i32, values: i32): i32 {
  if (depth > DEEPEST || values > maxNested) return BAIL;
  itemCount += load<i32>(start - 8);
  const numbers = load<i32>(start - 12);
  let before = 0;
  let oneofs = 0;
  store<u8>(q++, 123);
  while (i < end) {
    if (q > limit) return BAIL;
    let tag: i32 = load<u8>(i);
    let tagSize = 1;
    if (tag > 127) {
      const second: i32 = load<u8>(i + 1);
      if (second === 0 || second > 127) return BAIL;
      tag = (tag & 127) | (second << 7);
      tagSize = 2;
    }
    i += tagSize;
    const number = tag >>> 3;
    const wire = tag & 7;
    const row = start + (number << 5);
    const kind = number < numbers ? load<i32>(row) : 0;
    if (kind === 0) {
      i = skip(number, wire, i, end);
      if (i === BAIL) return BAIL;
      continue;
    }
    const oneof = load<i32>(row, 24);
    if (number <= before || (oneofs & oneof) !== 0) return BAIL;
    before = number;
    oneofs |= oneof;
    const key = q;
    q = literal(load<i32>(row, 16), load<i32>(row, 20), q);
    const mode = load<i32>(row, 8);
    if (wire !== load<i32>(row, 4)) {
      if (mode !== LIST || wire !== 2) return BAIL;
      q = writePacked(kind, i, end, q);
      if (q === BAIL) return BAIL;
      i = pos;
    } else if (mode === LIST) {
      store<u8>(q++, 91);
      for (;;) {
        q = value(kind, row, i, end, q, depth, values);
        if (q === BAIL || q > limit) return BAIL;
        i = pos;
        store<u8>(q++, 44);
        if (i >= end) break;
        if (tagSize === 1) {
          if (load<u8>(i) !== tag) break;
        } else if (load<u16>(i) !== ((tag & 127) | 128 | ((tag >>> 7) << 8))) break;
        i += tagSize;
      }
      store<u8>(q - 1, 93);
    } else {
      q = value(kind, row, i, end, q, depth, values);
      if (q === BAIL) return BAIL;
      i = pos;
      if (mode === IMPLICIT && zero) {
        q = key;
        continue;
      }
    }
    store<u8>(q++, 44);
  }
  if (i !== end) return BAIL;
  if (load<u8>(q - 1) === 44) q--;
  store<u8>(q, 125);
  return q + 1;
}

/** Writes one value. Sets `pos` to the position after it, and `zero` to whether it is the zero of its type. */
function value(kind: i32, row: i32, i: i32, end: i32, q: i32, depth: i32, values: i32): i32 {
  if (kind === MESSAGE || kind === STRING || kind === HEX || kind === BYTES) {
    let n: i32 = load<u8>(i);
    i++;
    if (n > 127) {
      const second: i32 = load<u8>(i);
      if (second < 128) {
        n = (n & 127) | (second << 7);
        i++;
      } else {
        const size = varint(i - 1);
        if (size > <u64>(end - i)) return BAIL;
        n = <i32>size;
        i = pos;
      }
    }
    if (n > end - i) return BAIL;
    const stop = i + n;
    if (kind === MESSAGE) {
      const sub = load<i32>(row, 12);
      q = message(sub, i, stop, q, depth + 1, values + load<i32>(sub - 4));
      pos = stop;
      return q;
    }
    pos = stop;
    zero = n === 0;
    if (kind === STRING) return text(i, stop, q, limit);
    return kind === HEX ? hex(i, n, load<i32>(row, 12), q) : base64(i, stop, q, limit);
  }
  return numeric(kind, i, q);
}

function numeric(kind: i32, i: i32, q: i32): i32 {
  switch (kind) {
    case FIXED64: {
      const n = load<u64>(i);
      pos = i + 8;
      zero = n === 0;
      return writeQuoted(n, q);
    }
    case SFIXED64: {
      const n = load<i64>(i);
      pos = i + 8;
      zero = n === 0;
      return quotedSigned(n, q);
    }
    case DOUBLE:
      pos = i + 8;
      zero = load<u64>(i) === 0;
      return double(load<f64>(i), q);
    case FIXED32: {
      const n = load<u32>(i);
      pos = i + 4;
      zero = n === 0;
      return decimal(n, q);
    }
    case SFIXED32: {
      const n = load<i32>(i);
      pos = i + 4;
      zero = n === 0;
      return writeSigned(n, q);
    }
    default:
      return integer(kind, varint(i), q);
  }
}

/** A number encoded as a varint. */
function integer(kind: i32, n: u64, q: i32): i32 {
  if (pos === BAIL) return BAIL;
  switch (kind) {
    case INT32: {
      zero = <i32>n === 0;
      return writeSigned(<i32>n, q);
    }
    case UINT32: {
      zero = <u32>n === 0;
      return decimal(<u32>n, q);
    }
    case SINT32: {
      const x = <u32>n;
      zero = x === 0;
      return writeSigned(<i32>(x >>> 1) ^ -(<i32>(x & 1)), q);
    }
    case INT64: {
      zero = n === 0;
      return quotedSigned(<i64>n, q);
    }
    case UINT64: {
      zero = n === 0;
      return writeQuoted(n, q);
    }
    case SINT64: {
      zero = n === 0;
      return quotedSigned(<i64>(n >>> 1) ^ -(<i64>(n & 1)), q);
    }
    case BOOL: {
      zero = n === 0;
      store<u32>(q, n === 0 ? 0x736c6166 : 0x65757274);
      store<u8>(q + 4, 101);
      return n === 0 ? q + 5 : q + 4;
    }
    default:
      return BAIL;
  }
}

/** Values that share one length. */
function writePacked(kind: i32, i: i32, end: i32, q: i32): i32 {
  if (kind === STRING || kind >= MESSAGE || kind === HEX || kind === BYTES) return BAIL;
  const size = varint(i);
  i = pos;
  if (i === BAIL || i > end || size > <u64>(end - i) || size === 0) return BAIL;
  const stop = i + <i32>size;
  store<u8>(q++, 91);
  while (i < stop) {
    if (q > limit) return BAIL;
    q = numeric(kind, i, q);
    if (q === BAIL) return BAIL;
    i = pos;
    store<u8>(q++, 44);
  }
  if (i !== stop) return BAIL;
  store<u8>(q - 1, 93);
  return q;
}

/** Returns the position after the value of an unknown field. */
function skip(number: i32, wire: i32, i: i32, end: i32): i32 {
  if (number === 0) return BAIL;
  if (wire === 1) return i + 8;
  if (wire === 5) return i + 4;
  if (wire === 0) {
    varint(i);
    return pos;
  }
  if (wire !== 2) return BAIL;
  const size = varint(i);
  if (pos === BAIL || pos > end || size > <u64>(end - pos)) return BAIL;
  return pos + <i32>size;
}

/** Reads a varint of up to 64 bits at i. Sets `pos` to BAIL if it is longer. */
function varint(i: i32): u64 {
  let n: u64 = 0;
  let shift: u64 = 0;
  for (; shift < 63; shift += 7) {
    const byte: u64 = load<u8>(i++);
    n |= (byte & 127) << shift;
    if (byte < 128) {
      pos = i;
      return n;
    }
  }
  const last: u64 = load<u8>(i++);
  pos = last > 1 ? BAIL : i;
  return n | (last << 63);
}
