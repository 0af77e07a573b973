import { configDef, type Schema } from '@levada/connect-runtime-core';
import type { SchemaField } from '@levada/connect-runtime-core/contract';
import { entryMap, withDefault } from '../data/check-value.ts';
import { dataFailure } from '../data/failures.ts';
import { javaClass, typeOfValue } from '../data/java-class.ts';
import { basicsOf, cacheBySchema, fieldsOf, hasDefault, structSchema } from '../data/schemas.ts';
import { fieldValue, requireMap, requireStruct, StructBuilder } from '../data/structs.ts';
import { ofKeyAndValue } from './part.ts';

const PURPOSE = 'flattening';

const config = configDef([
  {
    name: 'delimiter',
    type: 'string',
    default: '.',
    importance: 'medium',
    documentation: 'Separator between the name of a nested field and those of its parents.',
  },
]);

/** Prefixes a field with the names of its parents, if any. */
type Naming = (prefix: string, name: string) => string;

/** Flattens nested structs or maps. */
export const flatten = ofKeyAndValue('Flatten', {
  config,
  create: ({ delimiter }) => {
    const nameOf: Naming = (prefix, name) => (prefix === '' ? name : prefix + delimiter + name);
    const schemaOf = cacheBySchema((schema) => flatSchema(schema, nameOf));
    return (part) => {
      const { schema, value } = part;
      if (value === null || value === undefined) return part;
      if (schema === null) return { schema, value: flatMap(value, nameOf) };
      const { values } = requireStruct(schema, value, PURPOSE);
      const updated = schemaOf(schema);
      const built = new StructBuilder(updated);
      fill(schema, values, { prefix: '', nameOf, built });
      return { schema: updated, value: built.values };
    };
  },
});

function flatMap(value: unknown, nameOf: Naming): ReadonlyMap<string, unknown> {
  const flat = new Map<string, unknown>();
  const add = (map: ReadonlyMap<unknown, unknown>, prefix: string): void => {
    for (const [key, item] of map) {
      const name = nameOf(prefix, String(key));
      if (item !== null && item !== undefined && typeOfValue(item) === undefined) {
        throw dataFailure(
          `Flatten transformation was passed a value of type class ${javaClass(null, item)} which is not supported by Connect's data API`,
        );
      }
      if (typeOfValue(item) === 'map') add(entryMap(item), name);
      else flat.set(name, item ?? null);
    }
  };
  add(requireMap(value, PURPOSE), '');
  return flat;
}

function flatSchema(schema: Schema, nameOf: Naming): Schema {
  const fields: SchemaField[] = [];
  const inherited = hasDefault(schema) ? entryMap(schema.default) : undefined;
  collect(schema, { prefix: '', optional: schema.optional, inherited }, { nameOf, fields });
  return structSchema(fields, basicsOf(schema));
}

/** Properties that a field inherits from its parents. */
interface Surroundings {
  readonly prefix: string;
  readonly optional: boolean;
  /** The default of the field's struct. */
  readonly inherited: ReadonlyMap<unknown, unknown> | undefined;
}

function collect(
  schema: Schema,
  { prefix, optional, inherited }: Surroundings,
  target: { readonly nameOf: Naming; readonly fields: SchemaField[] },
): void {
  for (const { field, schema: own } of fieldsOf(schema)) {
    const name = target.nameOf(prefix, field);
    const optionalHere = optional || own.optional;
    const value = hasDefault(own) ? own.default : (inherited?.get(field) ?? undefined);
    if (own.type === 'map') throw unsupportedType(own, name);
    if (own.type === 'struct') {
      const within = value === undefined ? undefined : entryMap(value);
      collect(own, { prefix: name, optional: optionalHere, inherited: within }, target);
    } else target.fields.push({ field: name, schema: flatField(own, optionalHere, value) });
  }
}

function flatField(schema: Schema, optional: boolean, value: unknown): Schema {
  const { default: _, ...rest } = schema;
  const flat: Schema = { ...rest, optional };
  return value === undefined ? flat : withDefault(flat, value);
}

interface Filling {
  readonly prefix: string;
  readonly nameOf: Naming;
  readonly built: StructBuilder;
}

function fill(
  schema: Schema,
  values: ReadonlyMap<unknown, unknown>,
  { prefix, nameOf, built }: Filling,
): void {
  for (const field of fieldsOf(schema)) {
    const name = nameOf(prefix, field.field);
    const raw = values.get(field.field) ?? null;
    if (field.schema.type !== 'struct') built.put(name, fieldValue({ schema, values }, field));
    else if (raw !== null) fill(field.schema, entryMap(raw), { prefix: name, nameOf, built });
  }
}

function unsupportedType({ type }: Schema, name: string): Error {
  return dataFailure(
    `Flatten transformation does not support ${type.toUpperCase()} for record with schemas (for field ${name}).`,
  );
}
