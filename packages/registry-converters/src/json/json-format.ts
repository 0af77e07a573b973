import type { Schema } from '@levada/connect-runtime-core';
import { conversionFailed, jsonTextBytes } from '@levada/connect-runtime-core/converter';
import { type FormatSchema, noPrefix, type SchemaFormat } from '../model/format.ts';
import type { JsonOptions } from './json-options.ts';
import { jsonSchemaText } from './json-schema.ts';
import { jsonValue } from './json-value.ts';

/** JSON with a JSON Schema as Confluent's converter writes it. */
export function jsonFormat(options: JsonOptions): SchemaFormat {
  return {
    name: 'JSON',
    accepts: undefined,
    // A null of an optional schema is the JSON text null, with the id of its schema
    isNull: (schema, value) =>
      (value === null || value === undefined) &&
      (schema === null || (!schema.optional && (schema.default ?? null) === null)),
    describe: (schema) => {
      if (schema === null) throw conversionFailed('JsonSchemaConverter needs a schema, the value has none');
      const text = jsonSchemaText(schema, options);
      return formatSchema(schema, text, options);
    },
  };
}

function formatSchema(schema: Schema, text: string, options: JsonOptions): FormatSchema {
  return {
    text,
    recordName: schema.optional ? undefined : schema.name,
    prefix: noPrefix,
    write: (value) => {
      // The most frequent value by far needs no string
      if (schema.type === 'string' && value instanceof Uint8Array)
        return jsonTextBytes(noPrefix, value, noPrefix);
      return Buffer.from(jsonValue(schema, value, options, []));
    },
    as: (other) => formatSchema(schema, other, options),
  };
}
