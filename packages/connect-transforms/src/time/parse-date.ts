import { DAY_MS, daysTo } from './calendar.ts';
import type { FieldLetter, PatternPart } from './date-pattern.ts';
import { halves, months, SHORT_NAME, weekdays } from './names.ts';

/** The fields in the order they were read, because later ones win. */
type Fields = Map<FieldLetter | 'offset', number>;

/** The remaining text of a field. */
interface Input {
  readonly text: string;
  readonly at: number;
  readonly count: number;
  /** A number follows directly, so the count of letters is the count of digits. */
  readonly fixed: boolean;
  readonly now: Date;
}

interface Read {
  readonly value: number;
  readonly next: number;
}

/**
 * Parses the date at the start of a text, in UTC, as Java's lenient `SimpleDateFormat` does: fields outside their range carry
 * over, and the rest is ignored. Undefined if the text does not match. `now` resolves two-digit years.
 */
export function parseDate(parts: readonly PatternPart[], text: string, now: Date): Date | undefined {
  const fields: Fields = new Map();
  let at = 0;
  for (const [index, part] of parts.entries()) {
    if (part.kind === 'text') {
      if (!text.startsWith(part.text, at)) return undefined;
      at += part.text.length;
      continue;
    }
    const begin = skipBlanks(text, at);
    if (begin >= text.length) return undefined;
    const { letter, count } = part;
    const read = readers[letter]({ text, at, count, fixed: isNumber(parts[index + 1]), now });
    if (read === undefined) return undefined;
    const key = letter === 'z' || letter === 'Z' || letter === 'X' ? 'offset' : letter === 'L' ? 'M' : letter;
    // A field that is set again counts as set last
    fields.delete(key);
    fields.set(key, read.value);
    at = read.next;
  }
  return resolve(fields);
}

function isNumber(part: PatternPart | undefined): boolean {
  if (part?.kind !== 'field') return false;
  if (part.letter === 'M' || part.letter === 'L') return part.count < SHORT_NAME;
  return !['E', 'a', 'z', 'Z', 'X'].includes(part.letter);
}

function skipBlanks(text: string, from: number): number {
  let at = from;
  while (text[at] === ' ' || text[at] === '\t') at += 1;
  return at;
}

const digits: (input: Input) => Read | undefined = ({ text, at, count, fixed }) => {
  if (fixed && at + count > text.length) return undefined;
  const end = fixed ? at + count : text.length;
  const begin = skipBlanks(text, at);
  const [found] = /^-?\d+/.exec(text.slice(begin, end)) ?? [];
  if (found === undefined) return undefined;
  return { value: intValue(BigInt(found)), next: begin + found.length };
};

/** Narrows as Java does: truncates to 32 bits within the range of 64 bits, otherwise limits. */
function intValue(value: bigint): number {
  if (BigInt.asIntN(64, value) === value) return Number(BigInt.asIntN(32, value));
  return value < 0n ? -2_147_483_648 : 2_147_483_647;
}

const numbered =
  (adjust: (value: number) => number): ((input: Input) => Read | undefined) =>
  (input) => {
    const read = digits(input);
    return read === undefined ? undefined : { ...read, value: adjust(read.value) };
  };

/** The longest name at this place, in either form and any case. */
const named =
  (names: readonly string[]): ((input: Input) => Read | undefined) =>
  ({ text, at }) => {
    const begin = skipBlanks(text, at);
    const rest = text.slice(begin, begin + 16).toLowerCase();
    for (const length of [undefined, SHORT_NAME]) {
      const value = names.findIndex((name) => rest.startsWith(name.slice(0, length).toLowerCase()));
      if (value >= 0) return { value, next: begin + (names[value] ?? '').slice(0, length).length };
    }
    return undefined;
  };

const month = (input: Input): Read | undefined =>
  input.count < SHORT_NAME ? numbered((value) => value - 1)(input) : named(months)(input);

const readers: Readonly<Record<FieldLetter, (input: Input) => Read | undefined>> = {
  y: (input) => {
    const read = digits(input);
    const begin = skipBlanks(input.text, input.at);
    if (read === undefined || input.count > 2 || !/^\d\d$/.test(input.text.slice(begin, read.next)))
      return read;
    return { ...read, value: fullYear(read.value, input.now) };
  },
  M: month,
  L: month,
  d: digits,
  D: digits,
  E: named(weekdays),
  u: digits,
  a: named(halves),
  H: digits,
  k: numbered((value) => (value === 24 ? 0 : value)),
  K: digits,
  h: numbered((value) => (value === 12 ? 0 : value)),
  m: digits,
  s: digits,
  S: digits,
  z: (input) => generalZone(input),
  Z: (input) => generalZone(input),
  X: (input) => isoZone(input),
};

/** Two digits are a year from 80 years ago to 20 years ahead. */
function fullYear(value: number, now: Date): number {
  const first = now.getUTCFullYear() - 80;
  const year = first - (first % 100) + value;
  return year < first ? year + 100 : year;
}

const MINUTE_MS = 60_000;

/** `GMT`, `UTC`, `GMT+1:00` or `+0100`. */
function generalZone({ text, at }: Input): Read | undefined {
  const begin = skipBlanks(text, at);
  const rest = text.slice(begin);
  const [all, sign, hours = '0', minutes = '0'] =
    /^(?:(?:GMT)?([+-])(\d{1,2}):?(\d\d)|GMT|UTC|Z(?![a-z]))/i.exec(rest) ?? [];
  if (all === undefined) return undefined;
  if (Number(hours) > 23 || Number(minutes) > 59) return undefined;
  return { value: offsetMs(sign, hours, minutes), next: begin + all.length };
}

function isoZone({ text, at, count }: Input): Read | undefined {
  const begin = skipBlanks(text, at);
  if (text[begin] === 'Z') return { value: 0, next: begin + 1 };
  const form = [/^([+-])(\d\d)/, /^([+-])(\d\d)(\d\d)/, /^([+-])(\d\d):(\d\d)/][count - 1];
  const [all, sign, hours = '0', minutes = '0'] = form?.exec(text.slice(begin)) ?? [];
  if (all === undefined || Number(hours) > 23 || Number(minutes) > 59) return undefined;
  return { value: offsetMs(sign, hours, minutes), next: begin + all.length };
}

function offsetMs(sign: string | undefined, hours: string, minutes: string): number {
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * MINUTE_MS;
}

function resolve(fields: Fields): Date | undefined {
  const order = [...fields.keys()];
  const stamp = (letter: FieldLetter): number => order.indexOf(letter);
  const get = (letter: FieldLetter, absent: number): number => fields.get(letter) ?? absent;
  const byYearDay = stamp('D') > stamp('d');
  const [monthIndex, day] = byYearDay ? [0, get('D', 1)] : [get('M', 0), get('d', 1)];
  const midnight = daysTo(get('y', 1970), monthIndex, day) * DAY_MS;
  const ofDay = ((hourOf(fields, stamp) * 60 + get('m', 0)) * 60 + get('s', 0)) * 1000 + get('S', 0);
  const date = new Date(midnight + ofDay - (fields.get('offset') ?? 0));
  return Number.isNaN(date.getTime()) ? undefined : date;
}

/** The one that was read last of an hour of the day and an hour of a half-day. */
function hourOf(fields: Fields, stamp: (letter: FieldLetter) => number): number {
  const ofDay = stamp('H') > stamp('k') ? 'H' : 'k';
  const ofHalf = stamp('K') > stamp('h') ? 'K' : 'h';
  const half = fields.get('a');
  const [dayStamp, halfStamp] = [
    stamp(ofDay),
    half === undefined || stamp(ofHalf) < 0 ? -1 : Math.max(stamp(ofHalf), stamp('a')),
  ];
  if (dayStamp >= 0 && dayStamp > halfStamp) return fields.get(ofDay) ?? 0;
  return (fields.get(ofHalf) ?? 0) + (half === 1 ? 12 : 0);
}
