import type { Schema } from '../record/schema.ts';

/** Connect's data model to the bytes of a log, and nothing else. Pure; chosen by configuration, built once per task. */
export interface Converter {
  /**
   * The bytes of a key or value; null is stored as null. Text that is held as UTF-8 bytes is passed on as it is where
   * the format allows it. Throws a `conversion_failed` ConnectorError.
   */
  fromConnectData(topic: string, schema: Schema | null, value: unknown): Uint8Array | null;
}

/** A converter as the plugin registry has it. */
export interface ConverterPlugin {
  /** Connect's class name, for example `org.apache.kafka.connect.storage.StringConverter`. */
  readonly className: string;
  /** Builds one from its keys, prefix removed (`schemas.enable`). Throws a `config_invalid` ConnectorError. */
  create(config: Readonly<Record<string, string>>, isKey: boolean): Converter;
}
