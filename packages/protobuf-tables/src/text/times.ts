// google.protobuf.Timestamp and Duration as JSON strings. integers.ts explains `q`.
import { putFour, putNine, putPair } from './integers.ts';
import { putUint64 } from './integers64.ts';

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
  const day = Math.floor(seconds / 86400) | 0;
  const rest = (seconds - day * 86400) | 0;
  const hour = (rest / 3600) | 0;
  const minute = ((rest - hour * 3600) / 60) | 0;
  out[q] = 34;
  putDate(out, view, day, q + 1);
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

/** YYYY-MM-DD of a day, counted from 1970-01-01. Years start in March here, so leap days are their last days. */
function putDate(out: Uint8Array, view: DataView, day: number, q: number): void {
  const fromZero = (day + 719468) | 0; // 0000-03-01
  const era = (fromZero / 146097) | 0; // 400 years
  const dayOfEra = (fromZero - era * 146097) | 0;
  const skipped = ((dayOfEra / 1460) | 0) - ((dayOfEra / 36524) | 0) + ((dayOfEra / 146096) | 0);
  const yearOfEra = ((dayOfEra - skipped) / 365) | 0;
  const dayOfYear = (dayOfEra - 365 * yearOfEra - (yearOfEra >> 2) + ((yearOfEra / 100) | 0)) | 0;
  const month = ((5 * dayOfYear + 2) / 153) | 0; // 0 = March
  const date = (dayOfYear - (((153 * month + 2) / 5) | 0) + 1) | 0;
  putFour(view, (era * 400 + yearOfEra + (month > 9 ? 1 : 0)) | 0, q);
  out[q + 4] = 45;
  putPair(view, month > 9 ? month - 9 : month + 3, q + 5);
  out[q + 7] = 45;
  putPair(view, date, q + 8);
}

/** Seconds with 0, 3, 6 or 9 decimals and the letter s. Seconds and nanos have the same sign. */
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
  let end = putUint64(view, whole | 0, Math.floor(whole / 4294967296), q);
  if (nanos !== 0) end = putFraction(out, view, Math.abs(nanos), end);
  out[end] = 115;
  out[end + 1] = 34;
  return end + 2;
}

function putFraction(out: Uint8Array, view: DataView, nanos: number, q: number): number {
  out[q] = 46;
  putNine(view, nanos, q + 1);
  if (nanos % 1_000_000 === 0) return q + 4;
  return nanos % 1000 === 0 ? q + 7 : q + 10;
}
