import type { Schema, SourceRecord } from '@levada/connect-runtime-core';
import type { Decimal } from '@levada/connect-runtime-core/contract';
import { javaDouble, javaFloat } from '@levada/connect-runtime-core/text';

/** JSON of the Java program. */
export type Encoded =
  | null
  | boolean
  | number
  | string
  | readonly Encoded[]
  | { readonly [key: string]: Encoded };

const integers = { int8: 'i8', int16: 'i16', int32: 'i32', int64: 'i64' } as const;

/** A value with its kind, which its schema determines; without a schema, the plain value. */
export function encodeValue(schema: Schema | null, value: unknown): Encoded {
  if (value === null || value === undefined) return null;
  if (value instanceof Date) return { d: value.getTime() };
  if (typeof value === 'boolean') return { b: value };
  if (typeof value === 'string') return { s: value };
  if (value instanceof Uint8Array)
    return schema?.type === 'string'
      ? { s: new TextDecoder().decode(value) }
      : { x: Buffer.from(value).toString('base64') };
  if (typeof value === 'bigint' || typeof value === 'number') return encodeNumber(schema, value);
  if (Array.isArray(value)) return { l: value.map((item) => encodeValue(schema?.items ?? null, item)) };
  if (isDecimal(value)) return { n: [String(value.unscaled), value.scale] };
  const entries = value instanceof Map ? [...value] : Object.entries(value);
  if (schema?.type === 'struct') {
    const values = new Map(entries);
    return {
      r: (schema.fields ?? []).map(({ field, schema: own }) => [field, encodeValue(own, values.get(field))]),
    };
  }
  return {
    m: entries.map(([key, item]) => [
      encodeValue(schema?.keys ?? null, key),
      encodeValue(schema?.items ?? null, item),
    ]),
  };
}

function encodeNumber(schema: Schema | null, value: bigint | number): Encoded {
  const type = schema?.type;
  if (type === 'float32') return { f32: javaFloat(Number(value)) };
  if (type === 'float64') return { f64: javaDouble(Number(value)) };
  if (type !== undefined && Object.hasOwn(integers, type))
    return { [integers[type as keyof typeof integers]]: String(value) };
  return typeof value === 'bigint' || Number.isSafeInteger(value)
    ? { i64: String(value) }
    : { f64: javaDouble(value) };
}

function isDecimal(value: object): value is Decimal {
  return 'unscaled' in value && 'scale' in value;
}

export function encodeSchema(schema: Schema | null): Encoded {
  if (schema === null) return null;
  const { fields, items, keys, default: value, parameters, ...rest } = schema;
  return {
    ...(rest as { readonly [key: string]: Encoded }),
    ...(parameters === undefined ? {} : { parameters }),
    ...(value === undefined || value === null ? {} : { default: encodeValue(schema, value) }),
    ...(schema.type === 'struct'
      ? { fields: (fields ?? []).map(({ field, schema: own }) => ({ field, schema: encodeSchema(own) })) }
      : {}),
    ...(items === undefined ? {} : { items: encodeSchema(items) }),
    ...(keys === undefined ? {} : { keys: encodeSchema(keys) }),
  };
}

export function encodeRecord(record: SourceRecord): Encoded {
  return {
    topic: record.topic,
    partition: record.partition,
    timestamp: record.timestamp,
    keySchema: encodeSchema(record.keySchema),
    key: encodeValue(record.keySchema, record.key),
    valueSchema: encodeSchema(record.valueSchema),
    value: encodeValue(record.valueSchema, record.value),
    headers: record.headers.map(({ key, schema, value }) => ({
      key,
      schema: encodeSchema(schema),
      value: encodeValue(schema, value),
    })),
  };
}

/**
 * A record in a comparable form: numbers without a schema have no width, because JavaScript's have none, entries of maps have no
 * order, and floating point numbers no spelling.
 */
export function comparableForm(record: Encoded): Encoded {
  const { keySchema, valueSchema, key, value, headers, ...rest } = record as Readonly<
    Record<string, Encoded>
  >;
  return {
    ...rest,
    keySchema: schemaForm(keySchema ?? null),
    valueSchema: schemaForm(valueSchema ?? null),
    key: form(key ?? null, keySchema === null),
    value: form(value ?? null, valueSchema === null),
    headers: (headers as readonly Readonly<Record<string, Encoded>>[]).map((header) => ({
      key: header['key'] ?? null,
      schema: schemaForm(header['schema'] ?? null),
      value: form(header['value'] ?? null, isOpen(header['schema'] ?? null)),
    })),
  };
}

/** Whether the content has no schema: there is none, or the schema of the list or map does not specify it. */
function isOpen(schema: Encoded): boolean {
  if (schema === null) return true;
  const { type, items } = schema as Readonly<Record<string, Encoded>>;
  return (type === 'array' || type === 'map') && items === undefined;
}

/** Defaults in schemas are values too. */
function schemaForm(schema: Encoded): Encoded {
  if (Array.isArray(schema)) return schema.map(schemaForm);
  if (schema === null || typeof schema !== 'object') return schema;
  return Object.fromEntries(
    Object.entries(schema).map(([name, part]) => [
      name,
      name === 'default' ? form(part, false) : schemaForm(part),
    ]),
  );
}

function form(value: Encoded, bare: boolean): Encoded {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return value;
  const [entry] = Object.entries(value as Readonly<Record<string, Encoded>>);
  const [kind, held] = entry ?? ['', null];
  if (kind === 'l') return { l: (held as readonly Encoded[]).map((item) => form(item, bare)) };
  if (kind === 'r')
    return {
      r: (held as readonly (readonly [string, Encoded])[]).map(([name, item]) => [name, form(item, bare)]),
    };
  if (kind === 'm') {
    const entries = (held as readonly (readonly [Encoded, Encoded])[]).map(
      ([key, item]): readonly Encoded[] => [form(key, bare), form(item, bare)],
    );
    return { m: entries.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)) };
  }
  if (kind === 'f32' || kind === 'f64') {
    const number = kind === 'f32' ? Math.fround(Number(held)) : Number(held);
    if (bare && Number.isSafeInteger(number)) return { i64: String(number) };
    return bare ? { f64: String(number) } : { [kind]: String(number) };
  }
  return bare && kind.startsWith('i') ? { i64: held } : value;
}
