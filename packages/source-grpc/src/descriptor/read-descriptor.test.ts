import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { gzipSync } from 'node:zlib';
import { toJsonString } from '@bufbuild/protobuf';
import { FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';
import { isConnectorError } from '@levada/connect-runtime-core';
import { descriptorSet, testDescriptor, testFiles } from '@levada/test-peers/grpc';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findMethod } from './find-method.ts';
import { readDescriptor } from './read-descriptor.ts';

let folder: string;
const path = (name: string): string => join(folder, name);
const only = (name: string): boolean => name === 'teststream/stream.proto';

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'levada-descriptor-'));
  const files = [...testFiles().values()];
  const set = testDescriptor();
  writeFileSync(path('all.binpb'), set);
  writeFileSync(path('stream.binpb'), descriptorSet(files.filter(({ name }) => only(name))));
  writeFileSync(path('rest.binpb'), descriptorSet(files.filter(({ name }) => !only(name))));
  writeFileSync(path('no-extension'), set);
  writeFileSync(path('empty'), '');
  writeFileSync(path('text.txt'), '\n// SECRET\nsyntax = "proto3";\n');
  writeFileSync(path('bare.txt'), 'syntax = "proto3"; message SECRET {}');
  writeFileSync(path('gzip'), gzipSync(set));
  const json = { $typeName: FileDescriptorSetSchema.typeName, file: files };
  writeFileSync(path('json'), toJsonString(FileDescriptorSetSchema, json));
  writeFileSync(path('ff'), Buffer.alloc(1_000_000, 0xff));
  writeFileSync(path('passwd'), 'root:SECRET:0:0:root:/root:/bin/sh\n');
  writeFileSync(path('key'), '\n-----BEGIN SECRET KEY-----\nSECRETSECRET\n');
  writeFileSync(path('cut'), set.subarray(0, set.length - 1));
  writeFileSync(path('large'), '');
  truncateSync(path('large'), 100 * 1024 * 1024);
  mkdirSync(path('folder'));
  symlinkSync(path('all.binpb'), path('link'));
  symlinkSync('/dev/zero', path('zero'));
  execFileSync('mkfifo', [path('pipe')]);
});
afterAll(() => rmSync(folder, { recursive: true }));

function services(text: string): readonly string[] {
  const types = [...readDescriptor(text)].filter(({ kind }) => kind === 'service');
  return types.map(({ typeName }) => typeName).sort();
}

function errorOf(text: string) {
  try {
    readDescriptor(text);
  } catch (thrown) {
    if (isConnectorError(thrown)) return thrown;
    throw thrown;
  }
  throw new Error('was read');
}

const all = ['teststream.RichService', 'teststream.TestStreamService', 'teststream.legacy.LegacyService'];

describe('a descriptor at a path', () => {
  it.each<[string, () => string]>([
    ['absolute', () => path('all.binpb')],
    ['relative', () => relative('.', path('all.binpb'))],
    ['of a link', () => path('link')],
    ['twice, with a comma between', () => `${path('all.binpb')},${path('all.binpb')}`],
    ['of two parts that need each other', () => ` ${path('rest.binpb')} ,\n${path('stream.binpb')},`],
    ['of overlapping sets', () => `${path('stream.binpb')},${path('all.binpb')}`],
  ])('is read: %s', (_, text) => {
    expect(services(text())).toEqual(expect.arrayContaining(all));
  });

  it.each([
    ['missing', /^Invalid proto descriptor: ".*\/missing": ENOENT$/],
    ['folder', /^Invalid proto descriptor: ".*\/folder": not a regular file$/],
    ['pipe', /^Invalid proto descriptor: ".*\/pipe": not a regular file$/],
    ['zero', /^Invalid proto descriptor: ".*\/zero": not a regular file$/],
    ['large', /^Invalid proto descriptor: ".*\/large": larger than 16777216 bytes$/],
    ['all.binpb/below', /^Invalid proto descriptor: ".*\/below": ENOTDIR$/],
  ])('reports that a descriptor path is unreadable without blocking: %s', (name, message) => {
    expect(errorOf(path(name))).toMatchObject({ code: 'file_unreadable', retriable: false });
    expect(errorOf(path(name)).message).toMatch(message);
    expect(errorOf(`${path('all.binpb')},${path(name)}`).message).toMatch(message);
  });

  it.each([
    ['empty', /empty" is empty$/],
    [
      'text.txt',
      /text\.txt" is the text of a \.proto file; give it a name that ends in \.proto, or compile it/,
    ],
    ['bare.txt', /bare\.txt" is the text of a \.proto file/],
    ['gzip', /gzip" is compressed with gzip, a plain descriptor set is expected$/],
    ['json', /json" is JSON, a binary descriptor set is expected$/],
    ['ff', /ff" is not a descriptor set \(.*\)$/],
    ['passwd', /passwd" is not a descriptor set \(.*\)$/],
    ['key', /key" is not a descriptor set \(.*\)$/],
    ['cut', /cut" is not a descriptor set \(premature EOF\)$/],
  ])('rejects a file that is not a descriptor set without quoting its content: %s', (name, message) => {
    const error = errorOf(path(name));
    expect(error).toMatchObject({ code: 'config_invalid', retriable: false });
    expect(error.message).toMatch(/^Invalid proto descriptor: "/);
    expect(error.message).toMatch(message);
    expect(error.message).not.toContain('SECRET');
    expect(error.issues).toEqual([{ key: 'grpc.proto.descriptor', message: error.message }]);
  });
});

describe('a descriptor in base64', () => {
  const set = (): Buffer => Buffer.from(testDescriptor());
  it.each<[string, () => string]>([
    ['standard', () => set().toString('base64')],
    ['URL-safe', () => set().toString('base64url')],
    ['without padding', () => set().toString('base64').replace(/=+$/, '')],
    [
      'wrapped',
      () =>
        set()
          .toString('base64')
          .replace(/(.{64})/g, '$1\r\n'),
    ],
    ['with the prefix', () => `base64:${set().toString('base64')}`],
    ['with the prefix, wrapped from its start', () => `base64:\n${set().toString('base64')}\n`],
  ])('is read: %s', (_, text) => {
    expect(services(text())).toEqual(expect.arrayContaining(all));
  });

  it('counts as a path when a file has that name', () => {
    const cwd = process.cwd();
    process.chdir(folder);
    try {
      writeFileSync('Cgk', testDescriptor());
      expect(services('Cgk')).toEqual(expect.arrayContaining(all));
      expect(errorOf('base64:Cgk').message).toMatch(
        /^Invalid proto descriptor: the base64 text is not a desc/,
      );
    } finally {
      process.chdir(cwd);
    }
  });

  it.each([
    [
      'CgRh*',
      'Invalid proto descriptor: "CgRh*" is neither the path of a file nor base64 of a descriptor set',
    ],
    [
      'base64:***',
      'Invalid proto descriptor: "***" is neither the path of a file nor base64 of a descriptor set',
    ],
    ['missing.pb', /^Invalid proto descriptor: "missing\.pb" is neither the path/],
    ['AAAA', /^Invalid proto descriptor: "AAAA" is neither the path/],
    ['CgRh', /^Invalid proto descriptor: the base64 text is not a descriptor set \(premature EOF\)$/],
    [`${'CgRh'.repeat(100)}*`, /^Invalid proto descriptor: text of 401 characters is neither/],
    ['Cg\nRh*', /^Invalid proto descriptor: text of 6 characters is neither/],
    [`/${'x'.repeat(2000)}`, /^Invalid proto descriptor: \[hidden\]: ENAMETOOLONG$/],
    ['', /^Invalid proto descriptor: "" is neither/],
    [',', /^Invalid proto descriptor: it holds no files$/],
  ])('is not %.20j', (text, message) => {
    expect(errorOf(text).message).toMatch(message);
  });

  it('is refused beyond 16 MiB', () => {
    const zeros = Buffer.concat([Buffer.from([0x0a]), Buffer.alloc(16 * 1024 * 1024)]);
    expect(errorOf(`base64:${zeros.toString('base64')}`).message).toBe(
      'Invalid proto descriptor: the base64 text is larger than 16777216 bytes',
    );
  });
});

describe('a method', () => {
  const found = (service: string, method: string) => () =>
    findMethod(readDescriptor(path('all.binpb')), service, method);

  it('is found by the full name of its service and its own name', () => {
    const method = found('teststream.TestStreamService', 'StreamEvents')();
    expect(method.input.typeName).toBe('teststream.StreamRequest');
    expect(method.output.typeName).toBe('teststream.StreamEvent');
  });

  it.each([
    ['teststream.Missing', 'X', 'Service not found in descriptor: teststream.Missing'],
    [
      'teststream.teststreamservice',
      'X',
      'Service not found in descriptor: teststream.teststreamservice, did you mean "teststream.TestStreamService"?',
    ],
    [
      '.teststream.TestStreamService',
      'X',
      'Service not found in descriptor: .teststream.TestStreamService, did you mean "teststream.TestStreamService"?',
    ],
    [
      'TestStreamService',
      'X',
      'Service not found in descriptor: TestStreamService, did you mean "teststream.TestStreamService"?',
    ],
    ['teststream.StreamEvent', 'X', 'Service not found in descriptor: teststream.StreamEvent'],
    ['__proto__', 'X', 'Service not found in descriptor: __proto__'],
    ['constructor', 'X', 'Service not found in descriptor: constructor'],
  ])('is not found in service %s', (service, method, message) => {
    expect(found(service, method)).toThrow(
      expect.objectContaining({
        code: 'config_invalid',
        retriable: false,
        message,
        issues: [{ key: 'grpc.service.name', message }],
      }),
    );
  });

  it.each([
    ['Nothing', 'Method not found in service teststream.TestStreamService: Nothing'],
    [
      'streamEvents',
      'Method not found in service teststream.TestStreamService: streamEvents, did you mean "StreamEvents"?',
    ],
    ['constructor', 'Method not found in service teststream.TestStreamService: constructor'],
    ['GetEvent', 'Method is not server-streaming: teststream.TestStreamService/GetEvent is unary'],
    [
      'SendEvents',
      'Method is not server-streaming: teststream.TestStreamService/SendEvents is client-streaming',
    ],
    [
      'Exchange',
      'Method is not server-streaming: teststream.TestStreamService/Exchange is bidirectional-streaming',
    ],
  ])('is not %s', (method, message) => {
    expect(found('teststream.TestStreamService', method)).toThrow(
      expect.objectContaining({ retriable: false, message, issues: [{ key: 'grpc.method.name', message }] }),
    );
  });
});
