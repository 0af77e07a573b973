import type { Schema } from '@levada/connect-runtime-core';
import { logicalTypes, type SchemaField, type SchemaType } from '@levada/connect-runtime-core/contract';
import { dataFailure } from './failures.ts';

/** Properties of a schema apart from its type and its parts. */
type Basics = Pick<Schema, 'name' | 'version' | 'doc' | 'parameters'>;

/** Name, version, documentation and parameters of a schema, to copy into another one. */
export function basicsOf(schema: Schema): Basics {
  const { name, version, doc, parameters } = schema;
  return {
    ...(name === undefined ? {} : { name }),
    ...(version === undefined ? {} : { version }),
    ...(doc === undefined ? {} : { doc }),
    ...(parameters === undefined ? {} : { parameters }),
  };
}

/** A struct of the given fields. Throws for fields that Connect's schema builder refuses. */
export function structSchema(fields: readonly SchemaField[], basics: Partial<Schema> = {}): Schema {
  const names = new Set<string>();
  for (const { field } of fields) {
    if (field === '') throw dataFailure('fieldName cannot be null.');
    if (names.has(field)) throw dataFailure(`Cannot create field because of field name duplication ${field}`);
    names.add(field);
  }
  return { optional: false, ...basics, type: 'struct', fields };
}

/** The fields of a struct's schema. Throws for other types. */
export function fieldsOf(schema: Schema): readonly SchemaField[] {
  if (schema.type !== 'struct') throw dataFailure('Cannot list fields on non-struct type');
  return schema.fields ?? [];
}

/** A field by name; undefined if absent. Throws for types without fields. */
export function fieldOf(schema: Schema, name: string): SchemaField | undefined {
  if (schema.type !== 'struct') throw dataFailure('Cannot look up fields on non-struct type');
  return schema.fields?.find(({ field }) => field === name);
}

/** Whether null has a default in its place. */
export function hasDefault({ default: value }: Schema): boolean {
  return value !== undefined && value !== null;
}

/** A schema as Java prints it. */
export function schemaText({ name, type }: Schema): string {
  return `Schema{${name === undefined ? '' : `${name}:`}${type.toUpperCase()}}`;
}

const logical = (name: string, type: SchemaType, optional: boolean): Schema => ({
  type,
  optional,
  name,
  version: 1,
});

/** Schemas of dates and times, required and optional. They are singletons, so that converters can cache them. */
export const temporalSchemas = {
  Date: [logical(logicalTypes.date, 'int32', false), logical(logicalTypes.date, 'int32', true)],
  Time: [logical(logicalTypes.time, 'int32', false), logical(logicalTypes.time, 'int32', true)],
  Timestamp: [
    logical(logicalTypes.timestamp, 'int64', false),
    logical(logicalTypes.timestamp, 'int64', true),
  ],
} as const satisfies Record<string, readonly [Schema, Schema]>;

/** A schema of a type without parts. */
export function plainSchema(type: SchemaType, optional = false): Schema {
  return (optional ? optionalSchemas : requiredSchemas)[type];
}

const types = [
  'int8',
  'int16',
  'int32',
  'int64',
  'float32',
  'float64',
  'boolean',
  'string',
  'bytes',
  'array',
  'map',
  'struct',
] as const satisfies readonly SchemaType[];

const requiredSchemas = schemasOf(false);
const optionalSchemas = schemasOf(true);

function schemasOf(optional: boolean): Readonly<Record<SchemaType, Schema>> {
  return Object.fromEntries(types.map((type) => [type, { type, optional }])) as Record<SchemaType, Schema>;
}

/** Java's names of all types, in Java's order. */
export const typeNames: ReadonlyMap<string, SchemaType> = new Map(
  types.map((type) => [type.toUpperCase(), type]),
);

/** Caches a derived schema for as long as its source is in use. */
export function cacheBySchema(make: (schema: Schema) => Schema): (schema: Schema) => Schema {
  const made = new WeakMap<Schema, Schema>();
  return (schema) => {
    const known = made.get(schema);
    if (known !== undefined) return known;
    const fresh = make(schema);
    made.set(schema, fresh);
    return fresh;
  };
}
