// google.protobuf.Timestamp and google.protobuf.Duration: two fields, of which the last of each counts.
import { putDuration, putTimestamp } from '../text/times.ts';
import { lastField } from './last-field.ts';
import { checkTag, skip, tagAt, varint } from './reader.ts';
import { NO_ROOM, refuse, run } from './run.ts';

const SECONDS_TAG = 8;
const NANOS_TAG = 16;
const MIN_TIMESTAMP = -62135596800; // 0001-01-01T00:00:00Z
const MAX_TIMESTAMP = 253402300799; // 9999-12-31T23:59:59Z
const MAX_DURATION = 315576000000; // 10,000 years
const MAX_NANOS = 999_999_999;

/** Writes the timestamp whose bytes are i .. end. */
export function timestamp(i: number, end: number, q: number, depth: number): number {
  const { src } = run;
  let seconds = 0;
  let nanos = 0;
  while (i < end) {
    const first = src[i] as number;
    const tag = first < 128 ? first : tagAt(i, end);
    const from = first < 128 ? i + 1 : run.pos;
    if (tag === SECONDS_TAG) seconds = int64(src, from);
    else if (tag === NANOS_TAG) nanos = varint(src, from);
    else skip(checkTag(tag), from, end, depth);
    i = run.pos;
  }
  if (i !== end) refuse('truncated varint');
  run.pos = end;
  return checkedTimestamp(seconds, nanos, q);
}

/** Writes the timestamp that came in several parts. */
export function mergedTimestamp(ranges: readonly number[], q: number, depth: number): number {
  return checkedTimestamp(lastInt64(SECONDS_TAG, ranges, depth), lastInt32(NANOS_TAG, ranges, depth), q);
}

/** Writes the duration whose bytes are those of all ranges. */
export function duration(ranges: readonly number[], q: number, depth: number): number {
  const seconds = lastInt64(SECONDS_TAG, ranges, depth);
  const nanos = lastInt32(NANOS_TAG, ranges, depth);
  if (Math.abs(seconds) > MAX_DURATION) refuse('google.protobuf.Duration of more than 10,000 years');
  if (Math.abs(nanos) > MAX_NANOS) refuse(`google.protobuf.Duration with ${nanos} nanoseconds`);
  if ((seconds > 0 && nanos < 0) || (seconds < 0 && nanos > 0)) {
    refuse('google.protobuf.Duration with seconds and nanoseconds of different sign');
  }
  if (q > run.limit) throw NO_ROOM;
  return putDuration(run.out, run.view, seconds, nanos, q);
}

function checkedTimestamp(seconds: number, nanos: number, q: number): number {
  if (seconds < MIN_TIMESTAMP || seconds > MAX_TIMESTAMP) {
    refuse('google.protobuf.Timestamp outside the years 1 to 9999');
  }
  if (nanos < 0 || nanos > MAX_NANOS) refuse(`google.protobuf.Timestamp with ${nanos} nanoseconds`);
  if (q > run.limit) throw NO_ROOM;
  return putTimestamp(run.out, run.view, seconds, nanos, q);
}

function lastInt64(tag: number, ranges: readonly number[], depth: number): number {
  const at = lastField(tag, ranges, depth);
  return at === -1 ? 0 : int64(run.src, at);
}

function lastInt32(tag: number, ranges: readonly number[], depth: number): number {
  const at = lastField(tag, ranges, depth);
  return at === -1 ? 0 : varint(run.src, at);
}

/** Rounded to a double, where it is beyond 2^53. */
function int64(src: Uint8Array, i: number): number {
  const low = varint(src, i) >>> 0;
  return run.high * 4294967296 + low;
}
