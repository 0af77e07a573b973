/** Java's English names. The first three letters are the short form. */
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

/** Length of the short form of a name. */
export const SHORT_NAME = 3;
