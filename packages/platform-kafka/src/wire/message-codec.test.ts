import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { javaAnswers } from '@levada/kafka-testkit';
import { describeWithJava } from '@levada/kafka-testkit/vitest';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { ByteReader } from './byte-reader.ts';
import { ByteWriter } from './byte-writer.ts';
import { kafkaApis, requestHeader, responseHeader } from './gen/messages.ts';
import { readMessage, writeMessage } from './message-codec.ts';
import { type FieldTable, includes, type MessageTable } from './message-table.ts';

const definitions = new URL('../../definitions/', import.meta.url);
const peer = {
  source: fileURLToPath(new URL('../../test/java/MessagePeer.java', import.meta.url)),
  version: '4.3.1',
} as const;
/** Random values of each message in each version. */
const RUNS = 12;

type Struct = Readonly<Record<string, unknown>>;

const tables: readonly MessageTable[] = [
  requestHeader,
  responseHeader,
  ...Object.values(kafkaApis).flatMap(({ request, response }) => [request, response]),
];
const everyVersion = tables.flatMap((table) => {
  const [oldest, newest] = table.versions;
  return Array.from({ length: newest - oldest + 1 }, (_, i) => ({ table, version: oldest + i }));
});

function written(table: MessageTable, version: number, value: object): Buffer {
  const writer = new ByteWriter();
  writeMessage(writer, { table, version, value });
  return writer.written;
}

function read(table: MessageTable, version: number, bytes: Buffer): Struct {
  const reader = new ByteReader(bytes);
  const value = readMessage(reader, table, version);
  expect(reader.left).toBe(0);
  return value as Struct;
}

const singles: Readonly<Record<FieldTable['type'], fc.Arbitrary<unknown>>> = {
  bool: fc.boolean(),
  int8: fc.integer({ min: -0x80, max: 0x7f }),
  int16: fc.integer({ min: -0x8000, max: 0x7fff }),
  uint16: fc.integer({ min: 0, max: 0xffff }),
  int32: fc.integer(),
  uint32: fc.integer({ min: 0, max: 0xffffffff }),
  int64: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
  float64: fc.double({ noNaN: true, noDefaultInfinity: true }),
  string: fc.oneof(fc.string({ unit: 'binary' }), fc.string({ minLength: 120, maxLength: 140 })),
  uuid: fc
    .uint8Array({ minLength: 16, maxLength: 16 })
    .map((bytes) => Buffer.from(bytes).toString('base64url')),
  bytes: fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
  records: fc.uint8Array().map((bytes) => Buffer.from(bytes)),
  struct: fc.constant(undefined),
};

/** Values of the fields of a version. */
function structs(fields: readonly FieldTable[], version: number): fc.Arbitrary<Struct> {
  const own = fields.filter(({ versions = [0] }) => includes(versions, version));
  return fc.record(
    Object.fromEntries(
      own.map((field) => {
        const { type, list, nullable, fields: inner = [] } = field;
        const single = type === 'struct' ? structs(inner, version) : singles[type];
        const whole = list ? fc.array(single, { maxLength: 3 }) : single;
        return [field.name, includes(nullable, version) ? fc.option(whole, { freq: 4 }) : whole];
      }),
    ),
  );
}

/** As Kafka's JSON converters write it: only fields of the version, 64-bit integers as numbers, bytes in base64. */
function jsonOf(fields: readonly FieldTable[], version: number, struct: Struct): string {
  const text = (value: unknown, { type, fields: inner = [] }: FieldTable): string => {
    if (value === null) return 'null';
    if (Array.isArray(value))
      return `[${value.map((item) => text(item, { name: '', type, fields: inner })).join()}]`;
    if (type === 'struct') return jsonOf(inner, version, value as Struct);
    if (typeof value === 'bigint') return String(value);
    return JSON.stringify(Buffer.isBuffer(value) ? value.toString('base64') : value);
  };
  const own = fields.filter(({ versions = [0] }) => includes(versions, version));
  return `{${own.map((field) => `"${field.name}":${text(struct[field.name], field)}`).join()}}`;
}

describeWithJava("Kafka's own classes of messages", '4.3.1', () => {
  const cases = everyVersion.flatMap(({ table, version }) =>
    fc.sample(structs(table.fields, version), RUNS).map((value) => ({
      name: `${table.name} ${version}`,
      table,
      version,
      value,
      json: jsonOf(table.fields, version, value),
    })),
  );
  const definitionFiles = readdirSync(definitions).filter((name) => name.endsWith('.json'));
  let answers: readonly string[] = [];
  beforeAll(async () => {
    answers = await javaAnswers(peer, [
      ...cases.map(({ name, json }) => `write ${name} ${json}`),
      ...everyVersion.map(({ table, version }) => `default ${table.name} ${version}`),
      ...definitionFiles.map((name) => `definition ${name.replace(/\.json$/, '')}`),
    ]);
  }, 60_000);

  it('random values of every message and version have the bytes of Kafka’s classes, and are read back unchanged', () => {
    expect(cases.length).toBeGreaterThan(2000);
    const different = cases.flatMap(({ name, table, version, value, json }, i) => {
      const same = written(table, version, value).toString('hex') === answers[i];
      const bytes = Buffer.from(answers[i] ?? '', 'hex');
      const back = same && jsonOf(table.fields, version, read(table, version, bytes)) === json;
      return back ? [] : [`${name}: ${json} is ${answers[i]}`];
    });
    expect(different.slice(0, 5)).toEqual([]);
  });

  it('defaults equal those of Kafka’s classes, and values without a field in the version are refused', () => {
    const ours = everyVersion.map(({ table, version }) => {
      try {
        return written(table, version, {}).toString('hex');
      } catch {
        return 'refused';
      }
    });
    const theirs = answers.slice(cases.length, cases.length + ours.length);
    expect(ours).toEqual(theirs.map((answer) => answer.replace(/^refused: .*/, 'refused')));
  });

  it('the copied definitions are those of Kafka’s classes', () => {
    expect(definitionFiles).toHaveLength(tables.length);
    const copied = definitionFiles.map((name) => readFileSync(new URL(name, definitions)).toString('base64'));
    expect(copied).toEqual(answers.slice(-copied.length));
  });
});

describe('a message', () => {
  const { request, response } = kafkaApis.Metadata;

  it('unknown tagged fields are skipped', () => {
    const known = written(requestHeader, 2, { clientId: 'a' });
    const bytes = Buffer.concat([
      known.subarray(0, -1),
      Buffer.from('0205023132', 'hex'),
      Buffer.from('0600', 'hex'),
    ]);
    expect(read(requestHeader, 2, bytes)).toMatchObject({ clientId: 'a' });
  });

  it('a value without a field in the version is refused unless it is ignorable', () => {
    const topics = [{ name: 'a' }];
    expect(() => written(request, 3, { topics, allowAutoTopicCreation: false })).toThrow(
      'version 3 has no field "allowAutoTopicCreation"',
    );
    expect(written(request, 3, { topics: [{ name: 'a', topicId: `${'B'.repeat(21)}A` }] })).toEqual(
      written(request, 3, { topics }),
    );
  });

  it('null is refused in a version that does not allow it', () => {
    const topics = [{ name: null }];
    expect(() => written(request, 9, { topics })).toThrow('"name" cannot be null in version 9');
    expect(read(request, 10, written(request, 10, { topics }))).toMatchObject({ topics });
    const nameIsNull = Buffer.from('0200000000000000', 'hex');
    expect(() => read(request, 9, nameIsNull)).toThrow('"name" is null, which version 9 does not allow');
  });

  it('text that is too long for its length field is refused', () => {
    const topics = [{ name: 'a'.repeat(40_000) }];
    expect(() => written(request, 8, { topics })).toThrow(RangeError);
    expect(read(request, 9, written(request, 9, { topics }))).toMatchObject({ topics });
  });

  it('no memory is allocated for a list of impossible length', () => {
    expect(() => read(response, 0, Buffer.from('7fffffff', 'hex'))).toThrow(
      'a list of 2147483647 items does not fit into 0 bytes',
    );
  });

  it.each([0, 8, 11])('a truncated answer of version %i is refused', (version) => {
    const value = { brokers: [{ nodeId: 1, host: 'a', port: 9092 }], topics: [] };
    const whole = written(response, version, value);
    for (let length = 0; length < whole.length; length++)
      expect(() => read(response, version, whole.subarray(0, length))).toThrow(RangeError);
    expect(read(response, version, whole)).toMatchObject(value);
  });
});
