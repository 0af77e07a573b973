import { DAY_MS } from './calendar.ts';
import { parseDatePattern } from './date-pattern.ts';
import { formatDate } from './format-date.ts';
import { parseDate } from './parse-date.ts';

/** Java's `SimpleDateFormat` for one pattern, in UTC and English. */
export interface DateFormat {
  readonly pattern: string;
  format(date: Date): string;
  /** The date at the start of the text; undefined if it does not match. */
  parse(text: string): Date | undefined;
}

/** Creates a format from a pattern. Throws a `DatePatternError`. */
export function dateFormat(pattern: string): DateFormat {
  const parts = parseDatePattern(pattern);
  return {
    pattern,
    format: (date) => formatDate(parts, date),
    // The current year resolves two-digit years, as in Java.
    parse: (text) => parseDate(parts, text, new Date()),
  };
}

/** The ISO 8601 forms that Connect reads and writes. */
export const isoFormats = {
  date: dateFormat('yyyy-MM-dd'),
  time: dateFormat("HH:mm:ss.SSS'Z'"),
  timestamp: dateFormat("yyyy-MM-dd'T'HH:mm:ss.SSS'Z'"),
} as const;

/** Formats a date as Connect does by default: a time on the first day, a date at midnight, otherwise both. */
export function isoText(date: Date): string {
  if (date.getTime() < DAY_MS) return isoFormats.time.format(date);
  return (date.getTime() % DAY_MS === 0 ? isoFormats.date : isoFormats.timestamp).format(date);
}
