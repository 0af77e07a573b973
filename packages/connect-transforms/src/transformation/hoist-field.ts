import { configDef } from '@levada/connect-runtime-core';
import { remembered, structSchema } from '../data/schemas.ts';
import { StructBuilder } from '../data/structs.ts';
import { ofKeyAndValue } from './part.ts';

const config = configDef([
  {
    name: 'field',
    type: 'string',
    importance: 'medium',
    documentation: 'Name of the one field of the struct or map that is made.',
  },
]);

/** Puts a key or value into a struct, or without schema into a map, of one field. */
export const hoistField = ofKeyAndValue('HoistField', {
  config,
  create: ({ field }) => {
    const schemaOf = remembered((schema) => structSchema([{ field, schema }]));
    return ({ schema, value }) => {
      if (schema === null) return { schema, value: new Map([[field, value ?? null]]) };
      const updated = schemaOf(schema);
      return { schema: updated, value: new StructBuilder(updated).put(field, value).values };
    };
  },
});
