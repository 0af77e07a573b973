import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { fromBinary, type JsonObject, toJson } from '@bufbuild/protobuf';
import {
  type FileDescriptorProto,
  FileDescriptorProtoSchema,
  FileDescriptorSetSchema,
} from '@bufbuild/protobuf/wkt';
import { isConnectorError } from '@levada/connect-runtime-core';
import { protoFolder, testDescriptor, testFiles } from '@levada/test-peers/grpc';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findMethod } from '../find-method.ts';
import { readDescriptor } from '../read-descriptor.ts';
import { protoFileSet } from './proto-file-set.ts';

const buf = createRequire(import.meta.url).resolve('@bufbuild/buf/bin/buf');

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'levada-proto-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const path = (name: string): string => join(folder, name);

function write(files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(path(name)), { recursive: true });
    writeFileSync(path(name), text);
  }
}

/** What makes no difference to the bytes of messages and to their JSON. JSON names are compared apart. */
const unread = /^(?:jsonName|reservedRange|reservedName|javaPackage|deprecated)$/;

/** What decides how messages are read, as JSON. Both name the same things in the same order. */
function meaning(file: FileDescriptorProto): JsonObject {
  const json = toJson(FileDescriptorProtoSchema, file) as JsonObject;
  for (const name of ['sourceCodeInfo', 'publicDependency', 'optionDependency']) delete json[name];
  return JSON.parse(
    JSON.stringify(json, (key, value: unknown) => {
      if (unread.test(key)) return undefined;
      if (key === 'options' && Object.keys(value as object).every((name) => unread.test(name)))
        return undefined;
      // Compilers put the entries of maps after the other types.
      return key === 'nestedType' ? sorted(value as readonly { readonly name: string }[]) : value;
    }),
  ) as JsonObject;
}

function sorted<T extends { readonly name: string }>(types: readonly T[]): readonly T[] {
  return types.toSorted((one, other) => one.name.localeCompare(other.name));
}

function readFiles(
  paths: readonly string[],
  folders: readonly string[],
): ReadonlyMap<string, FileDescriptorProto> {
  const { files } = protoFileSet(paths, { folders, maxBytes: 1_000_000 });
  return new Map(
    files.map((bytes) => fromBinary(FileDescriptorProtoSchema, bytes)).map((file) => [file.name, file]),
  );
}

const languages = {
  'two.proto': `/* the syntax is not stated */
package two;
import public "nested/shared.proto";
message M {
  required string a = 1;
  optional int32 b = 2 [default = -7, deprecated = true];
  optional group Detail = 3 { optional int32 x = 1; }
  repeated int32 packed = 4 [packed = true];
  optional double f = 6 [default = inf];
  optional E e = 7 [default = B];
  optional string text = 8 [default = "it's"];
  map<int32, shared.Shared> shared_by_id = 9;
  extensions 100 to 199, 1000 to max;
  enum E { option allow_alias = true; A = 1; B = 2; BB = 2; }
  oneof one_of { bool yes = 10; Inner inner = 11; }
  message Inner { optional M.E e = 1; extend M { optional Inner more = 101; } }
  reserved 50 to 60; reserved "old";
}
extend M { repeated shared.Shared ext = 100; }
service S { rpc R (M) returns (stream .two.M); }
`,
  'nested/shared.proto': `syntax = "proto3"; package shared;
option java_package = "example";
message Shared { optional int64 id = 1; Kind kind = 2; optional string other = 3 [json_name = "o"]; bytes a_1 = 4; }
enum Kind { KIND_NONE = 0; KIND_SOME = -1; }
`,
  'edition.proto': `edition = "2023";
package edition;
option features.field_presence = IMPLICIT;
option features.utf8_validation = NONE;
message M {
  string a = 1;
  int32 b = 2 [features.field_presence = EXPLICIT];
  M c = 3 [features.message_encoding = DELIMITED];
  repeated int32 p = 4 [features.repeated_field_encoding = EXPANDED];
  oneof o { string x = 5; }
}
enum E { option features.enum_type = CLOSED; A = 1; }
service S { rpc R (stream M) returns (M); }
`,
  'bare.proto': 'syntax = "proto3"; message Bare { int32 a = 1; }',
};

describe('.proto files', () => {
  it('mean what a compiler makes of them', () => {
    write(languages);
    const output = path('set.binpb');
    execFileSync(process.execPath, [buf, 'build', folder, '--as-file-descriptor-set', '-o', output], {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, BUF_CACHE_DIR: folder, HOME: folder },
    });
    const compiled = fromBinary(FileDescriptorSetSchema, readFileSync(output)).file;
    const names = Object.keys(languages);
    const read = readFiles(names.map(path), [folder]);
    for (const file of compiled.filter(({ name }) => names.includes(name)))
      expect(meaning(read.get(file.name) as FileDescriptorProto)).toEqual(meaning(file));
    expect([...read.keys()].sort()).toEqual(names.sort());
    // A descriptor set leaves out names that follow from the field.
    const [shared] = read.get('nested/shared.proto')?.messageType ?? [];
    expect(shared?.field.map(({ jsonName }) => jsonName)).toEqual(['', '', 'o', '']);
  });

  it('are read with their imports, and with the types of protobuf itself', () => {
    const read = readFiles([join(protoFolder, 'teststream/rich.proto')], [protoFolder]);
    expect([...read.keys()]).toEqual(['teststream/rich.proto', 'teststream/common.proto']);
    for (const [name, file] of read)
      expect(meaning(file)).toEqual(meaning(testFiles().get(name) as FileDescriptorProto));
  });

  it.each([
    ['absolute', () => path('edition.proto')],
    ['relative', () => relative('.', path('edition.proto'))],
    ['with others', () => ` ${path('edition.proto')} , ${path('bare.proto')}`],
    ['with a set', () => `${path('test.binpb')}, ${path('edition.proto')}`],
  ])('are read at a path: %s', (_, text) => {
    write(languages);
    writeFileSync(path('test.binpb'), testDescriptor());
    const registry = readDescriptor(text());
    expect(registry.getMessage('edition.M')?.field['b']?.presence).toBeGreaterThan(0);
  });

  it('describe the method that is called', () => {
    const registry = readDescriptor(join(protoFolder, 'teststream/rich.proto'), [protoFolder]);
    const method = findMethod(registry, 'teststream.RichService', 'Watch');
    expect(method.output.fields.find(({ name }) => name === 'renamed')?.jsonName).toBe('otherName');
  });
});

describe('the parser of .proto files', () => {
  const module = (name: string): string => JSON.stringify(new URL(name, import.meta.url).href);
  const run = (program: string): string =>
    execFileSync(
      process.execPath,
      ['--disallow-code-generation-from-strings', '--input-type=module', '-e', program],
      { encoding: 'utf8', env: { PATH: process.env['PATH'] } },
    );

  it('makes no code at run time', () => {
    write(languages);
    const program = `import { readDescriptor } from ${module('../read-descriptor.ts')};
      console.log(readDescriptor(${JSON.stringify(path('two.proto'))}).getService('two.S').typeName);`;
    expect(run(program)).toBe('two.S\n');
  });

  it('is named when it is not installed', () => {
    const place = JSON.stringify(pathToFileURL(`${folder}/`).href);
    const program = `import { protoParser } from ${module('./proto-parser.ts')};
      try { protoParser([${place}]); } catch (error) { console.log(error.message); }`;
    expect(run(program)).toMatch(
      /: install @grpc\/proto-loader to read \.proto files, or compile them with protoc/,
    );
  });
});

describe('an error in a .proto file', () => {
  it.each([
    ['syntax = "proto3";\n\nmessage A {\n  string = 1;\n}', ":4: unexpected name '='"],
    ['syntax = "proto3";\nmessage A {\n', ': the file ends too early'],
    ['root:x:0:0', ':1: unexpected token'],
    ['syntax = "proto3";\n// B\nmessage A {\n  B b = 1;\n}', ':4: type "B" is not defined'],
    [
      'syntax = "proto3";\nmessage A {}\nservice S {\n  rpc R (A) returns (stream x.Y);\n}',
      ':4: type "x.Y" is not defined',
    ],
    ['syntax = "proto3";\nimport "far.proto";', ':2: import "far.proto" is not in '],
    [
      'syntax = "proto3";\nimport "../far.proto";',
      ':2: import "../far.proto" is not the name of a .proto file',
    ],
    [
      'syntax = "proto3";\nimport "/etc/passwd";',
      ':2: import "/etc/passwd" is not the name of a .proto file',
    ],
    ['edition = "1999";', ":1: unexpected edition '1999'"],
    [
      'syntax = "proto2";\nmessage A {\n  optional bytes b = 1 [default = "\\001"];\n}',
      ':3: the default of field "b" cannot be read exactly',
    ],
    [
      'syntax = "proto2";\nmessage A {\n  optional int64 b = 1 [default = 9223372036854775807];\n}',
      ':3: the default of field "b" cannot be read exactly',
    ],
  ])('names file and line: %j', (text, message) => {
    write({ 'wrong.proto': text });
    expect(errorOf(path('wrong.proto'))).toContain(
      `Invalid proto descriptor: ${path('wrong.proto')}${message}`,
    );
  });

  it.each([
    ['message A {\n  string a = 99999999999;\n}', /99999999999/],
    ['enum E {\n  A = 0;\n  B = 3000000000;\n}', /3000000000/],
    ['message A {\n  repeated int32 a = 1 [packed = maybe];\n}', /maybe/],
  ])('names the file of what no descriptor can hold: %j', (text, message) => {
    write({ 'wrong.proto': `syntax = "proto3";\n${text}` });
    const error = errorOf(path('wrong.proto'));
    expect(error).toContain(`Invalid proto descriptor: ${path('wrong.proto')}: `);
    expect(error).toMatch(message);
  });

  it('names the folder that an import is in', () => {
    write({
      'far/prices/v1/p.proto': 'syntax = "proto3";\nimport "prices/v1/q.proto";',
      'far/prices/v1/q.proto': '',
    });
    expect(errorOf(path('far/prices/v1/p.proto'))).toContain(
      `: add ${path('far')} to grpc.proto.import.paths`,
    );
  });

  it('names two files of one name, unless they are one', () => {
    write({
      'a/x.proto': 'syntax = "proto3";\nmessage A {}',
      'b/x.proto': 'syntax = "proto3";\nmessage B {}',
    });
    expect(errorOf(`${path('a/x.proto')},${path('b/x.proto')}`)).toBe(
      `Invalid proto descriptor: "${path('a/x.proto')}" and "${path('b/x.proto')}" are both named "x.proto": ` +
        'name their common folder in grpc.proto.import.paths',
    );
    const twice = [path('a/x.proto'), path('b/../a/x.proto')];
    expect(protoFileSet(twice, { folders: [], maxBytes: 1_000_000 }).files).toHaveLength(1);
    const apart = [path('a/x.proto'), path('b/x.proto')];
    expect(protoFileSet(apart, { folders: [folder], maxBytes: 1_000_000 }).files).toHaveLength(2);
  });

  it('names a file that is not there', () => {
    expect(errorOf('missing.proto')).toBe('Invalid proto descriptor: "missing.proto": ENOENT');
  });
});

function errorOf(text: string): string {
  try {
    readDescriptor(text);
  } catch (thrown) {
    if (isConnectorError(thrown)) return thrown.message;
    throw thrown;
  }
  throw new Error('was read');
}
