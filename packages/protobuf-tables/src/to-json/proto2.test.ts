import { fromJson, type JsonValue } from '@bufbuild/protobuf';
import { FileDescriptorProtoSchema } from '@bufbuild/protobuf/wkt';
import { expect, test } from 'vitest';
import { messageOf } from '../../test/proto-text.ts';
import { registryOf } from '../../test/random-schema.ts';
import { group, len, varint, wire } from '../../test/wire-fields.ts';
import { type WireToJsonOptions, wireToJson } from './wire-to-json.ts';

function fieldOf(
  name: string,
  number: number,
  type: string,
  more: Record<string, JsonValue> = {},
): JsonValue {
  return { name, number, type: `TYPE_${type}`, label: 'LABEL_OPTIONAL', jsonName: name, ...more };
}

const repeated = { label: 'LABEL_REPEATED' };
const enumField = { typeName: '.old.Size' };
const inner = { typeName: '.old.Inner' };

const enumType = [
  {
    name: 'Size',
    value: [
      { name: 'SMALL', number: 1 },
      { name: 'LARGE', number: 2 },
    ],
  },
];

/** A file with everything that only proto2 and editions have. */
const file: JsonValue = {
  name: 'old.proto',
  package: 'old',
  syntax: 'proto2',
  dependency: ['google/protobuf/struct.proto', 'google/protobuf/timestamp.proto'],
  enumType,
  messageType: [
    {
      name: 'Old',
      field: [
        fieldOf('size', 1, 'ENUM', { ...enumField, defaultValue: 'LARGE' }),
        fieldOf('sizes', 2, 'ENUM', { ...enumField, ...repeated }),
        fieldOf('number', 3, 'INT32', { defaultValue: '7' }),
        fieldOf('text', 4, 'STRING'),
        fieldOf('odd', 5, 'STRING', { jsonName: 'a "quoted"\u007f\u2028 näme' }),
        fieldOf('group', 6, 'GROUP', inner),
        fieldOf('groups', 7, 'GROUP', { ...inner, ...repeated }),
        fieldOf('nothing', 8, 'ENUM', { typeName: '.google.protobuf.NullValue' }),
        fieldOf('one', 9, 'ENUM', { ...enumField, oneofIndex: 0 }),
        fieldOf('other', 10, 'INT32', { oneofIndex: 0 }),
        fieldOf('at', 11, 'GROUP', { typeName: '.google.protobuf.Timestamp' }),
        fieldOf('list', 12, 'GROUP', { typeName: '.google.protobuf.ListValue' }),
      ],
      oneofDecl: [{ name: 'choice' }],
      extensionRange: [{ start: 100, end: 200 }],
    },
    { name: 'Inner', field: [fieldOf('a', 1, 'INT32'), fieldOf('b', 2, 'INT32', repeated)] },
    {
      name: 'Must',
      field: [
        fieldOf('a', 1, 'INT32', { label: 'LABEL_REQUIRED' }),
        fieldOf('size', 2, 'ENUM', { ...enumField, label: 'LABEL_REQUIRED' }),
      ],
    },
  ],
  extension: [
    fieldOf('late', 110, 'STRING', { extendee: '.old.Old', jsonName: '' }),
    fieldOf('early', 101, 'INT64', { extendee: '.old.Old', ...repeated, jsonName: '' }),
    fieldOf('size', 120, 'ENUM', { extendee: '.old.Old', ...enumField, defaultValue: 'LARGE', jsonName: '' }),
  ],
};

const registry = registryOf(fromJson(FileDescriptorProtoSchema, file));

function convert(bytes: Uint8Array, options: WireToJsonOptions = {}, type = 'old.Old'): string {
  return Buffer.from(wireToJson(messageOf(registry, type), options).convert(bytes)).toString();
}

const lists = '"sizes":[],"groups":[]';

test('defaults of fields with presence are not written', () => {
  expect(convert(wire())).toBe(`{${lists}}`);
});

test('unknown numbers of closed enums are dropped in fields and written in lists', () => {
  expect(convert(wire(varint(1, 9), varint(2, 9), varint(2, 1)))).toBe('{"sizes":[9,"SMALL"],"groups":[]}');
  expect(convert(wire(varint(1, 1), varint(1, 9)), { defaults: false })).toBe('{"size":"SMALL"}');
});

test('an unknown number of a closed enum does not change a oneof', () => {
  expect(convert(wire(varint(10, 5), varint(9, 9)), { defaults: false })).toBe('{"other":5}');
  expect(convert(wire(varint(9, 9), varint(10, 5)), { defaults: false })).toBe('{"other":5}');
});

test('unknown numbers of closed enums are dropped even if enums are written as integers', () => {
  const options = { defaults: false, enumsAsIntegers: true };
  expect(convert(wire(varint(1, 9)), options)).toBe('{}');
  expect(convert(wire(varint(1, 2)), options)).toBe('{"size":2}');
});

test('invalid UTF-8 is replaced if the schema does not require validation', () => {
  expect(convert(wire(len(4, [0xff])), { defaults: false })).toBe('{"text":"\ufffd"}');
});

test('keys are written as JSON.stringify does', () => {
  const key = JSON.stringify('a "quoted"\u007f\u2028 näme');
  expect(convert(wire(len(5, 'x')), { defaults: false })).toBe(`{${key}:"x"}`);
});

test('groups are read in parts, nested and between other fields', () => {
  const parts = wire(
    group(6, varint(1, 1), varint(2, 2)),
    varint(3, 8),
    group(6, varint(2, 3)),
    group(7, varint(1, 1)),
    group(7, group(99)),
  );
  expect(convert(parts, { defaults: false })).toBe(
    '{"number":8,"group":{"a":1,"b":[2,3]},"groups":[{"a":1},{}]}',
  );
});

test('well-known types are read from groups', () => {
  const bytes = wire(group(11, varint(1, 1)), group(12, len(1, len(3, 'x'))));
  expect(convert(bytes, { defaults: false })).toBe('{"at":"1970-01-01T00:00:01Z","list":["x"]}');
});

test('a field with a length in place of a group is dropped, and the reverse', () => {
  const bytes = wire(len(6, varint(1, 1)), group(4, varint(1, 1)));
  expect(convert(bytes, { defaults: false })).toBe('{}');
});

test.each([0, 3])('NullValue %d is written as null', (number) => {
  expect(convert(wire(varint(8, number)), { defaults: false, enumsAsIntegers: true })).toBe(
    '{"nothing":null}',
  );
});

test.each([
  [[varint(2, 1)], 'a'],
  [[varint(1, 1), varint(2, 9)], 'size'],
  [[varint(2, 1), len(1, 'x')], 'a'],
])('a message without a required field is refused', (fields, name) => {
  expect(() => convert(wire(...fields), {}, 'old.Must')).toThrow(
    `cannot convert old.Must: required field "${name}" is missing`,
  );
});

test('required fields may be in any order, and in any part of a message', () => {
  expect(convert(wire(varint(2, 2), varint(1, 0)), {}, 'old.Must')).toBe('{"a":0,"size":"LARGE"}');
});

test('known extensions follow the fields in order of arrival', () => {
  const bytes = wire(len(110, 'x'), varint(101, 1), varint(3, 1), varint(101, 2), len(110, 'y'));
  expect(convert(bytes, { defaults: false, registry })).toBe(
    '{"number":1,"[old.late]":"y","[old.early]":["1","2"]}',
  );
  expect(convert(bytes, { defaults: false })).toBe('{"number":1}');
});

test('an unknown number of a closed enum becomes the default of its extension', () => {
  expect(convert(wire(varint(120, 9)), { defaults: false, registry })).toBe('{"[old.size]":"LARGE"}');
});
