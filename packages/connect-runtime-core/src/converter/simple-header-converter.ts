import { configDef } from '../config/config-def.ts';
import type { Schema } from '../contract/schema.ts';
import { decimalText, isDecimal } from '../text/java-decimal.ts';
import { numberText } from '../text/java-number.ts';
import { base64 } from './base64.ts';
import { conversionFailed, entriesOf, kindOf } from './conversion-failed.ts';
import type { Converter, ConverterPlugin } from './converter.ts';
import { MAX_DEPTH } from './json-schema.ts';
import { dateText } from './logical-value.ts';

/**
 * Header values as text: text as it is, numbers as Java prints them, bytes as base64, lists, maps and structs much like
 * JSON. Connect's default header converter.
 */
export const simpleHeaderConverter: ConverterPlugin = {
  className: 'org.apache.kafka.connect.storage.SimpleHeaderConverter',
  config: configDef([]),
  limitedTo: 'headers',
  create: () => converter,
};

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

const converter: Converter = {
  fromConnectData: (_topic, schema, value) => {
    if (value === null || value === undefined) return null;
    if (typeof value === 'string') return Buffer.from(value);
    if (!(value instanceof Uint8Array)) return Buffer.from(print(schema, value, 0));
    return isText(schema) ? value : Buffer.from(base64(value));
  },
};

function isText(schema: Schema | null): boolean {
  return schema !== null && schema.type === 'string';
}

function print(schema: Schema | null, value: unknown, depth: number): string {
  if (depth > MAX_DEPTH) throw conversionFailed(`header value is nested deeper than ${MAX_DEPTH}`);
  if (value === null || value === undefined) return 'null';
  if (typeof value === 'string') return quoted(value);
  if (typeof value === 'boolean' || typeof value === 'bigint') return String(value);
  if (typeof value === 'number') return numberText(schema?.type, value);
  if (value instanceof Uint8Array) return quoted(isText(schema) ? decoder.decode(value) : base64(value));
  if (value instanceof Date) return dateText(value);
  if (isDecimal(value)) return decimalText(value);
  if (Array.isArray(value)) {
    return `[${value.map((item) => print(schema?.items ?? null, item, depth + 1)).join(',')}]`;
  }
  const entries = entriesOf(value);
  if (entries === undefined) throw conversionFailed(`${kindOf(value)} cannot be a header value`);
  const members =
    schema?.type === 'struct'
      ? fieldsOf(schema, new Map(entries), depth)
      : entries.map(([key, item]) => [
          print(schema?.keys ?? null, key, depth + 1),
          print(schema?.items ?? null, item, depth + 1),
        ]);
  return `{${members.map((member) => member.join(':')).join(',')}}`;
}

/** All fields of the schema, in its order, with defaults in place of null. */
function fieldsOf(
  { fields = [] }: Schema,
  values: ReadonlyMap<unknown, unknown>,
  depth: number,
): readonly (readonly string[])[] {
  return fields.map(({ field, schema }) => [
    quoted(field),
    print(schema, values.get(field) ?? schema.default, depth + 1),
  ]);
}

/** Connect escapes the quote and the backslash, and nothing else. */
function quoted(text: string): string {
  return `"${text.replace(/["\\]/g, '\\$&')}"`;
}
