import { ConnectorError, type EventLog } from '@levada/connect-runtime-core';
import {
  type CompactedLog,
  type CompactedLogOptions,
  type GroupMembership,
  type GroupMembershipOptions,
  type LogPlatform,
  type LogPlatformContext,
  type LogProducer,
  type LogProducerOptions,
  type PlatformHealth,
  type RecordPage,
  type RecordQuery,
  singleMembership,
  type TopicDescription,
  type TopicSpec,
} from '@levada/connect-runtime-core/platform';
import type { CommitGroup } from './commit/commit-group.ts';
import type { CommitLink } from './commit/commit-link.ts';
import { CommitQueue } from './commit/commit-queue.ts';
import { EmbeddedCompactedLog } from './embedded-compacted-log.ts';
import { EmbeddedProducer, producerKeys } from './embedded-producer.ts';
import type { FolderLock } from './folder/folder-lock.ts';
import type { Database } from './folder/sqlite.ts';
import { Maintenance } from './maintenance.ts';
import { CommitSignal } from './model/change-signal.ts';
import type { embeddedLogEvents } from './model/log-events.ts';
import { type EmbeddedReader, embeddedReader } from './read/embedded-reader.ts';
import { LogReader } from './read/log-reader.ts';
import { readRecordPage } from './read/record-page.ts';
import { checkCompactedTopic } from './topics/compacted-topic-check.ts';
import type { Topic, TopicCatalog } from './topics/topic-catalog.ts';

/** Timeout of creating a topic. */
const CREATE_TIMEOUT_MS = 30_000;
const CLOSE_TIMEOUT_MS = 5000;
/** Part of {@link CLOSE_TIMEOUT_MS} that is reserved for closing the file. */
const CLOSE_FILE_MS = 1000;

/** Parts that are open already. The platform closes them. */
export interface EmbeddedPlatformParts extends LogPlatformContext {
  readonly events: EventLog<typeof embeddedLogEvents>;
  readonly link: CommitLink;
  readonly lock: FolderLock;
  /** Opened read-only. */
  readonly database: Database;
  readonly catalog: TopicCatalog;
  readonly clusterId: string;
  /** The file, for errors. */
  readonly place: string;
  /** Whether writing to a topic that does not exist creates it. */
  readonly autoCreateTopics: boolean;
}

/** The log platform of one folder. */
export class EmbeddedPlatform implements LogPlatform {
  readonly kind = 'embedded';
  readonly #parts: EmbeddedPlatformParts;
  readonly #queue: CommitQueue;
  readonly #maintenance: Maintenance;
  readonly #reader: LogReader;
  readonly #changes = new CommitSignal();
  readonly #producers = new Set<EmbeddedProducer>();
  readonly #followers = new Set<EmbeddedCompactedLog>();
  readonly #ignoredKeys = new Set<string>();
  #closing: Promise<void> | undefined;

  constructor(parts: EmbeddedPlatformParts) {
    this.#parts = parts;
    this.#reader = new LogReader(parts.database, parts.place);
    this.#queue = new CommitQueue({ ...parts, onCommitted: (group) => this.#onCommit(group) });
    this.#maintenance = new Maintenance({ ...parts, passed: (log) => this.#passedOffset(log) });
    this.#queue.start();
    this.#maintenance.start();
  }

  async clusterId(): Promise<string> {
    return this.#parts.clusterId;
  }

  async createTopics(specs: readonly TopicSpec[]): Promise<void> {
    this.#refuseClosed();
    const delivery = this.#queue.begin(0, CREATE_TIMEOUT_MS);
    for (const spec of specs) {
      if (this.#parts.catalog.get(spec.name) === undefined) this.#create(spec);
    }
    // Also waits for unstored topics of other callers
    this.#queue.follow(delivery);
    const { failures } = await delivery.result;
    if (failures[0] !== undefined) throw failures[0].error;
  }

  async describeTopics(names: readonly string[]): Promise<readonly TopicDescription[]> {
    return names.flatMap((name) => {
      const topic = this.#parts.catalog.get(name);
      return topic === undefined ? [] : [describe(topic)];
    });
  }

  async producer(options: LogProducerOptions): Promise<LogProducer> {
    this.#refuseClosed();
    const keys = producerKeys(options.overrides);
    for (const key of keys.ignored) this.#ignoredKey(key);
    const producer = new EmbeddedProducer({
      queue: this.#queue,
      clock: this.#parts.clock,
      keys,
      topic: (name) => this.#topicToWrite(name),
      onClosed: (closed) => this.#producers.delete(closed),
    });
    this.#producers.add(producer);
    return producer;
  }

  async compactedLog(options: CompactedLogOptions, signal?: AbortSignal): Promise<CompactedLog> {
    const { catalog, clock } = this.#parts;
    const config = { 'cleanup.policy': 'compact', ...options.topic.config };
    await this.createTopics([{ ...options.topic, config }]);
    const topic = catalog.get(options.topic.name) as Topic;
    checkCompactedTopic(topic, options);
    const log = new EmbeddedCompactedLog({
      topic,
      clock,
      queue: this.#queue,
      reader: this.#reader,
      onRecord: options.onRecord,
      onClosed: (closed) => this.#followers.delete(closed),
    });
    this.#followers.add(log);
    try {
      await log.readToEnd(signal);
    } catch (thrown) {
      await log.close();
      throw thrown;
    }
    return log;
  }

  membership(options: GroupMembershipOptions): GroupMembership {
    return singleMembership(options);
  }

  async readRecords(query: RecordQuery): Promise<RecordPage> {
    this.#refuseClosed();
    return readRecordPage(this.#parts, query);
  }

  /** Reads the topics within this process; a follower wakes with each commit. Closed with the platform. */
  reader(): EmbeddedReader {
    this.#refuseClosed();
    const { database, place } = this.#parts;
    return embeddedReader({ database, place, changes: this.#changes, onClose: () => undefined });
  }

  health(): PlatformHealth {
    return this.#queue.health;
  }

  close(options: { readonly timeoutMs?: number } = {}): Promise<void> {
    this.#closing ??= this.#close(options.timeoutMs ?? CLOSE_TIMEOUT_MS);
    return this.#closing;
  }

  async #close(timeoutMs: number): Promise<void> {
    const { clock, link, database, lock } = this.#parts;
    const { promise: late, resolve } = Promise.withResolvers<void>();
    const timer = clock.after(timeoutMs, resolve);
    link.hold();
    this.#maintenance.stop();
    const drainMs = Math.max(timeoutMs / 2, timeoutMs - CLOSE_FILE_MS);
    const rest = this.#queue.begin(0, drainMs);
    this.#queue.follow(rest);
    await Promise.all([
      rest.result,
      ...[...this.#producers].map((producer) => producer.close({ timeoutMs: drainMs })),
    ]);
    this.#queue.failAll(new ConnectorError('closed', 'the embedded log was closed'));
    this.#queue.stop();
    for (const follower of this.#followers) await follower.close();
    this.#changes.close();
    database.close();
    await Promise.race([link.request({ kind: 'close' }), late]);
    // A thread that hangs in the disk ends when the disk answers, or with the process. Only then is the folder free
    await Promise.race([link.terminate().then(() => lock.release()), late]);
    timer.cancel();
    link.release();
  }

  #create(spec: TopicSpec): Topic {
    const { catalog, events } = this.#parts;
    const row = catalog.create(spec);
    const topic = catalog.get(row.name) as Topic;
    this.#queue.addTopics([row]);
    events('embedded_log_topic_created', {
      topic: topic.name,
      partitions: topic.partitions,
      cleanupPolicy: topic.cleanupPolicy,
    });
    return topic;
  }

  #topicToWrite(name: string): Topic {
    const topic = this.#parts.catalog.get(name);
    if (topic !== undefined) return topic;
    if (this.#parts.autoCreateTopics) return this.#create({ name });
    throw new ConnectorError(
      'topic_unavailable',
      `there is no topic "${name}", and topics are not made by writing to them`,
    );
  }

  #onCommit(group: CommitGroup): void {
    const logs = new Set(
      [...group.writtenLogs()].filter((batch) => batch.compacted).map((batch) => batch.log),
    );
    for (const follower of this.#followers) {
      if (![...logs].some((log) => follower.follows(log))) continue;
      try {
        follower.deliver();
      } catch (thrown) {
        const reason = thrown instanceof Error ? thrown.message : String(thrown);
        this.#parts.events('embedded_log_follower_failed', { topic: follower.topic.name, reason });
      }
    }
    this.#changes.notify();
    this.#maintenance.noteCommit(group);
  }

  #passedOffset(log: number): number {
    let lowest = Number.POSITIVE_INFINITY;
    for (const follower of this.#followers) {
      if (follower.follows(log)) lowest = Math.min(lowest, follower.position(log - follower.topic.firstLog));
    }
    return lowest;
  }

  #ignoredKey(key: string): void {
    if (this.#ignoredKeys.has(key)) return;
    this.#ignoredKeys.add(key);
    this.#parts.events('embedded_log_key_ignored', { key });
  }

  #refuseClosed(): void {
    if (this.#closing !== undefined) throw new ConnectorError('closed', 'the embedded log is closed');
  }
}

function describe(topic: Topic): TopicDescription {
  const { name, partitions, cleanupPolicy } = topic;
  return { name, partitions, cleanupPolicy };
}
