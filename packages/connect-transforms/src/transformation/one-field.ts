import { configDef } from '@levada/connect-runtime-core';
import { oneOfIgnoringCase } from '@levada/connect-runtime-core/config';
import { dataFailure } from '../data/failures.ts';
import { fieldAt, fieldPath, mapValueAt, valueAt } from '../data/field-path.ts';
import { cacheBySchema, structSchema } from '../data/schemas.ts';
import { requireMap, requireStruct, StructBuilder } from '../data/structs.ts';
import { ofKeyAndValue } from './part.ts';
import { replaceNullRow } from './rows.ts';

const PURPOSE = 'field extraction';

const extractConfig = configDef([
  {
    name: 'field',
    type: 'string',
    importance: 'medium',
    documentation: 'Name of the field to extract.',
  },
  replaceNullRow,
  {
    name: 'field.syntax.version',
    type: 'string',
    default: 'V1',
    importance: 'high',
    documentation:
      'Syntax of the field. V1: the text is one name. V2: dots lead into nested structs and maps, and backticks enclose a name with dots, as in `foo.bar`.baz.',
    validator: oneOfIgnoringCase('V1', 'V2'),
  },
]);

/** Replaces a struct or map by one of its fields. */
export const extractField = ofKeyAndValue('ExtractField', {
  config: extractConfig,
  create: (values) => {
    const path = fieldPath('field', values.field, values['field.syntax.version']);
    const withDefault = values['replace.null.with.default'];
    return ({ schema, value }) => {
      const absent = value === null || value === undefined;
      if (schema === null)
        return { schema, value: absent ? null : mapValueAt(requireMap(value, PURPOSE), path) };
      const struct = absent ? undefined : requireStruct(schema, value, PURPOSE);
      const field = fieldAt(schema, path);
      if (field === undefined) throw dataFailure(`Unknown field: ${values.field}`);
      return {
        schema: field.schema,
        value: struct === undefined ? null : valueAt(struct, path, withDefault),
      };
    };
  },
});

const hoistConfig = configDef([
  {
    name: 'field',
    type: 'string',
    importance: 'medium',
    documentation: 'Name of the only field of the new struct or map.',
  },
]);

/** Wraps a key or value in a struct of one field, or in a map if it has no schema. */
export const hoistField = ofKeyAndValue('HoistField', {
  config: hoistConfig,
  create: ({ field }) => {
    const schemaOf = cacheBySchema((schema) => structSchema([{ field, schema }]));
    return ({ schema, value }) => {
      if (schema === null) return { schema, value: new Map([[field, value ?? null]]) };
      const updated = schemaOf(schema);
      return { schema: updated, value: new StructBuilder(updated).put(field, value).values };
    };
  },
});
