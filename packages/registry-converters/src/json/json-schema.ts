import type { Schema } from '@levada/connect-runtime-core';
import { checkDepth, failedAt, itemsOf, keysOf, type Path, requireSchema } from '../model/failure.ts';
import { isNumericDecimal, isObject, type JsonOptions, jsonNames } from './json-options.ts';
import { jsonValue } from './json-value.ts';

/** Members of a JSON object in order, as JSON text. */
type Members = Map<string, string>;

const jsonTypes = {
  int8: 'integer',
  int16: 'integer',
  int32: 'integer',
  int64: 'integer',
  float32: 'number',
  float64: 'number',
  boolean: 'boolean',
  string: 'string',
  bytes: 'string',
  array: 'array',
  map: 'object',
  struct: 'object',
} as const;

/** Types without a JSON Schema type of the same name; `connect.type` has the original one. */
const annotated = ['int8', 'int16', 'int32', 'int64', 'float32', 'float64', 'bytes', 'map'];

/**
 * The JSON Schema of a Connect schema, with the keywords of Confluent's `JsonSchemaData`: optional is `oneOf` null and the type,
 * the name is the title, and everything that JSON Schema lacks goes into `connect.*`. Throws `conversion_failed`.
 */
export function jsonSchemaText(schema: Schema, options: JsonOptions): string {
  return text(members(schema, options, []));
}

function members(schema: Schema, options: JsonOptions, path: Path): Members {
  checkDepth(path);
  if (schema.name === jsonNames.oneOf) throw failedAt(path, `schemas named ${schema.name} are not supported`);
  if (!schema.optional) return present(schema, options, path);
  const own = text(present(requireSchema(schema), options, path));
  return new Map([['oneOf', `[{"type":"null"},${own}]`]]);
}

function present(schema: Schema, options: JsonOptions, path: Path): Members {
  const { name, doc, version, parameters = {}, type } = schema;
  const all: Members = new Map();
  const symbols = type === 'string' ? enumSymbols(parameters) : undefined;
  const entries = type === 'map' && !isObject(schema);
  if (symbols !== undefined) all.set('enum', `[${symbols.join(',')}]`);
  else if (isNumericDecimal(schema, options)) all.set('type', '"number"');
  else all.set('type', JSON.stringify(entries ? 'array' : jsonTypes[type]));
  if (type === 'struct' && !options.additionalProperties) all.set('additionalProperties', 'false');
  if (name !== undefined) all.set('title', JSON.stringify(name));
  if (doc !== undefined) all.set('description', JSON.stringify(doc));
  if (schema.default !== undefined && schema.default !== null) {
    all.set('default', jsonValue(schema, schema.default, options, path));
  }
  if (version !== undefined) all.set('connect.version', String(version));
  if (annotated.includes(type)) all.set('connect.type', JSON.stringify(type));
  const kept = Object.entries(parameters).filter(([key]) => !key.startsWith(jsonNames.namespace));
  if (kept.length > 0) all.set('connect.parameters', JSON.stringify(Object.fromEntries(kept)));
  addParts(all, schema, options, path);
  return all;
}

function addParts(all: Members, schema: Schema, options: JsonOptions, path: Path): void {
  if (schema.type === 'array') {
    all.set('items', text(members(itemsOf(schema, path), options, [...path, 'items'])));
  } else if (schema.type === 'map') {
    const values = members(itemsOf(schema, path), options, [...path, 'values']);
    if (isObject(schema)) {
      all.set('additionalProperties', text(values));
      return;
    }
    const keys = members(keysOf(schema), options, [...path, 'keys']);
    const properties = new Map([
      ['key', text(keys.set('connect.index', '0'))],
      ['value', text(values.set('connect.index', '1'))],
    ]);
    all.set('items', `{"type":"object","properties":${text(properties)}}`);
  } else if (schema.type === 'struct') {
    const properties: Members = new Map();
    for (const [index, { field, schema: of }] of (schema.fields ?? []).entries()) {
      const own = members(of, options, [...path, field]);
      properties.set(field, text(own.set('connect.index', String(index))));
    }
    if (properties.size > 0) all.set('properties', text(properties));
  }
}

/** JSON texts of an enum's symbols; undefined for other text. */
function enumSymbols(parameters: Readonly<Record<string, string>>): readonly string[] | undefined {
  if (parameters[jsonNames.enum] === undefined) return undefined;
  const prefix = `${jsonNames.enum}.`;
  return Object.keys(parameters).flatMap((key) =>
    key.startsWith(prefix) ? [JSON.stringify(key.slice(prefix.length))] : [],
  );
}

function text(all: Members): string {
  return `{${[...all].map(([name, json]) => `${JSON.stringify(name)}:${json}`).join(',')}}`;
}
