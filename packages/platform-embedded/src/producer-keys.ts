import { ConnectorError } from '@levada/connect-runtime-core';

/** What a producer's Kafka keys mean here. */
export interface ProducerKeys {
  /** `max.request.size`: largest record, default 1 MiB. */
  readonly maxRecordBytes: number;
  /** `delivery.timeout.ms`: how long storing is tried, default two minutes. */
  readonly deliveryTimeoutMs: number;
  /** Keys given that mean nothing here: there are no requests to shape. */
  readonly ignored: readonly string[];
}

/** Reads them. Throws `config_invalid`. */
export function producerKeys(overrides: Readonly<Record<string, string>> = {}): ProducerKeys {
  const given = new Map(Object.entries(overrides));
  const integer = (key: string, fallback: number): number => {
    const text = given.get(key);
    given.delete(key);
    if (text === undefined) return fallback;
    const value = Number(text);
    if (Number.isSafeInteger(value) && value > 0) return value;
    throw new ConnectorError(
      'config_invalid',
      `producer key ${key} is "${text}", expected a positive integer`,
    );
  };
  return {
    maxRecordBytes: integer('max.request.size', 1_048_576),
    deliveryTimeoutMs: integer('delivery.timeout.ms', 120_000),
    ignored: [...given.keys()],
  };
}
