import { createFileRegistry, type DescMessage, fromBinary } from '@bufbuild/protobuf';
import { FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';
import { wireToJson } from '@levada/protobuf-tables';
import { eventType } from './event.ts';

/** Turns one message into JSON bytes, and says how many. */
export type Convert = (message: Uint8Array) => number;

const OUTPUT_BYTES = 1_048_576;

/** What is done with protobufjs: decode, plain object, text, bytes. */
export function protobufjsConverter(): Convert {
  const type = eventType();
  const options = { longs: String, enums: String, bytes: String, defaults: true } as const;
  return (message) =>
    Buffer.from(JSON.stringify(type.toObject(type.decode(message), options)), 'utf8').length;
}

/** Ours: bytes into bytes. */
export function ownConverter(descriptors: Uint8Array): Convert {
  const registry = createFileRegistry(fromBinary(FileDescriptorSetSchema, descriptors));
  const converter = wireToJson(registry.getMessage('levada.bench.Event') as DescMessage, { registry });
  const output = new Uint8Array(OUTPUT_BYTES);
  return (message) => converter.write(message, output, 0);
}
