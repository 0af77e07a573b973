import type { DescField, DescMessage, FileRegistry } from '@bufbuild/protobuf';
import {
  type FileDescriptorProto,
  file_google_protobuf_any,
  file_google_protobuf_api,
  file_google_protobuf_compiler_plugin,
  file_google_protobuf_cpp_features,
  file_google_protobuf_descriptor,
  file_google_protobuf_duration,
  file_google_protobuf_empty,
  file_google_protobuf_field_mask,
  file_google_protobuf_go_features,
  file_google_protobuf_java_features,
  file_google_protobuf_source_context,
  file_google_protobuf_struct,
  file_google_protobuf_timestamp,
  file_google_protobuf_type,
  file_google_protobuf_wrappers,
} from '@bufbuild/protobuf/wkt';
import { invalidDescriptor } from './invalid-descriptor.ts';

/** Files whose messages have a JSON form of their own. */
const special = [
  file_google_protobuf_any,
  file_google_protobuf_duration,
  file_google_protobuf_empty,
  file_google_protobuf_field_mask,
  file_google_protobuf_struct,
  file_google_protobuf_timestamp,
  file_google_protobuf_wrappers,
];

/** The files of protobuf itself by name, for sets that leave them out. */
export const wellKnownFiles: ReadonlyMap<string, FileDescriptorProto> = new Map(
  [
    ...special,
    file_google_protobuf_api,
    file_google_protobuf_compiler_plugin,
    file_google_protobuf_cpp_features,
    file_google_protobuf_descriptor,
    file_google_protobuf_go_features,
    file_google_protobuf_java_features,
    file_google_protobuf_source_context,
    file_google_protobuf_type,
  ].map((file) => [file.proto.name, file.proto]),
);

/** Throws when a message has the name of a well-known type and other fields: its JSON form would make no sense. */
export function checkWellKnown(registry: FileRegistry): void {
  for (const known of special.flatMap((file) => file.messages)) {
    const found = registry.getMessage(known.typeName);
    if (found !== undefined && shape(found) !== shape(known)) {
      throw invalidDescriptor(`${known.typeName} is not the well-known type of that name`);
    }
  }
}

function shape(message: DescMessage): string {
  return message.fields.map(fieldShape).sort().join(' ');
}

function fieldShape(field: DescField): string {
  const { name, number, fieldKind, scalar, message, oneof } = field;
  const key = field.fieldKind === 'map' ? field.mapKey : '';
  return [number, name, fieldKind, key, scalar, message?.typeName, field.enum?.typeName, oneof?.name].join(
    ':',
  );
}
