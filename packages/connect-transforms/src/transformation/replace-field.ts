import { configDef, type Schema } from '@levada/connect-runtime-core';
import type { Validator } from '@levada/connect-runtime-core/config';
import { basicsOf, cacheBySchema, fieldsOf, structSchema } from '../data/schemas.ts';
import { namedValue, requireMap, requireStruct, StructBuilder } from '../data/structs.ts';
import { ofKeyAndValue } from './part.ts';
import { replaceNullRow, splitMapping } from './rows.ts';

const PURPOSE = 'field replacement';

const renameValidator: Validator = {
  allowed: 'list of colon-delimited pairs, e.g. foo:bar,abc:xyz',
  check: (value) => {
    if (!Array.isArray(value)) return undefined;
    const invalid = (value as readonly string[]).find((mapping) => splitMapping(mapping).length !== 2);
    return invalid === undefined ? undefined : `Invalid rename mapping: ${invalid}`;
  },
};

const config = configDef([
  {
    name: 'exclude',
    type: 'list',
    default: [],
    importance: 'medium',
    documentation: 'Names of the fields to remove, even if they are included.',
  },
  {
    name: 'include',
    type: 'list',
    default: [],
    importance: 'medium',
    documentation: 'Names of the fields to keep. Default: all.',
  },
  {
    name: 'blacklist',
    type: 'list',
    default: null,
    importance: 'low',
    documentation: 'Deprecated name of exclude.',
  },
  {
    name: 'whitelist',
    type: 'list',
    default: null,
    importance: 'low',
    documentation: 'Deprecated name of include.',
  },
  {
    name: 'renames',
    type: 'list',
    default: [],
    importance: 'medium',
    documentation: 'New names of fields, as old:new.',
    validator: renameValidator,
  },
  replaceNullRow,
]);

/** Removes and renames fields. */
export const replaceField = ofKeyAndValue('ReplaceField', {
  config,
  create: (values) => {
    const exclude = new Set(values.exclude.length > 0 ? values.exclude : (values.blacklist ?? []));
    const include = new Set(values.include.length > 0 ? values.include : (values.whitelist ?? []));
    const renames = new Map(values.renames.map((mapping) => splitMapping(mapping) as [string, string]));
    const originals = new Map([...renames].map(([from, to]) => [to, from]));
    const keeps = (name: string): boolean => !exclude.has(name) && (include.size === 0 || include.has(name));
    const newNameOf = (name: string): string => renames.get(name) ?? name;
    const withDefault = values['replace.null.with.default'];
    const schemaOf = cacheBySchema((schema: Schema) => {
      const kept = fieldsOf(schema).filter(({ field }) => keeps(field));
      const fields = kept.map(({ field, schema: own }) => ({ field: newNameOf(field), schema: own }));
      return structSchema(fields, basicsOf(schema));
    });
    return (part) => {
      const { schema, value } = part;
      if (value === null || value === undefined) return part;
      if (schema === null) {
        const kept = [...requireMap(value, PURPOSE)].filter(([name]) => keeps(String(name)));
        return { schema, value: new Map(kept.map(([name, one]) => [newNameOf(String(name)), one])) };
      }
      const struct = requireStruct(schema, value, PURPOSE);
      const updated = schemaOf(schema);
      const built = new StructBuilder(updated);
      for (const { field } of fieldsOf(updated))
        built.put(field, namedValue(struct, originals.get(field) ?? field, withDefault));
      return { schema: updated, value: built.values };
    };
  },
});
