// google.protobuf.Timestamp and Duration as JSON strings. See integers.ts for what `q` is.
import { putNine, putPair } from './integers.ts';
import { putUint64 } from './integers64.ts';

/** The date last written: most messages of a stream are of one day. A cache only, so that sharing it harms nobody. */
const last = { day: Number.NaN, century: 0, year: 0, month: 0, date: 0 };

/**
 * RFC 3339 in UTC with 0, 3, 6 or 9 decimals. seconds: -62135596800 (year 1) .. 253402300799 (year 9999),
 * nanos: 0 .. 999999999.
 */
export function putTimestamp(
  out: Uint8Array,
  view: DataView,
  seconds: number,
  nanos: number,
  q: number,
): number {
  const day = Math.floor(seconds / 86400);
  const rest = (seconds - day * 86400) | 0;
  if (day !== last.day) setDay(day);
  const hour = (rest / 3600) | 0;
  const minute = ((rest - hour * 3600) / 60) | 0;
  out[q] = 34;
  putPair(view, last.century, q + 1);
  putPair(view, last.year, q + 3);
  out[q + 5] = 45;
  putPair(view, last.month, q + 6);
  out[q + 8] = 45;
  putPair(view, last.date, q + 9);
  out[q + 11] = 84;
  putPair(view, hour, q + 12);
  out[q + 14] = 58;
  putPair(view, minute, q + 15);
  out[q + 17] = 58;
  putPair(view, rest - hour * 3600 - minute * 60, q + 18);
  const end = nanos === 0 ? q + 20 : putFraction(out, view, nanos, q + 20);
  out[end] = 90;
  out[end + 1] = 34;
  return end + 2;
}

function setDay(day: number): void {
  const date = new Date(day * 864e5);
  const year = date.getUTCFullYear();
  last.day = day;
  last.century = (year / 100) | 0;
  last.year = year % 100;
  last.month = date.getUTCMonth() + 1;
  last.date = date.getUTCDate();
}

/** A number of seconds with 0, 3, 6 or 9 decimals and the letter s. Seconds and nanos are of one sign. */
export function putDuration(
  out: Uint8Array,
  view: DataView,
  seconds: number,
  nanos: number,
  q: number,
): number {
  out[q++] = 34;
  if (seconds < 0 || nanos < 0) out[q++] = 45;
  const whole = Math.abs(seconds);
  let end = putUint64(out, view, whole | 0, Math.floor(whole / 4294967296), q);
  if (nanos !== 0) end = putFraction(out, view, Math.abs(nanos), end);
  out[end] = 115;
  out[end + 1] = 34;
  return end + 2;
}

function putFraction(out: Uint8Array, view: DataView, nanos: number, q: number): number {
  out[q] = 46;
  const end = putNine(out, view, nanos, q + 1);
  if (nanos % 1_000_000 === 0) return end - 6;
  return nanos % 1000 === 0 ? end - 3 : end;
}
