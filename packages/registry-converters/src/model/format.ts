import type { Schema } from '@levada/connect-runtime-core';
import type { SchemaType } from '@levada/connect-runtime-core/contract';

/** The three formats by their names in registries. */
export type SchemaFormatName = 'AVRO' | 'JSON' | 'PROTOBUF';

/** A Connect schema in a format: the text to register, and the writer of values. */
export interface FormatSchema {
  /** The text to register. */
  readonly text: string;
  /** Full name of the record, for subject names; undefined if the format has none for this schema. */
  readonly recordName: string | undefined;
  /** Bytes between the id and the value: the message indexes of Protobuf. */
  readonly prefix: Uint8Array;
  /** The bytes of a value, after the prefix. Throws `conversion_failed`. */
  write(value: unknown): Uint8Array;
  /** Writes the same values with a schema of the registry, for `use.latest.version`. Throws `conversion_failed` if they do not match. */
  as(text: string): FormatSchema;
}

/** A format with its configuration. */
export interface SchemaFormat {
  readonly name: SchemaFormatName;
  /** Connect types accepted at the top level; undefined for all. */
  readonly accepts: readonly SchemaType[] | undefined;
  /** Whether null is stored as null without a schema. */
  isNull(schema: Schema | null, value: unknown): boolean;
  /** Throws `conversion_failed` if the format does not support the schema. */
  describe(schema: Schema | null): FormatSchema;
}

export const noPrefix = new Uint8Array(0);
