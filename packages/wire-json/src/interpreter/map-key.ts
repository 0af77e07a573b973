import { isAscii } from 'node:buffer';
import { isWide, Kind, Wire, wireOf } from '../plan/kinds.ts';
import { sameBytes } from './list.ts';
import { size, varint } from './reader.ts';
import { run } from './run.ts';
import { value } from './value.ts';

/** The largest number that is an array index in JavaScript: objects have such keys first, in ascending order. */
const MAX_INDEX = 4294967294;

/** Whether values of this kind are text in JSON anyway, so that they can be keys as they are. */
export function isText(kind: number): boolean {
  if (kind === Kind.string || kind === Kind.text) return true;
  return isWide(kind as Kind) && !run.tables.safeIntegers;
}

/** Writes the key at i as text. */
export function putKey(kind: number, i: number, end: number, q: number): number {
  if (isText(kind)) return value(kind, 0, i, end, q, 0);
  const { out } = run;
  out[q] = 34;
  const to = value(kind, 0, i, end, q + 1, 0);
  if (out[q + 1] !== 34) {
    out[to] = 34;
    return to + 1;
  }
  // an integer too large to be a number has its own quotes
  out.copyWithin(q, q + 1, to);
  return to - 1;
}

/** The array index whose text, with quotes, is from .. to in the output; -1 if it is none. */
export function arrayIndex(from: number, to: number): number {
  const { out } = run;
  const digits = to - from - 2;
  if (digits < 1 || digits > 10 || (digits > 1 && out[from + 1] === 48)) return -1;
  let index = 0;
  for (let k = from + 1; k < to - 1; k++) {
    const digit = (out[k] as number) - 48;
    if (digit < 0 || digit > 9) return -1;
    index = index * 10 + digit;
  }
  return index <= MAX_INDEX ? index : -1;
}

/** Whether the keys at a and b are the same, however they are encoded; if that takes long to find out, it says they are. */
export function isSameKey(kind: number, a: number, b: number): boolean {
  const { src } = run;
  if (kind === Kind.string || kind === Kind.text) return isSameText(kind, a, b);
  const wire = wireOf(kind as Kind);
  if (wire !== Wire.varint) return sameBytes(a, b, wire === Wire.fixed32 ? 4 : 8);
  const low = varint(src, a);
  const high = run.high;
  const otherLow = varint(src, b);
  if (kind === Kind.bool) return ((low | high) === 0) === ((otherLow | run.high) === 0);
  return low === otherLow && (high === run.high || !isWide(kind as Kind));
}

function isSameText(kind: number, a: number, b: number): boolean {
  const { src } = run;
  const n = size(a, src.length);
  const from = run.pos;
  const same = size(b, src.length) === n && sameBytes(from, run.pos, n);
  // different bytes may become the same text
  return same || (kind === Kind.text && !isAscii(src.subarray(from, from + n)));
}
