import { type CalendarDay, dayOf } from './calendar.ts';
import type { FieldLetter, PatternPart } from './date-pattern.ts';
import { halves, months, SHORT_NAME, weekdays } from './names.ts';

/** Formats a date in UTC as Java's `SimpleDateFormat` does, in English. */
export function formatDate(parts: readonly PatternPart[], date: Date): string {
  const moment: Moment = { date, ...dayOf(date) };
  return parts
    .map((part) => (part.kind === 'text' ? part.text : writers[part.letter](moment, part.count)))
    .join('');
}

/** A date with its day in Java's calendar. */
interface Moment extends CalendarDay {
  readonly date: Date;
}

type Writer = (moment: Moment, count: number) => string;

const number =
  (read: (moment: Moment) => number): Writer =>
  (moment, count) =>
    padNumber(read(moment), count);

const name =
  (names: readonly string[], read: (moment: Moment) => number): Writer =>
  (moment, count) => {
    const text = names[read(moment)] ?? '';
    return count > SHORT_NAME ? text : text.slice(0, SHORT_NAME);
  };

const month: Writer = (moment, count) =>
  count < SHORT_NAME ? padNumber(moment.month + 1, count) : monthName(moment, count);

const monthName = name(months, (moment) => moment.month);

const writers: Readonly<Record<FieldLetter, Writer>> = {
  y: ({ year }, count) => {
    // The year before 1 is 1 BC.
    const ofEra = year > 0 ? year : 1 - year;
    return count === 2 ? padNumber(ofEra % 100, 2) : padNumber(ofEra, count);
  },
  M: month,
  L: month,
  d: number(({ day }) => day),
  D: number(({ dayOfYear }) => dayOfYear),
  E: name(weekdays, ({ date }) => date.getUTCDay()),
  u: number(({ date }) => date.getUTCDay() || 7),
  a: ({ date }) => halves[date.getUTCHours() < 12 ? 0 : 1] ?? '',
  H: number(({ date }) => date.getUTCHours()),
  k: number(({ date }) => date.getUTCHours() || 24),
  K: number(({ date }) => date.getUTCHours() % 12),
  h: number(({ date }) => date.getUTCHours() % 12 || 12),
  m: number(({ date }) => date.getUTCMinutes()),
  s: number(({ date }) => date.getUTCSeconds()),
  S: number(({ date }) => date.getUTCMilliseconds()),
  z: (_moment, count) => (count > SHORT_NAME ? 'Coordinated Universal Time' : 'UTC'),
  Z: () => '+0000',
  X: () => 'Z',
};

function padNumber(value: number, count: number): string {
  return String(value).padStart(count, '0');
}
