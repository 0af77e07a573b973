import type { ConnectorError } from '../diagnostics/connector-error.ts';
import type { Logger } from '../diagnostics/logger.ts';
import type { Clock } from '../time/clock.ts';
import type { GroupMembership, GroupMembershipOptions } from './group-membership.ts';
import type { RecordPage, RecordQuery } from './record-page.ts';

/** A record as the log stores it: bytes, or null for none. A null key is stored as null, not as an empty key. */
export interface LogRecord {
  readonly topic: string;
  /** Null: hash of the key (murmur2, as Java clients), or sticky without a key. */
  readonly partition: number | null;
  readonly key: Uint8Array | null;
  readonly value: Uint8Array | null;
  /** Milliseconds since 1970. */
  readonly timestamp: number;
  readonly headers: readonly LogHeader[];
}

/** A header as the log stores it. */
export interface LogHeader {
  readonly key: string;
  readonly value: Uint8Array | null;
}

/** One record of a batch that was not stored. */
export interface SendFailure {
  /** Index in the batch that was handed to {@link LogProducer.send}. */
  readonly index: number;
  /**
   * `record_too_large`, `record_rejected`, `topic_unavailable`, `fenced`: not stored, and never will be.
   * `delivery_timeout`, `closed`: given up; the cause says whether it may have been stored.
   */
  readonly error: ConnectorError;
  /** It is given up on purpose: dropped and counted, and no reason to end the task. */
  readonly drop?: true;
}

/** The outcome of a batch once every record of it is settled. */
export interface SendResult {
  /** Records stored. */
  readonly stored: number;
  /** Records not stored, by index, in order. Empty when all is well. */
  readonly failures: readonly SendFailure[];
}

/**
 * Writes batches to topics, in order per partition, each record once (idempotent). Several sends may be outstanding.
 */
export interface LogProducer {
  /**
   * Hands over a batch, in order after everything handed over before. Resolves when each record is stored durably or has
   * failed for good; transient trouble is retried inside, within the delivery timeout. Rejects only when the producer
   * is closed or fenced before the batch was accepted. The records are read, and their bytes copied, before the call
   * returns.
   */
  send(records: readonly LogRecord[]): Promise<SendResult>;
  /** Bytes handed over and not yet settled. */
  readonly pendingBytes: number;
  /** Bytes of them that are ready to be sent and cannot be yet: what is handed over now is sent after them. Undefined: not known. */
  readonly unsentBytes?: number | undefined;
  /**
   * Monotonic time until which the log asked this producer to send nothing, as brokers with a quota do; it may have passed. Undefined: it
   * has not asked. Such a log is healthy: it stores what is handed over, only later.
   */
  readonly throttledUntil?: number | undefined;
  /** Resolves when everything handed over so far is settled. */
  flush(): Promise<void>;
  /**
   * Settles what is pending within `timeoutMs`, fails the rest with `closed`, and frees the connection. Always
   * resolves; idempotent.
   */
  close(options?: { readonly timeoutMs?: number }): Promise<void>;
}

/** How a producer is to work. */
export interface LogProducerOptions {
  /** Names the producer towards the log, for example `connector-producer-prices-0`. */
  readonly clientId: string;
  /** Kafka producer keys (`compression.type`, `linger.ms`, `batch.size`, `max.request.size`, `delivery.timeout.ms`). */
  readonly overrides?: Readonly<Record<string, string>>;
  /**
   * Asked before each request; false: what was not sent yet waits, for as long as the delivery time-out allows. Default: always
   * true. Platforms whose membership is always confirmed do not ask.
   */
  readonly mayProduce?: () => boolean;
  /** True: a topic that does not exist is not created by writing to it. Default: false. */
  readonly existingTopicsOnly?: boolean;
}

/** How a producer of transactions is to work. */
export interface TransactionalProducerOptions extends LogProducerOptions {
  /** Names the transactions, through all lives of their writer: a producer that is opened with it fences the one before. */
  readonly transactionalId: string;
}

/**
 * Writes records that readers of committed records see all at once, or never. A transaction begins with the first record that is sent after
 * the one before has ended. A producer that is fenced, or lost track of a transaction, rejects everything from then on: only a new one with
 * the same id can continue.
 */
export interface TransactionalProducer extends LogProducer {
  /** How long a transaction may be open before the log aborts it, in milliseconds. */
  readonly transactionTimeoutMs: number;
  /**
   * Resolves when everything that was sent and stored is visible. Tries until the producer is closed. Rejects with `fenced` when another
   * producer has the id now, or the transaction was open for too long: then nothing of it will be visible. With any other error that is unknown.
   */
  commit(): Promise<void>;
  /** Resolves when it is certain that nothing of what was sent will be visible. Rejects as {@link commit}. */
  abort(): Promise<void>;
}

/** Transactions of a log, for sources whose records and offsets are to be stored together or not at all. */
export interface LogTransactions {
  /**
   * A producer of its own; the caller closes it. Resolves when earlier producers with the id can write no more and their open transaction is
   * aborted; tries until the signal aborts.
   */
  producer(options: TransactionalProducerOptions, signal: AbortSignal): Promise<TransactionalProducer>;
  /** Fences whatever producers have these ids, and aborts what they have open. Tries until the signal aborts. */
  fence(transactionalIds: readonly string[], signal: AbortSignal): Promise<void>;
}

/** A topic as it is to be made. */
export interface TopicSpec {
  readonly name: string;
  /** Default: the platform's. */
  readonly partitions?: number;
  /** Default: the platform's. Ignored by platforms without replication. */
  readonly replicationFactor?: number;
  /** Kafka topic keys, for example `cleanup.policy`, `retention.ms`, `retention.bytes`. */
  readonly config?: Readonly<Record<string, string>>;
}

/** A topic as it is. */
export interface TopicDescription {
  readonly name: string;
  readonly partitions: number;
  /** `delete`, `compact` or `compact,delete`. */
  readonly cleanupPolicy: string;
}

/** One record of a compacted log. */
export interface CompactedRecord {
  readonly key: Uint8Array | null;
  /** Null: the key is deleted. */
  readonly value: Uint8Array | null;
  readonly partition: number;
  readonly offset: number;
  readonly timestamp: number;
}

/** How a compacted log is opened. */
export interface CompactedLogOptions {
  /** The topic. It is created when missing and checked when it exists. */
  readonly topic: TopicSpec & { readonly partitions: number };
  /** The worker key that names the topic (`config.storage.topic`), for error messages. */
  readonly configKey: string;
  /** True: a partition count other than the one given is an error, not only a difference. */
  readonly exactPartitions?: boolean;
  /** Called once for each record, in order per partition: first those that exist, then each as it is written, by anyone. Must not throw. */
  readonly onRecord: (record: CompactedRecord) => void;
  readonly clientId: string;
  /**
   * Number of the term in which this process owns what it writes; undefined: not at the moment. Asked at each `put`, which rejects with
   * `fenced` then, and before each request: what was put in a term that is over is not sent any more. Default: it may always write.
   * Platforms whose membership is always confirmed do not ask.
   */
  readonly writeTerm?: (() => number | undefined) | undefined;
}

/**
 * A topic seen as a map, without what is in open or aborted transactions: read to its end, followed, written key by key. The config, offset and status stores are written
 * once over it. Own writes come back through `onRecord` too, in the log's order.
 */
export interface CompactedLog {
  /** Stores a record; a null value deletes the key. Resolves when stored durably. Rejects with a ConnectorError. */
  put(key: Uint8Array, value: Uint8Array | null): Promise<void>;
  /** Resolves when every record that was in the log at the time of the call went through `onRecord`. */
  readToEnd(signal?: AbortSignal): Promise<void>;
  /** Stops following. Idempotent. */
  close(): Promise<void>;
}

/**
 * How a platform is doing: the one notion of it in `/health`, metrics, the status of connections and the log. `throttled`: everything is
 * stored, as fast as a quota allows. `away`: nothing can be stored, at the moment or for good.
 */
export type PlatformHealth =
  | { readonly status: 'ok' }
  | {
      readonly status: 'throttled' | 'away';
      readonly reason: string;
      /** Milliseconds since 1970. */
      readonly since: number;
      /** It concerns a part only: some topic, some producer, or the tasks in some thread. */
      readonly isPartial?: boolean;
    };

/** Whether nothing at all can be stored: some topic or producer that is away is only a part. */
export function isWhollyAway(health: PlatformHealth): boolean {
  return health.status === 'away' && health.isPartial !== true;
}

/**
 * The port to the log, in two adapters: a Kafka cluster, or one folder on this machine. Methods reject with ConnectorErrors;
 * a retriable one means that the log is away for the moment.
 */
export interface LogPlatform {
  readonly kind: 'embedded' | 'kafka';
  /** Identifies the cluster; for the embedded log an id that is made once per folder. */
  clusterId(): Promise<string>;
  /** Creates those topics that do not exist yet. Existing ones stay as they are. */
  createTopics(topics: readonly TopicSpec[]): Promise<void>;
  /** Describes the named topics that exist. */
  describeTopics(names: readonly string[]): Promise<readonly TopicDescription[]>;
  /** A producer of its own; the caller closes it. Resolves without waiting for the log to be reachable. */
  producer(options: LogProducerOptions): Promise<LogProducer>;
  /** Opens a compacted log and reads it to its end. Rejects when the topic exists but is not usable. */
  compactedLog(options: CompactedLogOptions, signal?: AbortSignal): Promise<CompactedLog>;
  /** Reads some committed records of a topic, once, for people. Absent: the log is read in another way. */
  readRecords?(query: RecordQuery): Promise<RecordPage>;
  /** Absent: the log has no transactions. */
  readonly transactions?: LogTransactions;
  /** Membership of the group of workers that share connectors. */
  membership(options: GroupMembershipOptions): GroupMembership;
  /**
   * The last that is known; costs nothing. With the client id of a producer: of that producer, and of the log as a whole, without trouble
   * of others. Platforms whose producers are all alike ignore it.
   */
  health(producer?: string): PlatformHealth;
  /** Closes what is still open. Always resolves within the time-out; idempotent. */
  close(options?: { readonly timeoutMs?: number }): Promise<void>;
}

/** Services that the host passes to its adapters. */
export interface LogPlatformContext {
  readonly logger: Logger;
  readonly clock: Clock;
}
