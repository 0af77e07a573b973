import { configDef } from '../config/config-def.ts';
import { oneOfIgnoringCase } from '../config/validators.ts';
import type { Schema } from '../record/schema.ts';
import type { Converter, ConverterPlugin } from './converter.ts';
import { converterTypeKey, withConverterType } from './converter-config.ts';
import { schemaJson } from './json-schema.ts';
import { jsonTextBytes } from './json-text.ts';
import { valueJson } from './json-value.ts';

/** Keys of the converter, as Connect has them. The last three are accepted and have nothing to act on here. */
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
      'How decimals are written: BASE64 or NUMERIC. Without effect: no source produces decimals.',
    validator: oneOfIgnoringCase('BASE64', 'NUMERIC'),
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
      'Whether null becomes the default of its field. Without effect: schemas have no defaults here.',
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
    return parsed['schemas.enable'] ? envelopes() : bare;
  },
};

const encoder = new TextEncoder();
const nothing = new Uint8Array(0);
const closing = encoder.encode('}');

const bare: Converter = {
  fromConnectData: (_topic, schema, value) => {
    if (isNothing(schema, value)) return null;
    if (isTextBytes(schema, value)) return jsonTextBytes(nothing, value, nothing);
    return encoder.encode(valueJson(schema, value));
  },
};

function envelopes(): Converter {
  const schemaless = encoder.encode('{"schema":null,"payload":');
  const openings = new WeakMap<Schema, Uint8Array>();
  const openingOf = (schema: Schema | null): Uint8Array => {
    if (schema === null) return schemaless;
    const known = openings.get(schema);
    if (known !== undefined) return known;
    const made = encoder.encode(`{"schema":${schemaJson(schema)},"payload":`);
    openings.set(schema, made);
    return made;
  };
  return {
    fromConnectData: (_topic, schema, value) => {
      if (isNothing(schema, value)) return null;
      const opening = openingOf(schema);
      if (isTextBytes(schema, value)) return jsonTextBytes(opening, value, closing);
      return concat(opening, encoder.encode(valueJson(schema, value)), closing);
    },
  };
}

function isNothing(schema: Schema | null, value: unknown): boolean {
  return schema === null && (value === null || value === undefined);
}

function isTextBytes(schema: Schema | null, value: unknown): value is Uint8Array {
  return schema !== null && schema.type === 'string' && value instanceof Uint8Array;
}

function concat(...parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
