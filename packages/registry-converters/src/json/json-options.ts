import type { Schema } from '@levada/connect-runtime-core';
import { logicalTypes } from '@levada/connect-runtime-core/contract';
import { keysOf } from '../model/failure.ts';
import type { NullRule } from '../model/values.ts';

/** The keys of the JSON Schema converter that decide about schemas and values. */
export interface JsonOptions extends NullRule {
  /** `object.additional.properties`: whether an object may have members that its schema does not name. */
  readonly additionalProperties: boolean;
  /** `decimal.format=NUMERIC`: decimals are numbers. Else base64 of their unscaled value. */
  readonly numericDecimals: boolean;
}

const NAMESPACE = 'io.confluent.connect.json';

/** Names and parameters that Confluent's JSON Schema converter knows. */
export const jsonNames = {
  namespace: NAMESPACE,
  oneOf: `${NAMESPACE}.OneOf`,
  enum: `${NAMESPACE}.Enum`,
} as const;

/** Whether decimals of this schema are written as numbers. */
export function isNumericDecimal(schema: Schema, options: JsonOptions): boolean {
  return options.numericDecimals && schema.name === logicalTypes.decimal;
}

/** Whether a map is an object; others are lists of objects with `key` and `value`. */
export function isObject(schema: Schema): boolean {
  const keys = keysOf(schema);
  return keys.type === 'string' && !keys.optional;
}
