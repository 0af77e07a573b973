import type { Schema } from '@levada/connect-runtime-core';
import { logicalTypes } from '@levada/connect-runtime-core/contract';
import { keysOf } from '../model/failure.ts';
import type { NullRule } from '../model/values.ts';

/** Keys of the JSON Schema converter that affect schemas and values. */
export interface JsonOptions extends NullRule {
  /** `object.additional.properties`: whether an object may have properties that its schema does not define. */
  readonly additionalProperties: boolean;
  /** `decimal.format=NUMERIC`: decimals are numbers. Otherwise they are base64 of the unscaled value. */
  readonly numericDecimals: boolean;
}

const NAMESPACE = 'io.confluent.connect.json';

/** Names and parameters of Confluent's JSON Schema converter. */
export const jsonNames = {
  namespace: NAMESPACE,
  oneOf: `${NAMESPACE}.OneOf`,
  enum: `${NAMESPACE}.Enum`,
} as const;

/** Whether decimals of this schema are numbers. */
export function isNumericDecimal(schema: Schema, options: JsonOptions): boolean {
  return options.numericDecimals && schema.name === logicalTypes.decimal;
}

/** Whether a map becomes an object. Other maps become lists of objects with `key` and `value`. */
export function isObject(schema: Schema): boolean {
  const keys = keysOf(schema);
  return keys.type === 'string' && !keys.optional;
}
