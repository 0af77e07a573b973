import { create, type DescMessage, type MessageInitShape, toBinary } from '@bufbuild/protobuf';
import {
  type DescriptorProtoSchema,
  type FieldDescriptorProtoSchema,
  FileDescriptorProtoSchema,
  FieldDescriptorProto_Label as Label,
  FieldDescriptorProto_Type as Type,
} from '@bufbuild/protobuf/wkt';
import { isConnectorError } from '@levada/connect-runtime-core';
import { fileRegistry } from '../src/descriptor/file-registry.ts';

/** Initial values of a message, without messages that exist already. */
type Init<Desc extends DescMessage> = Extract<MessageInitShape<Desc>, { $typeName?: never }>;
export type FileInit = Init<typeof FileDescriptorProtoSchema>;
export type MessageInit = Init<typeof DescriptorProtoSchema>;
export type FieldInit = Init<typeof FieldDescriptorProtoSchema>;

/** A file, made or to be made. */
export type AnyFile = MessageInitShape<typeof FileDescriptorProtoSchema>;

/** A file as wire bytes. */
export const bytesOf = (file: AnyFile) =>
  toBinary(FileDescriptorProtoSchema, create(FileDescriptorProtoSchema, file));

export const registryOf = (...files: AnyFile[]) => fileRegistry([{ from: 'it', files: files.map(bytesOf) }]);

/** A proto3 file; `a.proto` and without a package unless `init` says otherwise. */
export const file = (init: FileInit = {}): FileInit => ({ name: 'a.proto', syntax: 'proto3', ...init });

/** An optional string unless `init` says otherwise. */
export const field = (name: string, number: number, init: FieldInit = {}): FieldInit => ({
  name,
  number,
  label: Label.OPTIONAL,
  type: Type.STRING,
  ...init,
});

/** A message type. */
export const message = (name: string, init: MessageInit = {}): MessageInit => ({ name, ...init });

/** A file with one message of these fields. */
export const fields = (...all: FieldInit[]): FileInit =>
  file({ messageType: [message('A', { field: all })] });

/** A file with one enum of these values. */
export const values = (...all: [string, number][]): FileInit =>
  file({ enumType: [{ name: 'E', value: all.map(([name, number]) => ({ name, number })) }] });

const prefix = 'Invalid proto descriptor: ';

/** Why a set of these files is refused; `none` when it is not. Throws when what is thrown is no such error. */
export function problem(...files: AnyFile[]): string {
  try {
    registryOf(...files);
    return 'none';
  } catch (thrown) {
    const isExpected =
      isConnectorError(thrown) &&
      thrown.code === 'config_invalid' &&
      !thrown.retriable &&
      thrown.message.startsWith(prefix);
    if (!isExpected) throw thrown;
    return thrown.message.slice(prefix.length);
  }
}

/** The entry type of `mapField`. */
export const mapEntry = (init: MessageInit = {}): MessageInit => ({
  name: 'MEntry',
  field: [field('key', 1), field('value', 2)],
  options: { mapEntry: true },
  ...init,
});

/** A map in a message `A`, from text to text. */
export const mapField = field('m', 1, { label: Label.REPEATED, type: Type.MESSAGE, typeName: '.A.MEntry' });
