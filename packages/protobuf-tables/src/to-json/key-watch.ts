// What is known of a map's keys while its entries are walked through: JavaScript's objects keep them in the order in which
// they came, but for array indexes, which are first and ascending; and each of them once.
import { isUtf8 } from 'node:buffer';
import { isWide, Kind, Wire, wireOf } from '../plan/kinds.ts';
import { sameBytes } from './list.ts';
import { size, varint } from './reader.ts';
import { run } from './run.ts';

/** The largest number that is an array index in JavaScript. */
const MAX_INDEX = 4294967294;

/** From so many keys on they are kept in a set; fewer are compared with each other. */
const MANY = 32;

/** The keys so far. */
export interface KeyWatch {
  readonly kind: number;
  /** Where the length of the first entry is, and how long the tag before it is. */
  readonly first: number;
  readonly tagSize: number;
  /** One bit for each key that is no array index; several may share one. */
  seen: number;
  entries: number;
  lastIndex: number;
  /** All keys, once there are many. */
  known: Set<string | number> | undefined;
}

/** Begins with the entry whose length is at `first`. */
export function watchKeys(kind: number, first: number, tagSize: number): KeyWatch {
  return { kind, first, tagSize, seen: 0, entries: 0, lastIndex: -1, known: undefined };
}

/** Whether the key whose tag is at `keyAt` is new, and stands where an object would have it. Moves `run.pos`. */
export function isNext(watch: KeyWatch, keyAt: number, end: number): boolean {
  const { kind } = watch;
  const before = watch.entries++;
  if (kind === Kind.string || kind === Kind.text) return isNextText(watch, keyAt, end, before);
  const low = lowOf(kind, keyAt + 1);
  const index = numberIndex(kind, low);
  return index === -1 ? isNew(watch, low ^ run.high, keyAt, before) : isNextIndex(watch, index);
}

function isNextText(watch: KeyWatch, keyAt: number, end: number, before: number): boolean {
  const n = size(keyAt + 1, end);
  const { src, pos } = run;
  const first = src[pos] as number;
  if (n > 0 && first > 47 && first < 58) {
    const index = textIndex(pos, n);
    if (index !== -1) return isNextIndex(watch, index);
  }
  // different bytes may become the same text
  if (watch.kind === Kind.text && !isUtf8(src.subarray(pos, pos + n))) return false;
  const hash = n === 0 ? 0 : n + (src[pos + n - 1] as number) + (src[pos + (n >> 1)] as number);
  return isNew(watch, hash, keyAt, before);
}

function isNextIndex(watch: KeyWatch, index: number): boolean {
  if (index <= watch.lastIndex || watch.seen !== 0) return false;
  watch.lastIndex = index;
  return true;
}

function isNew(watch: KeyWatch, hash: number, keyAt: number, before: number): boolean {
  if (before >= MANY) return isUnknown(watch, keyAt);
  const bit = 1 << (hash + (hash >> 5));
  if ((watch.seen & bit) !== 0 && isRepeated(watch, keyAt)) return false;
  watch.seen |= bit;
  return true;
}

/** The same by the set of keys, which it joins. */
function isUnknown(watch: KeyWatch, keyAt: number): boolean {
  watch.known ??= keysBefore(watch, keyAt);
  const { known } = watch;
  const { size: before } = known;
  known.add(identityOf(watch.kind, keyAt + 1));
  return known.size > before;
}

function keysBefore({ kind, first, tagSize }: KeyWatch, keyAt: number): Set<string | number> {
  const keys = new Set<string | number>();
  for (let at = first; ; at = run.pos + tagSize) {
    const stop = size(at, run.src.length) + run.pos;
    if (run.pos >= keyAt) return keys;
    keys.add(identityOf(kind, run.pos + 1));
    run.pos = stop;
  }
}

/** What is the same for equal keys; numbers beyond 2^53 may be taken for equal ones. */
function identityOf(kind: number, at: number): string | number {
  const { src } = run;
  if (kind !== Kind.string && kind !== Kind.text) {
    const low = lowOf(kind, at) >>> 0;
    return run.high * 4294967296 + low;
  }
  const n = size(at, src.length);
  return src.toString('latin1', run.pos, run.pos + n);
}

/** The array index that the n bytes of text at i are; -1 if they are none. */
export function textIndex(i: number, n: number): number {
  const { src } = run;
  if (n > 10 || (n > 1 && src[i] === 48)) return -1;
  let index = 0;
  for (let k = i; k < i + n; k++) {
    const digit = (src[k] as number) - 48;
    if (digit < 0 || digit > 9) return -1;
    index = index * 10 + digit;
  }
  return index <= MAX_INDEX ? index : -1;
}

/** The low 32 bits of the number at i; the upper ones are left in `run.high`, 0 where there are none. */
export function lowOf(kind: number, i: number): number {
  const wire = wireOf(kind);
  if (wire !== Wire.varint) {
    run.high = wire === Wire.fixed64 ? run.from.getInt32(i + 4, true) : 0;
    return run.from.getInt32(i, true);
  }
  const low = varint(run.src, i);
  const { high } = run;
  const sign = -(low & 1);
  if (kind === Kind.sint64) {
    run.high = (high >>> 1) ^ sign;
    return ((low >>> 1) | (high << 31)) ^ sign;
  }
  if (!isWide(kind)) run.high = 0;
  if (kind === Kind.sint32) return (low >>> 1) ^ sign;
  if (kind === Kind.bool) return (low | high) === 0 ? 0 : 1;
  return low;
}

/** The array index that a number is whose low bits these are, and the upper ones in `run.high`; -1 if it is none. */
export function numberIndex(kind: number, low: number): number {
  const signed = kind === Kind.int32 || kind === Kind.sint32 || kind === Kind.sfixed32;
  if (kind === Kind.bool || run.high !== 0 || (signed && low < 0)) return -1;
  const index = low >>> 0;
  return index <= MAX_INDEX ? index : -1;
}

/** Whether the key at `keyAt` is in an entry before it. */
function isRepeated({ kind, first, tagSize }: KeyWatch, keyAt: number): boolean {
  for (let at = first; ; at = run.pos + tagSize) {
    const stop = size(at, run.src.length) + run.pos;
    if (run.pos >= keyAt) return false;
    if (isSame(kind, run.pos + 1, keyAt + 1)) return true;
    run.pos = stop;
  }
}

/** Whether the keys at a and b are the same, however they are encoded. */
function isSame(kind: number, a: number, b: number): boolean {
  if (kind === Kind.string || kind === Kind.text) {
    const n = size(a, run.src.length);
    const from = run.pos;
    return size(b, run.src.length) === n && sameBytes(from, run.pos, n);
  }
  const low = lowOf(kind, a);
  const high = run.high;
  return low === lowOf(kind, b) && high === run.high;
}
