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

export interface KafkaOffsetsOptions extends KafkaConnectionOptions {
  /** A compacted topic; created if missing. It may be the offsets topic of a Kafka Connect worker. */
  readonly topic: string;
  /** Partitions of a new topic. Default 1. */
  readonly partitions?: number | undefined;
  /** Replicas of a new topic. Default: the brokers' `default.replication.factor`. */
  readonly replicationFactor?: number | undefined;
  /** Interval of writing changed offsets, in milliseconds. Default 1000. */
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
 * Stores offsets in a compacted topic, in the format of Kafka Connect's offsets topic, with the name of the source as the
 * connector name. The topic is read when a source starts, which waits for brokers. Throws one `config_invalid` ConnectorError
 * with every problem of the options; unknown options have a suggestion.
 *
 * @example
 * ```ts
 * const offsets = kafkaOffsets({ bootstrap: 'localhost:9092', topic: 'prices-offsets' });
 * ```
 */
export function kafkaOffsets(options: KafkaOffsetsOptions): OffsetStore {
  // Callers without types may omit the options
  checkKafkaOptions(checks, options ?? {});
  const { topic, partitions = 1, replicationFactor = -1, flushIntervalMs } = options;
  return logOffsets((context) => openFromOptions(options, context), {
    topic: { name: topic, partitions, replicationFactor },
    flushIntervalMs,
  });
}
