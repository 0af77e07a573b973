import { create, type DescMessage, type FileRegistry } from '@bufbuild/protobuf';
import {
  FileDescriptorProtoSchema,
  FieldDescriptorProto_Label as Label,
  FieldDescriptorProto_Type as Type,
} from '@bufbuild/protobuf/wkt';
import protobuf from 'protobufjs';
import { defaultJsonName } from './random-names.ts';
import { registryOf } from './random-schema.ts';
import type { FieldInit, MessageInit } from './schema-writer.ts';
import { WKT_FILES } from './well-known-files.ts';

const SCALARS: Readonly<Record<string, Type>> = {
  double: Type.DOUBLE,
  float: Type.FLOAT,
  int64: Type.INT64,
  uint64: Type.UINT64,
  int32: Type.INT32,
  fixed64: Type.FIXED64,
  fixed32: Type.FIXED32,
  bool: Type.BOOL,
  string: Type.STRING,
  bytes: Type.BYTES,
  uint32: Type.UINT32,
  sfixed32: Type.SFIXED32,
  sfixed64: Type.SFIXED64,
  sint32: Type.SINT32,
  sint64: Type.SINT64,
};

/** Parses a proto3 text: top-level messages and enums that name each other and the well-known types in full. */
export function protoText(text: string): FileRegistry {
  const parsed = protobuf.parse(text, { keepCase: true });
  const scope = parsed.root.lookup(parsed.package ?? '') as protobuf.Namespace;
  const types = scope.nestedArray.filter((type) => type instanceof protobuf.Type);
  const enums = scope.nestedArray.filter((type) => type instanceof protobuf.Enum);
  const context = { prefix: `.${parsed.package}`, enums: new Set(enums.map((type) => type.name)) };
  const file = create(FileDescriptorProtoSchema, {
    name: 'text.proto',
    package: parsed.package ?? '',
    syntax: 'proto3',
    dependency: WKT_FILES.map((wkt) => wkt.proto.name),
    messageType: types.map((type) => message(type, context)),
    enumType: enums.map(({ name, values }) => ({
      name,
      value: Object.entries(values).map(([key, number]) => ({ name: key, number })),
    })),
  });
  return registryOf(file);
}

/** A message that the registry must contain. */
export function messageOf(registry: FileRegistry, typeName: string): DescMessage {
  const message = registry.getMessage(typeName);
  if (message === undefined) throw new Error(`there is no message "${typeName}"`);
  return message;
}

interface Context {
  readonly prefix: string;
  readonly enums: ReadonlySet<string>;
}

function message(type: protobuf.Type, context: Context): MessageInit {
  const nestedType: MessageInit[] = [];
  const oneofs = type.oneofsArray.filter((oneof) => !oneof.name.startsWith('_'));
  const field = type.fieldsArray.map((each): FieldInit => {
    const base = {
      name: each.name,
      number: each.id,
      jsonName: defaultJsonName(each.name),
      ...valueType(each.type, context),
    };
    if (each instanceof protobuf.MapField) {
      const name = `${each.name}_entry`;
      nestedType.push(mapEntry(name, SCALARS[each.keyType] as Type, valueType(each.type, context)));
      const typeName = `${context.prefix}.${type.name}.${name}`;
      return { ...base, label: Label.REPEATED, type: Type.MESSAGE, typeName };
    }
    if (each.repeated) return { ...base, label: Label.REPEATED };
    if (each.partOf === null) return { ...base, label: Label.OPTIONAL };
    const oneofIndex = oneofs.indexOf(each.partOf);
    return {
      ...base,
      label: Label.OPTIONAL,
      ...(oneofIndex < 0 ? { proto3Optional: true } : { oneofIndex }),
    };
  });
  return { name: type.name, field, nestedType, oneofDecl: oneofs.map(({ name }) => ({ name })) };
}

function mapEntry(name: string, keyType: Type, value: FieldInit): MessageInit {
  const key = { name: 'key', number: 1, jsonName: 'key', label: Label.OPTIONAL, type: keyType };
  const field = [key, { name: 'value', number: 2, jsonName: 'value', label: Label.OPTIONAL, ...value }];
  return { name, options: { mapEntry: true }, field };
}

function valueType(type: string, context: Context): FieldInit {
  const scalar = SCALARS[type];
  if (scalar !== undefined) return { type: scalar };
  const typeName = type.startsWith('google.') ? `.${type}` : `${context.prefix}.${type}`;
  return { type: context.enums.has(type) ? Type.ENUM : Type.MESSAGE, typeName };
}
