import { create, createFileRegistry } from '@bufbuild/protobuf';
import { FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';
import { expect, it } from 'vitest';
import { buildTables } from './tables.ts';

const FLOAT = 2;
const STRING = 9;

/** The tables of a request with fields of these types, numbered from 1. */
function tablesOf(types: readonly number[]): unknown {
  const field = types.map((type, index) => ({ name: `f${index}`, number: index + 1, type, label: 1 }));
  const file = [{ name: 'a.proto', syntax: 'proto3', messageType: [{ name: 'Request', field }] }];
  const registry = createFileRegistry(create(FileDescriptorSetSchema, { file }));
  const request = registry.getMessage('Request');
  if (request === undefined) throw new Error('no request');
  return buildTables({ messages: [request], ids: new Map(), nested: { typeName: '', levels: 0 } });
}

it('an unsupported field of a schema is named', () => {
  expect(() => tablesOf([STRING, FLOAT])).toThrow(new RangeError('field "Request.f1" is a float'));
  expect(() => tablesOf(Array.from({ length: 33 }, () => STRING))).toThrow(
    new RangeError('message "Request" has more than 32 fields'),
  );
  expect(tablesOf(Array.from({ length: 32 }, () => STRING))).toBeDefined();
});
