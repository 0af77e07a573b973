import { toBinary } from '@bufbuild/protobuf';
import {
  type DescriptorProto,
  type EnumDescriptorProto,
  type FieldDescriptorProto,
  FieldDescriptorProto_Type,
  type FileDescriptorProto,
  FileDescriptorProtoSchema,
} from '@bufbuild/protobuf/wkt';
import { ConnectorError, isConnectorError } from '@levada/connect-runtime-core';
import { completed } from '../complete-files.ts';
import type { FileSet } from '../file-registry.ts';
import { invalidDescriptor } from '../invalid-descriptor.ts';
import { wellKnownFiles } from '../well-known-files.ts';
import { protoDescriptor } from './proto-descriptor.ts';
import {
  literal,
  type ProtoFile,
  type ProtoFilesOptions,
  protoProblem,
  readProtoFiles,
} from './proto-files.ts';

type Kinds = ReadonlyMap<string, FieldDescriptorProto_Type>;

/** .proto files and their imports as a compiler would write them. Throws what is wrong, with file and line. */
export function protoFileSet(paths: readonly string[], options: ProtoFilesOptions): FileSet {
  const files = readProtoFiles(paths, options);
  const written = new Map(files.map((file) => [file.name, ofFile(file, () => protoDescriptor(file))]));
  const found = completed(written);
  const kinds = kindsOf([...wellKnownFiles.values(), ...found.values()]);
  for (const file of files) {
    const descriptor = found.get(file.name);
    if (descriptor !== undefined) setKinds(descriptor, kinds, file);
  }
  const byName = new Map(files.map((file) => [file.name, file]));
  return {
    from: paths.join(', '),
    files: [...found].map(([name, descriptor]) =>
      ofFile(byName.get(name), () => toBinary(FileDescriptorProtoSchema, descriptor)),
    ),
  };
}

/** What is made of a file. Errors of the libraries that make it do not say of which. */
function ofFile<T>(file: ProtoFile | undefined, make: () => T): T {
  try {
    return make();
  } catch (thrown) {
    if (file === undefined || isConnectorError(thrown)) throw thrown;
    const { message } = ConnectorError.from(thrown);
    throw invalidDescriptor(`${file.path}: ${message}`, { cause: thrown });
  }
}

function kindsOf(files: readonly FileDescriptorProto[]): Kinds {
  const kinds = new Map<string, FieldDescriptorProto_Type>();
  const add = (
    scope: string,
    enums: readonly EnumDescriptorProto[],
    messages: readonly DescriptorProto[],
  ): void => {
    for (const { name } of enums) kinds.set(`${scope}.${name}`, FieldDescriptorProto_Type.ENUM);
    for (const { name, enumType, nestedType } of messages) {
      kinds.set(`${scope}.${name}`, FieldDescriptorProto_Type.MESSAGE);
      add(`${scope}.${name}`, enumType, nestedType);
    }
  };
  for (const file of files)
    add(file.package === '' ? '' : `.${file.package}`, file.enumType, file.messageType);
  return kinds;
}

/** Says of each field whether its type is a message or an enum. Throws when it is neither. */
function setKinds(descriptor: FileDescriptorProto, kinds: Kinds, file: ProtoFile): void {
  const unknown = (typeName: string, pattern: string): Error => {
    const problem = `type "${typeName}" is not defined, in this file or in one that it imports`;
    return protoProblem(file, new RegExp(pattern), problem);
  };
  const inField = (field: FieldDescriptorProto): void => {
    if (field.typeName === '') return;
    const kind = kinds.get(field.typeName);
    if (kind === undefined) {
      const { typeName, name } = field;
      throw unknown(typeName, `[\\s<,]${literal(typeName)}\\s*>?\\s*${literal(name)}\\s*=`);
    }
    if (field.type !== FieldDescriptorProto_Type.GROUP) field.type = kind;
  };
  const inMessage = (message: DescriptorProto): void => {
    for (const field of [...message.field, ...message.extension]) inField(field);
    for (const nested of message.nestedType) inMessage(nested);
  };
  for (const message of descriptor.messageType) inMessage(message);
  for (const extension of descriptor.extension) inField(extension);
  for (const { name, inputType, outputType } of descriptor.service.flatMap(({ method }) => method)) {
    for (const type of [inputType, outputType]) {
      if (kinds.get(type) !== FieldDescriptorProto_Type.MESSAGE)
        throw unknown(type, `\\brpc\\s+${literal(name)}\\b`);
    }
  }
}
