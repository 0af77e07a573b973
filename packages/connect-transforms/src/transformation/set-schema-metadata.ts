import { configDef } from '@levada/connect-runtime-core';
import { configFailure, dataFailure } from '../data/failures.ts';
import { cacheBySchema, fieldsOf } from '../data/schemas.ts';
import { fieldValue, requireStruct, StructBuilder } from '../data/structs.ts';
import { ofKeyAndValue } from './part.ts';
import { replaceNullRow } from './rows.ts';

const PURPOSE = 'updating schema metadata';

const config = configDef([
  {
    name: 'schema.name',
    type: 'string',
    default: null,
    importance: 'high',
    documentation: 'New name of the schema.',
  },
  {
    name: 'schema.version',
    type: 'int',
    default: null,
    importance: 'high',
    documentation: 'New version of the schema.',
  },
  replaceNullRow,
]);

/** Sets the name or version of a schema. */
export const setSchemaMetadata = ofKeyAndValue('SetSchemaMetadata', {
  config,
  create: (values) => {
    const { 'schema.name': name, 'schema.version': version } = values;
    if (name === null && version === null)
      throw configFailure('schema.name', 'Neither schema name nor version configured');
    const withDefault = values['replace.null.with.default'];
    const schemaOf = cacheBySchema((schema) => ({
      ...schema,
      ...(name === null ? {} : { name }),
      ...(version === null ? {} : { version }),
    }));
    return (part) => {
      const { schema, value } = part;
      const absent = value === null || value === undefined;
      if (schema === null) {
        if (absent) return part;
        throw dataFailure(`Schema required for [${PURPOSE}]`);
      }
      // Kafka Connect 3.9 supports only structs here
      const fields = fieldsOf(schema);
      const updated = schemaOf(schema);
      if (absent) return { schema: updated, value };
      const struct = requireStruct(schema, value, PURPOSE);
      const built = new StructBuilder(updated);
      for (const field of fields) built.put(field.field, fieldValue(struct, field, withDefault));
      return { schema: updated, value: built.values };
    };
  },
});
