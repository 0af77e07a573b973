import type { Schema, SchemaType } from '../contract/schema.ts';
import { isDecimal } from '../text/java-decimal.ts';
import { javaDouble, javaFloat, numberText } from '../text/java-number.ts';
import { base64 } from './base64.ts';
import { conversionFailed, entriesOf, kindOf } from './conversion-failed.ts';
import { MAX_DEPTH } from './json-schema.ts';
import { jsonText } from './json-text.ts';
import { LogicalTypeError, logicalJson } from './logical-value.ts';

/** How values are written. */
export interface ValueForm {
  /** Decimals are numbers instead of base64. */
  readonly numericDecimals: boolean;
  /** What is null is written as its default, when it has one. */
  readonly replaceNull: boolean;
}

/** The place of the value at hand, for error messages, and how it is written. */
interface Path {
  /** Names of fields, keys and indexes from the top down. */
  readonly steps: (string | number)[];
  readonly form: ValueForm;
}

/** Writes a value that is there; the schema says what it is. */
type Writer = (schema: Schema, value: unknown, path: Path) => string;

/**
 * Writes values as JSON, as Kafka Connect's `JsonConverter` does: bytes as base64, structs and maps with text keys as objects, other
 * maps as lists of pairs, logical types as the numbers that they stand for. Structs and maps are plain objects or Maps. Throws
 * `conversion_failed`, naming the place.
 */
export function valueWriter(form: ValueForm): (schema: Schema | null, value: unknown) => string {
  return (schema, value) => write(schema, value, { steps: [], form });
}

function write(schema: Schema | null, value: unknown, path: Path): string {
  const { steps, form } = path;
  if (steps.length > MAX_DEPTH) throw conversionFailed(`value is nested deeper than ${MAX_DEPTH}`);
  if (value === null || value === undefined) {
    if (schema === null) return 'null';
    const { default: instead, optional } = schema;
    if (instead !== undefined && instead !== null && form.replaceNull) return write(schema, instead, path);
    if (optional) return 'null';
    throw failed(path, 'Conversion error: null value for field that is required and has no default value');
  }
  if (schema === null) return bare(value, path);
  if (schema.name === undefined) return writers[schema.type](schema, value, path);
  try {
    return logicalJson(schema, value, form) ?? writers[schema.type](schema, value, path);
  } catch (thrown) {
    throw thrown instanceof LogicalTypeError ? failed(path, thrown.message) : thrown;
  }
}

const integer =
  (min: number, max: number): Writer =>
  (schema, value, path) => {
    const whole = typeof value === 'bigint' ? Number(value) : value;
    if (typeof whole === 'number' && Number.isInteger(whole) && whole >= min && whole <= max) {
      return String(whole);
    }
    throw mismatch(schema.type, value, path);
  };

const INT64_MIN = -(2n ** 63n);
const INT64_MAX = 2n ** 63n - 1n;

const writers: Readonly<Record<SchemaType, Writer>> = {
  int8: integer(-128, 127),
  int16: integer(-32_768, 32_767),
  int32: integer(-2_147_483_648, 2_147_483_647),
  int64: (schema, value, path) => {
    if (typeof value === 'bigint' && value >= INT64_MIN && value <= INT64_MAX) return String(value);
    // A number beyond 2^53 no longer holds what was meant; it must come as a bigint.
    if (Number.isSafeInteger(value)) return String(value);
    throw mismatch(schema.type, value, path);
  },
  float32: (schema, value, path) => {
    if (typeof value !== 'number') throw mismatch(schema.type, value, path);
    return finiteOrQuoted(javaFloat(value));
  },
  float64: (schema, value, path) => {
    if (typeof value !== 'number') throw mismatch(schema.type, value, path);
    return finiteOrQuoted(javaDouble(value));
  },
  boolean: (schema, value, path) => {
    if (typeof value !== 'boolean') throw mismatch(schema.type, value, path);
    return String(value);
  },
  string: (schema, value, path) => {
    if (typeof value === 'string') return jsonText(value);
    if (value instanceof Uint8Array)
      return jsonText(new TextDecoder('utf-8', { ignoreBOM: true }).decode(value));
    throw mismatch(schema.type, value, path);
  },
  bytes: (schema, value, path) => {
    if (!(value instanceof Uint8Array)) throw mismatch(schema.type, value, path);
    return `"${base64(value)}"`;
  },
  array: (schema, value, path) => {
    if (!Array.isArray(value)) throw mismatch(schema.type, value, path);
    return list(value, schema.items ?? null, path);
  },
  map: (schema, value, path) => {
    const entries = entriesOf(value);
    if (entries === undefined) throw mismatch(schema.type, value, path);
    const asObject = schema.keys === undefined || schema.keys.type === 'string';
    return asObject
      ? object(entries, () => schema.items ?? null, path)
      : pairs(entries, { key: schema.keys ?? null, value: schema.items ?? null }, path);
  },
  struct: (schema, value, path) => {
    const entries = entriesOf(value);
    if (entries === undefined) throw mismatch(schema.type, value, path);
    const given = new Map(entries);
    const fields = schema.fields ?? [];
    const schemas = new Map(fields.map((field) => [field.field, field.schema]));
    for (const name of given.keys()) {
      if (!schemas.has(String(name))) throw failed(path, `"${String(name)}" is not a field of the struct`);
    }
    const ordered = fields.map((field) => [field.field, given.get(field.field)] as const);
    return object(ordered, (name) => schemas.get(name) ?? null, path);
  },
};

/** A value without schema: what it is decides. */
function bare(value: unknown, path: Path): string {
  if (typeof value === 'string') return jsonText(value);
  if (typeof value === 'boolean' || typeof value === 'bigint') return String(value);
  if (typeof value === 'number') return finiteOrQuoted(numberText(undefined, value));
  if (value instanceof Uint8Array) return `"${base64(value)}"`;
  if (Array.isArray(value)) return list(value, null, path);
  const entries = isDecimal(value) ? undefined : entriesOf(value);
  if (entries === undefined) throw failed(path, `${kindOf(value)} has no JSON form`);
  const asObject = entries.every(([key]) => typeof key === 'string');
  return asObject ? object(entries, () => null, path) : pairs(entries, { key: null, value: null }, path);
}

function list(items: readonly unknown[], schema: Schema | null, path: Path): string {
  return `[${items.map((item, index) => within(path, index, () => write(schema, item, path))).join(',')}]`;
}

function object(
  entries: readonly (readonly [unknown, unknown])[],
  schemaOf: (name: string) => Schema | null,
  path: Path,
): string {
  const members = entries.map(([key, value]) => {
    const name = String(key);
    return `${jsonText(name)}:${within(path, name, () => write(schemaOf(name), value, path))}`;
  });
  return `{${members.join(',')}}`;
}

function pairs(
  entries: readonly (readonly [unknown, unknown])[],
  schemas: { readonly key: Schema | null; readonly value: Schema | null },
  path: Path,
): string {
  const items = entries.map(([key, value], index) =>
    within(path, index, () => `[${write(schemas.key, key, path)},${write(schemas.value, value, path)}]`),
  );
  return `[${items.join(',')}]`;
}

/** Runs one level deeper. The path is left as it is when that fails: then it names the place. */
function within(path: Path, step: string | number, run: () => string): string {
  path.steps.push(step);
  const json = run();
  path.steps.pop();
  return json;
}

/** JSON has no word for these; Connect writes them as text. */
function finiteOrQuoted(text: string): string {
  return text.endsWith('y') || text === 'NaN' ? `"${text}"` : text;
}

function mismatch(expected: SchemaType, value: unknown, path: Path): Error {
  const got =
    typeof value === 'number' || typeof value === 'bigint' ? 'a number outside of it' : kindOf(value);
  return failed(path, `expected ${expected}, got ${got}`);
}

function failed(path: Path, message: string): Error {
  return conversionFailed(path.steps.length === 0 ? message : `${path.steps.join('.')}: ${message}`);
}
