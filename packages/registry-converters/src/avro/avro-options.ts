import type { Schema } from '@levada/connect-runtime-core';
import { logicalTypes } from '@levada/connect-runtime-core/contract';
import { keysOf } from '../model/failure.ts';
import { isDecimal, type NullRule } from '../model/values.ts';

/** Keys of the Avro converter that affect schemas. */
export interface AvroOptions extends NullRule {
  /** `connect.meta.data`: Connect's names, versions, parameters, defaults and docs as attributes. */
  readonly connectMetaData: boolean;
  /** `enhanced.avro.schema.support`: text with an enum's parameters becomes an enum. */
  readonly enums: boolean;
  /** `scrub.invalid.names`. */
  readonly scrubNames: boolean;
  /** `discard.type.doc.default`: only fields have docs and defaults; types have neither. */
  readonly discardTypeDocDefault: boolean;
  /** `allow.optional.map.keys`. */
  readonly optionalMapKeys: boolean;
}

const NAMESPACE = 'io.confluent.connect.avro';

/** Names and parameters of Confluent's Avro converter. */
export const avroNames = {
  default: `${NAMESPACE}.ConnectDefault`,
  mapEntry: `${NAMESPACE}.MapEntry`,
  anything: `${NAMESPACE}.Anything`,
  union: `${NAMESPACE}.Union`,
  enum: `${NAMESPACE}.Enum`,
  enumDoc: `${NAMESPACE}.enum.doc.`,
  enumDefault: `${NAMESPACE}.enum.default.`,
  recordDoc: `${NAMESPACE}.record.doc`,
  fieldDoc: `${NAMESPACE}.field.doc.`,
  fieldDefault: `${NAMESPACE}.field.default`,
} as const;

/** Parameters of decimals and of fixed-size bytes. */
export const PRECISION = 'connect.decimal.precision';
export const FIXED_SIZE = 'connect.fixed.size';
/** Precision of a decimal without that parameter. */
export const DEFAULT_PRECISION = 64;

/** Whether a map is also an Avro map, which requires text keys. */
export function hasTextKeys(schema: Schema, options: AvroOptions): boolean {
  const keys = keysOf(schema);
  return keys.type === 'string' && (!keys.optional || options.optionalMapKeys);
}

/** Avro's logical type for a schema; undefined if it has none. */
export function logicalType(schema: Schema): string | undefined {
  const { name } = schema;
  if (isDecimal(schema)) return 'decimal';
  if (name === logicalTypes.date) return 'date';
  if (name === logicalTypes.time) return 'time-millis';
  return name === logicalTypes.timestamp ? 'timestamp-millis' : undefined;
}
