import type { ConfigDef } from '../config/config-def.ts';
import type { Schema, SchemaType } from '../contract/schema.ts';
import type { Clock } from '../time/clock.ts';

/** What a converter may use while it gets ready for a schema. */
export interface PreparationContext {
  readonly clock: Clock;
  /** Aborted when nothing is to be waited for any longer. */
  readonly signal: AbortSignal;
  /** Variables of the worker's environment, of which those that name proxies are looked at. */
  readonly environment: Readonly<Record<string, string | undefined>> | undefined;
}

/** One value that is about to be converted. */
export interface ValueToConvert {
  readonly topic: string;
  readonly schema: Schema | null;
  readonly value: unknown;
}

/** Of a converter that has to ask another system, such as a schema registry, once for each new schema. */
export interface ConverterPreparation {
  /** True when the value can be converted at once. Asked for each record, so it has to be cheap. */
  knows(value: ValueToConvert): boolean;
  /**
   * Gets ready for the topic and schema of a value, after which {@link knows} is true for them. Called by one batch at a time.
   * Rejects when the other system does not answer: with a retriable ConnectorError it is called again while
   * `errors.retry.timeout` allows, then the task fails. What is wrong with this schema alone must not reject: `fromConnectData`
   * throws it for each record, so that `errors.tolerance` decides.
   */
  prepare(value: ValueToConvert, context: PreparationContext): Promise<void>;
}

/** Connect's data model to the bytes of a log, and nothing else. Pure; chosen by configuration, built once per task. */
export interface Converter {
  /**
   * The types of schemas that it converts. A connector that states other types is refused with its configuration instead of
   * failing at its first record. Default: any type.
   */
  readonly accepts?: readonly SchemaType[];
  /** Awaited by delivery before it converts records of a schema for the first time. Default: always ready. */
  readonly preparation?: ConverterPreparation;
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
  /** Version of the package, as `/connector-plugins` shows it. Default: that of the worker. */
  readonly version?: string;
  /** What it converts: headers only, or keys and values only. Default: all three. */
  readonly limitedTo?: 'headers' | 'records';
  /**
   * Builds one from its keys, prefix removed (`schemas.enable`). Unknown keys are ignored. Throws a `config_invalid`
   * ConnectorError. For headers `isKey` is false.
   */
  create(config: Readonly<Record<string, string>>, isKey: boolean): Converter;
}
