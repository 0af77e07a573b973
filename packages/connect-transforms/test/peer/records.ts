import { type Schema, type SourceRecord, sourceRecord } from '@levada/connect-runtime-core';
import { logicalTypes } from '@levada/connect-runtime-core/contract';
import type { Random } from './random.ts';

/** Names of fields, also used by configurations. */
export const fieldNames: readonly string[] = ['a', 'b', 'c', 'd.e', 'f', 'nested'];

const texts: readonly string[] = [
  '',
  'abc',
  '0',
  '12',
  '-7',
  '+5',
  '300',
  '70000',
  '3000000000',
  '99999999999999999999',
  '3.5',
  '1e3',
  ' 42',
  'true',
  'TRUE',
  'NaN',
  '1.5f',
  '2021-03-04',
  '2021-03-04 05:06:07',
  '20210304',
  '04.03.21 17:00',
  'Thu, 4 Mar 2021 05:06:07 +0100',
  '12:30',
  '12:30 PM',
  '0:05 am',
  '25:61',
  '2021-3-4',
  '2021-13-45',
  '-5-06-07',
  '99-1-2',
  '  2021-03-04 trailing',
  '2021-03-04T05:06:07.123Z',
  '2021-03-04T05:06:07+02:00',
  '2021-063',
  'Mar 4 2021',
  '0001-01-01',
  '1582-10-14 00:00:00',
  '1500-02-29',
  'march 4 21',
  'Thursday March 63 4',
  '20210304050607123',
  '0102030405',
  '123456',
  'grüße \u{1f600}',
];

const leafTypes = [
  'int8',
  'int16',
  'int32',
  'int64',
  'float32',
  'float64',
  'boolean',
  'string',
  'bytes',
] as const;

const logicalSchemas: readonly Schema[] = [
  { type: 'int32', optional: false, name: logicalTypes.date, version: 1 },
  { type: 'int32', optional: false, name: logicalTypes.time, version: 1 },
  { type: 'int64', optional: false, name: logicalTypes.timestamp, version: 1 },
  { type: 'bytes', optional: false, name: logicalTypes.decimal, version: 1, parameters: { scale: '2' } },
];

/** A random schema. Structs nest, and some have defaults, names, versions and documentation. */
function schemaOf(random: Random, depth: number): Schema {
  const optional = random.chance(0.5);
  const schema = { ...bareSchema(random, depth), optional };
  const named =
    schema.name === undefined && random.chance(0.1)
      ? { ...schema, name: 'example.Name', version: 1 + random.below(3), doc: 'An example' }
      : schema;
  // Kafka does not support defaults in structs that it cannot compare
  if (named.type === 'struct' || named.type === 'map' || !random.chance(0.2)) return named;
  return { ...named, default: sampleOf(random, { ...named, optional: false }) };
}

function bareSchema(random: Random, depth: number): Schema {
  const kind = random.next();
  if (kind < 0.2) return random.pick(logicalSchemas);
  if (depth > 0 && kind < 0.35) return structOf(random, depth);
  if (depth > 0 && kind < 0.42) return { type: 'array', optional: false, items: schemaOf(random, 0) };
  if (depth > 0 && kind < 0.46) {
    const keys: Schema = { type: random.chance(0.7) ? 'string' : 'int32', optional: false };
    return { type: 'map', optional: false, keys, items: schemaOf(random, 0) };
  }
  return { type: random.pick(leafTypes), optional: false };
}

function structOf(random: Random, depth: number): Schema {
  const names = random.some(fieldNames, 0.6);
  const fields = names.map((field) => ({ field, schema: schemaOf(random, depth - 1) }));
  return { type: 'struct', optional: false, fields };
}

const integerLimits = { int8: 128, int16: 32_768, int32: 2 ** 31, int64: 2 ** 53 } as const;

/** A value of a schema; null if allowed. */
function sampleOf(random: Random, schema: Schema): unknown {
  if (schema.optional && random.chance(0.2)) return null;
  const day = (random.below(30_000) - (random.chance(0.05) ? 700_000 : 0)) * 86_400_000;
  const time = random.below(86_400_000);
  if (schema.name === logicalTypes.date) return new Date(day);
  if (schema.name === logicalTypes.time) return new Date(time);
  if (schema.name === logicalTypes.timestamp) return new Date(random.chance(0.3) ? day : day + time);
  if (schema.name === logicalTypes.decimal)
    return { unscaled: BigInt(random.below(2 ** 40) - 2 ** 39), scale: 2 };
  switch (schema.type) {
    case 'int8':
    case 'int16':
    case 'int32':
    case 'int64':
      return integerOf(random, schema.type);
    case 'float32':
      return Math.fround(numberOf(random));
    case 'float64':
      return numberOf(random);
    case 'boolean':
      return random.chance(0.5);
    case 'string': {
      const text = random.pick(texts);
      return random.chance(0.2) ? Buffer.from(text) : text;
    }
    case 'bytes':
      return Buffer.from(random.pick(['', 'bytes', '\u0000\u00ff']), 'latin1');
    case 'array':
      return Array.from({ length: random.below(3) }, () => sampleOf(random, schema.items as Schema));
    case 'map': {
      const { keys, items } = schema as Required<Schema>;
      const names = keys.type === 'string' ? random.some(fieldNames, 0.3) : random.some([1, 2, 3], 0.3);
      return new Map(names.map((name) => [name, sampleOf(random, items)]));
    }
    case 'struct':
      return new Map(schema.fields?.map(({ field, schema: own }) => [field, fieldOf(random, own)]));
  }
}

/** A field with a default may also be null. */
function fieldOf(random: Random, schema: Schema): unknown {
  return schema.default !== undefined && random.chance(0.3) ? null : sampleOf(random, schema);
}

function integerOf(random: Random, type: keyof typeof integerLimits): number | bigint {
  const limit = integerLimits[type];
  const value = random.pick([
    0,
    1,
    -1,
    7,
    100,
    limit - 1,
    -limit + 1,
    random.below(limit),
    1_600_000_000_000 % limit,
  ]);
  if (type !== 'int64') return value;
  if (random.chance(0.05)) return random.pick([2n ** 63n - 1n, -(2n ** 63n)]);
  return random.chance(0.3) ? BigInt(value) : value;
}

function numberOf(random: Random): number {
  return random.pick([
    0,
    0.5,
    -1.5,
    3.25,
    1e10 + 0.5,
    1e20,
    -1e300,
    127.9,
    1e-7,
    random.next() * 1000,
    Number.NaN,
  ]);
}

/** A value without a schema, as in JSON, sometimes with bytes and dates. */
function bareValue(random: Random, depth: number): unknown {
  const kind = random.next();
  if (kind < 0.1) return null;
  if (depth > 0 && kind < 0.25) return mapOf(random, depth);
  if (depth > 0 && kind < 0.32) return Array.from({ length: random.below(3) }, () => bareValue(random, 0));
  if (kind < 0.5) return random.pick(texts);
  if (kind < 0.6) return random.chance(0.5);
  if (kind < 0.65) return Buffer.from('bytes');
  if (kind < 0.7) return new Date(random.below(2 ** 40));
  if (kind < 0.73) return { unscaled: 1234n, scale: 2 };
  if (kind < 0.85) return random.pick([0.5, -1.5, 1e20, 127.9, 1e-7]);
  return integerOf(random, 'int64');
}

function mapOf(random: Random, depth: number): unknown {
  const entries = random.some(fieldNames, 0.6).map((name) => [name, bareValue(random, depth - 1)] as const);
  return random.chance(0.5) ? new Map(entries) : Object.fromEntries(entries);
}

/** A key or value, usually a struct or a map. */
function partOf(random: Random): { readonly schema: Schema | null; readonly value: unknown } {
  const kind = random.next();
  if (kind < 0.05) return { schema: null, value: null };
  if (kind < 0.35)
    return { schema: null, value: random.chance(0.8) ? mapOf(random, 2) : bareValue(random, 0) };
  const schema = random.chance(0.75)
    ? {
        ...structOf(random, 2),
        optional: random.chance(0.3),
        ...(random.chance(0.2) ? { name: 'example.Struct' } : {}),
      }
    : schemaOf(random, 1);
  return { schema, value: sampleOf(random, schema) };
}

export function recordOf(random: Random): SourceRecord {
  const [key, value] = [partOf(random), partOf(random)];
  const headers = random.some(['h1', 'h2', 'h1'], 0.4).map((name) => {
    const { schema, value: held } = random.chance(0.5) ? partOf(random) : { schema: null, value: 'text' };
    return { key: name, schema, value: held };
  });
  return sourceRecord({
    topic: random.pick(['orders', 'prices-eu', 'prices-us', 'a.b.c', 'x']),
    partition: random.chance(0.5) ? random.below(8) : null,
    timestamp: random.chance(0.8) ? random.below(2 ** 41) : null,
    keySchema: key.schema,
    key: key.value,
    valueSchema: value.schema,
    value: value.value,
    headers,
  });
}
