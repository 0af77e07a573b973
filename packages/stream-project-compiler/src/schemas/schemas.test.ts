import { Ajv2020 } from 'ajv/dist/2020.js';
import avsc from 'avsc';
import fc from 'fast-check';
import protobuf from 'protobufjs';
import { describe, expect, test } from 'vitest';
import { declaredType } from '../types/type-of-data-type.ts';
import { avroSchema } from './avro-schema.ts';
import { jsonRecordSchema } from './json-record-schema.ts';
import { fieldNumber, protobufClass, protobufSchema } from './protobuf-schema.ts';
import type { RecordSchema, SchemaResult } from './record-schema.ts';

function record(columns: Readonly<Record<string, string>>): RecordSchema {
  return {
    project: 'shop-eu',
    name: 'order-lines.v2',
    doc: 'Lines of orders\nthat were paid',
    columns: Object.entries(columns).map(([name, text]) => {
      const type = declaredType(text);
      if (type === undefined) throw new Error(`${text} is no type`);
      return { name, type };
    }),
  };
}

const everything = record({
  id: 'BIGINT NOT NULL',
  flag: 'BOOLEAN',
  small: 'SMALLINT',
  price: 'DECIMAL(10, 2)',
  ts: 'TIMESTAMP(3)',
  seen: 'TIMESTAMP_LTZ(6)',
  day: 'DATE',
  at: 'TIME',
  __raw: 'BYTES',
  address: 'ROW<street STRING NOT NULL, geo ROW<lat DOUBLE, lon DOUBLE>>',
  lines: 'ARRAY<ROW<sku STRING, amount INT> NOT NULL>',
  attributes: 'MAP<STRING, BIGINT NOT NULL>',
});

function textOf(result: SchemaResult): string {
  if ('text' in result) return result.text;
  throw new Error(`${result.misfit.column} ${result.misfit.why}`);
}

function misfitOf(result: SchemaResult): string {
  return 'text' in result ? result.text : `${result.misfit.column} ${result.misfit.why}`;
}

describe('a schema in Avro', () => {
  const row = {
    id: 7,
    flag: true,
    small: null,
    price: Buffer.from([1, 0]),
    ts: 1,
    seen: 1,
    day: 1,
    at: 1,
    __raw: Buffer.from('x'),
    address: { street: 'a', geo: { lat: 1.5, lon: null } },
    lines: [{ sku: 's', amount: 1 }],
    attributes: { a: 1 },
  };

  test('is read by another library, which writes and reads a row of all types with it', () => {
    const type = avsc.Type.forSchema(JSON.parse(textOf(avroSchema(everything))), { wrapUnions: false });
    expect(type.name).toBe('shop_eu.order_lines_v2');
    expect(JSON.stringify(type.fromBuffer(type.toBuffer(row)))).toBe(JSON.stringify(row));
  });

  test('has the logical types of numbers with a scale, days and times, and null as default of what may be null', () => {
    const { fields } = JSON.parse(textOf(avroSchema(everything)));
    const typeOf = (name: string) => fields.find((field: { name: string }) => field.name === name);
    expect(typeOf('id')).toEqual({ name: 'id', type: 'long' });
    expect(typeOf('price')).toEqual({
      name: 'price',
      type: ['null', { type: 'bytes', logicalType: 'decimal', precision: 10, scale: 2 }],
      default: null,
    });
    expect(typeOf('ts').type[1]).toEqual({ type: 'long', logicalType: 'timestamp-millis' });
    expect(typeOf('seen').type[1]).toEqual({ type: 'long', logicalType: 'timestamp-micros' });
    expect(typeOf('day').type[1]).toEqual({ type: 'int', logicalType: 'date' });
    expect(typeOf('at').type[1]).toEqual({ type: 'int', logicalType: 'time-millis' });
  });

  test.each([
    [{ 'a b': 'INT' }, 'a b has a name that Avro does not allow'],
    [{ a: 'ROW<`x-y` INT>' }, 'a.x-y has a name that Avro does not allow'],
    [{ a: 'MULTISET<STRING>' }, 'a is MULTISET, which Avro does not have'],
    [{ a: 'ARRAY<MAP<INT, INT>>' }, 'a is a MAP whose keys are not text'],
  ])('does not exist for %j', (columns, why) => {
    expect(misfitOf(avroSchema(record(columns)))).toContain(why);
  });
});

describe('a schema in JSON', () => {
  const check = (columns: RecordSchema, rows?: 'changes') =>
    new Ajv2020({ strict: true, allowUnionTypes: true, formats: { date: /^[0-9-]+$/ } }).compile(
      JSON.parse(textOf(jsonRecordSchema(columns, rows))),
    );
  const row = {
    id: 7,
    flag: null,
    small: -32_768,
    price: 1.25,
    ts: '2026-01-31 10:00:00.5',
    seen: '2026-01-31 10:00:00.123456Z',
    day: '2026-01-31',
    at: '10:00:00',
    __raw: 'eA==',
    address: { street: 'a', geo: { lat: 1.5, lon: null } },
    lines: [{ sku: 's', amount: 1 }],
    attributes: { a: 1 },
  };

  test('takes what the engine writes, with null or nothing for what may be null', () => {
    const isRow = check(everything);
    expect([isRow(row), isRow({ id: 7 })]).toEqual([true, true]);
  });

  test.each([
    { ...row, id: null },
    { flag: true },
    { ...row, small: 40_000 },
    { ...row, ts: '2026-01-31T10:00:00' },
    { ...row, seen: '2026-01-31 10:00:00' },
    { ...row, price: '1.25' },
    { ...row, other: 1 },
    { ...row, address: { geo: null } },
    { ...row, lines: [null] },
    { ...row, attributes: { a: null } },
  ])('does not take %j', (other) => {
    expect(check(everything)(other)).toBe(false);
  });

  test('describes changes with the row before and after them', () => {
    const isChange = check(everything, 'changes');
    expect(isChange({ before: null, after: row, op: 'c' })).toBe(true);
    expect(isChange(row)).toBe(false);
  });

  test('does not exist for maps whose keys are not text', () => {
    expect(misfitOf(jsonRecordSchema(record({ a: 'MAP<INT, INT>' })))).toContain(
      'a is a MAP whose keys are not text',
    );
  });
});

describe('a schema in Protobuf', () => {
  test('is read by another library, which writes and reads a row of all types with it', () => {
    const { root } = protobuf.parse(textOf(protobufSchema(everything)), { keepCase: true });
    root.addJSON(protobuf.common.get('google/protobuf/timestamp.proto')?.nested ?? {});
    const type = root.lookupType('shop_eu.OrderLinesV2');
    const row = {
      id: 7,
      flag: true,
      price: '1.25',
      ts: { seconds: 1, nanos: 500 },
      day: '2026-01-31',
      address: { street: 'a', geo: { lat: 1.5 } },
      lines: [{ sku: 's', amount: 1 }],
      attributes: { a: 1 },
    };
    const read = type.decode(type.encode(type.fromObject(row)).finish());
    expect(type.toObject(read, { longs: Number })).toEqual(row);
    expect(protobufClass(everything)).toBe('shop_eu.OrderLinesV2');
  });

  test('gives each field the same number whatever other columns there are', () => {
    const numbers = (columns: readonly string[]) => {
      const text = textOf(protobufSchema(record(Object.fromEntries(columns.map((name) => [name, 'INT'])))));
      const fields = protobuf.parse(text, { keepCase: true }).root.lookupType('shop_eu.OrderLinesV2').fields;
      return Object.fromEntries(Object.values(fields).map(({ name, id }) => [name, id]));
    };
    const all = numbers(['id', 'total', 'customer', 'ts']);
    expect(all).toEqual(numbers(['ts', 'customer', 'total', 'id']));
    expect(all).toMatchObject(numbers(['ts', 'id']));
    // These never change: records that were written once would not be read any more
    expect(all).toMatchObject({ id: 389_575_346, ts: 105_208_363 });
  });

  test('gives numbers that fields may have', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (name) => {
        const number = fieldNumber(name);
        expect(number).toBeGreaterThan(0);
        expect(number).toBeLessThan(2 ** 29);
        expect(number >= 19_000 && number < 20_000).toBe(false);
      }),
    );
  });

  test.each([
    [{ 'a b': 'INT' }, 'a b has a name that Protobuf does not allow'],
    [{ a_b: 'INT', aB: 'INT' }, 'aB differs from column "a_b" only in "_" and capital letters'],
    [{ a: 'ARRAY<ARRAY<INT>>' }, 'a holds ARRAY where Protobuf has none'],
    [{ a: 'MAP<DOUBLE, INT>' }, 'a holds MAP where Protobuf has none'],
    [Object.fromEntries(sameNumber().map((name) => [name, 'INT'])), 'has the number of column'],
  ])('does not exist for %j', (columns, why) => {
    expect(misfitOf(protobufSchema(record(columns)))).toContain(why);
  });
});

/** Two names whose hashes are the same. */
function sameNumber(): readonly string[] {
  const seen = new Map<number, string>();
  for (let index = 0; index < 200_000; index += 1) {
    const name = `column${index}`;
    const number = fieldNumber(name);
    const other = seen.get(number);
    if (other !== undefined) return [other, name];
    seen.set(number, name);
  }
  throw new Error('no two names have one number');
}
