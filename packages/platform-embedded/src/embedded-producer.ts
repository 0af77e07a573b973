import { type Clock, ConnectorError } from '@levada/connect-runtime-core';
import type { LogProducer, LogRecord, SendResult } from '@levada/connect-runtime-core/platform';
import type { CommitQueue, LogPlace } from './commit/commit-queue.ts';
import type { PendingSend } from './commit/pending-send.ts';
import { PartitionChoice } from './topics/partition-choice.ts';
import type { Topic } from './topics/topic-catalog.ts';

/** Range of times on both sides of 1970 (ECMAScript's `Date`). */
const LATEST_MS = 8.64e15;

export interface EmbeddedProducerOptions {
  readonly queue: CommitQueue;
  readonly clock: Clock;
  readonly keys: ProducerKeys;
  /** Returns the topic, and creates it if allowed. Throws if it cannot be written. */
  readonly topic: (name: string) => Topic;
  readonly onClosed: (producer: EmbeddedProducer) => void;
}

/** Writes batches to the topics of the folder. */
export class EmbeddedProducer implements LogProducer {
  readonly #options: EmbeddedProducerOptions;
  readonly #partitions = new PartitionChoice();
  readonly #open = new Map<PendingSend, number>();
  #topic: Topic | undefined;
  #pendingBytes = 0;
  #closing: Promise<void> | undefined;

  constructor(options: EmbeddedProducerOptions) {
    this.#options = options;
  }

  get pendingBytes(): number {
    return this.#pendingBytes;
  }

  async send(records: readonly LogRecord[]): Promise<SendResult> {
    if (this.#closing !== undefined) throw new ConnectorError('closed', 'the producer is closed');
    const { queue, keys } = this.#options;
    const delivery = queue.begin(records.length, keys.deliveryTimeoutMs);
    let bytes = 0;
    queue.append(records, delivery, (record, index) => {
      try {
        const size = sizeOf(record);
        const place = this.#placeOf(record, size);
        bytes += size;
        return place;
      } catch (thrown) {
        delivery.refuse(index, ConnectorError.from(thrown));
        return undefined;
      }
    });
    this.#open.set(delivery, bytes);
    this.#pendingBytes += bytes;
    queue.submit(delivery);
    const result = await delivery.result;
    this.#settle(delivery);
    return result;
  }

  async flush(): Promise<void> {
    await Promise.all([...this.#open.keys()].map((delivery) => delivery.result));
  }

  close(options: { readonly timeoutMs?: number } = {}): Promise<void> {
    this.#closing ??= this.#close(options.timeoutMs ?? this.#options.keys.deliveryTimeoutMs);
    return this.#closing;
  }

  async #close(timeoutMs: number): Promise<void> {
    const { clock } = this.#options;
    const { promise: late, resolve } = Promise.withResolvers<void>();
    const timer = clock.after(timeoutMs, resolve);
    await Promise.race([this.flush(), late]);
    timer.cancel();
    const error = new ConnectorError(
      'closed',
      'the producer was closed before the record was acknowledged (it may have been stored)',
    );
    for (const delivery of this.#open.keys()) delivery.abandon(error);
    this.#options.onClosed(this);
  }

  #settle(delivery: PendingSend): void {
    this.#pendingBytes -= this.#open.get(delivery) ?? 0;
    this.#open.delete(delivery);
  }

  #placeOf(record: LogRecord, size: number): LogPlace {
    let topic = this.#topic;
    if (topic?.name !== record.topic) {
      topic = this.#options.topic(record.topic);
      this.#topic = topic;
    }
    const limit = Math.min(this.#options.keys.maxRecordBytes, topic.maxMessageBytes);
    if (size > limit) {
      const message = `record for topic "${topic.name}" has ${size} bytes, more than the ${limit} allowed`;
      throw new ConnectorError('record_too_large', message);
    }
    if (topic.compacted && record.key === null) {
      throw new ConnectorError(
        'record_rejected',
        `topic "${topic.name}" is compacted: its records need a key`,
      );
    }
    if (!(Math.abs(record.timestamp) <= LATEST_MS)) {
      throw new ConnectorError(
        'record_rejected',
        `record for topic "${topic.name}" has the time ${record.timestamp}`,
      );
    }
    return { log: topic.firstLog + this.#partitions.partitionOf(topic, record), compacted: topic.compacted };
  }
}

function sizeOf(record: LogRecord): number {
  let size = (record.key?.length ?? 0) + (record.value?.length ?? 0);
  for (const header of record.headers) size += header.key.length + (header.value?.length ?? 0);
  return size;
}

export interface ProducerKeys {
  /** `max.request.size`: maximum size of a record, default 1 MiB. */
  readonly maxRecordBytes: number;
  /** `delivery.timeout.ms`: timeout of storing, default two minutes. */
  readonly deliveryTimeoutMs: number;
  /** Given keys that have no effect, because there are no requests. */
  readonly ignored: readonly string[];
}

/** Parses them. Throws `config_invalid`. */
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
