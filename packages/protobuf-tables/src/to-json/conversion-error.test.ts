import { expect, test } from 'vitest';
import { messageOf, protoText } from '../../test/proto-text.ts';
import { double, len, varint, wire } from '../../test/wire-fields.ts';
import { ConversionError } from '../wire/conversion-error.ts';
import { wireToJson } from './wire-to-json.ts';

const registry = protoText(`
syntax = "proto3";
package shop;
message Orders { Order order = 1; google.protobuf.Any any = 2; google.protobuf.Struct struct = 3; Orders inside = 4; }
message Order {
  repeated Line lines = 1; map<string, Line> by_name = 2; google.protobuf.Timestamp at = 3; google.protobuf.Duration took = 4;
  google.protobuf.FieldMask mask = 5; repeated sint32 codes = 6; google.protobuf.Value value = 7;
}
message Line { string sku = 1; int64 price = 2; fixed32 weight = 3; bytes data = 4; }
`);
const converter = wireToJson(messageOf(registry, 'shop.Orders'), { registry });

function errorOf(bytes: Uint8Array): ConversionError {
  try {
    converter.convert(bytes);
  } catch (thrown) {
    if (thrown instanceof ConversionError) return thrown;
    throw thrown;
  }
  throw new Error('the message was converted');
}

const good = len(1, varint(2, 1));
const line = (...content: number[]) => wire(len(1, good, good, good, len(1, content)));
const inOrder = (...fields: number[][]) => wire(len(1, ...fields));
const elevenBytes = [...Array<number>(10).fill(0xff), 1];

test('an error has the reason and the path', () => {
  const error = errorOf(line(0x10, 0x80));
  expect(error.message).toBe('cannot convert shop.Orders: order.lines[3].price: truncated varint');
  expect(error).toMatchObject({
    name: 'ConversionError',
    messageType: 'shop.Orders',
    path: 'order.lines[3].price',
    reason: 'truncated varint',
  });
});

test.each([
  [
    'a varint of eleven bytes',
    line(0x10, ...elevenBytes),
    'order.lines[3].price: varint of more than ten bytes',
  ],
  ['field number 0', line(0x00, 1), 'order.lines[3]: field number 0'],
  ['wire type 6', line(0x16, 1), 'order.lines[3]: wire type 6'],
  ['wire type 7', line(0x17, 1), 'order.lines[3]: wire type 7'],
  ['a tag of 32 ones', line(0xff, 0xff, 0xff, 0xff, 0x0f, 0), 'order.lines[3]: wire type 7'],
  [
    'a tag of 32 ones after the last field',
    line(0x22, 0, 0xff, 0xff, 0xff, 0xff, 0x0f, 0),
    'order.lines[3]: wire type 7',
  ],
  [
    'a tag of more than 32 bits',
    line(0x90, 0x80, 0x80, 0x80, 0x10, 1),
    'order.lines[3]: tag of more than 32 bits',
  ],
  ['a tag of six bytes', line(0x90, 0x80, 0x80, 0x80, 0x80, 0), 'order.lines[3]: tag of more than 32 bits'],
  ['a truncated tag', line(0x90), 'order.lines[3]: truncated tag'],
  ['a length past the end', line(0x0a, 9, 97), 'order.lines[3].sku: length past the end'],
  [
    'a negative length',
    line(0x0a, ...Array<number>(9).fill(0xff), 1),
    'order.lines[3].sku: length past the end',
  ],
  [
    'a length of more than 32 bits',
    line(0x0a, 0x81, 0x80, 0x80, 0x80, 0x10, 97),
    'order.lines[3].sku: length past the end',
  ],
  ['a truncated length', line(0x0a, 0x80), 'order.lines[3].sku: truncated length'],
  ['a truncated number', line(0x1d, 1, 2), 'order.lines[3].weight: truncated number'],
  ['a group that is not started', line(0x14), 'order.lines[3]: end of a group that was not started'],
  ['a group that does not end', line(0x7b), 'order.lines[3]: group without end'],
  ['the end of another group', line(0x7b, 0x74), 'order.lines[3]: end of another group'],
  ['a message cut in the middle', line(0x10, 5).slice(0, -1), 'order: length past the end'],
  ['packed values past their end', inOrder(len(6, [1, 0x80])), 'order.codes: packed values past their end'],
  ['invalid UTF-8', line(0x0a, 1, 0xff), 'order.lines[3].sku: invalid UTF-8'],
  ['invalid UTF-8 in a key', inOrder(len(2, len(1, [0xc0]))), 'order.by_name: invalid UTF-8'],
  [
    'invalid UTF-8 that a later value replaces',
    line(0x0a, 1, 0xff, 0x0a, 0),
    'order.lines[3].sku: invalid UTF-8',
  ],
  ['a map entry past its end', inOrder(len(2, len(1, 'k'), [0x12, 3])), 'order.by_name: length past the end'],
  [
    'something wrong in a map',
    inOrder(len(2, len(1, 'k'), len(2, [0x0a, 1, 0xff]))),
    'order.by_name["k"].sku: invalid UTF-8',
  ],
  [
    'the year 0',
    inOrder(len(3, varint(1, -62135596801))),
    'order.at: google.protobuf.Timestamp outside the years 1 to 9999',
  ],
  [
    'the year 10000',
    inOrder(len(3, varint(1, 253402300800))),
    'order.at: google.protobuf.Timestamp outside the years 1 to 9999',
  ],
  [
    'nanoseconds above a second',
    inOrder(len(3, varint(2, 2e9))),
    'order.at: google.protobuf.Timestamp with 2000000000 nanoseconds',
  ],
  [
    'a Duration of two signs',
    inOrder(len(4, varint(1, 1), varint(2, -1))),
    'order.took: google.protobuf.Duration with seconds and nanoseconds of different sign',
  ],
  [
    'a Duration that is too long',
    inOrder(len(4, varint(1, 315576000001))),
    'order.took: google.protobuf.Duration of more than 10,000 years',
  ],
  [
    'a Duration with too many nanoseconds',
    inOrder(len(4, varint(2, 1e9))),
    'order.took: google.protobuf.Duration with 1000000000 nanoseconds',
  ],
  [
    'a path that has no lowerCamelCase form',
    inOrder(len(5, len(1, 'a__b'))),
    'order.mask: google.protobuf.FieldMask with the path "a__b", which has no lowerCamelCase form',
  ],
  ['a Value without a kind', inOrder(len(7)), 'order.value: google.protobuf.Value without a value'],
  [
    'a Value that is not finite',
    inOrder(len(7, double(2, Number.NaN))),
    'order.value: google.protobuf.Value with a number that is not finite',
  ],
  [
    'a number that is not finite in a Struct',
    wire(len(3, len(1, len(1, 'k'), len(2, double(2, Number.POSITIVE_INFINITY))))),
    'struct["k"]: google.protobuf.Value with a number that is not finite',
  ],
  [
    'an Any of an unknown type',
    wire(len(2, len(1, 'x/no.Such'))),
    'any: google.protobuf.Any of type "no.Such", which the registry does not have',
  ],
  [
    'an Any whose URL ends with a slash',
    wire(len(2, len(1, 'x/'))),
    'any: google.protobuf.Any whose type URL has no name',
  ],
  [
    'something wrong in an Any',
    wire(len(2, len(1, 'x/shop.Order'), len(2, len(1, [0x10])))),
    'any.lines[0].price: truncated varint',
  ],
])('%s is refused', (_, bytes, text) => {
  expect(errorOf(bytes).message).toBe(`cannot convert shop.Orders: ${text}`);
});

test('a message in an Any is refused without a registry', () => {
  const without = wireToJson(messageOf(registry, 'shop.Orders'));
  expect(() => without.convert(wire(len(2, len(1, 'x/shop.Line'))))).toThrow(
    'which the registry does not have',
  );
});

function nestLines(depth: number): Uint8Array {
  let bytes: number[] = [];
  for (let level = 1; level < depth; level += 1) bytes = len(4, bytes);
  return wire(bytes);
}

test('100 nested messages are converted, and 101 are refused', () => {
  expect(converter.convert(nestLines(100)).length).toBeGreaterThan(1000);
  expect(errorOf(nestLines(101)).reason).toBe('more than 100 messages inside each other');
});

test.each([1, 7, 250])('maxDepth %i limits the nesting of messages', (maxDepth) => {
  const limited = wireToJson(messageOf(registry, 'shop.Orders'), { maxDepth });
  expect(limited.convert(nestLines(maxDepth)).length).toBeGreaterThan(maxDepth);
  expect(() => limited.convert(nestLines(maxDepth + 1))).toThrow(
    `more than ${maxDepth} messages inside each other`,
  );
});

test.each([0, 251, 1.5, Number.NaN, -1])('maxDepth %d is refused', (maxDepth) => {
  expect(() => wireToJson(messageOf(registry, 'shop.Orders'), { maxDepth })).toThrow(
    `maxDepth is ${maxDepth}, expected an integer from 1 to 250`,
  );
});

test.each([
  [
    '100,000 started messages',
    () => Uint8Array.from({ length: 100_000 }, (_, k) => (k % 2 === 0 ? 0x22 : 0x7f)),
  ],
  ['100,000 started groups', () => new Uint8Array(100_000).fill(0x7b)],
  ['300 Anys inside each other', anys],
  ['300 Values inside each other', values],
])('%s is refused', (_, make) => {
  expect(errorOf(make()).name).toBe('ConversionError');
});

function anys(): Uint8Array {
  let bytes: number[] = [];
  for (let level = 0; level < 300; level += 1) {
    const [url, content] = [len(1, 'x/google.protobuf.Any'), len(2, bytes)];
    bytes = [...url, ...content];
  }
  return wire(len(2, bytes));
}

function values(): Uint8Array {
  let bytes: number[] = [];
  for (let level = 0; level < 300; level += 1) bytes = len(6, len(1, bytes));
  return wire(len(1, len(7, bytes)));
}

test('an error shows only the start of long input texts', () => {
  const { message } = errorOf(wire(len(2, len(1, `x/${'\u001b[31mx'.repeat(1000)}`))));
  expect(message.length).toBeLessThan(300);
  expect(message).not.toContain('\u001b');
});
