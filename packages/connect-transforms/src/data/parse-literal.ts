import type { Schema } from '@levada/connect-runtime-core';
import { type Decimal, logicalTypes, type SchemaType } from '@levada/connect-runtime-core/contract';
import { isDecimal } from '@levada/connect-runtime-core/text';
import { type DateFormat, isoFormats } from '../time/date-format.ts';
import { decimalNumber, int64, isWhole, parseDecimal, wholePart } from './big-decimal.ts';
import { dataFailure } from './failures.ts';
import { LiteralTokens } from './literal-tokens.ts';
import { plainSchema, temporalSchemas } from './schemas.ts';

/** A value and its schema; both are null for the literal `null`. */
export interface TypedValue {
  readonly schema: Schema | null;
  readonly value: unknown;
}

const nothing: TypedValue = { schema: null, value: null };

/**
 * Parses a literal as Connect's `Values.parseString` does: `null`, `true`, numbers in the smallest type that holds them, ISO 8601
 * dates and times, lists and maps of these. Anything else is text.
 */
export function parseLiteral(text: string): TypedValue {
  if (text === '') return textValue(text);
  return parse(new LiteralTokens(text), false);
}

function textValue(value: string): TypedValue {
  return { schema: plainSchema('string'), value };
}

function parse(tokens: LiteralTokens, embedded: boolean): TypedValue {
  if (!tokens.hasNext) return nothing;
  if (embedded && tokens.consume('"')) return parseQuoted(tokens);
  if (single(tokens, 'null', embedded)) return nothing;
  if (single(tokens, 'true', embedded)) return { schema: plainSchema('boolean'), value: true };
  if (single(tokens, 'false', embedded)) return { schema: plainSchema('boolean'), value: false };
  const begin = tokens.mark();
  try {
    if (tokens.consume('[')) return list(tokens);
    if (tokens.consume('{')) return map(tokens);
  } catch {
    // A text that only looks like a list or map is text, as in Connect.
    tokens.rewindTo(begin);
  }
  const token = tokens.next();
  return token.trim() === '' ? textValue(token) : scalar(tokens, token.trim(), embedded);
}

/** A word that is the whole literal, or an item of a list or map. */
function single(tokens: LiteralTokens, word: string, embedded: boolean): boolean {
  const begin = tokens.mark();
  if (tokens.consume(word) && (embedded || !tokens.hasNext)) return true;
  tokens.rewindTo(begin);
  return false;
}

function scalar(tokens: LiteralTokens, token: string, embedded: boolean): TypedValue {
  const startsWithDigit = /^\d/.test(token);
  const temporal = startsWithDigit ? temporalOfTokens(tokens, token) : undefined;
  const value = temporal ?? (startsWithDigit || /^[+-]/.test(token) ? numberValue(token) : undefined);
  if (value !== undefined) return value;
  if (embedded) throw dataFailure('Failed to parse embedded value');
  return textValue(tokens.original);
}

function parseQuoted(tokens: LiteralTokens): TypedValue {
  let text = '';
  while (tokens.hasNext && !tokens.consume('"')) text += tokens.next();
  return temporalOf(text) ?? textValue(text);
}

function list(tokens: LiteralTokens): TypedValue {
  const items: TypedValue[] = [];
  while (tokens.hasNext) {
    if (tokens.consume(']')) {
      const common = commonSchema(items);
      if (common === undefined) return { schema: { type: 'array', optional: false }, value: valuesOf(items) };
      const value = items.map((item) => convertTo(common, item.value));
      return { schema: { type: 'array', optional: false, items: common }, value };
    }
    if (tokens.consume(',')) throw dataFailure(`Unable to parse an empty array element: ${tokens.original}`);
    items.push(parse(tokens, true));
    const mark = tokens.mark();
    if (tokens.consume(']')) tokens.rewindTo(mark);
    else if (!tokens.consume(',')) throw dataFailure("Array elements missing ',' delimiter");
  }
  throw dataFailure(`Array is missing terminating ']': ${tokens.original}`);
}

function map(tokens: LiteralTokens): TypedValue {
  const entries: (readonly [TypedValue, TypedValue])[] = [];
  while (tokens.hasNext) {
    if (tokens.consume('}')) return mapOf(entries);
    if (tokens.consume(','))
      throw dataFailure(`Unable to parse a map entry with no key or value: ${tokens.original}`);
    const key = parse(tokens, true);
    if (key.value === null) throw dataFailure(`Map entry may not have a null key: ${tokens.original}`);
    if (!tokens.consume(':')) throw dataFailure(`Map entry is missing ':' in ${tokens.original}`);
    entries.push([key, parse(tokens, true)]);
    tokens.consume(',');
  }
  throw dataFailure(`Map is missing terminating '}': ${tokens.original}`);
}

function mapOf(entries: readonly (readonly [TypedValue, TypedValue])[]): TypedValue {
  const keys = commonSchema(entries.map(([key]) => key));
  const items = commonSchema(entries.map(([, item]) => item));
  const value = new Map(
    entries.map(([key, item]) => [
      keys === undefined ? key.value : convertTo(keys, key.value),
      keys === undefined || items === undefined ? item.value : convertTo(items, item.value),
    ]),
  );
  const base = { type: 'map', optional: false } as const;
  if (keys === undefined) return { schema: base, value };
  return { schema: { ...base, keys, ...(items === undefined ? {} : { items }) }, value };
}

function valuesOf(items: readonly TypedValue[]): readonly unknown[] {
  return items.map(({ value }) => value);
}

/** A timestamp may consist of five tokens, because its colons are delimiters. */
function temporalOfTokens(tokens: LiteralTokens, token: string): TypedValue | undefined {
  const mark = tokens.mark();
  const rest = tokens.take(4);
  const found = rest === undefined ? undefined : temporalOf(token + rest);
  if (found !== undefined) return found;
  tokens.rewindTo(mark);
  return temporalOf(token);
}

/** ISO 8601 forms by length. */
const temporalForms: ReadonlyMap<number, readonly [Schema, DateFormat]> = new Map([
  [10, [temporalSchemas.Date[0], isoFormats.date]],
  [13, [temporalSchemas.Time[0], isoFormats.time]],
  [24, [temporalSchemas.Timestamp[0], isoFormats.timestamp]],
]);

function temporalOf(text: string): TypedValue | undefined {
  const plain = text.replaceAll('\\:', ':');
  const [schema, format] = temporalForms.get(plain.length) ?? [];
  const value = format?.parse(plain);
  return schema === undefined || value === undefined ? undefined : { schema, value };
}

const widths = [
  ['int8', 8],
  ['int16', 16],
  ['int32', 32],
  ['int64', 64],
] as const;

function numberValue(token: string): TypedValue | undefined {
  const decimal = parseDecimal(token);
  if (decimal === undefined) return undefined;
  const whole = isWhole(decimal) ? wholePart(decimal) : undefined;
  const fitting = widths.find(([, bits]) => whole !== undefined && BigInt.asIntN(bits, whole) === whole);
  if (fitting !== undefined && whole !== undefined)
    return { schema: plainSchema(fitting[0]), value: int64(whole) };
  const number = decimalNumber(decimal);
  if (decimal.scale !== 0 && Number.isFinite(Math.fround(number)))
    return { schema: plainSchema('float32'), value: Math.fround(number) };
  if (decimal.scale !== 0 && Number.isFinite(number))
    return { schema: plainSchema('float64'), value: number };
  return { schema: decimalSchema(decimal.scale), value: decimal };
}

function decimalSchema(scale: number): Schema {
  const parameters = { scale: String(scale) };
  return { type: 'bytes', optional: false, name: logicalTypes.decimal, version: 1, parameters };
}

const numbers: readonly SchemaType[] = ['int8', 'int16', 'int32', 'int64', 'float32', 'float64'];

/** The schema that can hold all values. Undefined if there is none, or if all values are null. */
function commonSchema(items: readonly TypedValue[]): Schema | undefined {
  let common: Schema | undefined;
  for (const { schema } of items) {
    if (schema === null) continue;
    if (common === undefined) common = schema;
    else {
      common = mergeSchemas(common, schema);
      if (common === undefined) return undefined;
    }
  }
  return common;
}

function mergeSchemas(one: Schema, other: Schema): Schema | undefined {
  if (one.type === other.type) return other;
  const [left, right] = [numbers.indexOf(one.type), numbers.indexOf(other.type)];
  if (left < 0 || right < 0) return undefined;
  return left > right ? one : other;
}

/** Converts a value to a schema that can hold it. */
function convertTo(schema: Schema, value: unknown): unknown {
  if (value === null) {
    if (schema.optional) return null;
    throw dataFailure('Unable to convert a null value to a schema that requires a value');
  }
  if (value instanceof Date) {
    if (schema.name !== undefined) return value;
    throw dataFailure('Unable to convert a date to a number');
  }
  if (schema.name === logicalTypes.decimal) return isDecimal(value) ? value : decimalOf(value);
  if (schema.name !== undefined) return temporalOfNumber(schema.name, Number(value));
  return schema.type === 'float32' ? Math.fround(Number(value)) : value;
}

const DAY_MS = 86_400_000;

function temporalOfNumber(name: string, value: number): Date {
  return new Date(name === logicalTypes.date ? value * DAY_MS : value);
}

function decimalOf(value: unknown): Decimal {
  const found = typeof value === 'string' ? parseDecimal(value) : undefined;
  if (found === undefined) throw dataFailure('Unable to convert a value to a decimal');
  return found;
}
