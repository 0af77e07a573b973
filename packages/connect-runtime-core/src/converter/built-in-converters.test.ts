import { describe, expect, it } from 'vitest';
import { type Schema, type SchemaType, stringSchema } from '../contract/schema.ts';
import { builtInConverters } from './built-in-converters.ts';
import type { Converter } from './converter.ts';

const required = (type: SchemaType): Schema => ({ type, optional: false });
const text = (bytes: Uint8Array | null): string =>
  new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes ?? undefined);
const hex = (bytes: Uint8Array | null): string => Buffer.from(bytes ?? []).toString('hex');

function make(simpleName: string, config: Record<string, string> = {}): Converter {
  const plugin = builtInConverters.find((each) => each.className.endsWith(`.${simpleName}`));
  if (plugin === undefined) throw new Error(`no converter ${simpleName}`);
  return plugin.create(config, false);
}

const refusal = (message: string) => expect.objectContaining({ code: 'conversion_failed', message });

describe('builtInConverters', () => {
  it('are those of Kafka Connect', () => {
    expect(builtInConverters.map((plugin) => plugin.className)).toEqual([
      'org.apache.kafka.connect.storage.StringConverter',
      'org.apache.kafka.connect.json.JsonConverter',
      'org.apache.kafka.connect.converters.ByteArrayConverter',
      'org.apache.kafka.connect.converters.BooleanConverter',
      'org.apache.kafka.connect.converters.ShortConverter',
      'org.apache.kafka.connect.converters.IntegerConverter',
      'org.apache.kafka.connect.converters.LongConverter',
      'org.apache.kafka.connect.converters.FloatConverter',
      'org.apache.kafka.connect.converters.DoubleConverter',
      'org.apache.kafka.connect.storage.SimpleHeaderConverter',
    ]);
  });

  it.each(builtInConverters)('$className stores null as null', (plugin) => {
    expect(plugin.create({}, true).fromConnectData('t', null, null)).toBeNull();
  });

  it.each(builtInConverters)('$className ignores keys that it does not know', (plugin) => {
    expect(plugin.create({ 'no.such.key': 'x' }, true)).toBeDefined();
  });
});

describe('stringConverter', () => {
  const converter = make('StringConverter');

  it('hands on text that is held as bytes without copying it', () => {
    const bytes = Uint8Array.of(123, 125);
    expect(converter.fromConnectData('t', stringSchema, bytes)).toBe(bytes);
  });

  it.each<[Schema | null, unknown, string]>([
    [stringSchema, 'grün 😀', 'grün 😀'],
    [null, '', ''],
    [null, 5, '5'],
    [null, 5n, '5'],
    [null, 1.5, '1.5'],
    [required('float64'), 1, '1.0'],
    [required('float64'), 1e10, '1.0E10'],
    [null, true, 'true'],
  ])('writes case %# as Java prints it', (schema, value, printed) => {
    expect(text(converter.fromConnectData('t', schema, value))).toBe(printed);
  });

  it('prints structs, maps, lists, dates and decimals as Java does', () => {
    const struct: Schema = {
      type: 'struct',
      optional: false,
      fields: [
        { field: 'a', schema: required('float64') },
        { field: 'b', schema: { type: 'string', optional: true } },
        { field: 'c', schema: required('string') },
      ],
    };
    const value = { a: 1, b: null, c: Buffer.from('text') };
    expect(text(converter.fromConnectData('t', struct, value))).toBe('Struct{a=1.0,c=text}');
    const date = new Date('2021-03-04T05:06:07Z');
    const map = new Map<string, unknown>([
      ['list', [1, 'x', null]],
      ['date', date],
      ['decimal', { unscaled: -1234n, scale: 2 }],
    ]);
    expect(text(converter.fromConnectData('t', null, map))).toBe(
      '{list=[1, x, null], date=Thu Mar 04 05:06:07 UTC 2021, decimal=-12.34}',
    );
  });

  it('refuses bytes that are not text', () => {
    expect(() => converter.fromConnectData('t', required('bytes'), Uint8Array.of(1))).toThrowError(
      refusal('StringConverter converts no bytes, use ByteArrayConverter or JsonConverter'),
    );
  });

  it('refuses an encoding other than UTF-8', () => {
    expect(() => make('StringConverter', { 'converter.encoding': 'UTF-16' })).toThrowError(
      expect.objectContaining({
        code: 'config_invalid',
        message:
          'Invalid value UTF-16 for configuration converter.encoding: String must be one of (case insensitive): UTF-8, UTF8',
      }),
    );
  });
});

describe('byteArrayConverter', () => {
  const converter = make('ByteArrayConverter');

  it('hands on bytes without copying them', () => {
    const bytes = Uint8Array.of(9);
    expect(converter.fromConnectData('t', null, bytes)).toBe(bytes);
    expect(converter.fromConnectData('t', required('bytes'), bytes)).toBe(bytes);
  });

  it('refuses other schemas and other values', () => {
    expect(() => converter.fromConnectData('t', stringSchema, 'x')).toThrowError(
      refusal('Invalid schema type for ByteArrayConverter: STRING'),
    );
    expect(() => converter.fromConnectData('t', null, 'x')).toThrowError(
      refusal('ByteArrayConverter is not compatible with objects of type string'),
    );
  });
});

describe('numberConverters', () => {
  it.each<[string, unknown, string]>([
    ['ShortConverter', -2, 'fffe'],
    ['IntegerConverter', 258, '00000102'],
    ['LongConverter', 2 ** 40, '0000010000000000'],
    ['LongConverter', -1n, 'ffffffffffffffff'],
    ['FloatConverter', 1.5, '3fc00000'],
    ['DoubleConverter', -2.25, 'c002000000000000'],
    ['BooleanConverter', true, '01'],
    ['BooleanConverter', false, '00'],
  ])('%s writes %s as Kafka does', (name, value, bytes) => {
    expect(hex(make(name).fromConnectData('t', null, value))).toBe(bytes);
  });

  it.each<[string, unknown, string]>([
    ['ShortConverter', 32_768, 'Failed to serialize to short (was number)'],
    ['IntegerConverter', 0.5, 'Failed to serialize to integer (was number)'],
    ['LongConverter', 2n ** 63n, 'Failed to serialize to long (was bigint)'],
    ['LongConverter', 2 ** 53, 'Failed to serialize to long (was number)'],
    ['FloatConverter', 'x', 'Failed to serialize to float (was string)'],
    ['DoubleConverter', true, 'Failed to serialize to double (was boolean)'],
    ['BooleanConverter', 'true', 'BooleanConverter is not compatible with objects of type string'],
  ])('%s refuses %s, which does not fit', (name, value, message) => {
    expect(() => make(name).fromConnectData('t', null, value)).toThrowError(refusal(message));
  });
});

describe('simpleHeaderConverter', () => {
  const converter = make('SimpleHeaderConverter');

  it.each<[Schema | null, unknown, string]>([
    [null, 't"q', 't"q'],
    [null, 5, '5'],
    [required('float64'), 1, '1.0'],
    [null, true, 'true'],
    [null, Uint8Array.of(1, 2, 3), 'AQID'],
    [null, [1, 'a"\\\n', null, Uint8Array.of(1)], '[1,"a\\"\\\\\n",null,"AQ=="]'],
    [null, new Map([['a', 1.5]]), '{"a":1.5}'],
    [null, { a: 1, b: 'z' }, '{"a":1,"b":"z"}'],
  ])('writes case %# as Kafka Connect does', (schema, value, printed) => {
    expect(text(converter.fromConnectData('t', schema, value))).toBe(printed);
  });

  it('hands on text that is held as bytes without copying it', () => {
    const bytes = Uint8Array.of(97);
    expect(converter.fromConnectData('t', stringSchema, bytes)).toBe(bytes);
  });
});
