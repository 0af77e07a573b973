import {
  createFileRegistry,
  type DescFile,
  type DescMessage,
  type FileRegistry,
  fromBinary,
  toBinary,
} from '@bufbuild/protobuf';
import { nestedTypes } from '@bufbuild/protobuf/reflect';
import { FileDescriptorProtoSchema, FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';
import { descriptorSet } from './gen/descriptor-set.ts';
import { type SignalName, signals } from './signals.ts';

/** One file of the schema as reflection serves it. */
export interface SchemaFile {
  /** Path by which other files import it. */
  readonly name: string;
  /** Names of the files that it imports; those of all of them are in the schema. */
  readonly dependencies: readonly string[];
  /** Full names of messages, enums, services and methods that it defines. */
  readonly symbols: readonly string[];
  /** Its FileDescriptorProto. */
  readonly bytes: Uint8Array;
}

/** OTLP's messages and services, and those of gRPC's health checks and reflection. */
export interface OtlpSchema {
  request(signal: SignalName): DescMessage;
  /** A message by its full name, e.g. that of a response. Throws a RangeError for a name that the schema does not have. */
  message(typeName: string): DescMessage;
  /** All files, each after those that it imports. */
  files(): readonly SchemaFile[];
}

/** The schema from the .proto files of this package. It is decoded on first use, once per call, so callers keep the result. */
export function otlpSchema(): OtlpSchema {
  let decoded: FileRegistry | undefined;
  let listed: readonly SchemaFile[] | undefined;
  const registry = (): FileRegistry => {
    decoded ??= createFileRegistry(fromBinary(FileDescriptorSetSchema, descriptorBytes()));
    return decoded;
  };
  const message = (typeName: string): DescMessage => {
    const found = registry().getMessage(typeName);
    if (found === undefined) throw new RangeError(`the OTLP schema has no message "${typeName}"`);
    return found;
  };
  return {
    message,
    request: (signal) => message(signals[signal].request),
    files: () => {
      listed ??= Array.from(registry().files, schemaFile);
      return listed;
    },
  };
}

function descriptorBytes(): Uint8Array {
  return Buffer.from(descriptorSet.join(''), 'base64');
}

function schemaFile(file: DescFile): SchemaFile {
  return {
    name: file.proto.name,
    dependencies: file.proto.dependency,
    symbols: symbolsOf(file),
    bytes: toBinary(FileDescriptorProtoSchema, file.proto),
  };
}

function symbolsOf(file: DescFile): string[] {
  const symbols: string[] = [];
  for (const type of nestedTypes(file)) {
    symbols.push(type.typeName);
    if (type.kind === 'service') {
      for (const method of type.methods) symbols.push(`${type.typeName}.${method.name}`);
    }
  }
  return symbols;
}
