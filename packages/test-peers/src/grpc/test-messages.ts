import {
  createFileRegistry,
  type DescMessage,
  fromBinary,
  fromJson,
  type JsonValue,
  toBinary,
  toJson,
} from '@bufbuild/protobuf';
import { FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';
import { testDescriptor } from './descriptor-fixtures.ts';

/** Wire bytes of a message of the test descriptor, from its ProtoJSON. */
export function messageBytes(type: string, json: JsonValue): Uint8Array {
  const schema = schemaOf(type);
  return toBinary(schema, fromJson(schema, json, { registry: registry() }));
}

/** The ProtoJSON of wire bytes, without fields that have their default. */
export function messageJson(type: string, bytes: Uint8Array): JsonValue {
  const schema = schemaOf(type);
  return toJson(schema, fromBinary(schema, bytes), { registry: registry() });
}

function schemaOf(type: string): DescMessage {
  const schema = registry().getMessage(type);
  if (schema === undefined) throw new Error(`${type} is not in the fixture`);
  return schema;
}

let made: ReturnType<typeof createFileRegistry> | undefined;

function registry() {
  made ??= createFileRegistry(fromBinary(FileDescriptorSetSchema, testDescriptor()));
  return made;
}
