import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { messageOf, protoText } from '../../test/proto-text.ts';
import { len, varint, wire } from '../../test/wire-fields.ts';
import { ConversionError } from '../wire/conversion-error.ts';
import { wireToJson } from './wire-to-json.ts';

const registry = protoText(`
syntax = "proto3";
package shop;
message Item { string name = 1; int32 count = 2; Item inside = 3; map<string, Item> by_name = 4; repeated int32 codes = 5; }
message Any { google.protobuf.Any any = 1; }
message Other { bool other = 1; }
`);
const item = messageOf(registry, 'shop.Item');
const options = { defaults: false, registry };

const textOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString();
const collect = (): void => {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
};

test('the output memory is reused for each message', () => {
  const converter = wireToJson(item, options);
  const first = converter.convert(wire(len(1, 'a')));
  expect(textOf(first)).toBe('{"name":"a"}');
  const second = converter.convert(wire(len(1, 'b')));
  expect(second.buffer).toBe(first.buffer);
  expect(textOf(second)).toBe('{"name":"b"}');
});

test('the output of a giant message is released within the next few calls', () => {
  const converter = wireToJson(item, options);
  const giant = wire(len(1, 'x'.repeat(3_000_000)));
  expect(converter.convert(giant).length).toBe(3_000_011);
  expect(converter.convert(giant).length).toBe(3_000_011);
  const sizes = Array.from({ length: 8 }, () => converter.convert(wire(varint(2, 1))).buffer.byteLength);
  expect(sizes.at(-1)).toBeLessThan(64 * 1024);
});

test('the output buffer is kept while large messages keep arriving', () => {
  const converter = wireToJson(item, options);
  const large = wire(len(1, 'x'.repeat(1_500_000)));
  const buffers = Array.from({ length: 20 }, () => converter.convert(large).buffer);
  expect(new Set(buffers).size).toBe(1);
});

test.each([50, 5_000_000])('an input of %d bytes stays unreferenced', async (size) => {
  const converter = wireToJson(item, options);
  const input = ((): WeakRef<ArrayBufferLike> => {
    const bytes = Uint8Array.from(wire(len(1, 'x'.repeat(size))));
    converter.convert(bytes);
    return new WeakRef(bytes.buffer);
  })();
  await new Promise(setImmediate);
  collect();
  expect(input.deref()).toBeUndefined();
});

test('the input is not changed, at any offset in memory', () => {
  const message = wire(len(1, 'naïve "x"'), varint(2, 5));
  const around = Uint8Array.from([9, 9, 9, ...message, 9, 9]);
  const converter = wireToJson(item, options);
  expect(textOf(converter.convert(around.subarray(3, -2)))).toBe('{"name":"naïve \\"x\\"","count":5}');
  expect([...around]).toEqual([9, 9, 9, ...message, 9, 9]);
});

test('write changes no bytes before its position', () => {
  const converter = wireToJson(item, options);
  const output = new Uint8Array(5000).fill(0xee);
  const middle = converter.write(wire(len(1, 'a')), output, 3);
  const end = converter.write(wire(len(1, 'b')), output, middle);
  expect(textOf(output.subarray(0, 3))).toBe(textOf(Uint8Array.of(0xee, 0xee, 0xee)));
  expect(textOf(output.subarray(3, end))).toBe('{"name":"a"}{"name":"b"}');
});

test('write uses the last byte of the room, and returns -1 if one is missing', () => {
  const converter = wireToJson(item, options);
  const message = wire(len(1, 'abc'), len(5, [1, 2, 3]));
  const length = converter.convert(message).length;
  const exact = new Uint8Array(length + 2);
  expect(converter.write(message, exact, 2)).toBe(length + 2);
  expect(textOf(exact.subarray(2))).toBe('{"name":"abc","codes":[1,2,3]}');
  const short = new Uint8Array(length + 1).fill(0xee);
  expect(converter.write(message, short, 2)).toBe(-1);
  expect([...short.subarray(0, 2)]).toEqual([0xee, 0xee]);
  expect(converter.write(message, short, short.length)).toBe(-1);
});

test('write stays inside a view of larger memory', () => {
  const converter = wireToJson(item, options);
  const memory = new Uint8Array(20_000).fill(0xee);
  const view = memory.subarray(8000, 12_000);
  const end = converter.write(wire(len(1, 'a')), view, 0);
  expect(textOf(view.subarray(0, end))).toBe('{"name":"a"}');
  expect(memory.subarray(0, 8000).every((byte) => byte === 0xee)).toBe(true);
  expect(memory.subarray(12_000).every((byte) => byte === 0xee)).toBe(true);
});

test('write refuses the messages that convert refuses', () => {
  const converter = wireToJson(item, options);
  expect(() => converter.write(Uint8Array.of(0x08), new Uint8Array(2000), 0)).toThrow(ConversionError);
});

test('conversions are correct after rejected messages and after fields out of order', () => {
  const converter = wireToJson(item, options);
  const good = wire(len(1, 'a'), varint(2, 1));
  const permuted = wire(varint(2, 1), len(1, 'a'));
  for (const bytes of [good, permuted, good]) {
    for (const bad of [[0x08], [0x1a, 5], [0x22, 2, 0x0a, 9], [0x0a, 1, 0xff]]) {
      expect(() => converter.convert(Uint8Array.from(bad))).toThrow(ConversionError);
      expect(textOf(converter.convert(bytes))).toBe('{"name":"a","count":1}');
    }
  }
});

test('the JSON does not depend on earlier messages that were out of order', () => {
  const byName = (key: string, ...value: number[][]) => len(4, len(1, key), len(2, ...value));
  const messages = [
    wire(len(1, 'a'), len(3, varint(2, 1)), byName('x', len(1, 'b')), byName('y')),
    wire(byName('x'), byName('x', varint(2, 7)), len(1, 'a')),
    wire(len(3, varint(2, 1), len(1, 'c')), len(3, varint(2, 2)), varint(5, 1), len(5, [2, 3])),
  ];
  const fresh = messages.map((bytes) => textOf(wireToJson(item, options).convert(bytes)));
  const converter = wireToJson(item, options);
  for (let round = 0; round < 50; round += 1) {
    expect(messages.map((bytes) => textOf(converter.convert(bytes)))).toEqual(fresh);
  }
  expect(fresh[1]).toBe('{"name":"a","byName":{"x":{"count":7}}}');
});

test('a converter that throws inside an Any does not affect other converters', () => {
  const any = wireToJson(messageOf(registry, 'shop.Any'), options);
  const other = wireToJson(messageOf(registry, 'shop.Other'), options);
  const broken = wire(len(1, len(1, 'x/shop.Item'), len(2, [0x10])));
  for (let round = 0; round < 3; round += 1) {
    expect(() => any.convert(broken)).toThrow('any.count: truncated varint');
    expect(textOf(other.convert(wire(varint(1, 1))))).toBe('{"other":true}');
    const good = wire(len(1, len(1, 'x/shop.Item'), len(2, varint(2, 3))));
    expect(textOf(any.convert(good))).toBe('{"any":{"count":3,"@type":"x/shop.Item"}}');
  }
});

test('JSON of more than 256 MiB is refused', () => {
  const text = protoText(`
    syntax = "proto3"; package wide;
    message List { repeated Wide wide = 1; }
    message Wide { ${Array.from({ length: 400 }, (_, k) => `string a_field_with_a_rather_long_name_${k} = ${k + 1};`).join('')} }
  `);
  const converter = wireToJson(messageOf(text, 'wide.List'));
  const flood = Buffer.alloc(40_000, Buffer.of(0x0a, 0));
  expect(() => converter.convert(flood)).toThrow('cannot convert wide.List: JSON of more than 256 MiB');
  expect(converter.convert(flood.subarray(0, 2)).length).toBeGreaterThan(1000);
});

test('conversion needs neither code generation nor __proto__', async () => {
  const script = `
    import { wireToJson } from ${JSON.stringify(new URL('../index.ts', import.meta.url).href)};
    import { StructSchema } from '@bufbuild/protobuf/wkt';
    const value = [10, 17, 10, 9, ...Buffer.from('__proto__'), 18, 4, 26, 2, 111, 107];
    for (const wire of [Uint8Array.from(value), Uint8Array.from([...value, ...value])])
      process.stdout.write(wireToJson(StructSchema).convert(wire));
  `;
  const flags = ['--disable-proto=delete', '--disallow-code-generation-from-strings', '--input-type=module'];
  const { stdout } = await promisify(execFile)(process.execPath, [...flags, '--eval', script], {
    cwd: new URL('../..', import.meta.url),
  });
  expect(stdout).toBe('{"__proto__":"ok"}{"__proto__":"ok"}');
});
