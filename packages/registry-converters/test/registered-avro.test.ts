import { type Schema, stringSchema } from '@levada/connect-runtime-core';
import { logicalTypes } from '@levada/connect-runtime-core/contract';
import { describe, expect, it, onTestFinished } from 'vitest';
import { convert, makeConverter } from './make-converter.ts';
import { startRegistryHere } from './registry-here.ts';

const of = (type: Schema['type'], more: Partial<Schema> = {}): Schema => ({ type, optional: false, ...more });
const structNamed = (name: string): Schema =>
  of('struct', { name, fields: [{ field: 'x', schema: of('int32') }] });
const record = (name: string) => ({ type: 'record', name, fields: [{ name: 'x', type: 'int' }] });
const day = { type: 'enum', name: 'Day', symbols: ['x'] };
const money = of('bytes', { name: logicalTypes.decimal, parameters: { scale: '2' } });
const moment = of('int64', { name: logicalTypes.timestamp });

/** A value written with the latest version of its subject, without magic byte and id. */
async function writeWith(latest: unknown, schema: Schema, value: unknown): Promise<string | undefined> {
  const registry = await startRegistryHere(() => [200, { id: 1, schema: JSON.stringify(latest) }]);
  onTestFinished(() => registry.close());
  const converter = makeConverter('AvroConverter', {
    'schema.registry.url': registry.url,
    'auto.register.schemas': 'false',
    'use.latest.version': 'true',
  });
  return (await convert(converter, { topic: 't', schema, value }))?.toString('hex', 5);
}

describe('a registered Avro schema', () => {
  it.each<[string, unknown, Schema, unknown, string]>([
    ['text rather than an enum', ['null', day, 'string'], stringSchema, 'x', '040278'],
    ['an enum where there is no text', ['null', day], stringSchema, 'x', '0200'],
    ['int rather than long', ['null', 'long', 'int'], of('int32'), 3, '0406'],
    ['long where there is no int', ['null', 'double', 'long'], of('int32'), 3, '0406'],
    ['the record of the same name', ['null', record('A'), record('B')], structNamed('B'), { x: 3 }, '0406'],
    ['a record of another name', ['null', record('A')], structNamed('B'), { x: 3 }, '0206'],
  ])('a union takes %s', async (_, latest, schema, value, hex) => {
    expect(await writeWith(latest, schema, value)).toBe(hex);
  });

  it.each<[string, unknown, Schema, unknown]>([
    [
      'logicalType timestamp-micros, expected timestamp-millis',
      { type: 'long', logicalType: 'timestamp-micros' },
      moment,
      new Date(5),
    ],
    [
      'logicalType timestamp-millis, expected date',
      ['null', { type: 'long', logicalType: 'timestamp-millis' }],
      of('int32', { name: logicalTypes.date }),
      new Date(0),
    ],
    [
      'scale 4, expected 2',
      { type: 'bytes', logicalType: 'decimal', precision: 9, scale: 4 },
      money,
      { unscaled: 123n, scale: 2 },
    ],
    [
      'scale 0, expected 2',
      { type: 'fixed', name: 'F', size: 4, logicalType: 'decimal', precision: 9 },
      money,
      { unscaled: 123n, scale: 2 },
    ],
  ])(
    'a registered schema that would change the meaning of values is refused: %s',
    async (message, latest, schema, value) => {
      await expect(writeWith(latest, schema, value)).rejects.toMatchObject({
        code: 'conversion_failed',
        message: expect.stringContaining(message),
      });
    },
  );

  it('a number is written unchanged if only one side has a logical type', async () => {
    const micros = { type: 'long', logicalType: 'timestamp-micros' };
    expect(await writeWith(micros, of('int64'), 5)).toBe('0a');
    expect(await writeWith('long', moment, new Date(5))).toBe('0a');
  });
});
