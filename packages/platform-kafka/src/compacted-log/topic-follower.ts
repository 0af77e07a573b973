import {
  type BackoffPolicy,
  backoffDelay,
  type Clock,
  type CompactedRecord,
  ConnectorError,
} from '@levada/connect-runtime-core';
import type { FetchSettings } from '../client/client-config.ts';
import type { Cluster } from '../cluster/cluster.ts';
import { errorCodes, readError } from '../model/broker-errors.ts';
import { REFUSED_MS, retrying } from '../model/retrying.ts';
import type { BrokerLink } from '../wire/broker-link.ts';
import type { PartitionMetadata } from '../wire/kafka-calls.ts';
import { EndWaiters } from './end-waiters.ts';
import { type FetchedBatches, fetchOnce } from './fetch.ts';
import { EARLIEST, LATEST, listOffsets } from './list-offsets.ts';
import { readRecordBatches } from './record-batches.ts';

/** How often it is looked whether partitions were added: as often as Java clients ask (`metadata.max.age.ms`). */
const LOOK_AGAIN_MS = 300_000;

/** What a topic is followed with, and who hears of it. */
export interface FollowerOptions {
  /** Its connections are the follower's own. */
  readonly cluster: Cluster;
  readonly topic: string;
  readonly fetch: FetchSettings;
  readonly retry: BackoffPolicy;
  readonly clock: Clock;
  /** Each record, in order per partition. Must not throw. */
  readonly onRecord: (record: CompactedRecord) => void;
  /** Why some partition cannot be read at the moment; undefined when all are read. */
  readonly onProblem: (problem: ConnectorError | undefined) => void;
  /** What was to be read next is gone; the partition is read again from its beginning. */
  readonly onReset: (partition: number, offset: number) => void;
}

/** A fetch under way. */
interface Fetching {
  readonly link: BrokerLink;
  readonly positions: ReadonlyMap<number, number>;
}

/**
 * Reads all partitions of a topic from the beginning and follows them, until it is closed. One loop finds the leaders of
 * partitions that have none; one loop per leader fetches what is placed there. A partition that fails loses its place, so
 * it is fetched by one loop at a time, and its records come in order.
 */
export class TopicFollower {
  readonly #options: FollowerOptions;
  readonly #closed = new AbortController();
  readonly #waiters = new EndWaiters();
  /** Offset of the next record; unknown until the beginning was asked for. */
  readonly #positions = new Map<number, number>();
  readonly #leaders = new Map<number, number>();
  readonly #unplaced = new Set<number>();
  readonly #problems = new Map<number, ConnectorError>();
  readonly #failures = new Map<number, number>();
  readonly #readers = new Map<number, Promise<void>>();
  readonly #fetching = new Map<number, Fetching>();
  /** Number of partitions; 0: not known yet. */
  #partitions = 0;
  #wake: () => void = () => undefined;
  #placing: Promise<void> | undefined;

  constructor(options: FollowerOptions) {
    this.#options = options;
  }

  /** Begins to read, and keeps trying while brokers are away. */
  start(): void {
    this.#placing ??= this.#placeForEver();
  }

  /** Resolves when everything that was there at the time of the call was handed out. Rejects when that cannot be read at all. */
  async readToEnd(signal?: AbortSignal): Promise<void> {
    const either =
      signal === undefined ? this.#closed.signal : AbortSignal.any([signal, this.#closed.signal]);
    const { clock, retry: policy } = this.#options;
    const ends = await retrying(() => this.#ends(), { clock, policy, signal: either });
    await this.#waiters.wait(ends, this.#positions, either);
  }

  /** Ends reading, and its connections. Idempotent. */
  async close(): Promise<void> {
    this.#closed.abort(new ConnectorError('closed', `reading of topic "${this.#options.topic}" was closed`));
    this.#wake();
    this.#options.cluster.close();
    await this.#placing;
    await Promise.all(this.#readers.values());
  }

  async #ends(): Promise<ReadonlyMap<number, number>> {
    if (this.#partitions > 0) this.#noteAdded(await this.#ask());
    const permanent = [...this.#problems.values()].find(({ retriable }) => !retriable);
    if (permanent !== undefined) throw permanent;
    if (this.#partitions === 0 || this.#unplaced.size > 0) {
      const [problem] = this.#problems.values();
      throw (
        problem ?? new ConnectorError('log_unavailable', `topic "${this.#options.topic}" is not reached yet`)
      );
    }
    const { cluster, topic } = this.#options;
    const asked = await listOffsets(cluster, { topic, leaders: this.#leaders, time: LATEST });
    const [failed] = asked.failures.values();
    if (failed !== undefined) throw failed;
    return asked.offsets;
  }

  async #placeForEver(): Promise<void> {
    const { signal } = this.#closed;
    while (!signal.aborted) {
      try {
        await this.#place();
      } catch (thrown) {
        // With every partition in its place, that no broker answers shows where they are fetched.
        const error = ConnectorError.from(thrown);
        for (const partition of this.#partitions === 0 ? [0] : this.#unplaced) this.#fail(partition, error);
      }
      if (this.#partitions > 0 && this.#unplaced.size === 0) await this.#idle();
      await this.#pause();
    }
  }

  /** Until a partition loses its place, or it is time to look whether any were added. */
  #idle(): Promise<void> {
    if (this.#closed.signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = this.#options.clock.after(LOOK_AGAIN_MS, resolve);
      this.#wake = () => {
        timer.cancel();
        resolve();
      };
    });
  }

  /** As long as the partitions without a place failed in a row. */
  async #pause(): Promise<void> {
    const { clock, retry } = this.#options;
    const failures = Math.max(0, ...this.#failures.values());
    if (failures === 0) return;
    try {
      const refused = [...this.#problems.values()].some(({ code }) => code === 'handshake_rejected');
      const delay = refused ? REFUSED_MS : backoffDelay(retry, failures, Math.random);
      await clock.sleep(delay, this.#closed.signal);
    } catch {
      // closed: the loop ends by itself
    }
  }

  async #place(): Promise<void> {
    const leaders = await this.#findLeaders();
    await this.#findBeginnings(leaders);
    for (const partition of this.#unplaced) {
      const leader = leaders.get(partition);
      if (leader === undefined || !this.#positions.has(partition)) continue;
      this.#unplaced.delete(partition);
      this.#leaders.set(partition, leader);
    }
    for (const leader of new Set(this.#leaders.values())) {
      if (!this.#readers.has(leader)) this.#readers.set(leader, this.#readFrom(leader));
      else this.#interrupt(leader);
    }
  }

  /** A fetch under way would keep partitions that were placed since waiting for as long as brokers may wait for news. */
  #interrupt(leader: number): void {
    const fetching = this.#fetching.get(leader);
    if (fetching === undefined) return;
    if ([...this.#placedAt(leader).keys()].every((partition) => fetching.positions.has(partition))) return;
    this.#fetching.delete(leader);
    fetching.link.close();
  }

  async #ask(): Promise<readonly PartitionMetadata[]> {
    const { cluster, topic } = this.#options;
    const { topicMetadata } = await cluster.metadata([topic]);
    const [found] = topicMetadata;
    if (found === undefined || found.topicErrorCode !== 0) {
      throw readError(
        found?.topicErrorCode ?? errorCodes.UNKNOWN_TOPIC_OR_PARTITION,
        `cannot read topic "${topic}"`,
      );
    }
    return found.partitionMetadata;
  }

  /** Partitions may be added to a topic while it is read. */
  #noteAdded(found: readonly PartitionMetadata[]): void {
    if (found.length <= this.#partitions) return;
    if (this.#partitions === 0) this.#problems.clear();
    for (const { partitionId } of found) if (partitionId >= this.#partitions) this.#unplaced.add(partitionId);
    this.#partitions = found.length;
    this.#wake();
  }

  /** Of the partitions without a place. */
  async #findLeaders(): Promise<ReadonlyMap<number, number>> {
    const found = await this.#ask();
    this.#noteAdded(found);
    const leaders = new Map<number, number>();
    for (const partition of this.#unplaced) {
      const row = found.find(({ partitionId }) => partitionId === partition);
      if (row !== undefined && row.leader >= 0) leaders.set(partition, row.leader);
      else {
        const what = `cannot read topic "${this.#options.topic}" partition ${partition}`;
        this.#fail(
          partition,
          readError(
            row === undefined ? errorCodes.UNKNOWN_TOPIC_OR_PARTITION : errorCodes.LEADER_NOT_AVAILABLE,
            what,
          ),
        );
      }
    }
    return leaders;
  }

  async #findBeginnings(leaders: ReadonlyMap<number, number>): Promise<void> {
    const { cluster, topic } = this.#options;
    const unknown = new Map([...leaders].filter(([partition]) => !this.#positions.has(partition)));
    const asked = await listOffsets(cluster, { topic, leaders: unknown, time: EARLIEST });
    for (const [partition, offset] of asked.offsets) this.#positions.set(partition, offset);
    for (const [partition, error] of asked.failures) this.#fail(partition, error);
  }

  /** Fetches what is placed at a broker, until nothing is. */
  async #readFrom(leader: number): Promise<void> {
    while (this.#placedAt(leader).size > 0 && !this.#closed.signal.aborted) {
      try {
        await this.#fetch(leader);
      } catch (thrown) {
        const error = ConnectorError.from(thrown);
        if (this.#closed.signal.aborted) break;
        for (const partition of this.#placedAt(leader).keys()) this.#displace(partition, error);
      }
    }
    this.#readers.delete(leader);
  }

  async #fetch(leader: number): Promise<void> {
    const { cluster, topic, fetch: settings, clock } = this.#options;
    const link = await cluster.link(leader, 'fetch');
    const positions = this.#placedAt(leader);
    const fetching = { link, positions };
    this.#fetching.set(leader, fetching);
    try {
      const answer = await fetchOnce(link, { clientId: cluster.clientId, topic, positions, settings });
      for (const partition of answer.partitions) this.#take(partition, positions);
      if (answer.throttleMs > 0) await clock.sleep(answer.throttleMs, this.#closed.signal);
    } catch (thrown) {
      const interrupted = this.#fetching.get(leader) !== fetching;
      if (!interrupted) throw thrown;
    } finally {
      this.#fetching.delete(leader);
    }
  }

  #placedAt(leader: number): ReadonlyMap<number, number> {
    const placed = [...this.#leaders].filter(([, at]) => at === leader);
    return new Map(placed.map(([partition]) => [partition, this.#positions.get(partition) ?? 0]));
  }

  #take({ partition, errorCode, batches }: FetchedBatches, positions: ReadonlyMap<number, number>): void {
    const { topic, onRecord, onReset } = this.#options;
    const from = positions.get(partition);
    if (from === undefined || this.#closed.signal.aborted) return;
    if (errorCode === errorCodes.OFFSET_OUT_OF_RANGE) {
      this.#positions.delete(partition);
      this.#leave(partition);
      onReset(partition, from);
      return;
    }
    try {
      const what = `cannot read topic "${topic}" partition ${partition}`;
      if (errorCode !== 0) throw readError(errorCode, what);
      const next = readRecordBatches(batches, { topic, partition, from, onRecord });
      if (next === from && batches.length > 0)
        throw new ConnectorError('protocol_error', `${what}: no whole batch came`);
      this.#positions.set(partition, next);
      this.#succeed(partition);
    } catch (thrown) {
      this.#displace(partition, ConnectorError.from(thrown));
    }
  }

  #succeed(partition: number): void {
    this.#failures.delete(partition);
    if (this.#problems.delete(partition)) this.#tellProblem();
    this.#waiters.advanced(this.#positions);
  }

  #displace(partition: number, error: ConnectorError): void {
    this.#leave(partition);
    this.#fail(partition, error);
    if (!error.retriable) this.#waiters.reject(error);
  }

  #leave(partition: number): void {
    this.#leaders.delete(partition);
    this.#unplaced.add(partition);
    this.#wake();
  }

  #fail(partition: number, error: ConnectorError): void {
    if (this.#closed.signal.aborted) return;
    this.#failures.set(partition, (this.#failures.get(partition) ?? 0) + 1);
    this.#problems.set(partition, error);
    this.#tellProblem();
  }

  #tellProblem(): void {
    const [problem] = this.#problems.values();
    this.#options.onProblem(problem);
  }
}
