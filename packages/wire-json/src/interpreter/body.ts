// Messages between known ends.
import { Kind } from '../plan/kinds.ts';
import { putTimestamp } from '../text/times.ts';
import { message } from './message.ts';
import { MAX_DEPTH, skip, tagAt, varint } from './reader.ts';
import { refuse, run, UNORDERED } from './run.ts';
import { tooDeep } from './value.ts';

/** Writes the message i .. end that is inside one at `depth`. */
export function body(kind: number, sub: number, i: number, end: number, q: number, depth: number): number {
  if (depth >= MAX_DEPTH) tooDeep();
  switch (kind) {
    case Kind.message:
      return message(sub, i, end, q, depth + 1);
    case Kind.timestamp:
      return timestamp(i, end, q, depth + 1);
    default:
      throw UNORDERED;
  }
}

const MIN_SECONDS = -62135596800;
const MAX_SECONDS = 253402300799;

function timestamp(i: number, end: number, q: number, depth: number): number {
  let seconds = 0;
  let nanos = 0;
  while (i < end) {
    const tag = tagAt(i, end);
    if (tag === 8) {
      const low = varint(run.src, run.pos);
      seconds = run.high * 4294967296 + (low >>> 0);
    } else if (tag === 16) nanos = varint(run.src, run.pos);
    else skip(tag, run.pos, end, depth);
    i = run.pos;
  }
  if (i !== end) refuse('truncated varint');
  if (seconds < MIN_SECONDS || seconds > MAX_SECONDS)
    refuse('google.protobuf.Timestamp outside the years 1 to 9999');
  if (nanos < 0 || nanos > 999_999_999) refuse(`google.protobuf.Timestamp with ${nanos} nanoseconds`);
  return putTimestamp(run.out, run.view, seconds, nanos, q);
}
