/** A day in a calendar. Months count from 0. */
export interface CalendarDay {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  /** Counts from 1. */
  readonly dayOfYear: number;
}

/** Milliseconds per day. */
export const DAY_MS = 86_400_000;

/** Days from 1970-01-01 to 1582-10-15, the first day of the Gregorian calendar. Before it, Java uses the Julian calendar. */
const CUTOVER = -141_427;

/** Days from March 1st of the year 0 to 1970-01-01 in the Julian calendar. */
const JULIAN_EPOCH = 719_470;

/** The day of a date in UTC. */
export function dayOf(date: Date): CalendarDay {
  const days = Math.floor(date.getTime() / DAY_MS);
  if (days < CUTOVER) return julianDay(days);
  const [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()];
  return { year, month, day, dayOfYear: days - gregorianDays(year, 0, 1) + 1 };
}

/** Days from 1970-01-01 to a day. Months and days outside their range carry over. NaN outside the range of Date. */
export function daysTo(year: number, month: number, day: number): number {
  const wholeYear = year + Math.floor(month / 12);
  const days = gregorianDays(year, month, day);
  if (wholeYear > 1582 || (wholeYear === 1582 && days >= CUTOVER)) return days;
  return julianDays(wholeYear, month - 12 * Math.floor(month / 12)) + day - 1;
}

function gregorianDays(year: number, month: number, day: number): number {
  return new Date(0).setUTCFullYear(year, month, day) / DAY_MS;
}

/** Days to the first of a month. Years begin in March, so a leap day is the last day of a year. */
function julianDays(year: number, month: number): number {
  const fromMarch = (month + 10) % 12;
  const marchYear = month < 2 ? year - 1 : year;
  return Math.floor((marchYear * 1461) / 4) + Math.floor((153 * fromMarch + 2) / 5) - JULIAN_EPOCH;
}

function julianDay(days: number): CalendarDay {
  const sinceMarch = days + JULIAN_EPOCH;
  const marchYear = Math.floor((4 * sinceMarch + 3) / 1461);
  const dayOfMarchYear = sinceMarch - Math.floor((marchYear * 1461) / 4);
  const fromMarch = Math.floor((5 * dayOfMarchYear + 2) / 153);
  const month = (fromMarch + 2) % 12;
  const year = month < 2 ? marchYear + 1 : marchYear;
  return {
    year,
    month,
    day: dayOfMarchYear - Math.floor((153 * fromMarch + 2) / 5) + 1,
    dayOfYear: days - julianDays(year, 0) + 1,
  };
}
