import { FieldDescriptorProto_Type as Type } from '@bufbuild/protobuf/wkt';
import { testFiles } from '@levada/test-peers/grpc';
import { describe, expect, it } from 'vitest';
import {
  bytesOf,
  type FileInit,
  field,
  fields,
  file,
  message,
  problem,
  registryOf,
  values,
} from '../../test/crafted-files.ts';
import { fileRegistry } from './file-registry.ts';

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

  it('names missing imports with the file that needs them', () => {
    expect(problem(file({ dependency: ['shop/money.proto'] }))).toBe(
      'file "shop/money.proto", imported by "a.proto", is missing; compile with protoc --include_imports (buf build includes imports by default)',
    );
  });

  it('does not require the files of protobuf itself', () => {
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

  it('accepts different versions of the files of protobuf itself in several sets', () => {
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

  it('treats names that are dangerous elsewhere as data', () => {
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

  it('refuses duplicate JSON names except in proto2', () => {
    const clash = fields(field('foo_bar', 1), field('fooBar', 2));
    expect(problem(clash)).toBe(
      'field "fooBar" of message "A" has the JSON name of another field in file "a.proto"',
    );
    expect(problem({ ...clash, syntax: 'proto2' })).toBe('none');
  });

  it('derives JSON names from field names where they are omitted', () => {
    const registry = registryOf(fields(field('foo_bar_2', 1), field('b', 2, { jsonName: 'other' })));
    expect(registry.getMessage('A')?.fields.map(({ jsonName }) => jsonName)).toEqual(['fooBar2', 'other']);
  });
});

describe('names of types that are written in part', () => {
  const complete = (init: FileInit) =>
    fileRegistry([{ from: 'it', files: [bytesOf(init)] }], { complete: true });

  /** Each field is of a type that has to be looked up in all scopes around it. */
  const unknownTypes = (count: number) =>
    Array.from({ length: count }, (_, i) => field(`f${i}`, i + 1, { type: Type.MESSAGE, typeName: `X${i}` }));

  it('are looked up only in packages with names that are not too long', () => {
    const parts = Array(5000).fill('a').join('.');
    const init = file({ package: parts, messageType: [message('A', { field: unknownTypes(500) })] });
    expect(() => complete(init)).toThrow(
      /^Invalid proto descriptor: package "a[a.]*\.\.\." is longer than 1000 characters in file "a\.proto"$/,
    );
  });

  it('are refused where looking them up would take too long', () => {
    let deep = message('m'.repeat(1000), { field: unknownTypes(2000) });
    for (let depth = 1; depth < 90; depth += 1) deep = message('m'.repeat(1000), { nestedType: [deep] });
    expect(() => complete(file({ messageType: [deep] }))).toThrow(
      /^Invalid proto descriptor: too many long names of types are written in part$/,
    );
  });
});
