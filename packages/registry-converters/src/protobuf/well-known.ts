import { logicalTypes, type SchemaType } from '@levada/connect-runtime-core/contract';

/** Protobuf's scalar types for Connect's types. */
export type ScalarKind = 'int32' | 'int64' | 'float' | 'double' | 'bool' | 'string' | 'bytes';

/** Connect's logical types that are messages in Protobuf. */
export type LogicalKind = keyof typeof logicalTypes;

export type ConnectScalar = Exclude<SchemaType, 'array' | 'map' | 'struct'>;

export const scalars: Readonly<Record<ConnectScalar, ScalarKind>> = {
  int8: 'int32',
  int16: 'int32',
  int32: 'int32',
  int64: 'int64',
  float32: 'float',
  float64: 'double',
  boolean: 'bool',
  string: 'string',
  bytes: 'bytes',
};

/** The message of each logical type, and the file that defines it. */
export const logicalMessages: Readonly<
  Record<LogicalKind, { readonly name: string; readonly file: string }>
> = {
  decimal: { name: 'confluent.type.Decimal', file: 'confluent/type/decimal.proto' },
  date: { name: 'google.type.Date', file: 'google/type/date.proto' },
  time: { name: 'google.type.TimeOfDay', file: 'google/type/timeofday.proto' },
  timestamp: { name: 'google.protobuf.Timestamp', file: 'google/protobuf/timestamp.proto' },
};

/** The logical type of a schema name. */
export function logicalKind(name: string | undefined): LogicalKind | undefined {
  const kinds = Object.keys(logicalTypes) as LogicalKind[];
  return name === undefined ? undefined : kinds.find((kind) => logicalTypes[kind] === name);
}

export const wrappersFile = 'google/protobuf/wrappers.proto';

/** Messages of `google/protobuf/wrappers.proto` in order, with their scalars. */
const wrappers = [
  ['DoubleValue', 'double'],
  ['FloatValue', 'float'],
  ['Int64Value', 'int64'],
  ['UInt64Value', 'uint64'],
  ['Int32Value', 'int32'],
  ['UInt32Value', 'uint32'],
  ['BoolValue', 'bool'],
  ['StringValue', 'string'],
  ['BytesValue', 'bytes'],
] as const;

export function wrapperName(scalar: ScalarKind): string {
  return `google.protobuf.${wrappers[wrapperIndex(scalar)]?.[0] ?? ''}`;
}

/** Index of a scalar's wrapper in its file, from 0. */
export function wrapperIndex(scalar: ScalarKind): number {
  return wrappers.findIndex(([, of]) => of === scalar);
}

/** Options of the file. A registry compares them too. */
const wrapperOptions = {
  java_package: '"com.google.protobuf"',
  java_outer_classname: '"WrappersProto"',
  java_multiple_files: 'true',
  go_package: '"google.golang.org/protobuf/types/known/wrapperspb"',
  cc_enable_arenas: 'true',
  objc_class_prefix: '"GPB"',
  csharp_namespace: '"Google.Protobuf.WellKnownTypes"',
};

/** The file of the wrappers as Confluent's serializer registers it for single scalars. */
export function wrappersText(): string {
  const options = Object.entries(wrapperOptions).map(([name, value]) => `option ${name} = ${value};`);
  const messages = wrappers.map(
    ([name, scalar]) => `message ${name} {\n  ${scalar} value = 1 [json_name = "value"];\n}`,
  );
  return `syntax = "proto3";\npackage google.protobuf;\n\n${options.join('\n')}\n\n${messages.join('\n')}\n`;
}
