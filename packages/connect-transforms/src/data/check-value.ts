import type { Schema } from '@levada/connect-runtime-core';
import { logicalTypes } from '@levada/connect-runtime-core/contract';
import { isDecimal } from '@levada/connect-runtime-core/text';
import { dataFailure } from './failures.ts';
import { isDateType, javaClass, matches } from './java-class.ts';
import { hasDefault } from './schemas.ts';

/** Throws Kafka Connect's message unless the value matches the schema. `location` is part of the message, as in `field: "a"`. */
export function checkValue(schema: Schema, value: unknown, location: string): void {
  if (value === null || value === undefined) {
    if (schema.optional) return;
    throw dataFailure(
      `Invalid value: null used for required ${location}, schema type: ${schema.type.toUpperCase()}`,
    );
  }
  if (!fits(schema, value)) {
    const name = schema.name === undefined ? '' : ` "${schema.name}"`;
    const found = `class ${javaClass(null, value)}`;
    throw dataFailure(
      `Invalid Java object for schema${name} with type ${schema.type.toUpperCase()}: ${found} for ${location}`,
    );
  }
  if (schema.type === 'struct') checkStruct(schema, value);
  else if (schema.type === 'array') {
    const { items } = schema;
    if (items === undefined) throw dataFailure(`No schema defined for element of array ${location}`);
    for (const item of value as readonly unknown[]) checkValue(items, item, `element of array ${location}`);
  } else if (schema.type === 'map') checkMap(schema, value, location);
}

/** The schema with a default. Throws the message of Connect's schema builder if the value does not fit. */
export function withDefault(schema: Schema, value: unknown): Schema {
  try {
    checkValue(schema, value, 'value');
  } catch {
    throw dataFailure('Invalid default value');
  }
  return { ...schema, default: value };
}

/** Whether a value is of the class that a schema requires. */
function fits(schema: Schema, value: unknown): boolean {
  if (isDateType(schema)) return value instanceof Date;
  if (schema.name === logicalTypes.decimal) return isDecimal(value);
  return matches(schema.type, value);
}

function checkStruct(schema: Schema, value: unknown): void {
  const values = entryMap(value);
  for (const { field, schema: own } of schema.fields ?? []) {
    const part = values.get(field) ?? null;
    if (part === null && (own.optional || hasDefault(own))) continue;
    checkValue(own, part, `field: "${field}"`);
  }
}

function checkMap({ keys, items }: Schema, value: unknown, location: string): void {
  if (keys === undefined) throw dataFailure(`No schema defined for key of map ${location}`);
  if (items === undefined) throw dataFailure(`No schema defined for value of map ${location}`);
  for (const [key, item] of entryMap(value)) {
    checkValue(keys, key, `key of map ${location}`);
    checkValue(items, item, `value of map ${location}`);
  }
}

/** The entries of a map or struct, in either representation. */
export function entryMap(value: unknown): ReadonlyMap<unknown, unknown> {
  return value instanceof Map ? value : new Map(Object.entries(value as object));
}
