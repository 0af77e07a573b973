import { logicalTypes, type Schema } from '../contract/schema.ts';
import { decimalText, integerBytes, isDecimal } from '../text/java-decimal.ts';
import { base64 } from './base64.ts';
import { kindOf } from './conversion-failed.ts';

const DAY_MS = 86_400_000;

/** Thrown for a value that does not fit its logical type; the message is Kafka Connect's. */
export class LogicalTypeError extends Error {}

/** The JSON of a value whose schema has the name of a logical type; undefined for any other schema. */
export function logicalJson(
  schema: Schema,
  value: unknown,
  { numericDecimals }: { readonly numericDecimals: boolean },
): string | undefined {
  const { name } = schema;
  if (name === logicalTypes.decimal) return decimalJson(schema, value, numericDecimals);
  if (name === logicalTypes.date) return String(daysOf(dateOf('Date', value)));
  if (name === logicalTypes.time) return String(timeOf(dateOf('Time', value)));
  return name === logicalTypes.timestamp ? String(dateOf('Timestamp', value).getTime()) : undefined;
}

function decimalJson({ parameters }: Schema, value: unknown, numeric: boolean): string {
  if (!isDecimal(value))
    throw new LogicalTypeError(`Invalid type for Decimal, expected BigDecimal but was ${kindOf(value)}`);
  if (numeric) return decimalText(value);
  const scale = parameters?.['scale'];
  if (scale === undefined) throw new LogicalTypeError('Invalid Decimal schema: scale parameter not found.');
  if (Number(scale) !== value.scale) {
    throw new LogicalTypeError(
      `Decimal value has mismatching scale for given Decimal schema. Schema has scale ${scale}, value has scale ${value.scale}.`,
    );
  }
  return `"${base64(integerBytes(value.unscaled))}"`;
}

function dateOf(type: string, value: unknown): Date {
  if (value instanceof Date) return value;
  throw new LogicalTypeError(`Invalid type for ${type}, expected Date but was ${kindOf(value)}`);
}

function daysOf(date: Date): number {
  if (date.getTime() % DAY_MS === 0) return date.getTime() / DAY_MS;
  throw new LogicalTypeError(
    'Kafka Connect Date type should not have any time fields set to non-zero values.',
  );
}

function timeOf(date: Date): number {
  const time = date.getTime();
  if (time >= 0 && time <= DAY_MS) return time;
  throw new LogicalTypeError(
    'Kafka Connect Time type should not have any date fields set to non-zero values.',
  );
}

/** A date as Connect prints it outside of JSON: a time within the first day, a date at midnight, else both, in UTC. */
export function dateText(date: Date): string {
  const text = date.toISOString();
  if (date.getTime() < DAY_MS) return text.slice(text.indexOf('T') + 1);
  return date.getTime() % DAY_MS === 0 ? text.slice(0, text.indexOf('T')) : text;
}
