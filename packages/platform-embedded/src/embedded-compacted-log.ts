import { type Clock, ConnectorError } from '@levada/connect-runtime-core';
import {
  type CompactedLog,
  type CompactedRecord,
  partitionOfKey,
} from '@levada/connect-runtime-core/platform';
import type { CommitQueue } from './commit/commit-queue.ts';
import type { LogReader } from './read/log-reader.ts';
import type { Topic } from './topics/topic-catalog.ts';

/** Timeout of storing a record. */
const PUT_TIMEOUT_MS = 30_000;

export interface EmbeddedCompactedLogOptions {
  readonly topic: Topic;
  readonly queue: CommitQueue;
  readonly reader: LogReader;
  readonly clock: Clock;
  readonly onRecord: (record: CompactedRecord) => void;
  readonly onClosed: (log: EmbeddedCompactedLog) => void;
}

/** A topic as a map. It reads stored records only, so everything it reports is durable. */
export class EmbeddedCompactedLog implements CompactedLog {
  readonly topic: Topic;
  readonly #options: EmbeddedCompactedLogOptions;
  readonly #positions: number[];
  #closed = false;
  #reading = false;

  constructor(options: EmbeddedCompactedLogOptions) {
    this.#options = options;
    this.topic = options.topic;
    this.#positions = new Array<number>(options.topic.partitions).fill(0);
  }

  async put(key: Uint8Array, value: Uint8Array | null): Promise<void> {
    this.#refuseClosed();
    const { queue, topic, clock } = this.#options;
    const delivery = queue.begin(1, PUT_TIMEOUT_MS);
    const record = { topic: topic.name, partition: null, key, value, timestamp: clock.now(), headers: [] };
    const log = topic.firstLog + partitionOfKey(key, topic.partitions);
    queue.append([record], delivery, () => ({ log, compacted: true }));
    queue.submit(delivery);
    const { failures } = await delivery.result;
    if (failures[0] !== undefined) throw failures[0].error;
  }

  async readToEnd(signal?: AbortSignal): Promise<void> {
    this.#refuseClosed();
    if (signal?.aborted)
      throw new ConnectorError('aborted', 'reading was cancelled', { cause: signal.reason });
    this.deliver();
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#options.onClosed(this);
  }

  /** Whether this log belongs to the topic. */
  follows(log: number): boolean {
    const { firstLog, partitions } = this.topic;
    return log >= firstLog && log < firstLog + partitions;
  }

  /** The offset before which all records of a partition were delivered. */
  position(partition: number): number {
    return this.#positions[partition] ?? 0;
  }

  /** Delivers all stored records that were not delivered yet. Throws if they cannot be read. */
  deliver(): void {
    // a put by onRecord is delivered later, not within this call
    if (this.#reading || this.#closed) return;
    this.#reading = true;
    try {
      for (let partition = 0; partition < this.topic.partitions; partition += 1)
        this.#deliverPartition(partition);
    } finally {
      this.#reading = false;
    }
  }

  #deliverPartition(partition: number): void {
    const { reader, onRecord } = this.#options;
    for (;;) {
      const entries = reader.fetch(this.topic.firstLog + partition, true, this.position(partition));
      if (entries.length === 0) return;
      for (const { key, value, offset, timestamp } of entries) {
        if (this.#closed) return;
        this.#positions[partition] = offset + 1;
        onRecord({ key, value, partition, offset, timestamp });
      }
    }
  }

  #refuseClosed(): void {
    if (this.#closed) throw new ConnectorError('closed', `the log of topic "${this.topic.name}" is closed`);
  }
}
