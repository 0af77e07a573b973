/** Names as Java has them in English. The first three letters are the short form. */
export const months: readonly string[] = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];

/** Days of the week from Sunday on, as `Date.getUTCDay` counts them. */
export const weekdays: readonly string[] = [
  'Sunday',
  'Monday',
  'Tuesday',
  'Wednesday',
  'Thursday',
  'Friday',
  'Saturday',
];

export const halves: readonly string[] = ['AM', 'PM'];

/** Letters of the short form of a name. */
export const SHORT_NAME = 3;

const DAY_MS = 86_400_000;

/** Milliseconds of a day. */
export { DAY_MS };

/** Day of the year from 1 on. */
export function dayOfYear(date: Date): number {
  return Math.floor((date.getTime() - Date.UTC(date.getUTCFullYear(), 0, 1)) / DAY_MS) + 1;
}
