/** The types of Kafka Connect's data model. */
export type SchemaType =
  | 'int8'
  | 'int16'
  | 'int32'
  | 'int64'
  | 'float32'
  | 'float64'
  | 'boolean'
  | 'string'
  | 'bytes'
  | 'array'
  | 'map'
  | 'struct';

/** A field of a struct. */
export interface SchemaField {
  readonly field: string;
  readonly schema: Schema;
}

/**
 * The schema of a key, a value or a header, as Kafka Connect has it.
 *
 * Values: `int8` to `int32`, `float32` and `float64` are numbers; `int64` is a bigint, or a number up to 2^53; `string` is a
 * string, or the same text as UTF-8 bytes; `bytes` is a Uint8Array; `map` and `struct` are Maps or plain objects. The
 * logical types of {@link logicalTypes} have values of their own.
 */
export interface Schema {
  readonly type: SchemaType;
  readonly optional: boolean;
  readonly name?: string;
  readonly version?: number;
  readonly doc?: string;
  /** Parameters by name, such as `scale` of a decimal. */
  readonly parameters?: Readonly<Record<string, string>>;
  /** What null stands for: a value of this schema. A schema with a default need not be optional. */
  readonly default?: unknown;
  /** Fields of a struct, in order. */
  readonly fields?: readonly SchemaField[];
  /** Schema of an array's elements, or of a map's values. */
  readonly items?: Schema;
  /** Schema of a map's keys. */
  readonly keys?: Schema;
}

/** Required text. A value of this schema is a string, or the same text as UTF-8 bytes. */
export const stringSchema: Schema = { type: 'string', optional: false };

/** Text that may be null. */
export const optionalStringSchema: Schema = { type: 'string', optional: true };

/** Required bytes. */
export const bytesSchema: Schema = { type: 'bytes', optional: false };

/**
 * The types of schemas that a connector's records have. A part that is left out is not known; an empty list is for a part
 * that is always null. Types that only some peers send are left out too: a converter must take all that are listed.
 */
export interface ProducedTypes {
  readonly key?: readonly SchemaType[];
  readonly value?: readonly SchemaType[];
  /** Types of the values of all headers. */
  readonly header?: readonly SchemaType[];
}

/**
 * Names of schemas whose values are not those of their type. `date` (days, int32), `time` (milliseconds of a day, int32) and
 * `timestamp` (milliseconds since 1970, int64) are a Date in UTC; `decimal` (bytes, parameter `scale`) is a {@link Decimal}.
 */
export const logicalTypes = {
  date: 'org.apache.kafka.connect.data.Date',
  time: 'org.apache.kafka.connect.data.Time',
  timestamp: 'org.apache.kafka.connect.data.Timestamp',
  decimal: 'org.apache.kafka.connect.data.Decimal',
} as const;

/** An exact decimal number: `unscaled` times ten to the power of `-scale`. */
export interface Decimal {
  readonly unscaled: bigint;
  readonly scale: number;
}
