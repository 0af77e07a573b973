import type { Schema } from '@levada/connect-runtime-core';
import type { ByteSink } from '../model/byte-sink.ts';
import { failedAt, type Path } from '../model/failure.ts';
import {
  boolean,
  bytes,
  decimal,
  entries,
  float,
  integerBytes,
  list,
  longInteger,
  smallInteger,
  structValues,
  text,
  timeNumber,
} from '../model/values.ts';
import type { ProtoField, ProtoMessage } from './proto-message.ts';
import type { ProtoOptions } from './proto-options.ts';
import type { LogicalKind, ScalarKind } from './well-known.ts';

/** Wire types (Protobuf, "Encoding"). */
const VARINT = 0;
const I64 = 1;
const LEN = 2;
const I32 = 5;

const wireTypes: Readonly<Record<ScalarKind, number>> = {
  int32: VARINT,
  int64: VARINT,
  bool: VARINT,
  double: I64,
  float: I32,
  string: LEN,
  bytes: LEN,
};

/** A scalar of the right type, ready to be written. */
type Scalar = number | bigint | boolean | string | Uint8Array;

/** Writes the fields of a struct, lowest number first. Throws `conversion_failed`. */
export function writeStruct(
  sink: ByteSink,
  { message, schema }: { readonly message: ProtoMessage; readonly schema: Schema },
  value: unknown,
  at: { readonly options: ProtoOptions; readonly path: Path },
): void {
  const values = structValues(schema, value, at.options, at.path);
  const names = schema.fields ?? [];
  const order = message.fields
    .map((field, index) => ({ field, value: values[index], name: names[index]?.field ?? field.name }))
    .sort((one, other) => one.field.number - other.field.number);
  for (const { field, value: own, name } of order) {
    const required = names.find((each) => each.field === name)?.schema.optional === false;
    writeField(sink, field, own, { options: at.options, path: [...at.path, name], required });
  }
}

interface At {
  readonly options: ProtoOptions;
  readonly path: Path;
}

/** Writes a field. Null is left out. */
function writeField(
  sink: ByteSink,
  field: ProtoField,
  value: unknown,
  at: At & { readonly required: boolean },
): void {
  if (value === null || value === undefined) {
    if (!at.required) return;
    throw failedAt(at.path, 'null value for field that is required and has no default value');
  }
  if (field.type.kind === 'entries') writeEntries(sink, field, field.type.message, value, at);
  else if (field.label === 'repeated') writeRepeated(sink, field, list(value, at.path), at);
  else writeSingle(sink, field, value, { ...at, always: field.label === 'optional' });
}

function writeSingle(
  sink: ByteSink,
  field: ProtoField,
  value: unknown,
  at: At & { readonly always: boolean },
): void {
  const { type } = field;
  if (type.kind !== 'scalar') {
    writeMessage(sink, field, value, at);
    return;
  }
  const scalar = scalarOf(field.schema, value, at.path);
  if (!at.always && isZero(scalar)) return;
  tag(sink, field.number, wireTypes[type.scalar]);
  writeScalar(sink, type.scalar, scalar);
}

function writeRepeated(sink: ByteSink, field: ProtoField, items: readonly unknown[], at: At): void {
  if (items.length === 0) return;
  const paths = items.map((_, index) => [...at.path, index]);
  for (const [index, item] of items.entries()) {
    if (item === null || item === undefined)
      throw failedAt(paths[index] ?? at.path, 'Protobuf has no null in an array');
  }
  const { type } = field;
  const packed = type.kind === 'scalar' && wireTypes[type.scalar] !== LEN;
  if (packed) {
    tag(sink, field.number, LEN);
    sink.writeDelimited(() => {
      for (const [index, item] of items.entries())
        writeScalar(sink, type.scalar, scalarOf(field.schema, item, paths[index] ?? at.path));
    });
    return;
  }
  for (const [index, item] of items.entries())
    writeSingle(sink, field, item, { options: at.options, path: paths[index] ?? at.path, always: true });
}

function writeEntries(
  sink: ByteSink,
  field: ProtoField,
  message: ProtoMessage,
  value: unknown,
  at: At,
): void {
  const [keyField, valueField] = message.fields;
  for (const [key, item] of entries(value, at.path)) {
    const within = { options: at.options, path: [...at.path, String(key)], required: false };
    tag(sink, field.number, LEN);
    sink.writeDelimited(() => {
      if (keyField !== undefined) writeField(sink, keyField, key, within);
      if (valueField !== undefined) writeField(sink, valueField, item, within);
    });
  }
}

/** Writes a message with its size as prefix. */
function writeMessage(sink: ByteSink, field: ProtoField, value: unknown, at: At): void {
  tag(sink, field.number, LEN);
  sink.writeDelimited(() => messageBody(sink, field, value, at));
}

function messageBody(sink: ByteSink, { type, schema }: ProtoField, value: unknown, at: At): void {
  if (type.kind === 'message') writeStruct(sink, { message: type.message, schema }, value, at);
  else if (type.kind === 'wrapper') writeWrapped(sink, { scalar: type.scalar, schema }, value, at.path);
  else if (type.kind === 'logical') writeLogical(sink, { logical: type.logical, schema }, value, at.path);
}

/** Writes a scalar as the only field of a message. */
export function writeWrapped(
  sink: ByteSink,
  { scalar: kind, schema }: { readonly scalar: ScalarKind; readonly schema: Schema },
  value: unknown,
  path: Path,
): void {
  const scalar = scalarOf(schema, value, path);
  if (isZero(scalar)) return;
  tag(sink, 1, wireTypes[kind]);
  writeScalar(sink, kind, scalar);
}

function writeLogical(
  sink: ByteSink,
  { logical: kind, schema }: { readonly logical: LogicalKind; readonly schema: Schema },
  value: unknown,
  path: Path,
): void {
  if (kind === 'decimal') {
    const { unscaled, scale } = decimal(schema, value, path);
    const precision = String(unscaled < 0n ? -unscaled : unscaled).length;
    tag(sink, 1, LEN);
    sink.text(integerBytes(unscaled), (size) => sink.varint(size));
    writeIntegers(sink, [undefined, precision, scale]);
    return;
  }
  const ms = timeNumber(schema, value, path) === undefined ? 0 : (value as Date).getTime();
  const date = new Date(ms);
  if (kind === 'date') {
    writeIntegers(sink, [date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate()]);
  } else if (kind === 'time') {
    const nanos = date.getUTCMilliseconds() * 1_000_000;
    writeIntegers(sink, [date.getUTCHours(), date.getUTCMinutes(), date.getUTCSeconds(), nanos]);
  } else {
    const seconds = Math.floor(ms / 1000);
    writeIntegers(sink, [seconds, (ms - seconds * 1000) * 1_000_000]);
  }
}

/** Writes fields 1, 2 and so on. Zeros are left out, because they are the default. */
function writeIntegers(sink: ByteSink, values: readonly (number | undefined)[]): void {
  for (const [index, value] of values.entries()) {
    if (value === undefined || value === 0) continue;
    tag(sink, index + 1, VARINT);
    sink.varint(BigInt.asUintN(64, BigInt(value)));
  }
}

function scalarOf(schema: Schema, value: unknown, path: Path): Scalar {
  switch (schema.type) {
    case 'int8':
    case 'int16':
    case 'int32':
      return smallInteger(schema.type, value, path);
    case 'int64':
      return longInteger(value, path);
    case 'float32':
    case 'float64':
      return float(schema.type, value, path);
    case 'boolean':
      return boolean(value, path);
    case 'string':
      return text(value, path);
    case 'bytes':
    case 'array':
    case 'map':
    case 'struct':
      return bytes(value, path);
  }
}

/** Whether the scalar is left out in a field without a label. A negative zero is written. */
function isZero(scalar: Scalar): boolean {
  if (typeof scalar === 'string' || scalar instanceof Uint8Array) return scalar.length === 0;
  return scalar === false || scalar === 0n || Object.is(scalar, 0);
}

function writeScalar(sink: ByteSink, kind: ScalarKind, scalar: Scalar): void {
  if (kind === 'float') sink.float(Number(scalar));
  else if (kind === 'double') sink.double(Number(scalar));
  else if (kind === 'bool') sink.byte(scalar === true ? 1 : 0);
  else if (kind === 'string' || kind === 'bytes')
    sink.text(scalar as string | Uint8Array, (size) => sink.varint(size));
  else if (typeof scalar === 'number' && scalar >= 0) sink.varint(scalar);
  else sink.varint(BigInt.asUintN(64, BigInt(scalar as number | bigint)));
}

function tag(sink: ByteSink, number: number, wireType: number): void {
  sink.varint(number * 8 + wireType);
}
