import type { Schema } from '@levada/connect-runtime-core';
import { logicalTypes } from '@levada/connect-runtime-core/contract';
import { keysOf } from '../model/failure.ts';
import { isDecimal, type NullRule } from '../model/values.ts';

/** The keys of the Avro converter that decide about schemas. */
export interface AvroOptions extends NullRule {
  /** `connect.meta.data`: names, versions, parameters, defaults and docs of Connect as attributes. */
  readonly connectMetaData: boolean;
  /** `enhanced.avro.schema.support`: text with an enum's parameters becomes an enum. */
  readonly enums: boolean;
  /** `scrub.invalid.names`. */
  readonly scrubNames: boolean;
  /** `discard.type.doc.default`: docs are those of fields, and types have neither docs nor defaults of their own. */
  readonly discardTypeDocDefault: boolean;
  /** `allow.optional.map.keys`. */
  readonly optionalMapKeys: boolean;
}

const NAMESPACE = 'io.confluent.connect.avro';

/** Names and parameters that Confluent's Avro converter knows. */
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

/** Parameters of decimals and of bytes of a fixed size. */
export const PRECISION = 'connect.decimal.precision';
export const FIXED_SIZE = 'connect.fixed.size';
/** Precision of a decimal that states none. */
export const DEFAULT_PRECISION = 64;

/** Whether a map is one of Avro too, whose keys are text. */
export function hasTextKeys(schema: Schema, options: AvroOptions): boolean {
  const keys = keysOf(schema);
  return keys.type === 'string' && (!keys.optional || options.optionalMapKeys);
}

/** What Avro calls a schema that is more than its type; undefined for all others. */
export function logicalType(schema: Schema): string | undefined {
  const { name } = schema;
  if (isDecimal(schema)) return 'decimal';
  if (name === logicalTypes.date) return 'date';
  if (name === logicalTypes.time) return 'time-millis';
  return name === logicalTypes.timestamp ? 'timestamp-millis' : undefined;
}
