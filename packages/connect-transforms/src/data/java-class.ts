import type { Schema } from '@levada/connect-runtime-core';
import { logicalTypes, type SchemaType } from '@levada/connect-runtime-core/contract';
import { isDecimal } from '@levada/connect-runtime-core/text';

const classes: Readonly<Record<SchemaType, string>> = {
  int8: 'java.lang.Byte',
  int16: 'java.lang.Short',
  int32: 'java.lang.Integer',
  int64: 'java.lang.Long',
  float32: 'java.lang.Float',
  float64: 'java.lang.Double',
  boolean: 'java.lang.Boolean',
  string: 'java.lang.String',
  bytes: '[B',
  array: 'java.util.ArrayList',
  map: 'java.util.HashMap',
  struct: 'org.apache.kafka.connect.data.Struct',
};

/** The Java class that a value would have, for messages that name it. */
export function javaClass(schema: Schema | null, value: unknown): string {
  if (value === null || value === undefined) return 'null';
  if (value instanceof Date) return 'java.util.Date';
  if (isDecimal(value)) return 'java.math.BigDecimal';
  const type = schema !== null && matches(schema.type, value) ? schema.type : typeOfValue(value);
  return type === undefined ? 'java.lang.Object' : classes[type];
}

/**
 * The type of a value without a schema. Undefined for dates and decimals, which Connect's data model has only with schemas.
 * JavaScript has one kind of number: integers count as int64, others as float64.
 */
export function typeOfValue(value: unknown): SchemaType | undefined {
  if (typeof value === 'string') return 'string';
  if (typeof value === 'boolean') return 'boolean';
  if (typeof value === 'bigint') return 'int64';
  if (typeof value === 'number') return Number.isSafeInteger(value) ? 'int64' : 'float64';
  if (value instanceof Uint8Array) return 'bytes';
  if (Array.isArray(value)) return 'array';
  if (isDecimal(value)) return undefined;
  return isMapLike(value) ? 'map' : undefined;
}

/** Whether a value matches a schema's type, without its logical name. */
export function matches(type: SchemaType, value: unknown): boolean {
  if (type === 'string') return typeof value === 'string' || value instanceof Uint8Array;
  if (type === 'bytes') return value instanceof Uint8Array;
  if (type === 'boolean') return typeof value === 'boolean';
  if (type === 'float32' || type === 'float64') return typeof value === 'number';
  if (type === 'array') return Array.isArray(value);
  if (type === 'map' || type === 'struct') return isMapLike(value) && !isDecimal(value);
  return typeof value === 'bigint' || (typeof value === 'number' && Number.isInteger(value));
}

/** Whether a schema is that of a date or time. */
export function isDateType({ name }: Schema): boolean {
  return name === logicalTypes.date || name === logicalTypes.time || name === logicalTypes.timestamp;
}

export function isMapLike(value: unknown): value is object {
  if (value instanceof Map) return true;
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
