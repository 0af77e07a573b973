import { ConnectorError } from '@levada/connect-runtime-core';
import type { TransactionCoordinator } from '../cluster/transaction-coordinator.ts';
import { retrying, retryPolicy } from '../model/retrying.ts';
import type { PartitionState } from './partition-state.ts';
import type { ProducerContext } from './producer-context.ts';
import type { ProducerIdentity } from './producer-identity.ts';

/** How often it is asked whether the producer may write again. */
const MAY_PRODUCE_LOOK_MS = 100;

/** The transactional id of a producer, and for how long its transactions may be open. */
export interface TransactionSettings {
  readonly id: string;
  /** Kafka's `transaction.timeout.ms`: the coordinator ends a transaction that is open for longer. */
  readonly timeoutMs: number;
}

export interface ProducerTransactionParts {
  readonly settings: TransactionSettings;
  readonly coordinator: TransactionCoordinator;
  /** Partitions became part of the transaction: what waits for that may be sent. */
  readonly onAdmitted: () => void;
  /** The coordinator does not know a topic: it may have been deleted. */
  readonly onTopicMissing: () => void;
  /** Nothing can be written any more with this identity. Called once. */
  readonly onFailed: (error: ConnectorError) => void;
}

/**
 * The transactions of one producer, one after the other (KIP-98): a partition is added to the open one before its first batch is
 * sent, and the end of each is the coordinator's. What cannot be continued fails for good: only a new producer with the same id, which the
 * coordinator gives a new epoch, can continue, and what was open then is aborted.
 */
export class ProducerTransaction {
  readonly #context: ProducerContext;
  readonly #parts: ProducerTransactionParts;
  #identity: ProducerIdentity | undefined;
  #failure: ConnectorError | undefined;
  readonly #added = new Set<PartitionState>();
  readonly #wanted = new Set<PartitionState>();
  #adding: Promise<void> | undefined;

  constructor(context: ProducerContext, parts: ProducerTransactionParts) {
    this.#context = context;
    this.#parts = parts;
  }

  /** Why nothing more can be written; undefined while it can. */
  get failure(): ConnectorError | undefined {
    return this.#failure;
  }

  /** Fences earlier producers of the id. Resolves when what they had open is ended; tries until the signal aborts or it is refused for good. */
  async init(signal: AbortSignal): Promise<void> {
    const { coordinator, settings } = this.#parts;
    const either = AbortSignal.any([signal, this.#context.signal]);
    this.#identity = await this.#retrying(async () => {
      // A worker that was frozen must not fence its successor.
      await this.#permission(either);
      return await coordinator.init(settings.timeoutMs);
    }, either);
  }

  /** The one identity of all partitions; undefined before {@link init}, and after a failure. */
  identity(): ProducerIdentity | undefined {
    return this.#failure === undefined ? this.#identity : undefined;
  }

  /** True when the partition is part of the open transaction. Otherwise it is made so in the background. */
  admits(partition: PartitionState): boolean {
    if (this.#failure !== undefined) return false;
    if (this.#added.has(partition)) return true;
    this.#wanted.add(partition);
    this.#adding ??= this.#add();
    return false;
  }

  /**
   * Ends the open transaction, if there is one. To be called when everything that was sent is settled. Rejects when that cannot be done any
   * more: then nothing of it is visible, unless the rejection is `closed`, which leaves it open.
   */
  async end(outcome: 'commit' | 'abort'): Promise<void> {
    await this.#adding;
    if (this.#failure !== undefined) throw this.#failure;
    const identity = this.#identity;
    if (identity === undefined || this.#added.size === 0) return;
    try {
      await this.#retrying(async () => {
        await this.#permission();
        await this.#parts.coordinator.end(identity, outcome);
      });
    } catch (thrown) {
      throw this.fail(ConnectorError.from(thrown));
    }
    this.#added.clear();
  }

  /** The transaction cannot be continued. Returns the first reason for that. */
  fail(error: ConnectorError): ConnectorError {
    if (this.#failure === undefined) {
      this.#failure = error;
      this.#wanted.clear();
      this.#parts.onFailed(error);
    }
    return this.#failure;
  }

  async #add(): Promise<void> {
    try {
      while (this.#wanted.size > 0 && this.#identity !== undefined) await this.#addWanted(this.#identity);
    } catch (thrown) {
      this.fail(ConnectorError.from(thrown));
    } finally {
      this.#adding = undefined;
    }
  }

  async #addWanted(identity: ProducerIdentity): Promise<void> {
    const partitions = await this.#retrying(async () => {
      await this.#permission();
      // Those whose records were given up meanwhile, as when their topic was deleted, are not waited for.
      for (const partition of this.#wanted) if (partition.empty) this.#wanted.delete(partition);
      const wanted = [...this.#wanted];
      if (wanted.length > 0) await this.#addPartitions(identity, wanted);
      return wanted;
    });
    for (const partition of partitions) {
      this.#wanted.delete(partition);
      this.#added.add(partition);
    }
    this.#parts.onAdmitted();
  }

  async #addPartitions(identity: ProducerIdentity, partitions: readonly PartitionState[]): Promise<void> {
    try {
      await this.#parts.coordinator.add(identity, byTopic(partitions));
    } catch (thrown) {
      if (ConnectorError.from(thrown).code === 'topic_unavailable') this.#parts.onTopicMissing();
      throw thrown;
    }
  }

  /** Until the worker is sure again that it owns what it writes. */
  async #permission(signal: AbortSignal = this.#context.signal): Promise<void> {
    const { mayProduce, clock } = this.#context;
    while (!mayProduce()) await clock.sleep(MAY_PRODUCE_LOOK_MS, signal);
  }

  /** The pauses are short: while the coordinator still writes the end of the transaction before, a few milliseconds are enough. */
  #retrying<T>(work: () => Promise<T>, signal: AbortSignal = this.#context.signal): Promise<T> {
    const { clock, settings } = this.#context;
    const policy = retryPolicy(Math.min(20, settings.retryBackoffMs), settings.retryBackoffMaxMs);
    return retrying(work, { clock, policy, signal });
  }
}

function byTopic(partitions: readonly PartitionState[]) {
  const topics = Map.groupBy(partitions, ({ topic }) => topic);
  return [...topics].map(([name, those]) => ({ name, partitions: those.map(({ id }) => id) }));
}
