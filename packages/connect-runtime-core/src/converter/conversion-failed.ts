import type { Schema, SchemaType } from '../contract/schema.ts';
import { ConnectorError } from '../diagnostics/connector-error.ts';
import { isDecimal } from '../text/java-decimal.ts';

/** The failure of a conversion. The message names types and places, never data. */
export function conversionFailed(message: string): ConnectorError {
  return new ConnectorError('conversion_failed', message);
}

/** What kind of thing a value is, in Kafka Connect's words where it has one. */
export function kindOf(value: unknown): string {
  if (value === null || value === undefined) return 'null';
  if (value instanceof Uint8Array) return 'bytes';
  if (value instanceof Map) return 'map';
  if (value instanceof Date) return 'date';
  if (isDecimal(value)) return 'decimal';
  if (Array.isArray(value)) return 'array';
  return typeof value;
}

/** Throws Connect's refusal of a schema of another type. Without a schema the value decides. */
export function requireType(schema: Schema | null, type: SchemaType, converter: string): void {
  if (schema === null || schema.type === type) return;
  throw conversionFailed(`Invalid schema type for ${converter}: ${schema.type.toUpperCase()}`);
}

/** Entries of a Map or a plain object, which hold maps and structs; undefined for anything else. */
export function entriesOf(value: unknown): readonly (readonly [unknown, unknown])[] | undefined {
  if (value instanceof Map) return [...value.entries()];
  if (typeof value !== 'object' || value === null) return undefined;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null ? Object.entries(value) : undefined;
}
