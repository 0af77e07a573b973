import type { Schema } from '@levada/connect-runtime-core';
import {
  checkDepth,
  checkDistinct,
  failedAt,
  itemsOf,
  keysOf,
  type Path,
  wholeParameter,
} from '../model/failure.ts';
import { fingerprint } from '../model/fingerprint.ts';
import { scrubFullName, scrubName, splitName } from '../model/names.ts';
import type { ProtoField, ProtoFile, ProtoMessage, ProtoType } from './proto-message.ts';
import { type ProtoOptions, protoNameRule, protoNames } from './proto-options.ts';
import { logicalKind, logicalMessages, scalars, wrapperName, wrappersFile } from './well-known.ts';

/** State of one schema's translation. */
interface Context {
  readonly options: ProtoOptions;
  readonly imports: Set<string>;
  /** Number of messages without a name so far. */
  unnamed: number;
}

/** Fingerprints of the schemas of nested messages, by name. */
type Nested = Map<string, { readonly print: string; readonly message: ProtoMessage }>;

/**
 * The Protobuf file of a struct, as Confluent's `ProtobufData` defines it: fields are numbered in order, structs are nested
 * messages, maps are lists of messages with a key and a value, and logical types are well-known messages. Throws
 * `conversion_failed`.
 */
export function protoFile(schema: Schema, options: ProtoOptions): ProtoFile {
  const context: Context = { options, imports: new Set(), unnamed: 0 };
  const full = fullName(schema.name, context);
  const { namespace, name } = splitName(options.scrubNames ? scrubFullName(full, protoNameRule) : full);
  const message = structMessage(name, schema, context, []);
  return { package: namespace, imports: [...context.imports], message };
}

function fullName(name: string | undefined, context: Context): string {
  if (name !== undefined && name !== '') return name;
  context.unnamed += 1;
  return `${protoNames.default}${context.unnamed}`;
}

function shortName(name: string | undefined, context: Context): string {
  const short = splitName(fullName(name, context)).name;
  return context.options.scrubNames ? scrubName(short, protoNameRule) : short;
}

function structMessage(name: string, schema: Schema, context: Context, path: Path): ProtoMessage {
  checkDepth(path);
  checkName(name, path);
  const message: ProtoMessage = { name, fields: [], nested: [] };
  const nested: Nested = new Map();
  let next = 1;
  for (const { field, schema: of } of schema.fields ?? []) {
    const own = context.options.scrubNames ? scrubName(field, protoNameRule) : field;
    const within = [...path, field];
    checkName(own, within);
    const tag = wholeParameter(of, protoNames.tag, { least: 1, otherwise: 0, path: within });
    const number = tag === 0 ? next++ : tag;
    message.fields.push(
      fieldOf({ name: own, number, schema: of }, { message, nested, path: within }, context),
    );
  }
  checkDistinct(message.fields, path);
  const numbers = new Set(message.fields.map(({ number }) => number));
  if (numbers.size < message.fields.length)
    throw failedAt(path, `two fields have the same number; see the parameter "${protoNames.tag}"`);
  return message;
}

function checkName(name: string, path: Path): void {
  if (/^[A-Za-z_]\w*$/.test(name)) return;
  throw failedAt(path, `"${name}" cannot be a name in Protobuf; set scrub.invalid.names=true`);
}

/** Place of a field: its message, and its part of the schema. */
interface Place {
  readonly message: ProtoMessage;
  readonly nested: Nested;
  readonly path: Path;
}

function fieldOf(
  { name, number, schema }: { readonly name: string; readonly number: number; readonly schema: Schema },
  place: Place,
  context: Context,
): ProtoField {
  const { path } = place;
  const isArray = schema.type === 'array';
  const of = isArray ? itemsOf(schema, path) : schema;
  if (isArray && (of.type === 'array' || of.type === 'map'))
    throw failedAt(path, `Protobuf has no array of type ${of.type}; put it into a struct`);
  const optional = schema.optional && context.options.optionalForNullables ? 'optional' : '';
  return {
    name,
    number,
    label: isArray || schema.type === 'map' ? 'repeated' : optional,
    type: typeOf(of, name, place, context),
    params: paramsOf(of),
    schema: of,
  };
}

/** Properties of a type that Protobuf lacks. */
function paramsOf(schema: Schema): readonly (readonly [string, string])[] {
  if (logicalKind(schema.name) === 'decimal') {
    const { 'connect.decimal.precision': precision, scale } = schema.parameters ?? {};
    return [
      ...(precision === undefined ? [] : [['precision', precision] as const]),
      ...(scale === undefined ? [] : [['scale', scale] as const]),
    ];
  }
  return schema.type === 'int8' || schema.type === 'int16' ? [['connect.type', schema.type]] : [];
}

function typeOf(schema: Schema, field: string, place: Place, context: Context): ProtoType {
  const { path } = place;
  const unsupported = protoNames.unsupported.find((name) => schema.parameters?.[name] !== undefined);
  if (unsupported !== undefined) throw failedAt(path, `the parameter "${unsupported}" is not supported`);
  const logical = logicalKind(schema.name);
  if (logical !== undefined) {
    const { name, file } = logicalMessages[logical];
    context.imports.add(file);
    return { kind: 'logical', logical, name };
  }
  if (schema.type === 'struct') {
    if (schema.name?.startsWith(protoNames.union) === true)
      throw failedAt(path, `schemas named ${schema.name} are not supported`);
    const short = shortName(schema.name, context);
    const name = short === field ? `${short}Message` : short;
    return { kind: 'message', message: nestedMessage(name, schema, place, context) };
  }
  if (schema.type === 'map') return { kind: 'entries', message: entryMessage(schema, place, context) };
  if (schema.type === 'array') throw failedAt(path, 'Protobuf has no array of arrays; put it into a struct');
  const scalar = scalars[schema.type];
  if (!schema.optional || !context.options.wrapperForNullables) return { kind: 'scalar', scalar };
  context.imports.add(wrappersFile);
  return { kind: 'wrapper', scalar, name: wrapperName(scalar) };
}

function nestedMessage(
  name: string,
  schema: Schema,
  { message, nested, path }: Place,
  context: Context,
): ProtoMessage {
  const print = fingerprint({ ...schema, optional: false });
  const known = nested.get(name);
  if (known !== undefined) {
    if (known.print !== print) throw failedAt(path, `the name "${name}" stands for two different structs`);
    return known.message;
  }
  const made = structMessage(name, schema, context, path);
  nested.set(name, { print, message: made });
  message.nested.push(made);
  return made;
}

function entryMessage(schema: Schema, { message, path }: Place, context: Context): ProtoMessage {
  const short = shortName(schema.name, context);
  const entry: ProtoMessage = {
    name: `${short.includes('_') ? upperCamel(short) : short}Entry`,
    fields: [],
    nested: [],
  };
  if (message.nested.some(({ name }) => name === entry.name))
    throw failedAt(path, `two maps of one struct have the name "${schema.name ?? ''}"`);
  message.nested.push(entry);
  const nested: Nested = new Map();
  const at = (part: string): Place => ({ message: entry, nested, path: [...path, part] });
  entry.fields.push(
    fieldOf({ name: 'key', number: 1, schema: keysOf(schema) }, at('key'), context),
    fieldOf({ name: 'value', number: 2, schema: itemsOf(schema, path) }, at('value'), context),
  );
  return entry;
}

/** `price_levels` as `PriceLevels`. */
function upperCamel(name: string): string {
  const words = name.split('_');
  return words.map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1).toLowerCase()}`).join('');
}
