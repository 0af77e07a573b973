import { create, type DescMessage, type MessageInitShape, toBinary } from '@bufbuild/protobuf';
import {
  type DescriptorProtoSchema,
  type FieldDescriptorProtoSchema,
  FileDescriptorProtoSchema,
  FieldDescriptorProto_Label as Label,
  FieldDescriptorProto_Type as Type,
} from '@bufbuild/protobuf/wkt';
import { isConnectorError } from '@levada/connect-runtime-core';
import { describe, expect, it } from 'vitest';
import { testFiles } from '../../test/descriptor-fixtures.ts';
import { fileRegistry } from './file-registry.ts';

/** What a message is made from; a made one does not count. */
type Init<Desc extends DescMessage> = Extract<MessageInitShape<Desc>, { $typeName?: never }>;
type FileInit = Init<typeof FileDescriptorProtoSchema>;
type MessageInit = Init<typeof DescriptorProtoSchema>;
type FieldInit = Init<typeof FieldDescriptorProtoSchema>;

type AnyFile = MessageInitShape<typeof FileDescriptorProtoSchema>;
const bytesOf = (file: AnyFile) =>
  toBinary(FileDescriptorProtoSchema, create(FileDescriptorProtoSchema, file));
const registryOf = (...files: AnyFile[]) => fileRegistry([{ from: 'it', files: files.map(bytesOf) }]);

/** A proto3 file; `a.proto` and without a package unless told. */
const file = (init: FileInit = {}): FileInit => ({ name: 'a.proto', syntax: 'proto3', ...init });
const field = (name: string, number: number, init: FieldInit = {}): FieldInit => ({
  name,
  number,
  label: Label.OPTIONAL,
  type: Type.STRING,
  ...init,
});
const message = (name: string, init: MessageInit = {}): MessageInit => ({ name, ...init });
/** A file with one message of these fields. */
const fields = (...all: FieldInit[]): FileInit => file({ messageType: [message('A', { field: all })] });
/** A file with one enum of these values. */
const values = (...all: [string, number][]): FileInit =>
  file({ enumType: [{ name: 'E', value: all.map(([name, number]) => ({ name, number })) }] });

const prefix = 'Invalid proto descriptor: ';

function problem(...files: AnyFile[]): string {
  try {
    registryOf(...files);
    return 'none';
  } catch (thrown) {
    const isExpected =
      isConnectorError(thrown) &&
      thrown.code === 'config_invalid' &&
      !thrown.retriable &&
      thrown.message.startsWith(prefix);
    if (!isExpected) throw thrown;
    return thrown.message.slice(prefix.length);
  }
}

const mapEntry = (init: MessageInit = {}): MessageInit => ({
  name: 'MEntry',
  field: [field('key', 1), field('value', 2)],
  options: { mapEntry: true },
  ...init,
});
const mapField = field('m', 1, { label: Label.REPEATED, type: Type.MESSAGE, typeName: '.A.MEntry' });

describe('imports', () => {
  const chain = (count: number, order: 'up' | 'down') => {
    const all = Array.from({ length: count }, (_, i) =>
      file({ name: `${i}.proto`, package: `p${i}`, dependency: i === 0 ? [] : [`${i - 1}.proto`] }),
    );
    return order === 'up' ? all : all.reverse();
  };

  it.each(['up', 'down'] as const)('may come in any order, and in long chains: %s', (order) => {
    expect([...registryOf(...chain(5000, order)).files]).toHaveLength(5000);
  });

  it('that are missing are named with the file that needs them', () => {
    expect(problem(file({ dependency: ['shop/money.proto'] }))).toBe(
      'file "shop/money.proto", imported by "a.proto", is missing; compile with protoc --include_imports (buf build includes imports by default)',
    );
  });

  it('of protobuf itself may be left out', () => {
    const files = [...testFiles().values()].filter(({ name }) => !name.startsWith('google/'));
    const registry = registryOf(...files);
    expect(registry.getMessage('google.protobuf.Struct')?.file.proto.name).toBe(
      'google/protobuf/struct.proto',
    );
  });

  it('may not go in a circle', () => {
    expect(problem(file({ dependency: ['a.proto'] }))).toBe('file "a.proto" imports itself');
    expect(
      problem(
        file({ name: 'x.proto', dependency: ['a.proto'] }),
        file({ name: 'a.proto', dependency: ['b.proto'] }),
        file({ name: 'b.proto', dependency: ['a.proto'] }),
      ),
    ).toBe('imports go in a circle: "a.proto" imports "b.proto" imports "a.proto"');
    const [first, ...rest] = chain(1000, 'up');
    expect(problem({ ...first, dependency: ['999.proto'] }, ...rest)).toMatch(
      /and so on imports "0\.proto"$/,
    );
  });
});

describe('files', () => {
  it('may be there twice only in several sets, with the same content', () => {
    const one = file({ messageType: [message('A')] });
    const other = file({ messageType: [message('B')] });
    expect(problem(one, one)).toBe('file "a.proto" is there twice');
    const sets = (...all: FileInit[]) => all.map((each) => ({ from: 'it', files: [bytesOf(each)] }));
    const commented = { ...one, sourceCodeInfo: { location: [{ leadingComments: 'comment' }] } };
    expect(fileRegistry(sets(one, commented)).getMessage('A')?.name).toBe('A');
    expect(() => fileRegistry(sets(one, other))).toThrow(
      'file "a.proto" is there twice with different content',
    );
  });

  it('of protobuf itself may differ between sets', () => {
    const empty = { name: 'google/protobuf/empty.proto', package: 'google.protobuf', syntax: 'proto3' };
    const one = { ...empty, messageType: [message('Empty')] };
    const other = { ...one, options: { javaPackage: 'com.example' } };
    const sets = [one, other].map((each) => ({ from: 'it', files: [bytesOf(each)] }));
    expect([...fileRegistry(sets).files]).toHaveLength(1);
  });

  it.each<[string, FileInit]>([
    ['it holds no files', undefined as unknown as FileInit],
    ['a file has no valid name: ""', { messageType: [message('A')] }],
    ['a file has no valid name: "a\\u000ab"', { name: 'a\nb' }],
    ['package name "b-c" is no identifier in file "a.proto"', file({ package: 'a.b-c' })],
    ['package name "" is no identifier in file "a.proto"', file({ package: 'a..b' })],
    ['syntax "proto4" is unknown in file "a.proto"', file({ syntax: 'proto4' })],
    ['the edition is missing in file "a.proto"', file({ syntax: 'editions' })],
    ['a.proto: unsupported edition', file({ syntax: 'editions', edition: 1 })],
    ['file "shop/money.proto", imported by', file({ dependency: ['shop/money.proto'] })],
  ])('are refused: %s', (expected, init) => {
    expect(problem(...(init === undefined ? [] : [init]))).toContain(expected);
  });
});

describe('names', () => {
  const long = 'x'.repeat(65_536);
  it.each<[string, FileInit]>([
    ['message name "" is no identifier', file({ messageType: [message('')] })],
    [
      'message name "a;process.exit()" is no identifier',
      file({ messageType: [message('a;process.exit()')] }),
    ],
    ['message name "🦆" is no identifier', file({ messageType: [message('🦆')] })],
    ['message name "1a" is no identifier', file({ messageType: [message('1a')] })],
    [`message name "${'x'.repeat(80)}..." is no identifier`, file({ messageType: [message(long)] })],
    [
      'message name "a.b" is no identifier',
      file({ messageType: [message('A', { nestedType: [message('a.b')] })] }),
    ],
    ['field name "a b" is no identifier', fields(field('a b', 1))],
    [
      'oneof name "a-b" is no identifier',
      file({ messageType: [message('A', { oneofDecl: [{ name: 'a-b' }] })] }),
    ],
    [
      'enum name "É" is no identifier',
      file({ enumType: [{ name: 'É', value: [{ name: 'A', number: 0 }] }] }),
    ],
    ['enum value name "a\\u001bb" is no identifier', values(['a\u001bb', 0])],
    ['service name "" is no identifier', file({ service: [{ name: '' }] })],
    ['method name "a/b" is no identifier', file({ service: [{ name: 'S', method: [{ name: 'a/b' }] }] })],
    ['has no valid JSON name', fields(field('a', 1, { jsonName: 'a\u0000b' }))],
    ['has no valid JSON name', fields(field('a', 1, { jsonName: long }))],
  ])('are identifiers: %s', (expected, init) => {
    expect(problem(init)).toContain(expected);
  });

  it('that are dangerous elsewhere are data here', () => {
    const words = [
      '__proto__',
      'constructor',
      'toJSON',
      'toString',
      'valueOf',
      'hasOwnProperty',
      'prototype',
    ];
    const all = words.map((word, i) => field(word, i + 1, { jsonName: word }));
    const registry = registryOf(
      file({
        package: '__proto__.constructor',
        messageType: [...words, 'A'].map((word) => message(word, { field: all })),
        enumType: [{ name: 'E', value: words.map((word, number) => ({ name: `${word}_`, number })) }],
        service: words.map((word) => ({
          name: `${word}_S`,
          method: words.map((name) => ({
            name,
            inputType: '.__proto__.constructor.A',
            outputType: '.__proto__.constructor.A',
            serverStreaming: true,
          })),
        })),
      }),
    );
    for (const word of words) {
      expect(registry.getMessage(`__proto__.constructor.${word}`)?.fields).toHaveLength(words.length);
      expect(registry.getService(`__proto__.constructor.${word}_S`)?.methods).toHaveLength(words.length);
      expect(registry.getMessage(word)).toBeUndefined();
    }
    expect(({} as Record<string, unknown>)['kind']).toBeUndefined();
  });

  it('are there once', () => {
    const twice = (name: string) => `"${name}" is defined twice`;
    const zero = { value: [{ name: 'Z', number: 0 }] };
    expect(problem(file({ messageType: [message('A'), message('A')] }))).toBe(twice('A'));
    expect(
      problem(file({ package: 'p', messageType: [message('A')], enumType: [{ name: 'A', ...zero }] })),
    ).toBe(twice('p.A'));
    expect(problem(file({ messageType: [message('A')], service: [{ name: 'A' }] }))).toBe(twice('A'));
    expect(problem(file({ messageType: [message('Z')], enumType: [{ name: 'E', ...zero }] }))).toBe(
      twice('Z'),
    );
    expect(problem({ ...fields(field('a', 1), field('a', 2)), syntax: 'proto2' })).toBe(twice('A.a'));
    expect(
      problem(file({ messageType: [message('A', { field: [field('b', 1)], nestedType: [message('b')] })] })),
    ).toBe(twice('A.b'));
    expect(problem(file({ service: [{ name: 'S', method: [{ name: 'M' }, { name: 'M' }] }] }))).toBe(
      twice('S.M'),
    );
    expect(
      problem(
        file({ package: 'p.q', messageType: [message('A')] }),
        file({ name: 'b.proto', package: 'p.q', messageType: [message('A')] }),
      ),
    ).toBe(twice('p.q.A'));
    expect(
      problem(
        file({ package: 'p.q.r', messageType: [message('A')] }),
        file({ name: 'b.proto', package: 'p', messageType: [message('q')] }),
      ),
    ).toBe(twice('p.q'));
    expect(problem(file({ package: 'p' }), file({ name: 'b.proto', messageType: [message('p')] }))).toBe(
      twice('p'),
    );
  });

  it('in JSON are there once, except in proto2', () => {
    const clash = fields(field('foo_bar', 1), field('fooBar', 2));
    expect(problem(clash)).toBe(
      'field "fooBar" of message "A" has the JSON name of another field in file "a.proto"',
    );
    expect(problem({ ...clash, syntax: 'proto2' })).toBe('none');
  });

  it('in JSON are made from the name where they are left out', () => {
    const registry = registryOf(fields(field('foo_bar_2', 1), field('b', 2, { jsonName: 'other' })));
    expect(registry.getMessage('A')?.fields.map(({ jsonName }) => jsonName)).toEqual(['fooBar2', 'other']);
  });
});

describe('numbers', () => {
  it.each([0, -1, 536_870_912, 2_147_483_647])('of fields are not %d', (number) => {
    expect(problem(fields(field('a', number)))).toBe(`field "a" has number ${number} in file "a.proto"`);
  });

  it.each([19_000, 19_999])('of fields are not the reserved %d', (number) => {
    expect(problem(fields(field('a', number)))).toBe(
      `field "a" has reserved number ${number} in file "a.proto"`,
    );
  });

  it('of fields may be all others, once', () => {
    expect(
      problem(fields(field('a', 1), field('b', 18_999), field('c', 20_000), field('d', 536_870_911))),
    ).toBe('none');
    expect(problem(fields(field('a', 7), field('b', 7)))).toBe(
      'field "b" of message "A" has number 7 of another field in file "a.proto"',
    );
  });

  it('of open enums begin with zero and may be negative', () => {
    expect(problem(values())).toBe('enum "E" has no values in file "a.proto"');
    expect(problem(values(['A', 1]))).toBe('the first value of enum "E" is not zero');
    expect(problem(values(['A', 0], ['B', -1], ['C', 2_147_483_647], ['D', -2_147_483_648]))).toBe('none');
    expect(problem({ ...values(['A', 1]), syntax: 'proto2' })).toBe('none');
  });

  it('of enums are there once, unless aliases are allowed', () => {
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

  it('with names of well-known ones have their fields', () => {
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
