import { configDef, type Schema } from '@levada/connect-runtime-core';
import { oneOf } from '@levada/connect-runtime-core/config';
import type { RecordHeader } from '@levada/connect-runtime-core/contract';
import { configFailure, dataFailure } from '../data/failures.ts';
import { basicsOf, cacheBySchema, fieldOf, fieldsOf, schemaText, structSchema } from '../data/schemas.ts';
import { fieldValue, requireMap, requireStruct, StructBuilder } from '../data/structs.ts';
import { ofKeyAndValue } from './part.ts';
import { nonEmptyList, replaceNullRow } from './rows.ts';

const config = configDef([
  {
    name: 'fields',
    type: 'list',
    importance: 'high',
    documentation: 'Names of the fields whose values become headers.',
    validator: nonEmptyList,
  },
  {
    name: 'headers',
    type: 'list',
    importance: 'high',
    documentation: 'Names of the headers, in the order of the fields.',
    validator: nonEmptyList,
  },
  {
    name: 'operation',
    type: 'string',
    importance: 'high',
    documentation: "'move' removes the fields from the key or value, 'copy' keeps them.",
    validator: oneOf('move', 'copy'),
  },
  replaceNullRow,
]);

/** Moves or copies fields to headers. */
export const headerFrom = ofKeyAndValue('HeaderFrom', {
  config,
  create: (values) => {
    const { fields, headers: names, operation } = values;
    if (fields.length !== names.length) {
      throw configFailure(
        'headers',
        "'fields' config must have the same number of elements as 'headers' config.",
      );
    }
    const moves = operation === 'move';
    const purpose = `header ${operation}`;
    const withDefault = values['replace.null.with.default'];
    const schemaOf = cacheBySchema((schema) => withoutFields(schema, new Set(fields)));

    const moveTyped = (schema: Schema, value: unknown, headers: RecordHeader[]) => {
      const struct = requireStruct(schema, value, purpose);
      const updated = moves ? schemaOf(schema) : schema;
      const built = new StructBuilder(updated);
      if (moves)
        for (const field of fieldsOf(updated)) built.put(field.field, fieldValue(struct, field, withDefault));
      for (const [index, name] of fields.entries()) {
        const field = fieldOf(schema, name);
        if (field === undefined) throw dataFailure(`Unknown field: ${name}`);
        const given = fieldValue(struct, field, withDefault);
        if (given === null && !field.schema.optional) {
          throw dataFailure(`A null value requires an optional schema but was ${schemaText(field.schema)}`);
        }
        headers.push({ key: names[index] ?? '', schema: field.schema, value: given });
      }
      return { schema: updated, value: moves ? built.values : value, headers };
    };

    const moveUntyped = (value: unknown, headers: RecordHeader[]) => {
      const map = requireMap(value, purpose);
      const updated = new Map(map);
      for (const [index, name] of fields.entries()) {
        headers.push({ key: names[index] ?? '', schema: null, value: map.get(name) ?? null });
        if (moves) updated.delete(name);
      }
      return { schema: null, value: updated, headers };
    };

    return ({ schema, value }, record) =>
      schema === null
        ? moveUntyped(value, [...record.headers])
        : moveTyped(schema, value, [...record.headers]);
  },
});

function withoutFields(schema: Schema, names: ReadonlySet<string>): Schema {
  const kept = fieldsOf(schema).filter(({ field }) => !names.has(field));
  return structSchema(kept, basicsOf(schema));
}
