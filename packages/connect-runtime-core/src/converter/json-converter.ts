import { configDef } from '../config/config-def.ts';
import { oneOfIgnoringCase } from '../config/validators.ts';
import type { Schema } from '../contract/schema.ts';
import type { Converter, ConverterPlugin } from './converter.ts';
import { converterTypeKey, withConverterType } from './converter-config.ts';
import { schemaJson } from './json-schema.ts';
import { jsonTextBytes } from './json-text.ts';
import { valueWriter } from './json-value.ts';

/** Keys of the converter, as Connect has them. */
const config = configDef([
  converterTypeKey,
  {
    name: 'schemas.enable',
    type: 'boolean',
    default: true,
    importance: 'high',
    documentation: 'Whether each key and value carries its schema, in an envelope of schema and payload.',
    group: 'Schemas',
    order: 0,
    width: 'medium',
    displayName: 'Enable Schemas',
  },
  {
    name: 'schemas.cache.size',
    type: 'int',
    default: 1000,
    importance: 'high',
    documentation:
      'How many schemas to remember. Without effect: schemas are remembered while they are in use.',
    group: 'Schemas',
    order: 1,
    width: 'medium',
    displayName: 'Schema Cache Size',
  },
  {
    name: 'decimal.format',
    type: 'string',
    default: 'BASE64',
    importance: 'low',
    documentation:
      'How decimals are written: BASE64, the bytes of the number without its point, or NUMERIC, a JSON number.',
    validator: oneOfIgnoringCase('NUMERIC', 'BASE64'),
    group: 'Serialization',
    order: 0,
    width: 'medium',
    displayName: 'Decimal Format',
  },
  {
    name: 'replace.null.with.default',
    type: 'boolean',
    default: true,
    importance: 'low',
    documentation:
      'Whether a field that is null is written as its default, when it has one. Otherwise it is written as null.',
    group: 'Serialization',
    order: 1,
    width: 'medium',
    displayName: 'Replace null with default',
  },
]);

/**
 * Keys and values as JSON: with `schemas.enable` (the default) in an envelope `{"schema":...,"payload":...}`, without it
 * bare. The bytes are those of Kafka Connect's `JsonConverter`.
 */
export const jsonConverter: ConverterPlugin = {
  className: 'org.apache.kafka.connect.json.JsonConverter',
  config,
  create: (raw, isKey) => {
    const parsed = config.parse(withConverterType(raw, isKey));
    const write = valueWriter({
      numericDecimals: parsed['decimal.format'].toUpperCase() === 'NUMERIC',
      replaceNull: parsed['replace.null.with.default'],
    });
    return parsed['schemas.enable'] ? envelopes(write) : bare(write);
  },
};

const nothing = new Uint8Array(0);
const closing = Buffer.from('}');

type WriteValue = ReturnType<typeof valueWriter>;

function bare(write: WriteValue): Converter {
  return {
    fromConnectData: (_topic, schema, value) => {
      if (isNothing(schema, value)) return null;
      const text = textBytes(schema, value);
      return text === undefined ? Buffer.from(write(schema, value)) : jsonTextBytes(nothing, text, nothing);
    },
  };
}

function envelopes(write: WriteValue): Converter {
  const schemaless = Buffer.from('{"schema":null,"payload":');
  const openings = new WeakMap<Schema, Uint8Array>();
  const openingOf = (schema: Schema | null): Uint8Array => {
    if (schema === null) return schemaless;
    const known = openings.get(schema);
    if (known !== undefined) return known;
    const made = Buffer.from(`{"schema":${schemaJson(schema, write)},"payload":`);
    openings.set(schema, made);
    return made;
  };
  return {
    fromConnectData: (_topic, schema, value) => {
      if (isNothing(schema, value)) return null;
      const opening = openingOf(schema);
      const text = textBytes(schema, value);
      if (text !== undefined) return jsonTextBytes(opening, text, closing);
      return Buffer.concat([opening, Buffer.from(write(schema, value)), closing]);
    },
  };
}

function isNothing(schema: Schema | null, value: unknown): boolean {
  return schema === null && (value === null || value === undefined);
}

/** The most frequent value by far, text, as UTF-8 bytes; undefined for any other. */
function textBytes(schema: Schema | null, value: unknown): Uint8Array | undefined {
  if (schema !== null && schema.type !== 'string') return undefined;
  if (typeof value === 'string') return Buffer.from(value);
  return schema !== null && value instanceof Uint8Array ? value : undefined;
}
