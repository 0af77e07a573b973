// Detects repeated keys of a map. The last one counts, so such a map is put in order first (in-order.ts), and the output never
// has to be revised. Each key sets one bit, which several keys may share. If the bit was set, the key is compared with those
// before it, from 32 keys on by a set. Maps of up to a dozen keys seldom need a comparison.
import { isUtf8 } from 'node:buffer';
import { isWide, Kind, Wire, wireOf } from '../plan/kinds.ts';
import { sameBytes, size, varint } from '../wire/reader.ts';
import type { Run } from './run.ts';

/** From this number of keys on they are kept in a set. */
const MANY = 32;

export interface KeyWatch {
  readonly kind: number;
  /** Position of the first entry's length, and the size of the tag before it. */
  readonly first: number;
  readonly tagSize: number;
  /** One bit for each key. */
  seen: number;
  entries: number;
  /** All keys, once there are many. */
  known: Set<string | number> | undefined;
}

/** Starts with the entry whose length is at `first`. */
export function watchKeys(kind: number, first: number, tagSize: number): KeyWatch {
  return { kind, first, tagSize, seen: 0, entries: 0, known: undefined };
}

/**
 * Whether the key whose tag is at `keyAt` is in no earlier entry. May also return false if only a closer check can decide. Moves
 * `run.pos`.
 */
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

/** Adds the key to the set. Returns whether it is new. */
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

/** An identity that only equal keys of one kind share. Text must be valid. */
export function identityOf(run: Run, kind: number, at: number): string | number {
  if (kind === Kind.string || kind === Kind.text) {
    const n = size(run, at, run.length);
    return run.src.toString('latin1', run.pos, run.pos + n);
  }
  const low = lowOf(run, kind, at);
  return run.high === 0 ? low : `${run.high}:${low}`;
}

/** The low 32 bits of the number at i. The upper ones are in `run.high`, or 0 if there are none. */
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

/** Whether the key at `keyAt` is also in an earlier entry. */
function isRepeated(run: Run, { kind, first, tagSize }: KeyWatch, keyAt: number): boolean {
  for (let at = first; ; at = run.pos + tagSize) {
    const stop = size(run, at, run.length) + run.pos;
    if (run.pos >= keyAt) return false;
    if (isSame(run, kind, run.pos + 1, keyAt + 1)) return true;
    run.pos = stop;
  }
}

/** Whether the keys at a and b are equal, in any encoding. */
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
