import { DAY_MS } from './calendar.ts';
import { parseDatePattern } from './date-pattern.ts';
import { formatDate } from './format-date.ts';
import { parseDate } from './parse-date.ts';

/** Java's `SimpleDateFormat` of one pattern, in UTC and English. */
export interface DateFormat {
  readonly pattern: string;
  format(date: Date): string;
  /** The date that the text begins with; undefined when it does not fit. */
  parse(text: string): Date | undefined;
}

/** A format from its pattern. Throws a `DatePatternError`. */
export function dateFormat(pattern: string): DateFormat {
  const parts = parseDatePattern(pattern);
  return {
    pattern,
    format: (date) => formatDate(parts, date),
    // The present year decides about years of two digits, as in Java.
    parse: (text) => parseDate(parts, text, new Date()),
  };
}

/** The forms of ISO 8601 that Connect reads and writes. */
export const isoFormats = {
  date: dateFormat('yyyy-MM-dd'),
  time: dateFormat("HH:mm:ss.SSS'Z'"),
  timestamp: dateFormat("yyyy-MM-dd'T'HH:mm:ss.SSS'Z'"),
} as const;

/** A date as Connect writes it when it is not said how: a time within the first day, a date at midnight, else both. */
export function isoText(date: Date): string {
  if (date.getTime() < DAY_MS) return isoFormats.time.format(date);
  return (date.getTime() % DAY_MS === 0 ? isoFormats.date : isoFormats.timestamp).format(date);
}
