import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Schema, type SchemaType, stringSchema } from '../contract/schema.ts';
import { jsonConverter } from './json-converter.ts';

const withSchemas = jsonConverter.create({}, false);
const withoutSchemas = jsonConverter.create({ 'schemas.enable': 'false' }, false);
const required = (type: SchemaType): Schema => ({ type, optional: false });
const optional = (type: SchemaType): Schema => ({ type, optional: true });
const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
const text = (bytes: Uint8Array | null): string =>
  new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes ?? undefined);

const struct: Schema = {
  type: 'struct',
  optional: false,
  name: 'n.S',
  version: 3,
  doc: 'd',
  fields: [
    { field: 'a', schema: required('int32') },
    { field: 'b', schema: { type: 'string', optional: true, doc: 'text' } },
  ],
};
const structJson =
  '"type":"struct","fields":[{"type":"int32","optional":false,"field":"a"},{"type":"string","optional":true,"doc":"text","field":"b"}],"optional":false,"name":"n.S","version":3,"doc":"d"';
const nested: Schema = { type: 'struct', optional: false, fields: [{ field: 'x', schema: struct }] };

/** Schema, value, the schema's JSON and the payload's, as written by the converter of Kafka Connect 3.9.1. */
const cases: readonly (readonly [Schema | null, unknown, string, string])[] = [
  [required('string'), 'hello', '{"type":"string","optional":false}', '"hello"'],
  [
    optional('string'),
    'he"l\\lo\n\u0001\u001f\u007f\u2028é😀/',
    '{"type":"string","optional":true}',
    '"he\\"l\\\\lo\\n\\u0001\\u001F\u007f\u2028é\\uD83D\\uDE00/"',
  ],
  [required('string'), '\\u001f', '{"type":"string","optional":false}', '"\\\\u001f"'],
  [optional('string'), null, '{"type":"string","optional":true}', 'null'],
  [null, 'x', 'null', '"x"'],
  [null, { a: 1 }, 'null', '{"a":1}'],
  [null, [1, null, 'x', true, 1.5], 'null', '[1,null,"x",true,1.5]'],
  [null, new Map([[1, 'v']]), 'null', '[[1,"v"]]'],
  [required('int8'), -1, '{"type":"int8","optional":false}', '-1'],
  [required('int16'), 7, '{"type":"int16","optional":false}', '7'],
  [required('int32'), 7, '{"type":"int32","optional":false}', '7'],
  [required('int64'), 2n ** 63n - 1n, '{"type":"int64","optional":false}', '9223372036854775807'],
  [required('int64'), 5, '{"type":"int64","optional":false}', '5'],
  [required('float32'), 1, '{"type":"float","optional":false}', '1.0'],
  [required('float32'), Math.fround(0.1), '{"type":"float","optional":false}', '0.1'],
  [required('float64'), 1, '{"type":"double","optional":false}', '1.0'],
  [required('float64'), 123456789.125, '{"type":"double","optional":false}', '1.23456789125E8'],
  [required('float64'), Number.NaN, '{"type":"double","optional":false}', '"NaN"'],
  [required('float64'), -Infinity, '{"type":"double","optional":false}', '"-Infinity"'],
  [required('boolean'), true, '{"type":"boolean","optional":false}', 'true'],
  [required('bytes'), Uint8Array.of(0, 1, 255, 254), '{"type":"bytes","optional":false}', '"AAH//g=="'],
  [
    { type: 'array', optional: false, items: required('int32') },
    [1, 2],
    '{"type":"array","items":{"type":"int32","optional":false},"optional":false}',
    '[1,2]',
  ],
  [
    { type: 'map', optional: false, keys: required('string'), items: required('int32') },
    new Map([['k', 1]]),
    '{"type":"map","keys":{"type":"string","optional":false},"values":{"type":"int32","optional":false},"optional":false}',
    '{"k":1}',
  ],
  [
    { type: 'map', optional: true, keys: required('int32'), items: required('string') },
    new Map([[1, 'v']]),
    '{"type":"map","keys":{"type":"int32","optional":false},"values":{"type":"string","optional":false},"optional":true}',
    '[[1,"v"]]',
  ],
  [struct, { a: 1 }, `{${structJson}}`, '{"a":1,"b":null}'],
  [
    nested,
    { x: { b: 'q', a: 5 } },
    `{"type":"struct","fields":[{${structJson},"field":"x"}],"optional":false}`,
    '{"x":{"a":5,"b":"q"}}',
  ],
];

describe('jsonConverter', () => {
  it.each(cases)(
    'writes an envelope for case %# as Kafka Connect does',
    (schema, value, schemaJson, payload) => {
      const bytes = withSchemas.fromConnectData('t', schema, value);
      expect(text(bytes)).toBe(`{"schema":${schemaJson},"payload":${payload}}`);
    },
  );

  it.each(cases)(
    'writes bare JSON for case %# as Kafka Connect does',
    (schema, value, _schemaJson, payload) => {
      expect(text(withoutSchemas.fromConnectData('t', schema, value))).toBe(payload);
    },
  );

  it('stores null as null when there is neither schema nor value', () => {
    expect(withSchemas.fromConnectData('t', null, null)).toBeNull();
    expect(withoutSchemas.fromConnectData('t', null, null)).toBeNull();
  });

  it('writes text that is held as bytes as it writes the same string', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (value) => {
        for (const converter of [withSchemas, withoutSchemas]) {
          const fromBytes = converter.fromConnectData('t', stringSchema, utf8(value));
          expect(text(fromBytes)).toBe(text(converter.fromConnectData('t', stringSchema, value)));
        }
      }),
    );
  });

  it('writes JSON that parses back to the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (value) => {
        expect(JSON.parse(text(withoutSchemas.fromConnectData('t', stringSchema, value)))).toBe(value);
      }),
    );
  });

  it.each([
    [
      required('string'),
      null,
      'Conversion error: null value for field that is required and has no default value',
    ],
    [required('int8'), 128, 'expected int8, got a number outside of it'],
    [required('int32'), 1.5, 'expected int32, got a number outside of it'],
    [required('int64'), 2 ** 60, 'expected int64, got a number outside of it'],
    [required('boolean'), 'true', 'expected boolean, got string'],
    [struct, { a: 'x' }, 'a: expected int32, got string'],
    [nested, { x: { a: 1, c: 2 } }, 'x: "c" is not a field of the struct'],
    [null, { list: [1, () => 1] }, 'list.1: function has no JSON form'],
    [null, new Date(0), 'date has no JSON form'],
  ])('refuses case %# and names the place', (schema, value, message) => {
    expect(() => withSchemas.fromConnectData('t', schema, value)).toThrowError(
      expect.objectContaining({ code: 'conversion_failed', message }),
    );
  });

  it('refuses a value that contains itself', () => {
    const loop: unknown[] = [];
    loop.push(loop);
    expect(() => withoutSchemas.fromConnectData('t', null, loop)).toThrow('nested deeper than 200');
  });

  it('keeps members with harmful names', () => {
    const value: unknown = JSON.parse('{"__proto__":{"x":1}}');
    expect(text(withoutSchemas.fromConnectData('t', null, value))).toBe('{"__proto__":{"x":1}}');
  });

  it('refuses a key that is not true or false', () => {
    expect(() => jsonConverter.create({ 'schemas.enable': 'yes' }, true)).toThrowError(
      expect.objectContaining({
        code: 'config_invalid',
        message:
          'Invalid value yes for configuration schemas.enable: Expected value to be either true or false',
      }),
    );
  });

  it('ignores keys that it does not know', () => {
    expect(jsonConverter.create({ 'value.subject.name.strategy': 'x' }, false)).toBeDefined();
  });
});
