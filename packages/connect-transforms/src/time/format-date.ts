import type { FieldLetter, PatternPart } from './date-pattern.ts';
import { dayOfYear, halves, months, SHORT_NAME, weekdays } from './names.ts';

/** A date in UTC as Java's `SimpleDateFormat` writes it, in English. */
export function formatDate(parts: readonly PatternPart[], date: Date): string {
  return parts
    .map((part) => (part.kind === 'text' ? part.text : writers[part.letter](date, part.count)))
    .join('');
}

type Writer = (date: Date, count: number) => string;

const number =
  (read: (date: Date) => number): Writer =>
  (date, count) =>
    padded(read(date), count);

const name =
  (names: readonly string[], read: (date: Date) => number): Writer =>
  (date, count) => {
    const text = names[read(date)] ?? '';
    return count > SHORT_NAME ? text : text.slice(0, SHORT_NAME);
  };

const month: Writer = (date, count) =>
  count < SHORT_NAME
    ? padded(date.getUTCMonth() + 1, count)
    : name(months, (one) => one.getUTCMonth())(date, count);

const writers: Readonly<Record<FieldLetter, Writer>> = {
  y: (date, count) => {
    const year = yearOfEra(date);
    return count === 2 ? padded(year % 100, 2) : padded(year, count);
  },
  M: month,
  L: month,
  d: number((date) => date.getUTCDate()),
  D: number(dayOfYear),
  E: name(weekdays, (date) => date.getUTCDay()),
  u: number((date) => date.getUTCDay() || 7),
  a: (date) => halves[date.getUTCHours() < 12 ? 0 : 1] ?? '',
  H: number((date) => date.getUTCHours()),
  k: number((date) => date.getUTCHours() || 24),
  K: number((date) => date.getUTCHours() % 12),
  h: number((date) => date.getUTCHours() % 12 || 12),
  m: number((date) => date.getUTCMinutes()),
  s: number((date) => date.getUTCSeconds()),
  S: number((date) => date.getUTCMilliseconds()),
  z: (_date, count) => (count > SHORT_NAME ? 'Coordinated Universal Time' : 'UTC'),
  Z: () => '+0000',
  X: () => 'Z',
};

/** The year before 1 is 1 BC. */
function yearOfEra(date: Date): number {
  const year = date.getUTCFullYear();
  return year > 0 ? year : 1 - year;
}

function padded(value: number, count: number): string {
  return String(value).padStart(count, '0');
}
