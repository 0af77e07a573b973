import { configDef } from '../config/config-def.ts';
import { oneOfIgnoringCase } from '../config/validators.ts';
import type { Schema } from '../contract/schema.ts';
import { decimalText, isDecimal } from '../text/java-decimal.ts';
import { numberText } from '../text/java-number.ts';
import { numberTypes } from './accepted-types.ts';
import { conversionFailed, entriesOf, kindOf } from './conversion-failed.ts';
import { converterTypeKey } from './converter-config.ts';
import { fixedConverter } from './fixed-converter.ts';
import { MAX_DEPTH } from './json-schema.ts';

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

const config = configDef([
  converterTypeKey,
  {
    name: 'converter.encoding',
    type: 'string',
    default: 'UTF-8',
    importance: 'high',
    documentation: 'How text becomes bytes. Only UTF-8 is offered.',
    validator: oneOfIgnoringCase('UTF-8', 'UTF8'),
    width: 'medium',
    displayName: 'Encoding',
  },
]);

/**
 * Text as UTF-8 bytes; everything else as Java prints it, which for structs and maps is for people to read. The usual choice for
 * sources, whose values are JSON text.
 */
export const stringConverter = fixedConverter('org.apache.kafka.connect.storage.StringConverter', {
  config,
  accepts: ['string', 'boolean', ...numberTypes],
  fromConnectData: (_topic, schema, value) => {
    // Text that is held as bytes is the log's form already.
    if (value instanceof Uint8Array && schema !== null && schema.type === 'string') return value;
    if (typeof value === 'string') return Buffer.from(value);
    if (value === null || value === undefined) return null;
    return Buffer.from(javaString(schema, value, 0));
  },
});

/** What Java's `toString` gives for a value. */
function javaString(schema: Schema | null, value: unknown, depth: number): string {
  if (depth > MAX_DEPTH) throw conversionFailed(`value is nested deeper than ${MAX_DEPTH}`);
  if (value === null || value === undefined) return 'null';
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean' || typeof value === 'bigint') return String(value);
  if (typeof value === 'number') return numberText(schema?.type, value);
  if (value instanceof Date) return dateString(value);
  if (isDecimal(value)) return decimalText(value);
  if (value instanceof Uint8Array) {
    if (schema?.type === 'string') return decoder.decode(value);
    throw conversionFailed('StringConverter converts no bytes, use ByteArrayConverter or JsonConverter');
  }
  if (Array.isArray(value))
    return `[${value.map((item) => javaString(schema?.items ?? null, item, depth + 1)).join(', ')}]`;
  const entries = entriesOf(value);
  if (entries === undefined) throw conversionFailed(`StringConverter has no text for ${kindOf(value)}`);
  if (schema?.type !== 'struct') {
    const texts = entries.map(
      ([key, item]) =>
        `${javaString(schema?.keys ?? null, key, depth + 1)}=${javaString(schema?.items ?? null, item, depth + 1)}`,
    );
    return `{${texts.join(', ')}}`;
  }
  const given = new Map(entries);
  const fields = (schema.fields ?? []).flatMap(({ field, schema: own }) => {
    const item = given.get(field) ?? null;
    return item === null ? [] : [`${field}=${javaString(own, item, depth + 1)}`];
  });
  return `Struct{${fields.join(',')}}`;
}

/** `Thu Mar 04 05:06:07 UTC 2021` */
function dateString(date: Date): string {
  const [weekday = '', day, month, year, time] = date.toUTCString().split(' ');
  return `${weekday.slice(0, -1)} ${month} ${day} ${time} UTC ${year}`;
}
