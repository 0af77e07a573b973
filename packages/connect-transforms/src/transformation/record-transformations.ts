import { configDef } from '@levada/connect-runtime-core';
import type { TransformationPlugin } from '@levada/connect-runtime-core/contract';
import { parseLiteral } from '../data/parse-literal.ts';
import { javaPackage } from './part.ts';
import { nonEmptyList, nonNull } from './rows.ts';

const dropConfig = configDef([
  {
    name: 'headers',
    type: 'list',
    importance: 'high',
    documentation: 'Names of the headers to remove.',
    validator: nonEmptyList,
  },
]);

/** Removes headers by name. */
export const dropHeaders: TransformationPlugin = {
  className: `${javaPackage}.DropHeaders`,
  config: dropConfig,
  create: (raw) => {
    const names = new Set(dropConfig.parse(raw).headers);
    return {
      apply: (record) => ({ ...record, headers: record.headers.filter(({ key }) => !names.has(key)) }),
    };
  },
};

const insertConfig = configDef([
  {
    name: 'header',
    type: 'string',
    importance: 'high',
    documentation: 'Name of the header.',
    validator: nonNull,
  },
  {
    name: 'value.literal',
    type: 'string',
    importance: 'high',
    documentation: 'The value of the header: null, true, a number, a date, a list, a map, or text.',
    validator: nonNull,
  },
]);

/** Adds one header with a fixed value to each record. */
export const insertHeader: TransformationPlugin = {
  className: `${javaPackage}.InsertHeader`,
  config: insertConfig,
  create: (raw) => {
    const values = insertConfig.parse(raw);
    const header = { key: values.header, ...parseLiteral(values['value.literal']) };
    return { apply: (record) => ({ ...record, headers: [...record.headers, header] }) };
  },
};

/** Drops every record, or those that match a predicate. */
export const filter: TransformationPlugin = {
  className: `${javaPackage}.Filter`,
  config: configDef([]),
  create: () => ({ apply: () => null }),
};
