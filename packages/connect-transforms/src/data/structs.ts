import type { Schema } from '@levada/connect-runtime-core';
import type { SchemaField } from '@levada/connect-runtime-core/contract';
import { isDecimal } from '@levada/connect-runtime-core/text';
import { checkValue, entryMap } from './check-value.ts';
import { dataFailure } from './failures.ts';
import { isMapLike, javaClass } from './java-class.ts';
import { fieldOf, fieldsOf, hasDefault } from './schemas.ts';

/** A value with the schema of a struct. */
export interface Struct {
  readonly schema: Schema;
  readonly values: ReadonlyMap<unknown, unknown>;
}

/** A value without a schema. Throws Kafka Connect's message unless it is a map. */
export function requireMap(value: unknown, purpose: string): ReadonlyMap<unknown, unknown> {
  if (isMapLike(value) && !isDecimal(value)) return entryMap(value);
  throw dataFailure(
    `Only Map objects supported in absence of schema for [${purpose}], found: ${javaClass(null, value)}`,
  );
}

/** A value with a schema. Throws Kafka Connect's message unless it is a struct. */
export function requireStruct(schema: Schema, value: unknown, purpose: string): Struct {
  if (schema.type === 'struct' && isMapLike(value)) return { schema, values: entryMap(value) };
  throw dataFailure(`Only Struct objects supported for [${purpose}], found: ${javaClass(schema, value)}`);
}

/** A field's value. Its default replaces null if `withDefault`. */
export function fieldValue({ values }: Struct, { field, schema }: SchemaField, withDefault = true): unknown {
  const value = values.get(field) ?? null;
  return value === null && withDefault && hasDefault(schema) ? schema.default : value;
}

/** The value of a field by name. Throws if the schema has no such field. */
export function namedValue(struct: Struct, name: string, withDefault = true): unknown {
  const field = fieldOf(struct.schema, name);
  if (field === undefined) throw dataFailure(`${name} is not a valid field name`);
  return fieldValue(struct, field, withDefault);
}

/** Builds a struct. Each value is checked when it is put. */
export class StructBuilder {
  readonly #fields: ReadonlyMap<string, Schema>;
  readonly #values = new Map<string, unknown>();

  constructor(schema: Schema) {
    this.#fields = new Map(fieldsOf(schema).map(({ field, schema: own }) => [field, own]));
  }

  put(name: string, value: unknown): this {
    const schema = this.#fields.get(name);
    if (schema === undefined) throw dataFailure(`${name} is not a valid field name`);
    checkValue(schema, value, `field: "${name}"`);
    this.#values.set(name, value);
    return this;
  }

  get values(): ReadonlyMap<string, unknown> {
    return this.#values;
  }
}
