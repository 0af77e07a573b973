import { configDef } from '@levada/connect-runtime-core';
import type { TransformationPlugin } from '@levada/connect-runtime-core/contract';
import { dataFailure } from '../data/failures.ts';
import { cacheBySchema, fieldOf, structSchema } from '../data/schemas.ts';
import { namedValue, requireMap, requireStruct, StructBuilder } from '../data/structs.ts';
import { javaPackage } from './part.ts';
import { nonEmptyList, replaceNullRow } from './rows.ts';

const PURPOSE = 'copying fields from value to key';

const config = configDef([
  {
    name: 'fields',
    type: 'list',
    importance: 'high',
    documentation: 'Names of the fields of the value that become the key.',
    validator: nonEmptyList,
  },
  replaceNullRow,
]);

/** Builds a key from fields of the value. */
export const valueToKey: TransformationPlugin = {
  className: `${javaPackage}.ValueToKey`,
  config,
  create: (raw) => {
    const { fields, 'replace.null.with.default': withDefault } = config.parse(raw);
    const schemaOf = cacheBySchema((schema) =>
      structSchema(
        fields.map((name) => {
          const field = fieldOf(schema, name);
          if (field === undefined) throw dataFailure(`Field does not exist: ${name}`);
          return field;
        }),
      ),
    );
    return {
      apply: (record) => {
        const { valueSchema, value } = record;
        if (valueSchema === null) {
          const map = requireMap(value, PURPOSE);
          const key = new Map(fields.map((name) => [name, map.get(name) ?? null]));
          return { ...record, keySchema: null, key };
        }
        const struct = requireStruct(valueSchema, value, PURPOSE);
        const keySchema = schemaOf(valueSchema);
        const built = new StructBuilder(keySchema);
        for (const name of fields) built.put(name, namedValue(struct, name, withDefault));
        return { ...record, keySchema, key: built.values };
      },
    };
  },
};
