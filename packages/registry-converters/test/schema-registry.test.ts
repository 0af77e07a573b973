import { type Schema, stringSchema } from '@levada/connect-runtime-core';
import { logicalTypes } from '@levada/connect-runtime-core/contract';
import { describeWithSchemaRegistry } from '@levada/kafka-testkit/vitest';
import avsc from 'avsc';
import protobuf from 'protobufjs';
import { describe, expect, it } from 'vitest';
import { convert, makeConverter } from './make-converter.ts';

const requiredSchema = (type: Schema['type'], more: Partial<Schema> = {}): Schema => ({
  type,
  optional: false,
  ...more,
});

const price: Schema = {
  type: 'struct',
  optional: false,
  name: 'com.example.Price',
  fields: [
    { field: 'symbol', schema: stringSchema },
    { field: 'bid', schema: { type: 'float64', optional: true } },
    { field: 'size', schema: requiredSchema('int64') },
    { field: 'levels', schema: requiredSchema('array', { items: requiredSchema('int32') }) },
    { field: 'at', schema: requiredSchema('int64', { name: logicalTypes.timestamp, version: 1 }) },
  ],
};
const value = { symbol: 'grün', bid: 1.5, size: 2n ** 40n, levels: [1, -2], at: new Date(1_700_000_000_123) };

describeWithSchemaRegistry('a schema registry', (url) => {
  async function schemaOf(record: Buffer | null): Promise<string> {
    expect(record?.[0]).toBe(0);
    const answer = await fetch(`${url()}/schemas/ids/${record?.readUInt32BE(1)}`);
    return ((await answer.json()) as { readonly schema: string }).schema;
  }
  const config = (more: Record<string, string> = {}) => ({ 'schema.registry.url': url(), ...more });

  it('another decoder reads the record with the registered Avro schema', async () => {
    const converter = makeConverter('AvroConverter', config());
    const record = await convert(converter, { topic: 'avro', schema: price, value });
    const type = avsc.Type.forSchema(JSON.parse(await schemaOf(record)));
    expect(type.fromBuffer(record?.subarray(5) ?? Buffer.of())).toEqual({
      symbol: 'grün',
      bid: 1.5,
      size: 2 ** 40,
      levels: [1, -2],
      at: 1_700_000_000_123,
    });
  });

  it('another decoder reads the record with the registered Protobuf schema', async () => {
    const converter = makeConverter('ProtobufConverter', config());
    const record = await convert(converter, { topic: 'protobuf', schema: price, value });
    const root = new protobuf.Root();
    const timestamp = protobuf.common.get('google/protobuf/timestamp.proto');
    root.addJSON(timestamp?.nested ?? {});
    const { package: name } = protobuf.parse(await schemaOf(record), root, { keepCase: true });
    const message = root.lookupType(`${name}.Price`);
    expect(record?.[5]).toBe(0);
    const decoded = message.decode(record?.subarray(6) ?? Buffer.of());
    expect(message.toObject(decoded, { longs: Number })).toEqual({
      symbol: 'grün',
      bid: 1.5,
      size: 2 ** 40,
      levels: [1, -2],
      at: { seconds: 1_700_000_000, nanos: 123_000_000 },
    });
  });

  it('the record is plain JSON after its id, and its JSON Schema is registered', async () => {
    const converter = makeConverter('JsonSchemaConverter', config());
    const record = await convert(converter, { topic: 'json', schema: price, value });
    const json = { symbol: 'grün', bid: 1.5, size: 2 ** 40, levels: [1, -2], at: 1_700_000_000_123 };
    expect(JSON.parse(record?.subarray(5).toString() ?? '')).toEqual(json);
    expect(JSON.parse(await schemaOf(record))).toMatchObject({
      title: 'com.example.Price',
      properties: { symbol: { type: 'string', 'connect.index': 0 } },
    });
  });

  it('text has a string schema with the same id for every topic', async () => {
    const converter = makeConverter('AvroConverter', config());
    const [one, other] = [
      await convert(converter, { topic: 'text-1', schema: stringSchema, value: '{"a":1}' }),
      await convert(converter, { topic: 'text-2', schema: stringSchema, value: Buffer.from('{"a":1}') }),
    ];
    expect(one).toEqual(other);
    expect(await schemaOf(one)).toBe('"string"');
    const subjects = (await (await fetch(`${url()}/subjects`)).json()) as readonly string[];
    expect(subjects).toEqual(expect.arrayContaining(['text-1-value', 'text-2-value']));
  });

  describe.each([
    ['io.confluent.kafka.serializers.subject.RecordNameStrategy', 'com.example.Price'],
    ['io.confluent.kafka.serializers.subject.TopicRecordNameStrategy', 'named-com.example.Price'],
  ])('%s', (strategy, subject) => {
    it(`the schema is registered under ${subject}`, async () => {
      const keys = config({ 'value.subject.name.strategy': strategy });
      await convert(makeConverter('AvroConverter', keys), { topic: 'named', schema: price, value });
      expect((await fetch(`${url()}/subjects/${subject}/versions/latest`)).status).toBe(200);
    });
  });

  it('a registered schema is found, and records with an unregistered schema are refused', async () => {
    await convert(makeConverter('AvroConverter', config()), { topic: 'known', schema: price, value });
    const looking = makeConverter('AvroConverter', config({ 'auto.register.schemas': 'false' }));
    expect((await convert(looking, { topic: 'known', schema: price, value }))?.[0]).toBe(0);
    await expect(convert(looking, { topic: 'never', schema: price, value })).rejects.toMatchObject({
      code: 'conversion_failed',
      message: expect.stringContaining('(HTTP 404)'),
    });
  });

  it('records are written with the latest version and its defaults for missing fields', async () => {
    const latest = {
      type: 'record',
      name: 'Price',
      namespace: 'com.example',
      fields: [
        { name: 'note', type: ['null', 'string'], default: null },
        { name: 'at', type: 'long' },
        { name: 'levels', type: { type: 'array', items: 'long' } },
        { name: 'size', type: 'double' },
        { name: 'bid', type: ['null', 'double'] },
        { name: 'symbol', type: 'string' },
        { name: 'kind', type: 'int', default: 7 },
      ],
    };
    await fetch(`${url()}/subjects/latest-value/versions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ schema: JSON.stringify(latest) }),
    });
    const keys = config({ 'auto.register.schemas': 'false', 'use.latest.version': 'true' });
    const record = await convert(makeConverter('AvroConverter', keys), {
      topic: 'latest',
      schema: price,
      value,
    });
    const type = avsc.Type.forSchema(JSON.parse(await schemaOf(record)));
    expect(type.fromBuffer(record?.subarray(5) ?? Buffer.of())).toEqual({
      note: null,
      at: 1_700_000_000_123,
      levels: [1, -2],
      size: 2 ** 40,
      bid: 1.5,
      symbol: 'grün',
      kind: 7,
    });
  });

  it('a schema that is incompatible with its subject is refused', async () => {
    const converter = makeConverter('AvroConverter', config());
    await convert(converter, { topic: 'strict', schema: price, value });
    await fetch(`${url()}/config/strict-value`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ compatibility: 'BACKWARD' }),
    });
    const other: Schema = { ...price, fields: [{ field: 'other', schema: requiredSchema('int32') }] };
    await expect(
      convert(converter, { topic: 'strict', schema: other, value: { other: 1 } }),
    ).rejects.toMatchObject({ code: 'conversion_failed', message: expect.stringContaining('(HTTP 409)') });
  });
});
