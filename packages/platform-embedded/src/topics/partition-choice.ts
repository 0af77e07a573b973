import { ConnectorError } from '@levada/connect-runtime-core';
import { type LogRecord, partitionOfKey } from '@levada/connect-runtime-core/platform';
import type { Topic } from './topic-catalog.ts';

/** Bytes of records without a key per partition, before the next partition is used (Kafka's `batch.size`). */
const STICKY_BYTES = 16_384;

/** Chooses partitions as Kafka's producer does: the record's own, else by key, else the same one for a while. */
export class PartitionChoice {
  readonly #sticky = new Map<string, { partition: number; left: number }>();

  /** The partition of a record. Throws `record_rejected` if the topic does not have it. */
  partitionOf(topic: Topic, record: LogRecord): number {
    const { partition, key } = record;
    if (partition !== null) {
      if (Number.isInteger(partition) && partition >= 0 && partition < topic.partitions) return partition;
      const message = `topic "${topic.name}" has no partition ${partition}: it has 0 to ${topic.partitions - 1}`;
      throw new ConnectorError('record_rejected', message);
    }
    if (topic.partitions === 1) return 0;
    return key === null
      ? this.#next(topic, record.value?.length ?? 0)
      : partitionOfKey(key, topic.partitions);
  }

  #next(topic: Topic, bytes: number): number {
    let turn = this.#sticky.get(topic.name);
    if (turn === undefined) {
      turn = { partition: 0, left: STICKY_BYTES };
      this.#sticky.set(topic.name, turn);
    } else if (turn.left <= 0) {
      turn.partition = (turn.partition + 1) % topic.partitions;
      turn.left = STICKY_BYTES;
    }
    turn.left -= bytes + 1;
    return turn.partition;
  }
}
