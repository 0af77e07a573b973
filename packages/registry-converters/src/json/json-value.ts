import type { Schema } from '@levada/connect-runtime-core';
import { base64, jsonText } from '@levada/connect-runtime-core/converter';
import { javaDouble, javaFloat } from '@levada/connect-runtime-core/text';
import { checkDepth, failedAt, itemsOf, keysOf, type Path } from '../model/failure.ts';
import {
  boolean,
  bytes,
  decimal,
  decimalText,
  entries,
  float,
  integerBytes,
  isDecimal,
  list,
  longInteger,
  orDefault,
  smallInteger,
  structValues,
  text,
  timeNumber,
} from '../model/values.ts';
import { isObject, type JsonOptions } from './json-options.ts';

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** A value as JSON, as Confluent's JSON Schema converter writes it. Throws `conversion_failed` with the place. */
export function jsonValue(schema: Schema, given: unknown, options: JsonOptions, path: Path): string {
  checkDepth(path);
  const value = orDefault(schema, given, options);
  if (value === null) {
    if (schema.optional) return 'null';
    throw failedAt(path, 'null value for field that is required and has no default value');
  }
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
      return finiteOrQuoted(javaFloat(float(schema.type, value, path)));
    case 'float64':
      return finiteOrQuoted(javaDouble(float(schema.type, value, path)));
    case 'boolean':
      return String(boolean(value, path));
    case 'string':
      return jsonText(plainText(value, path));
    case 'bytes':
      return bytesJson(schema, value, options, path);
    case 'array':
    case 'map':
    case 'struct':
      return jsonOfNested(schema, value, options, path);
  }
}

function plainText(value: unknown, path: Path): string {
  const given = text(value, path);
  return typeof given === 'string' ? given : decoder.decode(given);
}

function bytesJson(schema: Schema, value: unknown, options: JsonOptions, path: Path): string {
  if (!isDecimal(schema)) return `"${base64(bytes(value, path))}"`;
  const number = decimal(schema, value, path);
  return options.numericDecimals ? decimalText(number) : `"${base64(integerBytes(number.unscaled))}"`;
}

function jsonOfNested(schema: Schema, value: unknown, options: JsonOptions, path: Path): string {
  if (schema.type === 'array') {
    const items = itemsOf(schema, path);
    return `[${list(value, path)
      .map((item, at) => jsonValue(items, item, options, [...path, at]))
      .join(',')}]`;
  }
  if (schema.type === 'map') {
    const [keys, items] = [keysOf(schema), itemsOf(schema, path)];
    const asObject = isObject(schema);
    const members = entries(value, path).map(([key, item]) => {
      const within = [...path, String(key)];
      const json = jsonValue(items, item, options, within);
      if (asObject) return `${jsonText(plainText(key, within))}:${json}`;
      return `{"key":${jsonValue(keys, key, options, within)},"value":${json}}`;
    });
    return asObject ? `{${members.join(',')}}` : `[${members.join(',')}]`;
  }
  const values = structValues(schema, value, options, path);
  const members = (schema.fields ?? []).map(
    ({ field, schema: of }, at) =>
      `${jsonText(field)}:${jsonValue(of, values[at], options, [...path, field])}`,
  );
  return `{${members.join(',')}}`;
}

/** JSON has no numbers for these; Connect's converters write them as strings. */
function finiteOrQuoted(number: string): string {
  return number.endsWith('y') || number === 'NaN' ? `"${number}"` : number;
}
