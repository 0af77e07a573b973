import { expect, test } from 'vitest';
import { messageOf, protoText } from '../../test/proto-text.ts';
import { double, float, group, len, varint, wire } from '../../test/wire-fields.ts';
import { type WireToJsonOptions, wireToJson } from './wire-to-json.ts';

const registry = protoText(`
syntax = "proto3";
package shop;

enum Size { SIZE_UNSPECIFIED = 0; SIZE_SMALL = 1; SIZE_LARGE = 5; }

message Numbers {
  int32 a_int32 = 1; uint32 a_uint32 = 2; sint32 a_sint32 = 3; fixed32 a_fixed32 = 4; sfixed32 a_sfixed32 = 5;
  int64 a_int64 = 6; uint64 a_uint64 = 7; sint64 a_sint64 = 8; fixed64 a_fixed64 = 9; sfixed64 a_sfixed64 = 10;
  float a_float = 11; double a_double = 12; bool a_bool = 13; Size a_size = 14;
}
message Item { string name = 1; int64 count = 2; Item inside = 3; repeated int32 codes = 4; }
message Choice { string before = 1; oneof choice { string text = 2; Item item = 7; int32 number = 4; } string after = 5; }
message Maybe { optional int32 number = 1; optional string text = 2; Item item = 3; }
message Lists { repeated int32 numbers = 1; repeated string texts = 2; repeated Item items = 3; repeated Size sizes = 4; }
message Maps {
  map<string, int32> by_text = 1; map<int32, string> by_int32 = 2; map<bool, string> by_bool = 3;
  map<int64, Item> by_int64 = 4; map<uint64, Size> by_uint64 = 5; map<sint32, float> by_sint32 = 6;
}
message Text { string text = 1; bytes data = 2; }
message Known {
  google.protobuf.Timestamp at = 1; google.protobuf.Duration took = 2; google.protobuf.FieldMask mask = 3;
  google.protobuf.Struct struct = 4; google.protobuf.Value value = 5; google.protobuf.ListValue list = 6;
  google.protobuf.Int64Value wrapped = 7; google.protobuf.FloatValue float = 8; google.protobuf.Empty empty = 9;
  google.protobuf.Any any = 11; google.protobuf.StringValue text = 12;
  google.protobuf.BytesValue data = 13; google.protobuf.BoolValue flag = 14;
}
`);

type Golden = readonly [rule: string, type: string, wire: Uint8Array, json: string];

function convert(type: string, bytes: Uint8Array, options: WireToJsonOptions = {}): string {
  const converter = wireToJson(messageOf(registry, `shop.${type}`), {
    defaults: false,
    registry,
    ...options,
  });
  return Buffer.from(converter.convert(bytes)).toString();
}

const MIN_INT64 = -(2n ** 63n);

test.each<Golden>([
  [
    'writes int32 and int64 of ten bytes',
    'Numbers',
    wire(varint(1, -1), varint(6, MIN_INT64)),
    '{"aInt32":-1,"aInt64":"-9223372036854775808"}',
  ],
  [
    'writes unsigned integers unsigned',
    'Numbers',
    wire(varint(2, 4294967295), varint(7, -1n)),
    '{"aUint32":4294967295,"aUint64":"18446744073709551615"}',
  ],
  [
    'undoes zigzag',
    'Numbers',
    wire(varint(3, 3), varint(8, 2n ** 64n - 1n)),
    '{"aSint32":-2,"aSint64":"-9223372036854775808"}',
  ],
  ['writes -0 with its sign', 'Numbers', wire(float(11, -0), double(12, -0)), '{"aFloat":-0,"aDouble":-0}'],
  [
    'writes floats as short as they read back',
    'Numbers',
    wire(float(11, 0.1), double(12, 0.1)),
    '{"aFloat":0.1,"aDouble":0.1}',
  ],
  [
    'writes what is not finite as text',
    'Numbers',
    wire(float(11, Number.NaN), double(12, Number.NEGATIVE_INFINITY)),
    '{"aFloat":"NaN","aDouble":"-Infinity"}',
  ],
  ['reads any varint but 0 as true', 'Numbers', wire(varint(13, 2n ** 40n)), '{"aBool":true}'],
  ['writes numbers of enums that have no name', 'Numbers', wire(varint(14, -7)), '{"aSize":-7}'],
  [
    'writes names of enums wherever their numbers are',
    'Numbers',
    wire(varint(14, 5)),
    '{"aSize":"SIZE_LARGE"}',
  ],
  [
    'reads packed and unpacked values of one list',
    'Lists',
    wire(len(1, [1, 2]), varint(1, 3), len(1, [4])),
    '{"numbers":[1,2,3,4]}',
  ],
  [
    'joins a list whose values are apart',
    'Lists',
    wire(len(2, 'a'), varint(1, 1), len(2, 'b')),
    '{"numbers":[1],"texts":["a","b"]}',
  ],
  [
    'writes fields in order of number, however they come',
    'Item',
    wire(len(4, [9]), varint(2, 5), len(1, 'x')),
    '{"name":"x","count":"5","codes":[9]}',
  ],
  [
    'takes the last of several values',
    'Item',
    wire(len(1, 'a'), varint(2, 1), len(1, 'b')),
    '{"name":"b","count":"1"}',
  ],
  [
    'merges messages that come in parts',
    'Item',
    wire(len(3, len(1, 'a'), len(4, [1])), len(3, varint(2, 7), len(4, [2]))),
    '{"inside":{"name":"a","count":"7","codes":[1,2]}}',
  ],
  ['takes the last member of a oneof', 'Choice', wire(len(2, 'a'), varint(4, 3)), '{"number":3}'],
  [
    'forgets a message between others of the oneof',
    'Choice',
    wire(len(7, len(1, 'a')), varint(4, 3), len(7, varint(2, 9))),
    '{"item":{"count":"9"}}',
  ],
  [
    'merges a oneof message that continues in a second occurrence',
    'Choice',
    wire(len(7, len(1, 'a')), len(7, varint(2, 9))),
    '{"item":{"name":"a","count":"9"}}',
  ],
  [
    'writes a oneof at its number, wherever it comes',
    'Choice',
    wire(len(1, 'a'), len(7, len(1, 'i')), len(5, 'b')),
    '{"before":"a","after":"b","item":{"name":"i"}}',
  ],
  [
    'writes zeros of optional fields that are there',
    'Maybe',
    wire(varint(1, 0), len(2)),
    '{"number":0,"text":""}',
  ],
  [
    'drops unknown fields',
    'Maybe',
    wire(varint(1, 1), varint(99, 1), len(98, 'x'), group(97, varint(1, 1))),
    '{"number":1}',
  ],
  ['drops fields of another wire type', 'Maybe', wire(len(1, 'x'), varint(2, 1)), '{}'],
])('%s', (_, type, bytes, json) => {
  expect(convert(type, bytes)).toBe(json);
});

test.each<Golden>([
  [
    'writes keys of every kind as text',
    'Maps',
    wire(len(2, varint(1, -5), len(2, 'a')), len(3, varint(1, 1), len(2, 'b')), len(4, varint(1, 7))),
    '{"byInt32":{"-5":"a"},"byBool":{"true":"b"},"byInt64":{"7":{}}}',
  ],
  [
    'writes of equal keys the last one, where it came',
    'Maps',
    wire(
      len(1, len(1, 'a'), varint(2, 1)),
      len(1, len(1, 'b'), varint(2, 2)),
      len(1, len(1, 'a'), varint(2, 3)),
    ),
    '{"byText":{"b":2,"a":3}}',
  ],
  [
    'knows equal keys of different encodings',
    'Maps',
    wire(len(2, varint(1, -1), len(2, 'a')), len(2, [8, 255, 255, 255, 255, 15], len(2, 'b'))),
    '{"byInt32":{"-1":"b"}}',
  ],
  [
    'takes absent keys and values for zero',
    'Maps',
    wire(len(1), len(2), len(3), len(4), len(5), len(6)),
    '{"byText":{"":0},"byInt32":{"0":""},"byBool":{"false":""},"byInt64":{"0":{}},"byUint64":{"0":"SIZE_UNSPECIFIED"},"bySint32":{"0":0}}',
  ],
  ['reads values before keys', 'Maps', wire(len(1, varint(2, 4), len(1, 'k'))), '{"byText":{"k":4}}'],
  [
    'merges the parts of a value',
    'Maps',
    wire(len(4, varint(1, 1), len(2, len(1, 'a')), len(2, varint(2, 2)))),
    '{"byInt64":{"1":{"name":"a","count":"2"}}}',
  ],
  [
    'keeps the order of keys that objects would sort',
    'Maps',
    wire(...['b', '10', '9', '01'].map((key) => len(1, len(1, key), varint(2, 1)))),
    '{"byText":{"b":1,"10":1,"9":1,"01":1}}',
  ],
  [
    'keeps the order of integer keys',
    'Maps',
    wire(
      ...[2n ** 32n - 1n, -1n, 2n ** 32n, 2n ** 64n - 2n ** 32n, 2n ** 32n - 2n, 3n].map((key) =>
        len(5, varint(1, key)),
      ),
    ),
    '{"byUint64":{"4294967295":"SIZE_UNSPECIFIED","18446744073709551615":"SIZE_UNSPECIFIED","4294967296":"SIZE_UNSPECIFIED",' +
      '"18446744069414584320":"SIZE_UNSPECIFIED","4294967294":"SIZE_UNSPECIFIED","3":"SIZE_UNSPECIFIED"}}',
  ],
  [
    'writes keys that are special for objects',
    'Maps',
    wire(...['__proto__', 'toString', 'constructor'].map((key) => len(1, len(1, key), varint(2, 1)))),
    '{"byText":{"__proto__":1,"toString":1,"constructor":1}}',
  ],
  [
    'writes floats in maps as short as they read back',
    'Maps',
    wire(len(6, varint(1, 1), float(2, 0.3))),
    '{"bySint32":{"-1":0.3}}',
  ],
])('maps: %s', (_, type, bytes, json) => {
  expect(convert(type, bytes)).toBe(json);
});

test.each<Golden>([
  [
    'Timestamp',
    'Known',
    wire(len(1, varint(1, 1), varint(2, 120_000_000))),
    '{"at":"1970-01-01T00:00:01.120Z"}',
  ],
  [
    'Duration, dropping bits above 32 of the nanoseconds',
    'Known',
    wire(len(2, varint(1, 1), varint(2, 0x7fff_ffff_0000_0005n))),
    '{"took":"1.000000005s"}',
  ],
  ['Duration', 'Known', wire(len(2, varint(1, -1), varint(2, -500_000_000))), '{"took":"-1.500s"}'],
  ['FieldMask', 'Known', wire(len(3, len(1, 'foo_bar.baz'), len(1, 'a_b'))), '{"mask":"fooBar.baz,aB"}'],
  [
    'Struct, Value and ListValue',
    'Known',
    wire(len(4, len(1, len(1, 'k'), len(2, len(6, len(1, double(2, 1.5)), len(1, varint(1, 0))))))),
    '{"struct":{"k":[1.5,null]}}',
  ],
  ['Value', 'Known', wire(len(5, len(5, len(1, len(1, 'a'), len(2, varint(4, 1)))))), '{"value":{"a":true}}'],
  ['an empty Struct and ListValue', 'Known', wire(len(4), len(6)), '{"struct":{},"list":[]}'],
  [
    'a Value without a kind inside a Struct',
    'Known',
    wire(len(4, len(1, len(1, 'k'), len(2)))),
    '{"struct":{"k":null}}',
  ],
  [
    'wrappers',
    'Known',
    wire(
      len(7, varint(1, 5)),
      len(8, float(1, 0.1)),
      len(12, len(1, 'x')),
      len(13, len(1, 'x')),
      len(14, varint(1, 1)),
    ),
    '{"wrapped":"5","float":0.1,"text":"x","data":"eA==","flag":true}',
  ],
  [
    'wrappers of zero',
    'Known',
    wire(len(7), len(8), len(12), len(13), len(14)),
    '{"wrapped":"0","float":0,"text":"","data":"","flag":false}',
  ],
  ['Empty', 'Known', wire(len(9, varint(1, 1))), '{"empty":{}}'],
  [
    'Any of a message',
    'Known',
    wire(len(11, len(1, 'type.example.com/shop.Item'), len(2, len(1, 'x')))),
    '{"any":{"name":"x","@type":"type.example.com/shop.Item"}}',
  ],
  ['Any of an empty message', 'Known', wire(len(11, len(1, '/shop.Item'))), '{"any":{"@type":"/shop.Item"}}'],
  [
    'Any of a type with its own JSON form',
    'Known',
    wire(len(11, len(2, varint(1, 9)), len(1, 'x/google.protobuf.Duration'))),
    '{"any":{"value":"9s","@type":"x/google.protobuf.Duration"}}',
  ],
  [
    'Any of Any',
    'Known',
    wire(len(11, len(1, 'x/google.protobuf.Any'), len(2, len(1, 'x/shop.Item')))),
    '{"any":{"value":{"@type":"x/shop.Item"},"@type":"x/google.protobuf.Any"}}',
  ],
  ['Any without a type', 'Known', wire(len(11, len(2, 'xyz'))), '{"any":{}}'],
  [
    'a Timestamp in parts',
    'Known',
    wire(len(1, varint(1, 1)), len(1, varint(2, 1000))),
    '{"at":"1970-01-01T00:00:01.000001Z"}',
  ],
])('well-known types: writes %s', (_, type, bytes, json) => {
  expect(convert(type, bytes)).toBe(json);
});

test.each<readonly [...Golden, WireToJsonOptions]>([
  [
    'defaults: absent fields without presence',
    'Choice',
    wire(),
    '{"before":"","after":""}',
    { defaults: true },
  ],
  ['defaults: fields with presence only if they are there', 'Maybe', wire(), '{}', { defaults: true }],
  [
    'defaults: empty lists and maps',
    'Lists',
    wire(),
    '{"numbers":[],"texts":[],"items":[],"sizes":[]}',
    { defaults: true },
  ],
  [
    'no defaults: not those either that are sent as zero',
    'Numbers',
    wire(varint(1, 0), varint(6, 0), float(11, 0), varint(14, 0)),
    '{}',
    {},
  ],
  ['no defaults: no empty packed list', 'Lists', wire(len(1)), '{}', {}],
  ['protoNames', 'Numbers', wire(varint(1, 1)), '{"a_int32":1}', { protoNames: true }],
  ['enumsAsIntegers', 'Lists', wire(len(4, [1, 5, 9])), '{"sizes":[1,5,9]}', { enumsAsIntegers: true }],
  [
    'safeIntegersAsNumbers: within 2^53 - 1',
    'Numbers',
    wire(varint(6, 2n ** 53n - 1n), varint(7, 2n ** 53n - 1n), varint(8, 2n ** 54n - 3n)),
    '{"aInt64":9007199254740991,"aUint64":9007199254740991,"aSint64":-9007199254740991}',
    { safeIntegersAsNumbers: true },
  ],
  [
    'safeIntegersAsNumbers: text beyond',
    'Numbers',
    wire(varint(6, -(2n ** 53n)), varint(7, 2n ** 53n)),
    '{"aInt64":"-9007199254740992","aUint64":"9007199254740992"}',
    { safeIntegersAsNumbers: true },
  ],
  [
    'safeIntegersAsNumbers: wrappers, not keys',
    'Maps',
    wire(len(4, varint(1, 7)), len(4, varint(1, MIN_INT64))),
    '{"byInt64":{"7":{},"-9223372036854775808":{}}}',
    { safeIntegersAsNumbers: true },
  ],
  [
    'hexFields',
    'Text',
    wire(len(2, [0, 171])),
    '{"data":"00ab"}',
    { hexFields: new Set(['shop.Text.data']) },
  ],
  [
    'invalidUtf8: replace, as TextDecoder does',
    'Text',
    wire(len(1, [0xef, 0xbb, 0xbf, 0x61, 0xe2, 0x82, 0xff, 0x22])),
    '{"text":"\ufeffa\ufffd\ufffd\\""}',
    { invalidUtf8: 'replace' },
  ],
  [
    'invalidUtf8: replace, in keys that become the same',
    'Maps',
    wire(len(1, len(1, [0xff]), varint(2, 1)), len(1, len(1, [0xfe]), varint(2, 2))),
    '{"byText":{"\ufffd":2}}',
    { invalidUtf8: 'replace' },
  ],
])('options: %s', (_, type, bytes, json, options) => {
  expect(convert(type, bytes, options)).toBe(json);
});
