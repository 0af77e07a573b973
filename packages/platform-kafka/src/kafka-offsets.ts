import {
  filledString,
  milliseconds,
  type OptionChecks,
  required,
  shownValueThat,
  wholeNumberFrom,
} from '@levada/connect-runtime-core/config';
import { logOffsets, type OffsetStore } from '@levada/connect-runtime-core/sinks';
import {
  checkKafkaOptions,
  connectionChecks,
  type KafkaConnectionOptions,
  openFromOptions,
} from './kafka-connection.ts';

/** Where offsets are kept in a Kafka cluster. */
export interface KafkaOffsetsOptions extends KafkaConnectionOptions {
  /** A compacted topic; created when it is missing. It may be the offsets topic of a Kafka Connect worker. */
  readonly topic: string;
  /** Partitions of the topic, when it is created. Default 1. */
  readonly partitions?: number | undefined;
  /** Replicas of the topic, when it is created. Default: the brokers' `default.replication.factor`. */
  readonly replicationFactor?: number | undefined;
  /** How often offsets are written, in milliseconds, when something changed. Default 1000. */
  readonly flushIntervalMs?: number | undefined;
}

const checks: OptionChecks<KafkaOffsetsOptions> = {
  ...connectionChecks,
  topic: required(filledString),
  partitions: wholeNumberFrom(1),
  replicationFactor: shownValueThat(
    'a whole number from 1, or -1',
    (value) => value === -1 || (Number.isSafeInteger(value) && Number(value) >= 1),
  ),
  flushIntervalMs: milliseconds,
};

/**
 * Keeps offsets in a compacted topic, in the format of Kafka Connect's offsets topic; the name of the source stands for that of the
 * connector. The topic is read when a source starts, which waits for brokers. Throws one `config_invalid` ConnectorError that lists every problem of the
 * options, unknown ones with the nearest known one.
 *
 * @example
 * ```ts
 * const offsets = kafkaOffsets({ bootstrap: 'localhost:9092', topic: 'prices-offsets' });
 * ```
 */
export function kafkaOffsets(options: KafkaOffsetsOptions): OffsetStore {
  // Callers without types may leave the options out.
  checkKafkaOptions(checks, options ?? {});
  const { topic, partitions = 1, replicationFactor = -1, flushIntervalMs } = options;
  return logOffsets((context) => openFromOptions(options, context), {
    topic: { name: topic, partitions, replicationFactor },
    flushIntervalMs,
  });
}
