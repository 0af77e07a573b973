import type { Schema } from '@levada/connect-runtime-core';
import { javaDouble, javaFloat } from '@levada/connect-runtime-core/text';
import { itemsOf, keysOf, type Path } from '../model/failure.ts';
import { scrubName } from '../model/names.ts';
import {
  boolean,
  bytes,
  decimal,
  entries,
  float,
  integerBytes,
  isDecimal,
  list,
  longInteger,
  smallInteger,
  structValues,
  text,
  timeNumber,
} from '../model/values.ts';
import { type AvroOptions, hasTextKeys } from './avro-options.ts';
import { avroString } from './avro-type.ts';

export interface DefaultOptions extends AvroOptions {
  /** Whether a float is written with the digits of a double, as Avro for Java does for defaults of fields. */
  readonly wideFloats: boolean;
}

/**
 * Converts a default to Avro's JSON: bytes as text with one character per byte, dates and decimals as their encoded value, maps
 * without text keys as lists of pairs. Throws `conversion_failed`.
 */
export function defaultJson(schema: Schema, value: unknown, options: DefaultOptions, path: Path): string {
  if (value === null || value === undefined) return 'null';
  const time = timeNumber(schema, value, path);
  if (time !== undefined) return String(time);
  switch (schema.type) {
    case 'int8':
    case 'int16':
    case 'int32':
      return String(smallInteger(schema.type, value, path));
    case 'int64':
      return String(longInteger(value, path));
    case 'float32':
      return finite(
        options.wideFloats
          ? javaDouble(Math.fround(float(schema.type, value, path)))
          : javaFloat(float(schema.type, value, path)),
      );
    case 'float64':
      return finite(javaDouble(float(schema.type, value, path)));
    case 'boolean':
      return String(boolean(value, path));
    case 'string':
      return avroString(String(text(value, path)));
    case 'bytes':
      return avroString(
        Buffer.from(
          isDecimal(schema) ? integerBytes(decimal(schema, value, path).unscaled) : bytes(value, path),
        ).toString('latin1'),
      );
    case 'array':
    case 'map':
    case 'struct':
      return defaultOfNested(schema, value, options, path);
  }
}

function defaultOfNested(schema: Schema, value: unknown, options: DefaultOptions, path: Path): string {
  if (schema.type === 'array') {
    const items = itemsOf(schema, path);
    const parts = list(value, path).map((item, at) => defaultJson(items, item, options, [...path, at]));
    return `[${parts.join(',')}]`;
  }
  if (schema.type === 'map') {
    const [keys, items] = [keysOf(schema), itemsOf(schema, path)];
    const pairs = entries(value, path).map(([key, item]) => {
      const within = [...path, String(key)];
      return [defaultJson(keys, key, options, within), defaultJson(items, item, options, within)] as const;
    });
    return hasTextKeys(schema, options)
      ? `{${pairs.map(([key, item]) => `${key}:${item}`).join(',')}}`
      : `[${pairs.map((pair) => `[${pair.join(',')}]`).join(',')}]`;
  }
  const values = structValues(schema, value, options, path);
  const members = (schema.fields ?? []).map(({ field, schema: of }, at) => {
    const name = options.scrubNames ? scrubName(field, { underscoreFirst: true }) : field;
    return `${avroString(name)}:${defaultJson(of, values[at], options, [...path, field])}`;
  });
  return `{${members.join(',')}}`;
}

/** JSON has no numbers for these; they are strings. */
function finite(number: string): string {
  return number.endsWith('y') || number === 'NaN' ? `"${number}"` : number;
}
