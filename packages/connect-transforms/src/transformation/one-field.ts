import { configDef } from '@levada/connect-runtime-core';
import { oneOfIgnoringCase } from '@levada/connect-runtime-core/config';
import { dataFailure } from '../data/failures.ts';
import { fieldAt, fieldPath, mapValueAt, valueAt } from '../data/field-path.ts';
import { remembered, structSchema } from '../data/schemas.ts';
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
      'How the field is named: V1 is one name as it is, in V2 points lead into nested structs and maps, and backticks enclose a name that has points itself, as in `foo.bar`.baz.',
    validator: oneOfIgnoringCase('V1', 'V2'),
  },
]);

/** Puts a field of a struct or map in place of all of it. */
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
    documentation: 'Name of the one field of the struct or map that is made.',
  },
]);

/** Puts a key or value into a struct, or without schema into a map, of one field. */
export const hoistField = ofKeyAndValue('HoistField', {
  config: hoistConfig,
  create: ({ field }) => {
    const schemaOf = remembered((schema) => structSchema([{ field, schema }]));
    return ({ schema, value }) => {
      if (schema === null) return { schema, value: new Map([[field, value ?? null]]) };
      const updated = schemaOf(schema);
      return { schema: updated, value: new StructBuilder(updated).put(field, value).values };
    };
  },
});
