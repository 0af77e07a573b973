import { create, fromJson, type JsonObject, type JsonValue } from '@bufbuild/protobuf';
import {
  type DescriptorProto,
  DescriptorProto_ExtensionRangeSchema,
  DescriptorProtoSchema,
  Edition,
  type EnumDescriptorProto,
  EnumDescriptorProtoSchema,
  EnumOptionsSchema,
  EnumValueDescriptorProtoSchema,
  type FieldDescriptorProto,
  FieldDescriptorProto_Label,
  FieldDescriptorProto_Type,
  FieldDescriptorProtoSchema,
  FieldOptionsSchema,
  type FileDescriptorProto,
  FileDescriptorProtoSchema,
  FileOptionsSchema,
  MessageOptionsSchema,
  MethodDescriptorProtoSchema,
  OneofDescriptorProtoSchema,
  OneofOptionsSchema,
  type ServiceDescriptorProto,
  ServiceDescriptorProtoSchema,
} from '@bufbuild/protobuf/wkt';
import { importsOf, literal, type ProtoFile, protoProblem } from './proto-files.ts';
import type {
  ProtoEnum,
  ProtoField,
  ProtoMessage,
  ProtoNode,
  ProtoOneof,
  ProtoService,
} from './proto-parser.ts';

const scalars: ReadonlyMap<string, FieldDescriptorProto_Type> = new Map(
  (
    [
      'DOUBLE',
      'FLOAT',
      'INT64',
      'UINT64',
      'INT32',
      'FIXED64',
      'FIXED32',
      'BOOL',
      'STRING',
      'BYTES',
      'UINT32',
      'SFIXED32',
      'SFIXED64',
      'SINT32',
      'SINT64',
    ] as const
  ).map((name) => [name.toLowerCase(), FieldDescriptorProto_Type[name]]),
);

const labels: Readonly<Record<string, FieldDescriptorProto_Label>> = {
  repeated: FieldDescriptorProto_Label.REPEATED,
  required: FieldDescriptorProto_Label.REQUIRED,
};

/** What a message, or a file, holds. */
interface Members {
  readonly messages: DescriptorProto[];
  readonly enums: EnumDescriptorProto[];
  readonly services: ServiceDescriptorProto[];
  readonly extensions: FieldDescriptorProto[];
}

/** The descriptor of a file, with names of types as they are written. Throws for what its parser cannot tell. */
export function protoDescriptor(file: ProtoFile): FileDescriptorProto {
  const { parsed, root } = file;
  const scope = (parsed.package?.split('.') ?? []).reduce<ProtoNode | undefined>(
    (node, part) => node?.nestedArray?.find(({ name }) => name === part),
    root,
  );
  const { messages, enums, services, extensions } = membersOf(scope, file);
  const dependency = [...importsOf(file)];
  return create(FileDescriptorProtoSchema, {
    name: file.name,
    ...(parsed.package === undefined ? {} : { package: parsed.package }),
    dependency,
    // Which imports are public is not known, so that all are: what they define may be used.
    publicDependency: dependency.map((_, index) => index),
    ...syntaxOf(file),
    messageType: messages,
    enumType: enums,
    service: services,
    extension: extensions,
    ...given('options', scope, (options) =>
      fromJson(FileOptionsSchema, pick(options, ['features']), lenient),
    ),
  });
}

/** The first statement of a file says its language; without one it is proto2. */
function syntaxOf(file: ProtoFile): { readonly syntax?: string; readonly edition?: Edition } {
  const code = file.source.replace(/^(?:\s|\ufeff|\/\/[^\n]*|\/\*[\s\S]*?\*\/)+/, '');
  const [, kind, value = ''] = /^(syntax|edition)\s*=\s*["']([^"'\n]*)["']/.exec(code) ?? [];
  if (kind !== 'edition') return value === 'proto3' ? { syntax: 'proto3' } : {};
  const edition = Edition[`EDITION_${value}` as keyof typeof Edition];
  if (edition === undefined) throw protoProblem(file, /\bedition\b/, `edition "${value}" is unknown`);
  return { syntax: 'editions', edition };
}

function membersOf(scope: ProtoNode | undefined, file: ProtoFile): Members {
  const members: Members = { messages: [], enums: [], services: [], extensions: [] };
  for (const node of scope?.nestedArray ?? []) {
    if ('fieldsArray' in node) members.messages.push(messageOf(node as ProtoMessage, file));
    else if ('values' in node) members.enums.push(enumOf(node as ProtoEnum));
    else if ('methodsArray' in node) members.services.push(serviceOf(node as ProtoService));
    else if ('extend' in node) members.extensions.push(fieldOf(node as ProtoField, [], file));
  }
  return members;
}

function messageOf(node: ProtoMessage, file: ProtoFile): DescriptorProto {
  // Extensions of a message in the same file are among its fields, too, with their full name.
  const own = node.fieldsArray.filter(({ name }) => !name.startsWith('.'));
  const isMade = (oneof: ProtoOneof): boolean =>
    own.some((field) => field.partOf === oneof && isOptional(field));
  // As compilers do: oneofs that stand for "optional" come last.
  const oneofs = [...node.oneofsArray].sort((one, other) => Number(isMade(one)) - Number(isMade(other)));
  const { messages, enums, extensions } = membersOf(node, file);
  return create(DescriptorProtoSchema, {
    name: node.name,
    field: own.map((field) => {
      const made = fieldOf(field, oneofs, file);
      if (isGroup(field, node)) made.type = FieldDescriptorProto_Type.GROUP;
      return made;
    }),
    oneofDecl: oneofs.map((oneof) =>
      create(OneofDescriptorProtoSchema, {
        name: oneof.name,
        ...given('options', oneof, (options) =>
          fromJson(OneofOptionsSchema, pick(options, ['features']), lenient),
        ),
      }),
    ),
    nestedType: [...own.flatMap((field) => mapEntry(field, file)), ...messages],
    enumType: enums,
    extension: extensions,
    extensionRange: (node.extensions ?? []).map(([start, last]) =>
      create(DescriptorProto_ExtensionRangeSchema, { start, end: last + 1 }),
    ),
    ...given('options', node, (options) =>
      fromJson(MessageOptionsSchema, pick(options, ['features', 'message_set_wire_format']), lenient),
    ),
  });
}

function isGroup({ type }: ProtoField, { nestedArray = [] }: ProtoMessage): boolean {
  return nestedArray.some((nested) => nested.name === type && 'group' in nested && nested.group === true);
}

function isOptional({ options }: ProtoField): boolean {
  return options?.['proto3_optional'] === true;
}

function fieldOf(field: ProtoField, oneofs: readonly ProtoOneof[], file: ProtoFile): FieldDescriptorProto {
  const { name, id, rule = '', type, keyType, extend, partOf } = field;
  const options = written(field);
  const scalar = scalars.get(type);
  const isMap = keyType !== undefined;
  return create(FieldDescriptorProtoSchema, {
    name,
    number: id,
    label: isMap
      ? FieldDescriptorProto_Label.REPEATED
      : (labels[rule] ?? FieldDescriptorProto_Label.OPTIONAL),
    // Whether a name is that of a message or of an enum shows when all files are known.
    ...(isMap || scalar === undefined ? { typeName: isMap ? entryName(name) : type } : { type: scalar }),
    ...(extend === undefined ? {} : { extendee: extend }),
    ...(partOf == null ? {} : { oneofIndex: oneofs.indexOf(partOf) }),
    ...(isOptional(field) ? { proto3Optional: true } : {}),
    ...(typeof options['json_name'] === 'string' ? { jsonName: options['json_name'] } : {}),
    ...(Object.hasOwn(options, 'default')
      ? { defaultValue: defaultOf(field, options['default'], file) }
      : {}),
    ...given('options', field, (all) =>
      fromJson(FieldOptionsSchema, pick(all, ['features', 'packed']), lenient),
    ),
  });
}

/** The message that an entry of a map is, on the wire. */
function mapEntry({ name, keyType, type }: ProtoField, file: ProtoFile): readonly DescriptorProto[] {
  if (keyType === undefined) return [];
  const part = (partName: string, id: number, partType: string): FieldDescriptorProto =>
    fieldOf({ name: partName, id, type: partType, constructor: undefined }, [], file);
  const field = [part('key', 1, keyType), part('value', 2, type)];
  const options = create(MessageOptionsSchema, { mapEntry: true });
  return [create(DescriptorProtoSchema, { name: entryName(name), field, options })];
}

function entryName(field: string): string {
  const camel = field.replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());
  return `${camel.replaceAll('_', '')}Entry`;
}

function defaultOf({ name, type }: ProtoField, value: unknown, file: ProtoFile): string {
  const pattern = new RegExp(`\\b${literal(name)}\\s*=[^;]*\\bdefault\\b`);
  const compile =
    'cannot be read exactly: compile the file with protoc --include_imports --descriptor_set_out';
  if (typeof value === 'number') {
    const whole = Number.isInteger(value) && type !== 'double' && type !== 'float';
    if (whole && !Number.isSafeInteger(value))
      throw protoProblem(file, pattern, `the default of field "${name}" ${compile}`);
    if (Number.isNaN(value)) return 'nan';
    return String(value).replace('Infinity', 'inf');
  }
  const at = file.source.search(pattern);
  const statement = file.source.slice(at, file.source.indexOf(';', at));
  if ((type === 'string' || type === 'bytes') && (at < 0 || statement.includes('\\')))
    throw protoProblem(file, pattern, `the default of field "${name}" ${compile}`);
  return String(value);
}

function enumOf(node: ProtoEnum): EnumDescriptorProto {
  return create(EnumDescriptorProtoSchema, {
    name: node.name,
    value: Object.entries(node.values).map(([name, number]) =>
      create(EnumValueDescriptorProtoSchema, { name, number }),
    ),
    ...given('options', node, (options) =>
      fromJson(EnumOptionsSchema, pick(options, ['features', 'allow_alias']), lenient),
    ),
  });
}

function serviceOf({ name, methodsArray }: ProtoService): ServiceDescriptorProto {
  return create(ServiceDescriptorProtoSchema, {
    name,
    method: methodsArray.map((method) =>
      create(MethodDescriptorProtoSchema, {
        name: method.name,
        inputType: method.requestType,
        outputType: method.responseType,
        ...(method.requestStream === true ? { clientStreaming: true } : {}),
        ...(method.responseStream === true ? { serverStreaming: true } : {}),
      }),
    ),
  });
}

type Options = Readonly<Record<string, unknown>>;

/** A member for options, when any are written. */
function given<T>(
  key: 'options',
  node: Pick<ProtoNode, 'parsedOptions'> | undefined,
  read: (options: Options) => T,
): { options?: T } {
  const options = node === undefined ? {} : written(node);
  return Object.keys(options).length === 0 ? {} : { [key]: read(options) };
}

/** All statements together. Features may come in several. */
function written({ parsedOptions }: Pick<ProtoNode, 'parsedOptions'>): Options {
  const all = parsedOptions ?? [];
  const features = Object.assign({}, ...all.map((each) => each['features'] ?? {})) as object;
  const merged = Object.assign({}, ...all) as Record<string, unknown>;
  return Object.keys(features).length === 0 ? merged : { ...merged, features };
}

/** Features of single languages may be among them. */
const lenient = { ignoreUnknownFields: true } as const;

/** The options that say how messages are read, and no others: who defines those need not be known. */
function pick(options: Options, names: readonly string[]): JsonObject {
  return Object.fromEntries(
    names.flatMap((name) => (Object.hasOwn(options, name) ? [[name, options[name] as JsonValue]] : [])),
  );
}
