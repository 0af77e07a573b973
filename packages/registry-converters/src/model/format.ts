import type { Schema } from '@levada/connect-runtime-core';
import type { SchemaType } from '@levada/connect-runtime-core/contract';

/** The three formats by the names that registries have for them. */
export type SchemaFormatName = 'AVRO' | 'JSON' | 'PROTOBUF';

/** A Connect schema in a format: what is registered, and how values are written. */
export interface FormatSchema {
  /** The text that is registered. */
  readonly text: string;
  /** Full name of the record, for subjects that are named after it; undefined when the format has none for this schema. */
  readonly recordName: string | undefined;
  /** What is written between the id and the value: the message indexes of Protobuf. */
  readonly prefix: Uint8Array;
  /** Bytes of a value, which follow the prefix. Throws `conversion_failed`. */
  write(value: unknown): Uint8Array;
  /**
   * The same values as a schema of the registry has them, for `use.latest.version`. Throws `conversion_failed` when they do
   * not fit it.
   */
  as(text: string): FormatSchema;
}

/** One of the formats, set up by its configuration keys. */
export interface SchemaFormat {
  readonly name: SchemaFormatName;
  /** Connect types that it takes at the top; undefined for all. */
  readonly accepts: readonly SchemaType[] | undefined;
  /** True when a value of null is stored as null without a schema. */
  isNull(schema: Schema | null, value: unknown): boolean;
  /** Throws `conversion_failed` when the format has no form for the schema. */
  describe(schema: Schema | null): FormatSchema;
}

/** No bytes before the value. */
export const noPrefix = new Uint8Array(0);
