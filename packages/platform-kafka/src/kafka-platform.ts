import { ConnectorError, eventLog, type RawConfig } from '@levada/connect-runtime-core';
import type {
  CompactedLog,
  CompactedLogOptions,
  GroupMembership,
  GroupMembershipOptions,
  LogPlatform,
  LogPlatformContext,
  LogProducer,
  LogProducerOptions,
  LogTransactions,
  PlatformHealth,
  RecordPage,
  RecordQuery,
  TopicDescription,
  TopicSpec,
} from '@levada/connect-runtime-core/platform';
import type { ClientConfig } from './client/client-config.ts';
import { type ClientKind, checkedClients, ignoredKeys, ignoredKeyText } from './client/worker-clients.ts';
import { Cluster, type ClusterOptions } from './cluster/cluster.ts';
import { linkSettings } from './cluster/link-settings.ts';
import { createTopics, describeTopics } from './cluster/topics.ts';
import { TransactionCoordinator } from './cluster/transaction-coordinator.ts';
import { openCompactedLog } from './compacted-log/compacted-log.ts';
import { recentRecords } from './compacted-log/recent-records.ts';
import { KafkaMembership } from './group/kafka-membership.ts';
import { type KafkaEventLog, kafkaEvents } from './model/kafka-events.ts';
import { KafkaHealth } from './model/kafka-health.ts';
import { endOf, retrying } from './model/retrying.ts';
import { Producers } from './producers.ts';

export interface KafkaPlatformOptions extends LogPlatformContext {
  /**
   * A worker's configuration: keys of Kafka's clients, with the prefix `producer.`, `consumer.` or `admin.` for one kind of
   * client. Other keys are ignored.
   */
  readonly config: RawConfig;
}

/** Default timeout of a close, in milliseconds. */
const CLOSE_TIMEOUT_MS = 10_000;

/** Transaction timeout of an identity that never writes. */
const FENCING_MS = 1;

/** Time for a broker in addition to the wait of a fetch. */
const FETCH_MARGIN_MS = 10_000;

/** Without this topic a worker cannot change anything. */
const CONFIG_TOPIC_KEY = 'config.storage.topic';

/** Name of the client for topics. */
const ADMIN = 'admin';

/**
 * Opens a platform on a Kafka cluster. Brokers may be unreachable: they are tried repeatedly in the background, and `health()`
 * reports the state. Rejects with `config_invalid`, listing every problem of the keys, or with `file_unreadable`.
 */
export async function openKafkaPlatform(options: KafkaPlatformOptions): Promise<LogPlatform> {
  const { config, logger, clock } = options;
  const clients = await checkedClients(config);
  const log = eventLog(kafkaEvents, logger, clock);
  const keys = ignoredKeys(config).map(ignoredKeyText);
  if (keys.length > 0) log('kafka_keys_ignored', { keys }, `keys without effect: ${keys.join(', ')}`);
  const platform = new KafkaPlatform({ ...options, clients, log });
  platform.start();
  return platform;
}

interface PlatformParts extends KafkaPlatformOptions {
  readonly clients: Readonly<Record<ClientKind, ClientConfig>>;
  readonly log: KafkaEventLog;
}

class KafkaPlatform implements LogPlatform {
  readonly kind = 'kafka';
  readonly #parts: PlatformParts;
  readonly #health: KafkaHealth;
  readonly #producers: Producers;
  readonly #logs = new Set<CompactedLog>();
  readonly #memberships = new Set<KafkaMembership>();
  readonly #opening = new Set<Promise<CompactedLog>>();
  readonly #closed = new AbortController();
  #clusterId: string | undefined;
  #asking: Promise<string> | undefined;
  #probing: Promise<void> | undefined;
  #closing: Promise<void> | undefined;

  constructor(parts: PlatformParts) {
    this.#parts = parts;
    this.#health = new KafkaHealth(parts.clock, ADMIN);
    this.#producers = new Producers({
      ...parts,
      onHealth: (name, error) => this.#health.trouble(name, error),
      onThrottled: (name, ms) => this.#health.noteThrottle(name, ms),
      onClosed: (name) => this.#health.forget(name),
    });
  }

  /** Asks for brokers until one answers, so that health and log are correct even while the cluster is not used. */
  start(): void {
    if (this.#closed.signal.aborted) return;
    this.#probing ??= this.#probe().finally(() => {
      this.#probing = undefined;
    });
  }

  async clusterId(): Promise<string> {
    if (this.#clusterId !== undefined) return this.#clusterId;
    this.#asking ??= this.#askClusterId().finally(() => {
      this.#asking = undefined;
    });
    return await this.#asking;
  }

  async createTopics(topics: readonly TopicSpec[]): Promise<void> {
    const made = await this.#patiently((cluster) => createTopics(cluster, topics));
    for (const topic of made) this.#parts.log('kafka_topic_created', { topic });
  }

  describeTopics(names: readonly string[]): Promise<readonly TopicDescription[]> {
    return this.#patiently((cluster) => describeTopics(cluster, names));
  }

  async producer(options: LogProducerOptions): Promise<LogProducer> {
    this.#checkOpen();
    const producer = await this.#producers.open(options);
    this.#health.noteProducer(clientIdOf(options));
    return producer;
  }

  async readRecords(query: RecordQuery): Promise<RecordPage> {
    this.#checkOpen();
    return await this.#withAdmin((cluster) => recentRecords(cluster, query));
  }

  readonly transactions: LogTransactions = {
    producer: async (options, signal) => {
      this.#checkOpen();
      const either = AbortSignal.any([signal, this.#closed.signal]);
      const producer = await this.#producers.openTransactional(options, either);
      this.#health.noteProducer(clientIdOf(options));
      return producer;
    },
    fence: async (ids, signal) => {
      this.#checkOpen();
      const { clock, clients } = this.#parts;
      const either = AbortSignal.any([signal, this.#closed.signal]);
      await this.#withAdmin(async (cluster) => {
        for (const id of ids) {
          const coordinator = new TransactionCoordinator(cluster, id);
          const policy = clients.admin.retry;
          await retrying(() => coordinator.init(FENCING_MS), { clock, policy, signal: either });
        }
      });
    },
  };

  async compactedLog(options: CompactedLogOptions, signal?: AbortSignal): Promise<CompactedLog> {
    this.#checkOpen();
    const opening = this.#openLog(options, signal);
    this.#opening.add(opening);
    try {
      return await opening;
    } finally {
      this.#opening.delete(opening);
    }
  }

  membership(member: GroupMembershipOptions): GroupMembership {
    const { clients, clock, log } = this.#parts;
    const membership = new KafkaMembership({
      member,
      clock,
      log,
      openCluster: (limitMs) => this.#groupCluster(clients.admin, member, limitMs),
    });
    this.#memberships.add(membership);
    return membership;
  }

  health(producer?: string): PlatformHealth {
    return this.#health.current(producer);
  }

  close({ timeoutMs = CLOSE_TIMEOUT_MS }: { readonly timeoutMs?: number } = {}): Promise<void> {
    this.#closing ??= this.#close(timeoutMs);
    return this.#closing;
  }

  async #close(timeoutMs: number): Promise<void> {
    this.#closed.abort(new ConnectorError('closed', 'the platform was closed'));
    await Promise.allSettled(this.#opening);
    await Promise.all([
      this.#producers.close(timeoutMs),
      ...[...this.#memberships].map((membership) => membership.close()),
      ...[...this.#logs].map((log) => log.close()),
      this.#probing,
    ]);
  }

  async #probe(): Promise<void> {
    const { clock, clients } = this.#parts;
    const { signal } = this.#closed;
    try {
      await retrying(() => this.#askClusterId(), { clock, policy: clients.admin.retry, signal });
    } catch (thrown) {
      // Closed, or refused permanently: then all other requests are refused too and report it
      if (!signal.aborted) this.#onUnreachable(ADMIN, ConnectorError.from(thrown));
    }
  }

  #askClusterId(): Promise<string> {
    return this.#withAdmin(async (cluster) => (await cluster.metadata([])).clusterId ?? '');
  }

  async #openLog(options: CompactedLogOptions, signal?: AbortSignal): Promise<CompactedLog> {
    const { clients, clock, log } = this.#parts;
    const { clientId } = options;
    const closed = this.#closed.signal;
    let opened: CompactedLog | undefined;
    opened = await openCompactedLog({
      options,
      config: clients.consumer,
      clock,
      log,
      withAdmin: (work) => this.#withAdmin(work),
      reader: () => this.#cluster(clients.consumer, clientId),
      producer: () => this.#producers.openForStores(options.writeTerm),
      onProblem: (problem) => this.#onProblem(options, problem),
      onThrottled: (ms) => {
        log('kafka_throttled', { client: clientId, ms });
        this.#health.noteThrottle(clientId, ms);
      },
      onClosed: () => {
        this.#onProblem(options, undefined);
        this.#health.forget(clientId);
        this.#health.noteReached(clientId);
        if (opened !== undefined) this.#logs.delete(opened);
      },
      signal: signal === undefined ? closed : AbortSignal.any([signal, closed]),
    });
    this.#logs.add(opened);
    return opened;
  }

  #onProblem(
    { topic: { name: topic }, configKey }: CompactedLogOptions,
    problem: ConnectorError | undefined,
  ): void {
    const isPartial = configKey !== CONFIG_TOPIC_KEY;
    const counts = this.#health.topicTrouble(topic, problem, { isPartial });
    // Reported once that no broker answers, not by each log
    if (problem !== undefined && counts && !this.#health.isAway) {
      this.#parts.log('kafka_topic_unreadable', { topic, reason: problem.message });
    }
  }

  /** Retries for as long as Kafka's admin client would. */
  async #patiently<T>(work: (cluster: Cluster) => Promise<T>): Promise<T> {
    this.#checkOpen();
    const { clock, clients } = this.#parts;
    const { retry: policy, apiTimeoutMs: withinMs } = clients.admin;
    const { signal } = this.#closed;
    return await retrying(() => this.#withAdmin(work), { clock, policy, withinMs, signal });
  }

  async #withAdmin<T>(work: (cluster: Cluster) => Promise<T>): Promise<T> {
    const cluster = await this.#cluster(this.#parts.clients.admin, ADMIN);
    const { signal } = this.#closed;
    const close = (): void => cluster.close();
    signal.addEventListener('abort', close, { once: true });
    try {
      this.#checkOpen();
      return await work(cluster);
    } finally {
      signal.removeEventListener('abort', close);
      cluster.close();
    }
  }

  /** A coordinator answers a join after waiting for the other members, and other requests at once. */
  #groupCluster(config: ClientConfig, member: GroupMembershipOptions, limitMs: number): Promise<Cluster> {
    const least = (ms: number): number => Math.min(ms, limitMs);
    const hasty = { ...config, connectTimeoutMs: least(config.connectTimeoutMs) };
    return this.#cluster(hasty, `${member.groupId}-member`, {
      ask: least(config.requestTimeoutMs),
      join: member.rebalanceTimeoutMs + config.requestTimeoutMs,
    });
  }

  async #cluster(
    config: ClientConfig,
    name: string,
    timeoutsMs: ClusterOptions['timeoutsMs'] = { fetch: fetchTimeout(config) },
  ): Promise<Cluster> {
    const clientId = config.clientId === '' ? name : `${config.clientId}-${name}`;
    return new Cluster({
      bootstrap: config.brokers,
      link: await linkSettings(config, clientId, this.#parts.clock),
      timeoutsMs,
      onReached: (metadata) => this.#onReached(name, metadata.clusterId),
      onUnreachable: (error) => this.#onUnreachable(name, error),
    });
  }

  #onReached(client: string, clusterId: string | null): void {
    this.#clusterId ??= clusterId ?? undefined;
    if (this.#health.noteReached(client)) this.#parts.log('kafka_available', { cluster: clusterId });
  }

  #onUnreachable(client: string, error: ConnectorError): void {
    this.#health.noteUnreachable(client, error);
    this.#parts.log('kafka_unavailable', { client, error });
    // Compacted logs retry by themselves; requests about topics depend on callers
    if (client === ADMIN) this.start();
  }

  #checkOpen(): void {
    if (this.#closed.signal.aborted) throw endOf(this.#closed.signal);
  }
}

/** Brokers must answer fetches in time even if there is nothing to read, which shows early that they hang. */
function fetchTimeout({ requestTimeoutMs, fetch }: ClientConfig): number {
  return Math.max(Math.min(requestTimeoutMs, fetch.maxWaitMs + FETCH_MARGIN_MS), fetch.maxWaitMs + 500);
}

function clientIdOf({ clientId, overrides }: LogProducerOptions): string {
  return overrides?.['client.id'] ?? clientId;
}
