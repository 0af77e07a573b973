import type { ConfigDef } from '../config/config-def.ts';
import type { Schema, SchemaType } from '../contract/schema.ts';

/** Connect's data model to the bytes of a log, and nothing else. Pure; chosen by configuration, built once per task. */
export interface Converter {
  /**
   * The types of schemas that it converts. A connector that states other types is refused with its configuration instead of
   * failing at its first record. Default: any type.
   */
  readonly accepts?: readonly SchemaType[];
  /**
   * The bytes of a key, value or header; null is stored as null. Text that is held as UTF-8 bytes is passed on as it is
   * where the format allows it. Throws a `conversion_failed` ConnectorError.
   */
  fromConnectData(topic: string, schema: Schema | null, value: unknown): Uint8Array | null;
}

/** A converter as the plugin registry has it. */
export interface ConverterPlugin {
  /** Connect's class name, for example `org.apache.kafka.connect.storage.StringConverter`. */
  readonly className: string;
  /** Its keys, prefix removed, as validation and `GET /connector-plugins/<class>/config` show them. Default: none. */
  readonly config?: ConfigDef;
  /** True: it converts headers only, and cannot be a key or value converter. Default: it converts all three. */
  readonly headersOnly?: boolean;
  /**
   * Builds one from its keys, prefix removed (`schemas.enable`). Unknown keys are ignored. Throws a `config_invalid`
   * ConnectorError. For headers `isKey` is false.
   */
  create(config: Readonly<Record<string, string>>, isKey: boolean): Converter;
}
