import {
  FieldDescriptorProto_Label as Label,
  FieldDescriptorProto_Type as Type,
} from '@bufbuild/protobuf/wkt';
import { testFiles } from '@levada/test-peers/grpc';
import { describe, expect, it } from 'vitest';
import {
  bytesOf,
  type FieldInit,
  type FileInit,
  field,
  fields,
  file,
  type MessageInit,
  mapEntry,
  mapField,
  message,
  problem,
  registryOf,
  values,
} from '../../test/crafted-files.ts';
import { fileRegistry } from './file-registry.ts';

describe('numbers', () => {
  it.each([0, -1, 536_870_912, 2_147_483_647])('of fields are not %d', (number) => {
    expect(problem(fields(field('a', number)))).toBe(`field "a" has number ${number} in file "a.proto"`);
  });

  it.each([19_000, 19_999])('of fields are not the reserved %d', (number) => {
    expect(problem(fields(field('a', number)))).toBe(
      `field "a" has reserved number ${number} in file "a.proto"`,
    );
  });

  it('accepts all other field numbers, each once', () => {
    expect(
      problem(fields(field('a', 1), field('b', 18_999), field('c', 20_000), field('d', 536_870_911))),
    ).toBe('none');
    expect(problem(fields(field('a', 7), field('b', 7)))).toBe(
      'field "b" of message "A" has number 7 of another field in file "a.proto"',
    );
  });

  it('requires open enums to begin with zero and accepts negative numbers', () => {
    expect(problem(values())).toBe('enum "E" has no values in file "a.proto"');
    expect(problem(values(['A', 1]))).toBe('the first value of enum "E" is not zero');
    expect(problem(values(['A', 0], ['B', -1], ['C', 2_147_483_647], ['D', -2_147_483_648]))).toBe('none');
    expect(problem({ ...values(['A', 1]), syntax: 'proto2' })).toBe('none');
  });

  it('refuses duplicate enum numbers unless aliases are allowed', () => {
    expect(problem(values(['A', 0], ['B', 0]))).toBe(
      'enum "E" has two values 0 and no allow_alias in file "a.proto"',
    );
    const value = [0, 0].map((number, i) => ({ name: `A${i}`, number }));
    expect(problem(file({ enumType: [{ name: 'E', value, options: { allowAlias: true } }] }))).toBe('none');
  });
});

describe('types', () => {
  const inA = (init: MessageInit, more: FileInit = {}): FileInit =>
    file({ messageType: [message('A', init)], ...more });

  it.each<[string, FileInit]>([
    [
      'message type "B" is used and not defined',
      fields(field('a', 1, { type: Type.MESSAGE, typeName: '.B' })),
    ],
    ['enum type "A" is used and not defined', fields(field('a', 1, { type: Type.ENUM, typeName: '.A' }))],
    ['field "a" has no type name in file "a.proto"', fields(field('a', 1, { type: Type.MESSAGE }))],
    ['has a type name and a scalar type', fields(field('a', 1, { typeName: '.A' }))],
    ['field "a" has no known type in file "a.proto"', fields({ name: 'a', number: 1 })],
    ['field "a" has no known type in file "a.proto"', fields(field('a', 1, { type: 19 as Type }))],
    ['is in no known oneof', fields(field('a', 1, { oneofIndex: 0 }))],
    ['is in no known oneof', fields(field('a', 1, { oneofIndex: -1 }))],
    [
      'is repeated in a oneof',
      inA({ oneofDecl: [{ name: 'o' }], field: [field('a', 1, { oneofIndex: 0, label: Label.REPEATED })] }),
    ],
    [
      'message type "B" is used and not defined',
      inA({}, { service: [{ name: 'S', method: [{ name: 'M', inputType: '.A', outputType: '.B' }] }] }),
    ],
    [
      'message type "B" is used and not defined',
      inA({}, { extension: [field('e', 100, { extendee: '.B' })] }),
    ],
    [
      'is extended twice with number 100',
      inA({}, { extension: [field('e', 100, { extendee: '.A' }), field('f', 100, { extendee: '.A' })] }),
    ],
    [
      'field "a" has a default that is not of its type',
      {
        ...fields(field('a', 1, { type: Type.INT32, defaultValue: 'x' })),
        syntax: 'proto2',
      },
    ],
  ])('are refused: %s', (expected, init) => {
    expect(problem(init)).toContain(expected);
  });

  it.each<[string, FileInit]>([
    ['says that it is the entry of a map', file({ messageType: [mapEntry()] })],
    ['map entry "A.MEntry" is not of one field', inA({ nestedType: [mapEntry()] })],
    [
      'is not of one field',
      inA({ nestedType: [mapEntry()], field: [mapField, { ...mapField, name: 'n', number: 2 }] }),
    ],
    [
      'says that it is the entry',
      inA({ nestedType: [mapEntry()], field: [{ ...mapField, label: Label.OPTIONAL }] }),
    ],
    [
      'says that it is the entry',
      inA({ nestedType: [mapEntry({ field: [field('key', 1)] })], field: [mapField] }),
    ],
    [
      'says that it is the entry',
      inA({
        nestedType: [mapEntry({ field: [field('key', 1, { type: Type.DOUBLE }), field('value', 2)] })],
        field: [mapField],
      }),
    ],
    [
      'says that it is the entry',
      inA({
        nestedType: [mapEntry({ field: [field('key', 1), field('value', 2, { label: Label.REPEATED })] })],
        field: [mapField],
      }),
    ],
    [
      'says that it is the entry',
      inA({ nestedType: [mapEntry({ nestedType: [message('B')] })], field: [mapField] }),
    ],
    [
      'says that it is the entry',
      file({
        messageType: [
          message('A', { nestedType: [mapEntry()], field: [mapField] }),
          message('B', { field: [mapField] }),
        ],
      }),
    ],
    [
      'says that it is the entry',
      inA(
        { nestedType: [mapEntry()], field: [mapField] },
        { service: [{ name: 'S', method: [{ name: 'M', inputType: '.A.MEntry', outputType: '.A' }] }] },
      ),
    ],
  ])('are no faked map: %s', (expected, init) => {
    expect(problem(init)).toContain(expected);
  });

  it('may be maps, recursive, groups, extensions and of any edition', () => {
    expect(problem(inA({ nestedType: [mapEntry()], field: [mapField] }))).toBe('none');
    expect(problem(fields(field('a', 1, { type: Type.MESSAGE, typeName: '.A' })))).toBe('none');
    for (const edition of [1000, 1001]) expect(problem(file({ syntax: 'editions', edition }))).toBe('none');
    const legacy = registryOf(...testFiles().values());
    expect(legacy.getExtension('teststream.legacy.resume_after')?.number).toBe(100);
    const group = legacy.getMessage('teststream.legacy.LegacyEvent')?.field['detail'];
    expect(group).toMatchObject({ fieldKind: 'message', delimitedEncoding: true });
  });

  it('nest up to 100 deep', () => {
    const deep = (levels: number): MessageInit =>
      levels === 1 ? message('A') : message('A', { nestedType: [deep(levels - 1)] });
    expect(problem(file({ messageType: [deep(98)] }))).toBe('none');
    expect(problem(file({ messageType: [deep(101)] }))).toBe('types are nested more than 100 deep');
    expect(problem(file({ messageType: [deep(300)] }))).toBe('types are nested more than 100 deep');
  });

  it('refuses types with the name of a well-known type and other fields', () => {
    const timestamp = (...all: FieldInit[]) =>
      file({ package: 'google.protobuf', messageType: [message('Timestamp', { field: all })] });
    const seconds = field('seconds', 1, { type: Type.INT64 });
    expect(problem(timestamp(field('nanos', 2, { type: Type.INT32 }), seconds))).toBe('none');
    for (const wrong of [timestamp(), timestamp(seconds), timestamp(field('seconds', 1))]) {
      expect(problem(wrong)).toBe('google.protobuf.Timestamp is not the well-known type of that name');
    }
  });
});

describe('large sets', () => {
  /** `count` messages without fields, as cheap as they come. */
  const messages = (count: number): Uint8Array =>
    Buffer.concat([bytesOf(file()), ...Array.from({ length: count }, () => Buffer.from([0x22, 0x00]))]);

  it('are refused above 100 000 messages, wherever they are', () => {
    const one = messages(60_000);
    const refused =
      (...files: Uint8Array[]) =>
      () =>
        fileRegistry([{ from: 'it', files }]);
    expect(refused(one, one)).toThrow('it holds more than 100000 message types');
    expect(refused(messages(100_001))).toThrow('it holds more than 100000 message types');
  });

  it('are refused above 4 million fields of descriptors', () => {
    const unknown = Buffer.concat([bytesOf(file()), Buffer.alloc(8_000_002, Buffer.from([0x78, 0x00]))]);
    expect(() => fileRegistry([{ from: 'it', files: [unknown] }])).toThrow(
      'it holds more than 4000000 fields of descriptors',
    );
  });

  it('are read: 10 000 messages that refer to each other', () => {
    const messageType = Array.from({ length: 10_000 }, (_, i) =>
      message(`M${i}`, {
        field: [
          field('id', 1),
          field('next', 2, { type: Type.MESSAGE, typeName: `.p.M${(i + 1) % 10_000}` }),
          field('count', 3, { type: Type.INT64 }),
        ],
      }),
    );
    const registry = registryOf(file({ package: 'p', messageType }));
    expect(registry.getMessage('p.M9999')?.field['next']?.message?.name).toBe('M0');
  });
});
