// google.protobuf.Timestamp and google.protobuf.Duration: two fields; the last occurrence of each counts.

import { putDuration, putTimestamp } from '../text/times.ts';
import { checkTag, refuse, skip, tagAt, varint } from '../wire/reader.ts';
import { NO_ROOM } from '../wire/writer.ts';
import { lastField } from './field-rows.ts';
import type { Run } from './run.ts';

const SECONDS_TAG = 8;
const NANOS_TAG = 16;
const MIN_TIMESTAMP = -62135596800; // 0001-01-01T00:00:00Z
const MAX_TIMESTAMP = 253402300799; // 9999-12-31T23:59:59Z
const MAX_DURATION = 315576000000; // 10,000 years
const MAX_NANOS = 999_999_999;

/** Writes the timestamp whose bytes are i .. end. */
export function timestamp(run: Run, i: number, end: number, q: number, depth: number): number {
  const { src } = run;
  let seconds = 0;
  let nanos = 0;
  while (i < end) {
    const first = src[i] as number;
    const tag = first < 128 ? first : tagAt(run, i, end);
    const from = first < 128 ? i + 1 : run.pos;
    if (tag === SECONDS_TAG) seconds = int64(run, from);
    else if (tag === NANOS_TAG) nanos = varint(run, from);
    else skip(run, checkTag(run, tag), from, end, depth);
    i = run.pos;
  }
  if (i !== end) refuse(run, 'truncated varint');
  run.pos = end;
  return checkedTimestamp(run, seconds, nanos, q);
}

/** Writes the duration whose bytes are i .. end. */
export function duration(run: Run, i: number, end: number, q: number, depth: number): number {
  const range = [i, end];
  const secondsAt = lastField(run, SECONDS_TAG, range, depth);
  const nanosAt = lastField(run, NANOS_TAG, range, depth);
  const seconds = secondsAt === -1 ? 0 : int64(run, secondsAt);
  const nanos = nanosAt === -1 ? 0 : varint(run, nanosAt);
  if (Math.abs(seconds) > MAX_DURATION) refuse(run, 'google.protobuf.Duration of more than 10,000 years');
  if (Math.abs(nanos) > MAX_NANOS) refuse(run, `google.protobuf.Duration with ${nanos} nanoseconds`);
  if ((seconds > 0 && nanos < 0) || (seconds < 0 && nanos > 0)) {
    refuse(run, 'google.protobuf.Duration with seconds and nanoseconds of different sign');
  }
  if (q > run.limit) throw NO_ROOM;
  return putDuration(run.out, run.view, seconds, nanos, q);
}

function checkedTimestamp(run: Run, seconds: number, nanos: number, q: number): number {
  if (seconds < MIN_TIMESTAMP || seconds > MAX_TIMESTAMP) {
    refuse(run, 'google.protobuf.Timestamp outside the years 1 to 9999');
  }
  if (nanos < 0 || nanos > MAX_NANOS) refuse(run, `google.protobuf.Timestamp with ${nanos} nanoseconds`);
  if (q > run.limit) throw NO_ROOM;
  return putTimestamp(run.out, run.view, seconds, nanos, q);
}

/** Rounded to a double beyond 2^53. */
function int64(run: Run, i: number): number {
  const low = varint(run, i) >>> 0;
  return run.high * 4294967296 + low;
}
