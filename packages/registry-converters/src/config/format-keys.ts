import type { ConfigKey } from '@levada/connect-runtime-core';
import { oneOfIgnoringCase } from '@levada/connect-runtime-core/config';

const flag = <const N extends string, const D extends boolean>(
  name: N,
  byDefault: D,
  documentation: string,
) => ({ name, type: 'boolean', default: byDefault, importance: 'medium', documentation }) as const;

const ignoreDefault = flag(
  'ignore.default.for.nullables',
  false,
  'Whether null stays null in an optional field with a default. Otherwise it becomes the default.',
);

const scrub = flag(
  'scrub.invalid.names',
  false,
  'Whether invalid characters in names become underscores. Otherwise such a record is not converted.',
);

export const avroKeys = [
  flag(
    'enhanced.avro.schema.support',
    false,
    'Whether text becomes an enum if its schema lists the symbols.',
  ),
  scrub,
  flag(
    'connect.meta.data',
    true,
    'Whether names, versions, docs, defaults and parameters of Connect schemas are put into the Avro schema.',
  ),
  flag('discard.type.doc.default', false, 'Whether only fields have docs and defaults, not types.'),
  flag(
    'allow.optional.map.keys',
    false,
    'Whether a map with optional text keys becomes a map. Otherwise it becomes a list of entries.',
  ),
  ignoreDefault,
] as const satisfies readonly ConfigKey[];

export const jsonKeys = [
  flag(
    'object.additional.properties',
    true,
    'Whether objects may have properties that their schema does not define.',
  ),
  {
    name: 'decimal.format',
    type: 'string',
    default: 'BASE64',
    importance: 'low',
    documentation: 'How decimals are written: BASE64 (of their unscaled value) or NUMERIC.',
    validator: oneOfIgnoringCase('BASE64', 'NUMERIC'),
  },
  ignoreDefault,
] as const satisfies readonly ConfigKey[];

export const protobufKeys = [
  scrub,
  flag('optional.for.nullables', false, 'Whether optional fields have the label optional.'),
  flag(
    'wrapper.for.nullables',
    false,
    'Whether optional scalars become messages of google/protobuf/wrappers.proto.',
  ),
  ignoreDefault,
] as const satisfies readonly ConfigKey[];
