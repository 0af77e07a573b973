import { type Clock, ConnectorError } from '@levada/connect-runtime-core';
import {
  type BackoffPolicy,
  backoffDelay,
  type CompactedRecord,
} from '@levada/connect-runtime-core/platform';
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

/** Interval of checks for new partitions, as in Java clients (`metadata.max.age.ms`). */
const LOOK_AGAIN_MS = 300_000;

export interface FollowerOptions {
  /** A cluster with separate connections. */
  readonly cluster: Cluster;
  readonly topic: string;
  readonly fetch: FetchSettings;
  readonly retry: BackoffPolicy;
  readonly clock: Clock;
  /** Called for each record, in order within a partition. Must not throw. */
  readonly onRecord: (record: CompactedRecord) => void;
  /** Called with the reason why a partition cannot be read; undefined once all are read. */
  readonly onProblem: (problem: ConnectorError | undefined) => void;
  /** Called when a broker throttles, with the milliseconds to wait. */
  readonly onThrottled: (ms: number) => void;
  /** Called when the next records were deleted; the partition is read again from its start. */
  readonly onReset: (partition: number, offset: number) => void;
}

type Placement =
  /** Without a leader. The offset is unknown until the start of the partition was requested. */
  | { readonly phase: 'unplaced'; readonly offset: number | undefined }
  /** The reader of this broker fetches it from this offset on. */
  | { readonly phase: 'placed'; readonly offset: number; readonly leader: number };

/** The last failure, and the number of consecutive ones. */
interface Trouble {
  readonly error: ConnectorError;
  readonly failures: number;
}

interface Partition {
  readonly id: number;
  placement: Placement;
  trouble: Trouble | undefined;
}

/** A fetch in flight. */
interface Fetching {
  readonly link: BrokerLink;
  readonly offsets: ReadonlyMap<number, number>;
}

/** The loop that fetches from one broker. */
interface Reader {
  fetching: Fetching | undefined;
  ended: Promise<void>;
}

/**
 * Reads all partitions of a topic from the start and follows them until it is closed. One loop finds the leaders of unplaced
 * partitions. One loop per leader fetches the partitions placed there. A partition becomes unplaced when it fails, so only one
 * loop fetches it at a time, and its records stay in order.
 */
export class TopicFollower {
  readonly #options: FollowerOptions;
  readonly #closed = new AbortController();
  readonly #waiters: EndWaiters;
  /** By id; empty until the topic was described. */
  readonly #partitions = new Map<number, Partition>();
  /** Trouble while there are no partitions. */
  #topicTrouble: Trouble | undefined;
  /** By broker. */
  readonly #readers = new Map<number, Reader>();
  #wake: () => void = () => undefined;
  #placing: Promise<void> | undefined;

  constructor(options: FollowerOptions) {
    this.#options = options;
    this.#waiters = new EndWaiters((partition) => this.#partitions.get(partition)?.placement.offset ?? 0);
  }

  /** Starts to read, and retries while brokers are unreachable. */
  start(): void {
    this.#placing ??= this.#keepPlacing();
  }

  /** Resolves when all records present at the time of the call were delivered. Rejects if they cannot be read at all. */
  async readToEnd(signal?: AbortSignal): Promise<void> {
    await this.#readTo('end', signal);
  }

  /** As {@link readToEnd}, but up to the first open transaction: a killed writer leaves one until it is fenced. */
  async readCommitted(signal?: AbortSignal): Promise<void> {
    await this.#readTo('committed', signal);
  }

  async #readTo(what: 'end' | 'committed', signal?: AbortSignal): Promise<void> {
    const either =
      signal === undefined ? this.#closed.signal : AbortSignal.any([signal, this.#closed.signal]);
    const { clock, retry: policy } = this.#options;
    const ends = await retrying(() => this.#ends(what === 'committed'), { clock, policy, signal: either });
    await this.#waiters.wait(ends, either);
  }

  /** Stops reading and closes the connections. Idempotent. */
  async close(): Promise<void> {
    this.#closed.abort(new ConnectorError('closed', `reading of topic "${this.#options.topic}" was closed`));
    this.#wake();
    this.#options.cluster.close();
    await this.#placing;
    await Promise.all([...this.#readers.values()].map(({ ended }) => ended));
  }

  async #ends(committed: boolean): Promise<ReadonlyMap<number, number>> {
    const { cluster, topic } = this.#options;
    if (this.#partitions.size > 0) this.#noteAdded(await this.#describe());
    const errors = this.#troubles().map(({ error }) => error);
    const permanent = errors.find(({ retriable }) => !retriable);
    if (permanent !== undefined) throw permanent;
    if (this.#partitions.size === 0 || this.#unplacedPartitions().length > 0)
      throw (
        errors[0] ??
        new ConnectorError(
          'log_unavailable',
          `topic "${topic}" cannot be read yet: not all of its partitions have a known leader`,
        )
      );
    const asked = await listOffsets(cluster, { topic, leaders: this.#leaders(), time: LATEST, committed });
    const [failed] = asked.failures.values();
    if (failed !== undefined) throw failed;
    return asked.offsets;
  }

  async #keepPlacing(): Promise<void> {
    const { signal } = this.#closed;
    while (!signal.aborted) {
      try {
        await this.#place();
      } catch (thrown) {
        // If every partition is placed, the fetches show that no broker answers
        this.#placingFailed(ConnectorError.from(thrown));
      }
      if (this.#partitions.size > 0 && this.#unplacedPartitions().length === 0)
        await this.#waitUntilUnplaced();
      await this.#pause();
    }
  }

  #placingFailed(error: ConnectorError): void {
    for (const partition of this.#unplacedPartitions()) this.#fail(partition, error);
    if (this.#partitions.size > 0 || this.#closed.signal.aborted) return;
    this.#topicTrouble = oneMore(this.#topicTrouble, error);
    this.#reportProblem();
  }

  /** Waits until a partition becomes unplaced, or until new partitions must be checked. */
  #waitUntilUnplaced(): Promise<void> {
    if (this.#closed.signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = this.#options.clock.after(LOOK_AGAIN_MS, resolve);
      this.#wake = () => {
        timer.cancel();
        resolve();
      };
    });
  }

  /** Waits longer with each consecutive failure. */
  async #pause(): Promise<void> {
    const { clock, retry } = this.#options;
    const troubles = this.#troubles();
    if (troubles.length === 0) return;
    const failures = Math.max(...troubles.map((trouble) => trouble.failures));
    const refused = troubles.some(({ error }) => error.code === 'handshake_rejected');
    const delay = refused ? REFUSED_MS : backoffDelay(retry, failures, Math.random);
    // Closed: the loop ends by itself
    await clock.sleep(delay, this.#closed.signal).catch(() => undefined);
  }

  async #place(): Promise<void> {
    const leaders = await this.#findLeaders();
    await this.#findBeginnings(leaders);
    for (const partition of this.#unplacedPartitions()) {
      const leader = leaders.get(partition.id);
      const { offset } = partition.placement;
      if (leader !== undefined && offset !== undefined)
        partition.placement = { phase: 'placed', leader, offset };
    }
    for (const leader of new Set(this.#leaders().values())) {
      const reader = this.#readers.get(leader);
      if (reader === undefined) this.#startReader(leader);
      else this.#interrupt(leader, reader);
    }
  }

  #startReader(leader: number): void {
    const reader: Reader = { fetching: undefined, ended: Promise.resolve() };
    this.#readers.set(leader, reader);
    reader.ended = this.#readFrom(leader, reader);
  }

  /** Interrupts a fetch, which would otherwise delay newly placed partitions by the brokers' maximum wait. */
  #interrupt(leader: number, reader: Reader): void {
    const { fetching } = reader;
    if (fetching === undefined) return;
    if ([...this.#placedAt(leader).keys()].every((partition) => fetching.offsets.has(partition))) return;
    reader.fetching = undefined;
    fetching.link.close();
  }

  async #describe(): Promise<readonly PartitionMetadata[]> {
    const { cluster, topic } = this.#options;
    const { topics } = await cluster.metadata([topic]);
    const [found] = topics;
    const errorCode = found?.errorCode ?? errorCodes.UNKNOWN_TOPIC_OR_PARTITION;
    if (found === undefined || errorCode !== errorCodes.NONE)
      throw readError(errorCode, `cannot read topic "${topic}"`);
    return found.partitions;
  }

  /** Partitions may be added to a topic while it is read. */
  #noteAdded(found: readonly PartitionMetadata[]): void {
    if (found.length <= this.#partitions.size) return;
    this.#topicTrouble = undefined;
    for (const { partitionIndex: id } of found) {
      if (this.#partitions.has(id)) continue;
      this.#partitions.set(id, {
        id,
        placement: { phase: 'unplaced', offset: undefined },
        trouble: undefined,
      });
    }
    this.#wake();
  }

  /** Leaders of the unplaced partitions. */
  async #findLeaders(): Promise<ReadonlyMap<number, number>> {
    const found = await this.#describe();
    this.#noteAdded(found);
    const leaders = new Map<number, number>();
    for (const partition of this.#unplacedPartitions()) {
      const row = found.find(({ partitionIndex }) => partitionIndex === partition.id);
      if (row !== undefined && row.leaderId >= 0) leaders.set(partition.id, row.leaderId);
      else {
        const { UNKNOWN_TOPIC_OR_PARTITION, LEADER_NOT_AVAILABLE } = errorCodes;
        const errorCode = row === undefined ? UNKNOWN_TOPIC_OR_PARTITION : LEADER_NOT_AVAILABLE;
        this.#fail(partition, readError(errorCode, this.#cannotRead(partition.id)));
      }
    }
    return leaders;
  }

  async #findBeginnings(leaders: ReadonlyMap<number, number>): Promise<void> {
    const { cluster, topic } = this.#options;
    const unknown = [...leaders].filter(([id]) => this.#partitions.get(id)?.placement.offset === undefined);
    const asked = await listOffsets(cluster, { topic, leaders: new Map(unknown), time: EARLIEST });
    for (const partition of this.#unplacedPartitions()) {
      const offset = asked.offsets.get(partition.id);
      const error = asked.failures.get(partition.id);
      if (offset !== undefined) partition.placement = { phase: 'unplaced', offset };
      if (error !== undefined) this.#fail(partition, error);
    }
  }

  /** Fetches the partitions placed at a broker until none are left. */
  async #readFrom(leader: number, reader: Reader): Promise<void> {
    while (this.#placedAt(leader).size > 0 && !this.#closed.signal.aborted) {
      try {
        await this.#fetch(leader, reader);
      } catch (thrown) {
        const error = ConnectorError.from(thrown);
        if (this.#closed.signal.aborted) break;
        for (const id of this.#placedAt(leader).keys()) this.#displace(id, error);
      }
    }
    this.#readers.delete(leader);
  }

  async #fetch(leader: number, reader: Reader): Promise<void> {
    const { cluster, topic, fetch: settings, clock, onThrottled } = this.#options;
    const link = await cluster.link(leader, 'fetch');
    const offsets = this.#placedAt(leader);
    const fetching = { link, offsets };
    reader.fetching = fetching;
    try {
      const answer = await fetchOnce(link, { topic, positions: offsets, settings });
      for (const batches of answer.partitions) this.#take(batches, offsets);
      if (answer.throttleMs > 0) {
        onThrottled(answer.throttleMs);
        await clock.sleep(answer.throttleMs, this.#closed.signal);
      }
    } catch (thrown) {
      const interrupted = reader.fetching !== fetching;
      if (!interrupted) throw thrown;
    } finally {
      reader.fetching = undefined;
    }
  }

  #take(
    { partition: id, errorCode, batches, aborted }: FetchedBatches,
    offsets: ReadonlyMap<number, number>,
  ): void {
    const { topic, onRecord, onReset } = this.#options;
    const from = offsets.get(id);
    const partition = this.#partitions.get(id);
    if (from === undefined || partition?.placement.phase !== 'placed') return;
    if (this.#closed.signal.aborted) return;
    if (errorCode === errorCodes.OFFSET_OUT_OF_RANGE) {
      this.#leave(partition, undefined);
      onReset(id, from);
      return;
    }
    try {
      if (errorCode !== errorCodes.NONE) throw readError(errorCode, this.#cannotRead(id));
      const offset = readRecordBatches(batches, { topic, partition: id, from, aborted, onRecord });
      if (offset === from && batches.length > 0)
        throw new ConnectorError(
          'protocol_error',
          `${this.#cannotRead(id)}: the broker sent no complete batch`,
        );
      partition.placement = { ...partition.placement, offset };
      this.#succeed(partition);
    } catch (thrown) {
      this.#displace(id, ConnectorError.from(thrown));
    }
  }

  #succeed(partition: Partition): void {
    const { trouble } = partition;
    partition.trouble = undefined;
    if (trouble !== undefined) this.#reportProblem();
    this.#waiters.noteAdvance();
  }

  #displace(id: number, error: ConnectorError): void {
    const partition = this.#partitions.get(id);
    if (partition === undefined) return;
    this.#leave(partition, partition.placement.offset);
    this.#fail(partition, error);
    if (!error.retriable) this.#waiters.reject(error);
  }

  #leave(partition: Partition, offset: number | undefined): void {
    partition.placement = { phase: 'unplaced', offset };
    this.#wake();
  }

  #fail(partition: Partition, error: ConnectorError): void {
    if (this.#closed.signal.aborted) return;
    partition.trouble = oneMore(partition.trouble, error);
    this.#reportProblem();
  }

  #reportProblem(): void {
    this.#options.onProblem(this.#troubles()[0]?.error);
  }

  #troubles(): readonly Trouble[] {
    const troubles = [...this.#partitions.values()].map(({ trouble }) => trouble);
    return [this.#topicTrouble, ...troubles].filter((trouble) => trouble !== undefined);
  }

  #unplacedPartitions(): readonly Partition[] {
    return [...this.#partitions.values()].filter(({ placement }) => placement.phase === 'unplaced');
  }

  /** Leaders of the placed partitions. */
  #leaders(): ReadonlyMap<number, number> {
    const leaders = new Map<number, number>();
    for (const { id, placement } of this.#partitions.values())
      if (placement.phase === 'placed') leaders.set(id, placement.leader);
    return leaders;
  }

  /** Offsets of the partitions placed at a broker. */
  #placedAt(leader: number): ReadonlyMap<number, number> {
    const offsets = new Map<number, number>();
    for (const { id, placement } of this.#partitions.values())
      if (placement.phase === 'placed' && placement.leader === leader) offsets.set(id, placement.offset);
    return offsets;
  }

  #cannotRead(partition: number): string {
    return `cannot read topic "${this.#options.topic}" partition ${partition}`;
  }
}

function oneMore(trouble: Trouble | undefined, error: ConnectorError): Trouble {
  return { error, failures: (trouble?.failures ?? 0) + 1 };
}
