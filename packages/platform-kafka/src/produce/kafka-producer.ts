import { type Clock, ConnectorError, eventLog, type Logger, type Timer } from '@levada/connect-runtime-core';
import type { LogProducer, LogRecord, SendResult } from '@levada/connect-runtime-core/platform';
import type { ProducerSettings } from '../client/producer-settings.ts';
import { kafkaEvents } from '../model/kafka-events.ts';
import { retryPolicy } from '../model/retrying.ts';
import type { BrokerAddress, LinkOptions } from '../wire/link-options.ts';
import { BrokerNodes } from './broker-nodes.ts';
import { BufferPool } from './buffer-pool.ts';
import type { PartitionState } from './partition-state.ts';
import { type BatchOwner, type GiveUpErrors, givenUp, PendingBatch, sameError } from './pending-batch.ts';
import type { ProducerContext } from './producer-context.ts';
import { IdentitySource } from './producer-identity.ts';
import { BATCH_OVERHEAD, RecordBatch, recordRoom } from './record-batch.ts';
import { encodeHeaders, noHeaders } from './record-encoding.ts';
import { Sender } from './sender.ts';
import { Submission } from './submission.ts';
import { TopicDirectory } from './topic-directory.ts';
import type { TopicState } from './topic-state.ts';
import { ProducerTransaction, type TransactionSettings } from './transaction.ts';

const CLOSE_TIMEOUT_MS = 30_000;
/** So that an almost full batch still accepts a record of usual size. */
const BATCH_MARGIN = 4096;
/** The maximum time whose difference to another can be encoded (some 70,000 years). */
const LATEST_TIME = 2 ** 51;

export interface KafkaProducerOptions {
  /** Initial brokers. */
  readonly bootstrap: readonly BrokerAddress[];
  /** Connection options. Client id and request timeout come from the settings. */
  readonly link: LinkOptions;
  readonly settings: ProducerSettings;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Called when brokers become unreachable (with the error) and when they are back (undefined). */
  readonly onHealth?: (error: ConnectorError | undefined) => void;
  /** Called when a broker throttles, with the milliseconds to wait. */
  readonly onThrottled?: ((ms: number) => void) | undefined;
  /** Called before each request; false delays unsent records. Default: always true. */
  readonly mayProduce?: (() => boolean) | undefined;
  /** Makes records part of transactions. Default: each record is stored by itself. */
  readonly transaction?: TransactionSettings | undefined;
  /** Whether brokers must not create a topic on write. Default: false. */
  readonly existingTopicsOnly?: boolean | undefined;
  /** Random numbers from 0 to 1, for back-off and for the first partition of records without keys. Default: Math.random. */
  readonly random?: () => number;
}

/** State of the record that is being added: one object for a whole call of `send`. */
interface Entry extends BatchOwner {
  index: number;
  record: LogRecord;
  headers: Uint8Array;
}

/**
 * Writes records to Kafka: idempotent, acknowledged by all in-sync replicas, several requests in flight, in order per partition.
 * It connects on the first record and retries while brokers are unreachable. Never blocks: the caller limits records in flight by
 * `pendingBytes`.
 */
export class KafkaProducer implements LogProducer {
  /** If set, call `init` before sending. */
  readonly transaction: ProducerTransaction | undefined;
  readonly #context: ProducerContext;
  readonly #options: KafkaProducerOptions;
  readonly #ledger = { pendingBytes: 0, unsentBytes: 0 };
  readonly #pool: BufferPool;
  readonly #brokers: BrokerNodes;
  readonly #directory: TopicDirectory;
  readonly #sender: Sender;
  readonly #outstanding = new Set<Submission>();
  readonly #end = new AbortController();
  #headers: { readonly of: LogRecord['headers']; readonly bytes: Uint8Array } | undefined;
  #expiry: Timer | undefined;
  #flushes = 0;
  #closed: Promise<void> | undefined;
  #healthy = true;

  constructor(options: KafkaProducerOptions) {
    const { settings, clock, logger, random = Math.random, mayProduce = () => true } = options;
    this.#options = options;
    const log = eventLog(kafkaEvents, logger, clock);
    const transactionalId = options.transaction?.id ?? null;
    const { signal } = this.#end;
    const onThrottled = (ms: number): void => {
      log('kafka_throttled', { ms });
      options.onThrottled?.(ms);
    };
    this.#context = { settings, clock, log, random, mayProduce, transactionalId, onThrottled, signal };
    const bufferBytes = settings.batchBytes + BATCH_MARGIN;
    this.#pool = new BufferPool({
      size: bufferBytes,
      keep: Math.ceil(settings.bufferBytes / bufferBytes),
      clock,
    });
    this.#brokers = new BrokerNodes({
      clock,
      bootstrap: options.bootstrap,
      link: { ...options.link, clientId: settings.clientId, requestTimeoutMs: settings.requestTimeoutMs },
      backoff: retryPolicy(settings.retryBackoffMs, settings.retryBackoffMaxMs),
      random,
      createTopics: options.existingTopicsOnly !== true,
      signal,
      onLink: (node) => {
        if (node.connection.phase === 'closed') this.#directory.refresh();
        this.#sender.schedule();
      },
      onHealth: (error) => this.#noteHealth(error),
    });
    this.transaction = this.#createTransaction();
    const { transaction } = this;
    const identities =
      transaction ??
      new IdentitySource(this.#brokers, {
        onIdentity: () => this.#markAll(),
        onRefused: (error) => this.#failAll(sameError(error)),
      });
    const onMoved = (): void => this.#directory.refresh();
    this.#sender = new Sender(this.#context, { brokers: this.#brokers, identities, onMoved, transaction });
    const listener = {
      onTopic: (topic: TopicState) => this.#releaseHeld(topic),
      onLeader: (partition: PartitionState, former: number) => this.#leaderChanged(partition, former),
    };
    this.#directory = new TopicDirectory(this.#context, {
      brokers: this.#brokers,
      ledger: this.#ledger,
      listener,
    });
  }

  get pendingBytes(): number {
    return this.#ledger.pendingBytes;
  }

  get unsentBytes(): number {
    return this.#ledger.unsentBytes;
  }

  get throttledUntil(): number | undefined {
    let latest = 0;
    for (const { throttledUntil } of this.#brokers) latest = Math.max(latest, throttledUntil);
    return latest === 0 ? undefined : latest;
  }

  send(records: readonly LogRecord[]): Promise<SendResult> {
    if (this.#closed !== undefined) {
      return Promise.reject(
        new ConnectorError('closed', `producer "${this.#context.settings.clientId}" is closed`),
      );
    }
    if (this.transaction?.failure !== undefined) return Promise.reject(this.transaction.failure);
    const submission = new Submission(records.length);
    this.#acceptAll(records, submission);
    if (!submission.settled) this.#track(submission);
    this.#directory.refreshOld(this.#context.clock.monotonic());
    this.#sender.schedule();
    return submission.result;
  }

  async flush(): Promise<void> {
    this.#flushes += 1;
    this.#sender.flushing = true;
    this.#sender.resumeWaiting();
    await Promise.all([...this.#outstanding].map((submission) => submission.result));
    this.#flushes -= 1;
    this.#sender.flushing = this.#flushes > 0;
  }

  async close({ timeoutMs = CLOSE_TIMEOUT_MS }: { readonly timeoutMs?: number } = {}): Promise<void> {
    this.#closed ??= this.#finish();
    const name = this.#context.settings.clientId;
    const message = `producer "${name}" was closed before the record was acknowledged`;
    const giveUp = (): void => this.#failAll(givenUp('closed', message));
    if (timeoutMs === 0) giveUp();
    const limit = this.#context.clock.after(timeoutMs, giveUp);
    await this.#closed;
    limit.cancel();
  }

  async #finish(): Promise<void> {
    await this.flush();
    this.#expiry?.cancel();
    this.#sender.close();
    this.#pool.close();
    this.#end.abort();
    this.#brokers.close();
  }

  #createTransaction(): ProducerTransaction | undefined {
    const settings = this.#options.transaction;
    if (settings === undefined) return undefined;
    return new ProducerTransaction(this.#context, {
      settings,
      coordinator: this.#brokers.coordinator(settings.id),
      onAdmitted: () => this.#markAll(),
      onTopicMissing: () => this.#directory.refresh(),
      onFailed: (error) => this.#failAll(sameError(error)),
    });
  }

  #track(submission: Submission): void {
    this.#outstanding.add(submission);
    void submission.result.then(() => this.#outstanding.delete(submission));
    this.#expiry ??= this.#armExpiry(this.#context.settings.deliveryTimeoutMs);
  }

  /** Sources often use the same headers for many records. */
  #encodeHeaders({ headers }: LogRecord): Uint8Array {
    if (this.#headers?.of !== headers) this.#headers = { of: headers, bytes: encodeHeaders(headers) };
    return this.#headers.bytes;
  }

  #acceptAll(records: readonly LogRecord[], submission: Submission): void {
    const [first] = records;
    if (first === undefined) return;
    const entry: Entry = { submission, index: 0, record: first, headers: noHeaders };
    let topic = this.#directory.topic(first.topic);
    for (let index = 0; index < records.length; index++) {
      const record = records[index] as LogRecord;
      if (topic.name !== record.topic) topic = this.#directory.topic(record.topic);
      entry.index = index;
      entry.record = record;
      entry.headers = this.#encodeHeaders(record);
      this.#accept(topic, entry);
    }
  }

  #accept(topic: TopicState, entry: Entry): void {
    const { record, headers, submission, index } = entry;
    const room = recordRoom(record, headers);
    const problem = findProblem(record, room, this.#context.settings.maxRequestBytes);
    if (problem !== undefined) submission.noteFailed(index, problem);
    else if (topic.count === 0) this.#hold(topic, entry, room);
    else this.#append(topic, entry, room);
  }

  #hold(topic: TopicState, { record, headers, submission, index }: Entry, bytes: number): void {
    const key = record.key === null ? null : new Uint8Array(record.key);
    const value = record.value === null ? null : new Uint8Array(record.value);
    const createdAt = this.#context.clock.monotonic();
    topic.hold({ record: { ...record, key, value }, headers, submission, index, bytes, createdAt });
  }

  #append(topic: TopicState, entry: Entry, room: number): void {
    const { record, headers } = entry;
    const { batchBytes } = this.#context.settings;
    const partition = topic.partitionFor(record, room, batchBytes);
    if (partition === undefined) {
      this.#directory.refresh();
      const text = `topic "${topic.name}" has no partition ${record.partition}: it has ${topic.count}`;
      entry.submission.noteFailed(entry.index, new ConnectorError('topic_unavailable', text));
      return;
    }
    const batch = this.#batchFor(partition, room);
    batch.append(record, headers, entry);
    if (batch.bytes >= batchBytes) this.#sender.seal(partition);
  }

  #batchFor(partition: PartitionState, room: number): PendingBatch {
    if (partition.filling !== undefined && !partition.filling.records.fits(room))
      this.#sender.seal(partition);
    if (partition.filling === undefined) {
      const context = { ledger: this.#ledger, createdAt: this.#context.clock.monotonic() };
      partition.filling = new PendingBatch(new RecordBatch(this.#pool, room), context);
      this.#sender.mark(partition);
    }
    return partition.filling;
  }

  #releaseHeld(topic: TopicState): void {
    for (const held of topic.release()) this.#append(topic, held, held.bytes);
    this.#sender.schedule();
  }

  #leaderChanged(partition: PartitionState, former: number): void {
    this.#brokers.node(former)?.ready.delete(partition);
    partition.sequenced.leaderMoved();
    this.#sender.mark(partition);
    this.#sender.schedule();
  }

  #markAll(): void {
    for (const topic of this.#directory.topics) {
      for (const partition of topic.partitions) this.#sender.mark(partition);
    }
    this.#sender.schedule();
  }

  #failAll(errors: GiveUpErrors): void {
    for (const topic of this.#directory.topics) topic.failAll(errors);
    this.#markAll();
  }

  #armExpiry(ms: number): Timer {
    return this.#context.clock.after(Math.max(1, Math.ceil(ms)), () => {
      this.#expiry = undefined;
      this.#expire();
    });
  }

  #expire(): void {
    const { clock, settings } = this.#context;
    const time = clock.monotonic() - settings.deliveryTimeoutMs;
    const message = `not acknowledged within delivery.timeout.ms (${settings.deliveryTimeoutMs})`;
    const errors = givenUp('delivery_timeout', message);
    const expired = this.#oldest() ?? Number.POSITIVE_INFINITY;
    for (const topic of this.#directory.topics) topic.expireBefore(time, errors);
    // If the outcome of one record is unknown, so is that of the transaction
    if (expired <= time) this.transaction?.fail(new ConnectorError('delivery_timeout', message));
    this.#markAll();
    const oldest = this.#oldest();
    if (oldest !== undefined) this.#expiry = this.#armExpiry(oldest - time);
  }

  #oldest(): number | undefined {
    let oldest: number | undefined;
    for (const topic of this.#directory.topics) {
      for (const time of topic.creationTimes()) oldest = Math.min(oldest ?? time, time);
    }
    return oldest;
  }

  #noteHealth(error: ConnectorError | undefined): void {
    if (error !== undefined) this.#context.log('kafka_unavailable', { error: error.message });
    if (error === undefined && this.#healthy) return;
    this.#healthy = error === undefined;
    if (this.#healthy) this.#context.log('kafka_available');
    this.#options.onHealth?.(error);
  }
}

/** The reason why a record cannot be written; undefined if it can. */
function findProblem(
  { topic, timestamp }: LogRecord,
  room: number,
  maxRequestBytes: number,
): ConnectorError | undefined {
  if (!(Math.abs(timestamp) <= LATEST_TIME)) {
    const text = `record for topic "${topic}" has timestamp ${timestamp}, expected milliseconds since 1970`;
    return new ConnectorError('record_rejected', text);
  }
  if (room + BATCH_OVERHEAD <= maxRequestBytes) return undefined;
  const text = `record of ${room} bytes for topic "${topic}" is larger than max.request.size (${maxRequestBytes})`;
  return new ConnectorError('record_too_large', text);
}
