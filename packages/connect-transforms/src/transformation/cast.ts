import { configDef, isConnectorError, type Schema } from '@levada/connect-runtime-core';
import type { Validator } from '@levada/connect-runtime-core/config';
import type { SchemaType } from '@levada/connect-runtime-core/contract';
import { castTypes, castValue, typeList } from '../data/cast-value.ts';
import { withDefault } from '../data/check-value.ts';
import { configFailure } from '../data/failures.ts';
import {
  basicsOf,
  cacheBySchema,
  fieldsOf,
  hasDefault,
  plainSchema,
  structSchema,
  typeNames,
} from '../data/schemas.ts';
import { fieldValue, requireMap, requireStruct, StructBuilder } from '../data/structs.ts';
import { ofKeyAndValue, type Part } from './part.ts';
import { replaceNullRow, splitMapping } from './rows.ts';

const PURPOSE = 'cast types';

/** The cast of a whole value, or of fields by name. */
interface CastSpec {
  readonly whole: SchemaType | undefined;
  readonly fields: ReadonlyMap<string, SchemaType>;
}

const specValidator: Validator = {
  allowed: 'list of colon-delimited pairs, e.g. foo:bar,abc:xyz',
  verbatim: true,
  check: (value) => {
    if (!Array.isArray(value) || value.length === 0) return 'Must specify at least one field to cast.';
    try {
      parseSpec(value as readonly string[]);
      return undefined;
    } catch (thrown) {
      if (isConnectorError(thrown)) return thrown.message;
      throw thrown;
    }
  },
};

const config = configDef([
  {
    name: 'spec',
    type: 'list',
    importance: 'high',
    documentation:
      'Fields and the types to cast them to, as field1:type,field2:type, or one type alone to cast the whole value. Types: int8, int16, int32, int64, float32, float64, boolean, string. Bytes can be cast to string only.',
    validator: specValidator,
  },
  replaceNullRow,
]);

/** Casts fields, or a whole key or value, to other types. */
export const cast = ofKeyAndValue('Cast', {
  config,
  create: (values) => {
    const spec = parseSpec(values.spec);
    const schemaOf = cacheBySchema((schema) => castSchema(schema, spec));
    const defaults = values['replace.null.with.default'];
    return (part) => {
      if (part.value === null || part.value === undefined) return part;
      if (part.schema === null) return { schema: null, value: castBare(part.value, spec) };
      return castTyped(part.schema, part.value, { spec, updated: schemaOf(part.schema), defaults });
    };
  },
});

function castBare(value: unknown, { whole, fields }: CastSpec): unknown {
  if (whole !== undefined) return castValue(null, value, whole);
  const map = requireMap(value, PURPOSE);
  const updated = new Map(map);
  for (const [field, type] of fields) updated.set(field, castValue(null, map.get(field), type));
  return updated;
}

interface TypedCast {
  readonly spec: CastSpec;
  readonly updated: Schema;
  readonly defaults: boolean;
}

function castTyped(schema: Schema, value: unknown, { spec, updated, defaults }: TypedCast): Part {
  if (spec.whole !== undefined) return { schema: updated, value: castValue(schema, value, spec.whole) };
  const struct = requireStruct(schema, value, PURPOSE);
  const built = new StructBuilder(updated);
  for (const field of fieldsOf(schema)) {
    const type = spec.fields.get(field.field);
    const given = fieldValue(struct, field, defaults);
    built.put(field.field, type === undefined ? given : castValue(field.schema, given, type));
  }
  return { schema: updated, value: built.values };
}

function castSchema(schema: Schema, { whole, fields }: CastSpec): Schema {
  const { optional } = schema;
  if (whole !== undefined) {
    const basics = { ...plainSchema(whole), ...basicsOf(schema), optional };
    if (!hasDefault(schema)) return basics;
    return withDefault(basics, castValue(schema, schema.default, whole));
  }
  const updated = fieldsOf(schema).map((field) => {
    const type = fields.get(field.field);
    return type === undefined ? field : { field: field.field, schema: fieldSchema(field.schema, type) };
  });
  const struct = structSchema(updated, { ...basicsOf(schema), optional });
  // Connect cannot cast the default of a struct, and says so
  return hasDefault(schema) ? withDefault(struct, castValue(schema, schema.default, 'struct')) : struct;
}

function fieldSchema(schema: Schema, type: SchemaType): Schema {
  const plain = plainSchema(type, schema.optional);
  return hasDefault(schema) ? withDefault(plain, castValue(schema, schema.default, type)) : plain;
}

/** Throws a `config_invalid` error with Connect's message. */
function parseSpec(mappings: readonly string[]): CastSpec {
  const fields = new Map<string, SchemaType>();
  let whole: SchemaType | undefined;
  for (const mapping of mappings) {
    const parts = splitMapping(mapping);
    if (parts.length > 2) {
      const shown = `[${mappings.join(', ')}]`;
      throw configFailure(
        'spec',
        `Invalid value ${shown} for configuration renames: Invalid rename mapping: ${mapping}`,
      );
    }
    const [first = '', second] = parts.map((part) => part.trim());
    if (second === undefined) whole = typeNamed(first);
    else fields.set(first, typeNamed(second));
  }
  if (whole !== undefined && mappings.length > 1) {
    throw configFailure(
      'spec',
      'Cast transformations that specify a type to cast the entire value to may only specify a single cast in their spec',
    );
  }
  return { whole, fields };
}

function typeNamed(name: string): SchemaType {
  const type = typeNames.get(name.toUpperCase());
  if (type === undefined) throw configFailure('spec', `Invalid type found in casting spec: ${name}`);
  if (castTypes.includes(type)) return type;
  throw configFailure(
    'spec',
    `Cast transformation does not support casting to ${type.toUpperCase()}; supported types are ${typeList(castTypes)}`,
  );
}
