import type { Schema } from '@levada/connect-runtime-core';
import { int64, saturate } from '../data/big-decimal.ts';
import { dataFailure } from '../data/failures.ts';
import { javaClass } from '../data/java-class.ts';
import { textOf } from '../data/text.ts';
import type { DateFormat } from '../time/date-format.ts';

/** Forms of a timestamp, by their names in configurations. */
export type TimestampKind = 'string' | 'unix' | 'Date' | 'Time' | 'Timestamp';

/** How timestamps are parsed and formatted. */
export interface TimeForm {
  readonly target: TimestampKind;
  /** For strings. */
  readonly format: DateFormat | undefined;
  /** For numbers. */
  readonly precision: keyof typeof units;
}

/** Milliseconds per unit, or units per millisecond. */
const units = {
  seconds: { perUnit: 1000n, perMs: 1n },
  milliseconds: { perUnit: 1n, perMs: 1n },
  microseconds: { perUnit: 1n, perMs: 1000n },
  nanoseconds: { perUnit: 1n, perMs: 1_000_000n },
} as const;

/** Converts a value of one form to a date. Throws if it does not have that form. */
export function toDate(
  { format, precision }: TimeForm,
  kind: TimestampKind,
  { schema, value }: { readonly schema: Schema | null; readonly value: unknown },
): Date {
  const found = `class ${javaClass(schema, value)}`;
  if (kind === 'string') {
    const text = textOf(schema, value);
    if (text === undefined) throw dataFailure(`Expected string timestamp to be a String, but found ${found}`);
    if (format === undefined)
      throw dataFailure(
        'TimestampConverter requires format option to be specified when using string timestamps',
      );
    const date = format.parse(text);
    if (date !== undefined) return date;
    throw dataFailure(
      `Could not parse timestamp: value (${text}) does not match pattern (${format.pattern})`,
    );
  }
  if (kind === 'unix') {
    if (typeof value !== 'number' && typeof value !== 'bigint')
      throw dataFailure(`Expected Unix timestamp to be a Long, but found ${found}`);
    const { perUnit, perMs } = units[precision];
    const date = new Date(Number((BigInt(value) * perUnit) / perMs));
    if (!Number.isNaN(date.getTime())) return date;
    throw dataFailure(`Unix timestamp ${value} in ${precision} is more than 275,000 years from now`);
  }
  if (value instanceof Date) return value;
  throw dataFailure(`Expected ${kind} to be a java.util.Date, but found ${found}`);
}

const DAY_MS = 86_400_000;

/** Converts a date to the target form. */
export function fromDate({ target, format, precision }: TimeForm, date: Date): unknown {
  const time = date.getTime();
  const day = Math.floor(time / DAY_MS) * DAY_MS;
  if (target === 'string') return format?.format(date) ?? '';
  if (target === 'Date') return new Date(day);
  if (target === 'Time') return new Date(time - day);
  if (target === 'Timestamp') return date;
  const { perUnit, perMs } = units[precision];
  return int64(saturate((BigInt(time) * perMs) / perUnit));
}
