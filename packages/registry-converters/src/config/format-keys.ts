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
  'Whether null stays null in a field that may be null and has a default. Otherwise it becomes the default.',
);

const scrub = flag(
  'scrub.invalid.names',
  false,
  'Whether characters that the format does not take in names become underscores. Otherwise such a record is not converted.',
);

/** The keys of the Avro converter. */
export const avroKeys = [
  flag(
    'enhanced.avro.schema.support',
    false,
    'Whether text whose schema names the symbols of an enum becomes an enum.',
  ),
  scrub,
  flag(
    'connect.meta.data',
    true,
    'Whether names, versions, docs, defaults and parameters of Connect schemas are put into the Avro schema.',
  ),
  flag(
    'discard.type.doc.default',
    false,
    'Whether docs and defaults are those of fields only, not of types.',
  ),
  flag(
    'allow.optional.map.keys',
    false,
    'Whether a map with text that may be null as keys becomes a map. Otherwise it becomes a list of entries.',
  ),
  ignoreDefault,
] as const satisfies readonly ConfigKey[];

/** The keys of the JSON Schema converter. */
export const jsonKeys = [
  flag(
    'object.additional.properties',
    true,
    'Whether objects may have properties that their schema does not name.',
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

/** The keys of the Protobuf converter. */
export const protobufKeys = [
  scrub,
  flag('optional.for.nullables', false, 'Whether fields that may be null have the label optional.'),
  flag(
    'wrapper.for.nullables',
    false,
    'Whether scalars that may be null become messages of google/protobuf/wrappers.proto.',
  ),
  ignoreDefault,
] as const satisfies readonly ConfigKey[];
