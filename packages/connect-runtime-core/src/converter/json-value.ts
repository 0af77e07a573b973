import type { Schema, SchemaType } from '../contract/schema.ts';
import { javaDouble, javaFloat, numberText } from '../text/java-number.ts';
import { base64 } from './base64.ts';
import { conversionFailed, entriesOf, kindOf } from './conversion-failed.ts';
import { MAX_DEPTH } from './json-schema.ts';
import { jsonText } from './json-text.ts';

/** Names of fields, keys and indexes from the top down to the value at hand, for error messages. */
type Path = (string | number)[];

/** Writes a value that is there; the schema says what it is. */
type Writer = (schema: Schema, value: unknown, path: Path) => string;

/**
 * A value as JSON, as Kafka Connect's `JsonConverter` writes it: bytes as base64, structs and maps with text keys as
 * objects, other maps as lists of pairs. Structs and maps are plain objects or Maps. Throws `conversion_failed`, naming
 * the place.
 */
export function valueJson(schema: Schema | null, value: unknown): string {
  return write(schema, value, []);
}

function write(schema: Schema | null, value: unknown, path: Path): string {
  if (path.length > MAX_DEPTH) throw conversionFailed(`value is nested deeper than ${MAX_DEPTH}`);
  if (value === null || value === undefined) {
    if (schema === null || schema.optional) return 'null';
    throw failed(path, 'Conversion error: null value for field that is required and has no default value');
  }
  return schema === null ? bare(value, path) : writers[schema.type](schema, value, path);
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
  const entries = entriesOf(value);
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
  path.push(step);
  const json = run();
  path.pop();
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
  return conversionFailed(path.length === 0 ? message : `${path.join('.')}: ${message}`);
}
