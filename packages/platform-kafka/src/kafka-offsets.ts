import { logOffsets, type OffsetStore } from '@levada/connect-runtime-core/sinks';
import { type KafkaConnectionOptions, openFromOptions } from './kafka-connection.ts';

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

/**
 * Keeps offsets in a compacted topic, in the format of Kafka Connect's offsets topic; the name of the source stands for that of the
 * connector. The topic is read when a source starts, which waits for brokers.
 *
 * @example
 * ```ts
 * const offsets = kafkaOffsets({ bootstrap: 'localhost:9092', topic: 'prices-offsets' });
 * ```
 */
export function kafkaOffsets(options: KafkaOffsetsOptions): OffsetStore {
  const { topic, partitions = 1, replicationFactor = -1, flushIntervalMs } = options;
  return logOffsets((context) => openFromOptions(options, context), {
    topic: { name: topic, partitions, replicationFactor },
    flushIntervalMs,
  });
}
