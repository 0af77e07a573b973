import { ConnectorError } from '@levada/connect-runtime-core';
import { errorCodes, errorName, errorText } from '../model/broker-errors.ts';
import type { ClusterMetadata, TopicMetadata } from '../wire/kafka-calls.ts';
import type { BrokerNodes } from './broker-nodes.ts';
import { PartitionState } from './partition-state.ts';
import { type ByteLedger, sameError } from './pending-batch.ts';
import type { ProducerContext } from './producer-context.ts';
import { TopicState } from './topic-state.ts';

/** Topics without writes for this time are no longer requested, so that a deleted one is not created again. */
const IDLE_MS = 300_000;
/** Errors that waiting does not fix. */
const permanent: ReadonlySet<number> = new Set([
  errorCodes.INVALID_TOPIC_EXCEPTION,
  errorCodes.TOPIC_AUTHORIZATION_FAILED,
]);

export interface TopicListener {
  /** Called when the partitions of the topic become known. */
  onTopic(topic: TopicState): void;
  /** Called when the leader of the partition changes or becomes known. */
  onLeader(partition: PartitionState, former: number): void;
}

/** Partitions and leaders of the topics being written, kept up to date. */
export class TopicDirectory {
  readonly #context: ProducerContext;
  readonly #brokers: BrokerNodes;
  readonly #ledger: ByteLedger;
  readonly #listener: TopicListener;
  readonly #topics = new Map<string, TopicState>();
  #refresh: 'idle' | 'running' | 'running, then again' = 'idle';
  #troubled = 0;
  #refreshedAt = 0;

  constructor(
    context: ProducerContext,
    parts: { readonly brokers: BrokerNodes; readonly ledger: ByteLedger; readonly listener: TopicListener },
  ) {
    this.#context = context;
    this.#brokers = parts.brokers;
    this.#ledger = parts.ledger;
    this.#listener = parts.listener;
  }

  get topics(): Iterable<TopicState> {
    return this.#topics.values();
  }

  /** The topic with this name. Requests its partitions if they are unknown. */
  topic(name: string): TopicState {
    let topic = this.#topics.get(name);
    if (topic === undefined) {
      topic = new TopicState(name, this.#ledger, this.#context.random);
      this.#topics.set(name, topic);
    }
    topic.usedAt = this.#context.clock.monotonic();
    if (topic.count === 0) this.refresh();
    return topic;
  }

  /** Requests metadata if the last response is old. */
  refreshOld(now: number): void {
    if (now - this.#refreshedAt > this.#context.settings.metadataMaxAgeMs) this.refresh();
  }

  /** Requests metadata of all topics in the background. Calls during a request lead to one more. */
  refresh(): void {
    if (this.#refresh === 'idle') void this.#run();
    else this.#refresh = 'running, then again';
  }

  async #run(): Promise<void> {
    try {
      do {
        this.#refresh = 'running';
        const topics = this.#names();
        // An empty list would request every topic of the cluster
        if (topics.length === 0) break;
        const answer = await this.#brokers.metadata(topics);
        this.#apply(answer);
        this.#brokers.noteReached();
      } while (this.#again && !this.#context.signal.aborted);
    } catch {
      // Closed: nothing waits for topics any longer
    } finally {
      this.#refresh = 'idle';
    }
  }

  get #again(): boolean {
    return this.#refresh === 'running, then again';
  }

  #names(): readonly string[] {
    const now = this.#context.clock.monotonic();
    this.#refreshedAt = now;
    return [...this.#topics.values()]
      .filter((topic) => !topic.empty || now - topic.usedAt < IDLE_MS)
      .map((topic) => topic.name);
  }

  #apply(answer: ClusterMetadata): void {
    const troubled = answer.topics.map((row) => this.#applyTopic(row));
    if (!troubled.includes(true)) {
      this.#troubled = 0;
      return;
    }
    this.#troubled += 1;
    void this.#brokers.pause(this.#troubled).then(() => this.refresh());
  }

  /** Returns whether it must be requested again soon. */
  #applyTopic(row: TopicMetadata): boolean {
    const topic = this.#topics.get(row.name);
    if (topic === undefined) return false;
    if (permanent.has(row.errorCode)) {
      this.#failTopic(topic, errorText(row.errorCode));
      return false;
    }
    if (row.errorCode !== 0 && row.partitions.length === 0) {
      return this.#noteMissing(topic, row.errorCode);
    }
    topic.missingSince = undefined;
    return this.#applyPartitions(topic, row);
  }

  #failTopic(topic: TopicState, why: string): void {
    topic.missingSince = undefined;
    const error = new ConnectorError(
      'topic_unavailable',
      `topic "${topic.name}" cannot be written to: ${why}`,
    );
    if (topic.count === 0) this.#topics.delete(topic.name);
    topic.failAll(sameError(error));
  }

  #noteMissing(topic: TopicState, code: number): boolean {
    const now = this.#context.clock.monotonic();
    topic.missingSince ??= now;
    if (topic.empty) return false;
    this.#context.log('topic_missing', { topic: topic.name, error: errorName(code) });
    const limitMs = this.#context.settings.topicTimeoutMs;
    if (code !== errorCodes.UNKNOWN_TOPIC_OR_PARTITION || now - topic.missingSince < limitMs) return true;
    const why = `it does not exist, and was not created automatically within ${limitMs} ms`;
    this.#failTopic(topic, `${why} (UNKNOWN_TOPIC_OR_PARTITION)`);
    return false;
  }

  #applyPartitions(topic: TopicState, row: TopicMetadata): boolean {
    const rows = [...row.partitions].sort((one, other) => one.partitionIndex - other.partitionIndex);
    let troubled = false;
    for (const { partitionIndex: id, leaderId } of rows) {
      topic.partitions[id] ??= new PartitionState(topic.name, id);
      const reachable = this.#brokers.node(leaderId) === undefined ? -1 : leaderId;
      this.#lead(topic.partitions[id], reachable);
      if (reachable < 0) troubled = true;
    }
    const known = topic.count;
    topic.count = rows.length;
    for (const gone of topic.partitions.slice(topic.count)) {
      this.#lead(gone, -1);
      const text = `topic "${topic.name}" has no partition ${gone.id} any more`;
      gone.failAll(sameError(new ConnectorError('topic_unavailable', text)));
    }
    if (troubled)
      this.#context.log('topic_missing', { topic: topic.name, error: 'a partition has no leader' });
    if (known === 0) this.#listener.onTopic(topic);
    return troubled && !topic.empty;
  }

  #lead(partition: PartitionState, leader: number): void {
    const former = partition.leader;
    if (former === leader) return;
    partition.leader = leader;
    this.#listener.onLeader(partition, former);
  }
}
