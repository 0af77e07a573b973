import { ConnectorError } from '@levada/connect-runtime-core';
import type { TransactionCoordinator } from '../cluster/transaction-coordinator.ts';
import { retrying, retryPolicy } from '../model/retrying.ts';
import type { PartitionState } from './partition-state.ts';
import type { ProducerContext } from './producer-context.ts';
import type { ProducerIdentity } from './producer-identity.ts';

/** Interval of asking whether the producer may write again, in milliseconds. */
const MAY_PRODUCE_LOOK_MS = 100;

/** The transactional id of a producer, and the timeout of its transactions. */
export interface TransactionSettings {
  readonly id: string;
  /** Kafka's `transaction.timeout.ms`: the coordinator ends a transaction that is open for longer. */
  readonly timeoutMs: number;
}

export interface ProducerTransactionParts {
  readonly settings: TransactionSettings;
  readonly coordinator: TransactionCoordinator;
  /** Called when partitions became part of the transaction, so that their batches may be sent. */
  readonly onAdmitted: () => void;
  /** Called if the coordinator does not know a topic, which may have been deleted. */
  readonly onTopicMissing: () => void;
  /** Called once, when nothing can be written with this identity any longer. */
  readonly onFailed: (error: ConnectorError) => void;
}

/**
 * The consecutive transactions of one producer (KIP-98). A partition is added to the open transaction before its first batch is
 * sent; the coordinator ends each transaction. A failure is permanent: only a new producer with the same id, which gets a new
 * epoch, can continue, and the open transaction is aborted.
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

  /** The reason why nothing can be written; undefined if it can. */
  get failure(): ConnectorError | undefined {
    return this.#failure;
  }

  /**
   * Fences earlier producers of the id. Resolves when their open transaction is ended. Retries until the signal aborts or the
   * request is refused permanently.
   */
  async init(signal: AbortSignal): Promise<void> {
    const { coordinator, settings } = this.#parts;
    const either = AbortSignal.any([signal, this.#context.signal]);
    this.#identity = await this.#retrying(async () => {
      // A frozen worker must not fence its successor
      await this.#permission(either);
      return await coordinator.init(settings.timeoutMs);
    }, either);
  }

  /** The identity of all partitions; undefined before {@link init}, and after a failure. */
  identity(): ProducerIdentity | undefined {
    return this.#failure === undefined ? this.#identity : undefined;
  }

  /** Whether the partition is part of the open transaction. If not, it is added in the background. */
  admits(partition: PartitionState): boolean {
    if (this.#failure !== undefined) return false;
    if (this.#added.has(partition)) return true;
    this.#wanted.add(partition);
    this.#adding ??= this.#add();
    return false;
  }

  /**
   * Ends the open transaction, if there is one. Call it when all sent records are settled. Rejects if the transaction cannot be
   * ended: none of it is visible then, unless the rejection is `closed`, which leaves it open.
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

  /** The transaction cannot continue. Returns the first reason. */
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
      // Partitions whose records were given up meanwhile, because their topic was deleted, are skipped
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

  /** Waits until the worker is certain again that it owns its records. */
  async #permission(signal: AbortSignal = this.#context.signal): Promise<void> {
    const { mayProduce, clock } = this.#context;
    while (!mayProduce()) await clock.sleep(MAY_PRODUCE_LOOK_MS, signal);
  }

  /** Short pauses: the coordinator takes only milliseconds to write the end of the previous transaction. */
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
