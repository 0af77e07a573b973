import type { Schema } from '@levada/connect-runtime-core';
import {
  checkDepth,
  checkDistinct,
  failedAt,
  itemsOf,
  keysOf,
  type Path,
  requireSchema,
  wholeParameter,
} from '../model/failure.ts';
import { fingerprint } from '../model/fingerprint.ts';
import { scrubFullName, scrubName, splitName } from '../model/names.ts';
import { isDecimal, scaleOf } from '../model/values.ts';
import { defaultJson } from './avro-default.ts';
import {
  type AvroOptions,
  avroNames,
  DEFAULT_PRECISION,
  FIXED_SIZE,
  hasTextKeys,
  logicalType,
  PRECISION,
} from './avro-options.ts';
import {
  type AvroField,
  type AvroRecord,
  type AvroType,
  avroString,
  noProps,
  nullType,
} from './avro-type.ts';
import { anything } from './schemaless.ts';

const underscoreFirst = true;

/** Avro's types for Connect's types without parts. */
const simple = {
  int8: 'int',
  int16: 'int',
  int32: 'int',
  int64: 'long',
  float32: 'float',
  float64: 'double',
  boolean: 'boolean',
} as const;

/** State of one schema's translation. */
interface Context {
  readonly options: AvroOptions;
  /** Results by required schema, so that a struct that is used twice is one type. */
  readonly made: Map<string, AvroType>;
  /** Number of structs without a name so far. */
  unnamed: number;
}

/**
 * The Avro schema of a Connect schema, as Confluent's `AvroData` defines it: optional is a union with null, structs without a
 * name are called `ConnectDefault`, maps without text keys are lists of entries, and everything that Avro lacks becomes an
 * attribute. A schemaless value gets a schema that can hold anything. Throws `conversion_failed`.
 */
export function avroSchema(schema: Schema | null, options: AvroOptions): AvroType {
  if (schema === null) return anything;
  return translate(schema, { options, made: new Map(), unnamed: 0 }, []);
}

function translate(schema: Schema, context: Context, path: Path): AvroType {
  checkDepth(path);
  const key = schema.optional ? undefined : fingerprint(schema);
  const known = key === undefined ? undefined : context.made.get(key);
  if (known !== undefined) return known;
  const type =
    schema.optional && schema.type === 'struct'
      ? ({ kind: 'union', branches: [nullType, translate(requireSchema(schema), context, path)] } as const)
      : optionalType(schema, annotateType(schema, context, path));
  if (key !== undefined) context.made.set(key, type);
  return type;
}

/** The branch of the default comes first. */
function optionalType(schema: Schema, type: AvroType): AvroType {
  if (!schema.optional) return type;
  const first = schema.default !== undefined && schema.default !== null;
  return { kind: 'union', branches: first ? [type, nullType] : [nullType, type] };
}

/** A type with the attributes of Connect and of Avro's logical types. */
function annotateType(schema: Schema, context: Context, path: Path): AvroType {
  const base = baseType(schema, context, path);
  if (base.kind === 'union') return base;
  const props = new Map<string, string>();
  const decimal = isDecimal(schema);
  if (decimal) {
    props.set('scale', String(scaleOf(schema, path)));
    props.set(
      'precision',
      String(wholeParameter(schema, PRECISION, { least: 1, otherwise: DEFAULT_PRECISION, path })),
    );
  }
  if (context.options.connectMetaData) addConnectProps(props, schema, context.options);
  const logical = logicalType(schema);
  if (logical !== undefined) props.set('logicalType', avroString(logical));
  for (const [name, value] of Object.entries(schema.parameters ?? {})) {
    if (name.startsWith('avro')) props.set(name, avroString(value));
  }
  if (props.size === 0) return base;
  // A record keeps its identity, because its fields may refer to it
  if (base.kind === 'record') return Object.assign(base, { props });
  return { ...base, props };
}

function addConnectProps(props: Map<string, string>, schema: Schema, options: AvroOptions): void {
  const { doc, version, parameters, name, type } = schema;
  if (doc !== undefined) props.set('connect.doc', avroString(doc));
  if (version !== undefined) props.set('connect.version', String(version));
  const kept = Object.entries(parameters ?? {}).filter(
    ([key]) => options.discardTypeDocDefault || key !== avroNames.fieldDefault,
  );
  if (kept.length > 0) {
    const members = kept.map(([key, value]) => `${avroString(key)}:${avroString(value)}`);
    props.set('connect.parameters', `{${members.join(',')}}`);
  }
  const fromField = !options.discardTypeDocDefault && parameters?.[avroNames.fieldDefault] !== undefined;
  if (schema.default !== undefined && schema.default !== null && !fromField) {
    const json = defaultJson(schema, schema.default, { ...options, wideFloats: false }, []);
    props.set('connect.default', json);
  }
  if (name !== undefined) props.set('connect.name', avroString(name));
  if (type === 'int8' || type === 'int16') props.set('connect.type', avroString(type));
}

function baseType(schema: Schema, context: Context, path: Path): AvroType {
  const { options } = context;
  switch (schema.type) {
    case 'string':
      return enumType(schema, options, path) ?? { kind: 'primitive', type: 'string', props: noProps };
    case 'bytes':
      return bytesType(schema, context, path);
    case 'array':
      return {
        kind: 'array',
        items: translate(itemsOf(schema, path), context, [...path, 'items']),
        props: noProps,
      };
    case 'map':
      return mapType(schema, context, path);
    case 'struct':
      if (schema.name === avroNames.union)
        throw failedAt(path, `schemas named ${schema.name} are not supported`);
      return recordType(schema, context, path);
    case 'int8':
    case 'int16':
    case 'int32':
    case 'int64':
    case 'float32':
    case 'float64':
    case 'boolean':
      return { kind: 'primitive', type: simple[schema.type], props: noProps };
  }
}

/** The name of a struct or of fixed-size bytes, or the next generated one. */
function nameOf(schema: Schema, context: Context, path: Path): string {
  if (schema.name === undefined) {
    context.unnamed += 1;
    return `${avroNames.default}${context.unnamed > 1 ? context.unnamed : ''}`;
  }
  const name = context.options.scrubNames ? scrubFullName(schema.name, { underscoreFirst }) : schema.name;
  checkName(splitName(name).name, 'type', path);
  return name;
}

function checkName(name: string, of: 'type' | 'field', path: Path): void {
  if (/^[A-Za-z_]\w*$/.test(name)) return;
  throw failedAt(path, `"${name}" cannot be the name of an Avro ${of}; set scrub.invalid.names=true`);
}

function enumType(schema: Schema, options: AvroOptions, path: Path): AvroType | undefined {
  const { parameters = {} } = schema;
  const name = options.enums ? parameters[avroNames.enum] : undefined;
  if (name === undefined) return undefined;
  const prefix = `${avroNames.enum}.`;
  const symbols = Object.keys(parameters).flatMap((key) =>
    key.startsWith(prefix) ? [key.slice(prefix.length)] : [],
  );
  if (symbols.length === 0) throw failedAt(path, `the enum "${name}" has no symbols among its parameters`);
  const short = splitName(schema.name ?? avroNames.default).name;
  return {
    kind: 'enum',
    name,
    symbols,
    doc: parameters[options.discardTypeDocDefault ? 'connect.enum.doc' : `${avroNames.enumDoc}${short}`],
    default: options.discardTypeDocDefault ? undefined : parameters[`${avroNames.enumDefault}${short}`],
    props: noProps,
  };
}

function bytesType(schema: Schema, context: Context, path: Path): AvroType {
  const none = { least: 0, otherwise: -1, path };
  const size = schema.name === undefined ? -1 : wholeParameter(schema, FIXED_SIZE, none);
  return size < 0
    ? { kind: 'primitive', type: 'bytes', props: noProps }
    : { kind: 'fixed', name: nameOf(schema, context, path), size, props: noProps };
}

function mapType(schema: Schema, context: Context, path: Path): AvroType {
  const items = itemsOf(schema, path);
  if (hasTextKeys(schema, context.options)) {
    return { kind: 'map', values: translate(items, context, [...path, 'values']), props: noProps };
  }
  return { kind: 'array', items: entryType(schema, items, context, path), props: noProps };
}

/** The record of a map's entries, shared by all maps with equal keys and values. */
function entryType(schema: Schema, items: Schema, context: Context, path: Path): AvroType {
  const { type, name } = schema;
  const key = fingerprint({
    type,
    optional: false,
    name: name ?? avroNames.mapEntry,
    keys: keysOf(schema),
    items,
  });
  const known = context.made.get(key);
  if (known !== undefined) return known;
  const named = schema.name !== undefined;
  const entry: AvroRecord = {
    kind: 'record',
    name: named ? nameOf(schema, context, path) : avroNames.mapEntry,
    fields: [],
    props: named ? new Map([['connect.internal.type', '"MapEntry"']]) : noProps,
  };
  entry.fields.push(
    fieldOf({ name: 'key', schema: keysOf(schema), doc: undefined }, context, [...path, 'keys']),
    fieldOf({ name: 'value', schema: items, doc: undefined }, context, [...path, 'values']),
  );
  context.made.set(key, entry);
  return entry;
}

function recordType(schema: Schema, context: Context, path: Path): AvroRecord {
  const { scrubNames, discardTypeDocDefault } = context.options;
  const { parameters = {} } = schema;
  const record: AvroRecord = {
    kind: 'record',
    name: nameOf(schema, context, path),
    doc: parameters[discardTypeDocDefault ? 'connect.record.doc' : avroNames.recordDoc],
    fields: [],
    props: noProps,
  };
  for (const { field, schema: of } of schema.fields ?? []) {
    const name = scrubNames ? scrubName(field, { underscoreFirst }) : field;
    const doc = discardTypeDocDefault ? of.doc : parameters[`${avroNames.fieldDoc}${field}`];
    record.fields.push(fieldOf({ name, schema: of, doc }, context, [...path, field]));
  }
  checkDistinct(record.fields, path);
  return record;
}

interface GivenField {
  readonly name: string;
  readonly schema: Schema;
  readonly doc: string | undefined;
}

function fieldOf({ name, schema, doc }: GivenField, context: Context, path: Path): AvroField {
  checkName(name, 'field', path);
  const type = translate(schema, context, path);
  const own = schema.default !== undefined && schema.default !== null;
  const options = { ...context.options, wideFloats: true };
  const json = own ? defaultJson(schema, schema.default, options, path) : undefined;
  return { name, type, doc, default: json ?? (schema.optional ? 'null' : undefined) };
}
