import { type Clock, ConnectorError } from '@levada/connect-runtime-core';
import type {
  CompactedLog,
  CompactedLogOptions,
  CompactedRecord,
  LogProducer,
} from '@levada/connect-runtime-core/platform';
import type { ClientConfig } from '../client/client-config.ts';
import type { Cluster } from '../cluster/cluster.ts';
import { ensureCompactedTopic } from '../cluster/compacted-topic.ts';
import type { KafkaEventLog } from '../model/kafka-events.ts';
import { retrying } from '../model/retrying.ts';
import { TopicFollower } from './topic-follower.ts';

export interface CompactedLogParts {
  readonly options: CompactedLogOptions;
  readonly config: ClientConfig;
  readonly clock: Clock;
  readonly log: KafkaEventLog;
  /** Runs work with a client for topics, and closes the client afterwards. */
  readonly withAdmin: <T>(work: (cluster: Cluster) => Promise<T>) => Promise<T>;
  /** A separate client for reading. */
  readonly reader: () => Promise<Cluster>;
  /** The producer that all compacted logs of a term share. */
  readonly producer: () => Promise<LogProducer>;
  /** Called with the reason why the log cannot be read; undefined once it can. */
  readonly onProblem: (problem: ConnectorError | undefined) => void;
  /** Called when a broker throttles, with the milliseconds to wait. */
  readonly onThrottled: (ms: number) => void;
  /** Called when the log is closed or could not be opened. */
  readonly onClosed: () => void;
  /** Cancels the opening. Afterwards use {@link CompactedLog.close}. */
  readonly signal: AbortSignal;
}

/**
 * Creates or checks the topic, reads it to its end and follows it. Retries while brokers are unreachable, until the signal
 * aborts. Rejects with `config_invalid` if the topic cannot be used.
 */
export async function openCompactedLog(parts: CompactedLogParts): Promise<CompactedLog> {
  const { options, config, clock, signal, log } = parts;
  const { name } = options.topic;
  const ensure = (): Promise<boolean> => parts.withAdmin((cluster) => ensureCompactedTopic(cluster, options));
  const onFailure = parts.onProblem;
  try {
    const made = await retrying(ensure, { clock, policy: config.retry, signal, onFailure });
    if (made) log('kafka_topic_created', { topic: name, partitions: options.topic.partitions });
  } finally {
    parts.onProblem(undefined);
  }
  const follower = new TopicFollower({
    cluster: await parts.reader(),
    topic: name,
    fetch: config.fetch,
    retry: config.retry,
    clock,
    onRecord: guardRecord(parts),
    onProblem: parts.onProblem,
    onThrottled: parts.onThrottled,
    onReset: (partition, offset) => log('kafka_topic_reset', { topic: name, partition, offset }),
  });
  follower.start();
  try {
    // A killed worker may have left a transaction open; its successor ends it only after it has started
    await follower.readCommitted(signal);
  } catch (thrown) {
    await follower.close();
    parts.onClosed();
    throw thrown;
  }
  return new FollowedLog(parts, follower);
}

/** An error in one record must not stop the others. */
function guardRecord({ options, log }: CompactedLogParts): (record: CompactedRecord) => void {
  return (record) => {
    try {
      options.onRecord(record);
    } catch (error) {
      const { partition, offset } = record;
      log('kafka_record_refused', { topic: options.topic.name, partition, offset, error });
    }
  };
}

class FollowedLog implements CompactedLog {
  readonly #parts: CompactedLogParts;
  readonly #follower: TopicFollower;
  #closing: Promise<void> | undefined;

  constructor(parts: CompactedLogParts, follower: TopicFollower) {
    this.#parts = parts;
    this.#follower = follower;
  }

  async put(key: Uint8Array, value: Uint8Array | null): Promise<void> {
    const { options, producer, clock } = this.#parts;
    const { name } = options.topic;
    if (this.#closing !== undefined)
      throw new ConnectorError('closed', `the log of topic "${name}" is closed`);
    const record = { topic: name, partition: null, key, value, timestamp: clock.now(), headers: [] };
    const result = await (await producer()).send([record]);
    const [failure] = result.failures;
    if (failure !== undefined) throw failure.error;
  }

  readToEnd(signal?: AbortSignal): Promise<void> {
    return this.#follower.readToEnd(signal);
  }

  close(): Promise<void> {
    this.#closing ??= this.#follower.close().finally(() => this.#parts.onClosed());
    return this.#closing;
  }
}
