// Of equal keys of a map the last one counts. A map in which a key comes again is put in order first (in-order.ts), so that what
// is written needs no looking back. To notice: one bit for each key, several of which may share one, and a comparison with
// the keys before where the bit is set; a set from 32 keys on. Almost no map of up to a dozen keys needs a comparison.
import { isUtf8 } from 'node:buffer';
import { isWide, Kind, Wire, wireOf } from '../plan/kinds.ts';
import { sameBytes, size, varint } from '../wire/reader.ts';
import type { Run } from './run.ts';

/** From so many keys on they are kept in a set. */
const MANY = 32;

/** The keys so far. */
export interface KeyWatch {
  readonly kind: number;
  /** Where the length of the first entry is, and how long the tag before it is. */
  readonly first: number;
  readonly tagSize: number;
  /** One bit for each key. */
  seen: number;
  entries: number;
  /** All keys, once there are many. */
  known: Set<string | number> | undefined;
}

/** Begins with the entry whose length is at `first`. */
export function watchKeys(kind: number, first: number, tagSize: number): KeyWatch {
  return { kind, first, tagSize, seen: 0, entries: 0, known: undefined };
}

/** Whether the key whose tag is at `keyAt` came in no entry before. False also if that takes a closer look. Moves `run.pos`. */
export function isNewKey(run: Run, watch: KeyWatch, keyAt: number, end: number): boolean {
  const { kind } = watch;
  const before = watch.entries++;
  let hash: number;
  if (kind === Kind.string || kind === Kind.text) {
    const n = size(run, keyAt + 1, end);
    const { src, pos } = run;
    // different bytes may become the same text
    if (kind === Kind.text && !isUtf8(src.subarray(pos, pos + n))) return false;
    hash = n === 0 ? 0 : n + (src[pos + n - 1] as number) + (src[pos + (n >> 1)] as number);
  } else hash = lowOf(run, kind, keyAt + 1) ^ run.high;
  if (before >= MANY) return joins(run, watch, keyAt);
  const bit = 1 << (hash + (hash >> 5));
  if ((watch.seen & bit) !== 0 && isRepeated(run, watch, keyAt)) return false;
  watch.seen |= bit;
  return true;
}

/** Whether the key is new to the set of keys, which it joins. */
function joins(run: Run, watch: KeyWatch, keyAt: number): boolean {
  watch.known ??= keysBefore(run, watch, keyAt);
  const { known } = watch;
  const { size: before } = known;
  known.add(identityOf(run, watch.kind, keyAt + 1));
  return known.size > before;
}

function keysBefore(run: Run, { kind, first, tagSize }: KeyWatch, keyAt: number): Set<string | number> {
  const keys = new Set<string | number>();
  for (let at = first; ; at = run.pos + tagSize) {
    const stop = size(run, at, run.length) + run.pos;
    if (run.pos >= keyAt) return keys;
    keys.add(identityOf(run, kind, run.pos + 1));
    run.pos = stop;
  }
}

/** What is the same for equal keys of one kind, and for no others. Text is to be valid. */
export function identityOf(run: Run, kind: number, at: number): string | number {
  if (kind === Kind.string || kind === Kind.text) {
    const n = size(run, at, run.length);
    return run.src.toString('latin1', run.pos, run.pos + n);
  }
  const low = lowOf(run, kind, at);
  return run.high === 0 ? low : `${run.high}:${low}`;
}

/** The low 32 bits of the number at i; the upper ones are left in `run.high`, 0 where there are none. */
function lowOf(run: Run, kind: number, i: number): number {
  const wire = wireOf(kind);
  if (wire !== Wire.varint) {
    run.high = wire === Wire.fixed64 ? run.from.getInt32(i + 4, true) : 0;
    return run.from.getInt32(i, true);
  }
  const low = varint(run, i);
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

/** Whether the key at `keyAt` is in an entry before it. */
function isRepeated(run: Run, { kind, first, tagSize }: KeyWatch, keyAt: number): boolean {
  for (let at = first; ; at = run.pos + tagSize) {
    const stop = size(run, at, run.length) + run.pos;
    if (run.pos >= keyAt) return false;
    if (isSame(run, kind, run.pos + 1, keyAt + 1)) return true;
    run.pos = stop;
  }
}

/** Whether the keys at a and b are the same, however they are encoded. */
function isSame(run: Run, kind: number, a: number, b: number): boolean {
  if (kind === Kind.string || kind === Kind.text) {
    const n = size(run, a, run.length);
    const from = run.pos;
    return size(run, b, run.length) === n && sameBytes(run, from, run.pos, n);
  }
  const low = lowOf(run, kind, a);
  const high = run.high;
  return low === lowOf(run, kind, b) && high === run.high;
}
