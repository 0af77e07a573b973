import { type Schema, stringSchema } from '@levada/connect-runtime-core';
import { logicalTypes } from '@levada/connect-runtime-core/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { convert, makeConverter } from './make-converter.ts';
import { type RegistryHere, startRegistryHere } from './registry-here.ts';

let registry: RegistryHere;
beforeAll(async () => {
  registry = await startRegistryHere(() => [200, { id: 1 }]);
});
afterAll(() => registry.close());

const of = (type: Schema['type'], more: Partial<Schema> = {}): Schema => ({ type, optional: false, ...more });
const struct = (fields: Readonly<Record<string, Schema>>, more: Partial<Schema> = {}): Schema =>
  of('struct', { fields: Object.entries(fields).map(([field, schema]) => ({ field, schema })), ...more });
const point = struct({ x: of('int32') }, { name: 'Point' });
const circular: { -readonly [K in keyof Schema]: Schema[K] } = { type: 'array', optional: false };
circular.items = circular;

const all = ['AvroConverter', 'JsonSchemaConverter', 'ProtobufConverter'];

describe.each(all)('%s', (simpleName) => {
  const tryConvert = async (schema: Schema | null, value: unknown): Promise<unknown> => {
    const converter = makeConverter(simpleName, { 'schema.registry.url': registry.url });
    return await convert(converter, { topic: 't', schema, value }).catch((error: unknown) => error);
  };

  it.each<[string, Schema, unknown, string]>([
    [
      'a number outside of its type',
      struct({ a: of('int8') }),
      { a: 128 },
      'a: expected int8, got a number outside of it',
    ],
    [
      'a number for text',
      struct({ a: stringSchema }),
      { a: 5 },
      'a: expected string, got a number outside of it',
    ],
    [
      'a missing required field',
      point,
      {},
      'x: null value for field that is required and has no default value',
    ],
    ['a field that is not there', point, { x: 1, y: 2 }, '"y" is not a field of the struct'],
    ['an array for a struct', point, [], 'expected struct, got array'],
    [
      'a decimal of another scale',
      struct({ d: of('bytes', { name: logicalTypes.decimal, parameters: { scale: '2' } }) }),
      { d: { unscaled: 1n, scale: 3 } },
      'd: the decimal has the scale 3, its schema says 2',
    ],
    [
      'a date with a time of day',
      struct({ d: of('int32', { name: logicalTypes.date }) }),
      { d: new Date(5) },
      'd: a date may have no time of day',
    ],
    [
      'a place within an array',
      struct({ list: of('array', { items: point }) }),
      { list: [{ x: 1 }, { x: 'one' }] },
      'list.1.x: expected int32, got string',
    ],
  ])('%s is refused with its place', async (_, schema, value, message) => {
    expect(await tryConvert(schema, value)).toMatchObject({ code: 'conversion_failed', message });
  });

  it('a recursive schema is refused', async () => {
    expect(await tryConvert(struct({ a: circular }), { a: [] })).toMatchObject({ code: 'conversion_failed' });
  });
});

describe('a name that the format does not take', () => {
  it.each(['AvroConverter', 'ProtobufConverter'])(
    '%s refuses an invalid name and mentions scrub.invalid.names',
    async (simpleName) => {
      const schema = struct({ 'a-b': of('int32') }, { name: 'S' });
      const keys = { 'schema.registry.url': registry.url };
      const record = { topic: 't', schema, value: { 'a-b': 1 } };
      await expect(convert(makeConverter(simpleName, keys), record)).rejects.toThrow(
        'set scrub.invalid.names=true',
      );
      const scrubbing = makeConverter(simpleName, { ...keys, 'scrub.invalid.names': 'true' });
      expect(await convert(scrubbing, record)).not.toBeNull();
    },
  );
});

describe('names that differ only in what a format does not take', () => {
  it.each(['AvroConverter', 'ProtobufConverter'])(
    '%s refuses names that are equal after scrubbing',
    async (simpleName) => {
      const keys = { 'schema.registry.url': registry.url, 'scrub.invalid.names': 'true' };
      const schema = struct({ 'a-b': of('int32'), 'a.b': of('int32') }, { name: 'S' });
      const record = { topic: 't', schema, value: { 'a-b': 1, 'a.b': 2 } };
      await expect(convert(makeConverter(simpleName, keys), record)).rejects.toMatchObject({
        code: 'conversion_failed',
        message: 'two fields of the struct have the name "a_b" after scrub.invalid.names',
      });
    },
  );
});

describe('ProtobufConverter', () => {
  const converter = () => makeConverter('ProtobufConverter', { 'schema.registry.url': registry.url });

  it.each<[Schema | null, unknown, string]>([
    [null, { a: 1 }, 'ProtobufConverter needs a schema'],
    [of('array', { items: stringSchema }), ['a'], 'put it into a struct'],
    [of('int64', { name: logicalTypes.timestamp }), new Date(0), 'put it into a struct'],
    [
      struct({ a: of('array', { items: of('array', { items: stringSchema }) }) }),
      { a: [] },
      'no array of type array',
    ],
    [
      struct({ a: of('array', { items: { ...stringSchema, optional: true } }) }),
      { a: [null] },
      'a.0: Protobuf has no null',
    ],
  ])('refuses what Protobuf cannot say: case %#', async (schema, value, message) => {
    await expect(convert(converter(), { topic: 't', schema, value })).rejects.toThrow(message);
  });
});

describe('a parameter of a schema that has to be a number', () => {
  it.each<[string, string, Schema, unknown, string]>([
    [
      'the precision of a decimal',
      'AvroConverter',
      of('bytes', {
        name: logicalTypes.decimal,
        parameters: { scale: '2', 'connect.decimal.precision': 'nine' },
      }),
      { unscaled: 1n, scale: 2 },
      'd: the parameter "connect.decimal.precision" is "nine", expected a whole number from 1',
    ],
    [
      'the size of bytes',
      'AvroConverter',
      of('bytes', { name: 'F', parameters: { 'connect.fixed.size': '-1' } }),
      Buffer.of(1),
      'd: the parameter "connect.fixed.size" is "-1", expected a whole number from 0',
    ],
    [
      'the number of a field',
      'ProtobufConverter',
      of('int32', { parameters: { 'io.confluent.connect.protobuf.Tag': 'one' } }),
      1,
      'd: the parameter "io.confluent.connect.protobuf.Tag" is "one", expected a whole number from 1',
    ],
  ])('is refused when it is none: %s', async (_, simpleName, schema, value, message) => {
    const converter = makeConverter(simpleName, { 'schema.registry.url': registry.url });
    const record = { topic: 't', schema: struct({ d: schema }), value: { d: value } };
    await expect(convert(converter, record)).rejects.toMatchObject({ code: 'conversion_failed', message });
  });
});

describe('AvroConverter', () => {
  it('an invalid record name is refused, but an invalid namespace is not', async () => {
    const converter = makeConverter('AvroConverter', { 'schema.registry.url': registry.url });
    const convertNamed = (name: string) =>
      convert(converter, { topic: 't', schema: { ...point, name }, value: { x: 1 } });
    await expect(convertNamed('com.example.my-point')).rejects.toThrow(
      '"my-point" cannot be the name of an Avro type; set scrub.invalid.names=true',
    );
    expect(await convertNamed('my-company.Point')).not.toBeNull();
  });

  it('two different structs with one name are refused', async () => {
    const other = struct({ y: of('int32') }, { name: 'Point' });
    const schema = struct({ a: point, b: other });
    const converter = makeConverter('AvroConverter', { 'schema.registry.url': registry.url });
    await expect(
      convert(converter, { topic: 't', schema, value: { a: { x: 1 }, b: { y: 1 } } }),
    ).rejects.toThrow('the name "Point" stands for two different types');
  });

  it('a nested map with different entries is refused, and maps with equal entries are accepted', async () => {
    const keys = of('int32');
    const entries = (items: Schema): Schema => of('map', { keys, items });
    const converter = makeConverter('AvroConverter', { 'schema.registry.url': registry.url });
    const within = { topic: 't', schema: entries(entries(stringSchema)), value: new Map() };
    await expect(convert(converter, within)).rejects.toThrow('MapEntry" stands for two different types');
    const siblings = struct({ a: entries(stringSchema), b: entries({ ...stringSchema }) });
    const value = { a: new Map([[1, 'x']]), b: new Map() };
    expect((await convert(converter, { topic: 't', schema: siblings, value }))?.toString('hex')).toBe(
      '0000000001020202780000',
    );
  });

  it('null of an optional schema is stored as null without a request to the registry', async () => {
    const before = registry.requests.length;
    const converter = makeConverter('AvroConverter', { 'schema.registry.url': registry.url });
    const schema = { ...stringSchema, optional: true };
    expect(await convert(converter, { topic: 't', schema, value: null })).toBeNull();
    expect(registry.requests.length).toBe(before);
  });
});
