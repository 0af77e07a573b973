import { create, type FileRegistry, toBinary } from '@bufbuild/protobuf';
import { FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';
import type protobuf from 'protobufjs';
import descriptor from 'protobufjs/ext/descriptor.js';

/** The same schema for protobufjs. */
export function protobufjsRoot(registry: FileRegistry): protobuf.Root {
  const set = create(FileDescriptorSetSchema, { file: [...registry.files].map((file) => file.proto) });
  return (descriptor as unknown as Descriptor).root.constructor.fromDescriptor(
    toBinary(FileDescriptorSetSchema, set),
  );
}

/** The extension adds `fromDescriptor` to the class of its own root, which is that of the light build. */
interface Descriptor {
  readonly root: { readonly constructor: { fromDescriptor(set: Uint8Array): protobuf.Root } };
}
