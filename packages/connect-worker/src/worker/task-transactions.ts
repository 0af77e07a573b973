import {
  type Clock,
  ConnectorError,
  isConnectorError,
  type SourceRecord,
  type Timer,
} from '@levada/connect-runtime-core';
import { type Delivery, type OffsetTracker, within } from '@levada/connect-runtime-core/host';
import type { LogRecord, TransactionalProducer } from '@levada/connect-runtime-core/platform';
import type { TransactionBoundary } from '../config/exactly-once.ts';
import type { ConnectorOffsets } from '../stores/offset-stores.ts';

export interface TaskTransactionsOptions {
  readonly producer: TransactionalProducer;
  readonly delivery: Delivery;
  readonly tracker: OffsetTracker;
  readonly offsets: ConnectorOffsets;
  readonly boundary: TransactionBoundary;
  readonly clock: Clock;
  /** A transaction could not be committed. The task cannot continue: only a new task finds out what of it is stored. */
  readonly onFailure: (error: ConnectorError) => void;
  /** A commit ended, after so many milliseconds. */
  readonly onEnd?: (succeeded: boolean, ms: number) => void;
}

/** With boundary `interval`, a transaction of so many records is committed before the interval is over: they are kept in memory until then. */
const MOST_HELD_RECORDS = 50_000;
/** Longest that an abort is tried before it is left to the next task, or to the transaction time-out. */
const ABORT_MS = 5_000;

/**
 * Puts a task's records and their offsets into transactions, one after the other: what a new task reads again is exactly what no
 * transaction has. A commit waits until every record is stored, adds the offsets, and ends the transaction; batches that come meanwhile
 * wait for it. A commit does not wait for a batch that may not be sent yet. Corresponds to Kafka Connect's `ExactlyOnceWorkerSourceTask`.
 */
export class TaskTransactions {
  readonly #options: TaskTransactionsOptions;
  #committing: Promise<boolean> | undefined;
  #timer: Timer | undefined;
  /** Monotonic time of the first batch of the open transaction. */
  #openSince: number | undefined;
  /** The source asked for a commit after the next batch. */
  #requested = false;
  #failed = false;
  #stopped = false;

  constructor(options: TaskTransactionsOptions) {
    this.#options = options;
  }

  /**
   * Asked before a batch is sent. The commit that is under way, if there is one: what is sent after its offsets would be in the transaction
   * without its own.
   */
  hold(): Promise<unknown> | undefined {
    if (this.#committing === undefined) this.#openSince ??= this.#options.clock.monotonic();
    return this.#committing;
  }

  /** Whether an error can mean that the log ended the transaction because it was open for too long, as when brokers were away. */
  isTimeout(error: unknown): boolean {
    const { clock, producer } = this.#options;
    if (this.#openSince === undefined || !isConnectorError(error) || error.code !== 'fenced') return false;
    return clock.monotonic() - this.#openSince >= producer.transactionTimeoutMs;
  }

  /** Hands a batch over. Never rejects. */
  async deliver(records: readonly SourceRecord[]): Promise<void> {
    const { delivery, boundary } = this.#options;
    await delivery.deliver(records);
    if (boundary.kind === 'poll' || this.#requested || this.#isFull) void this.commit();
    else if (boundary.kind === 'interval') this.#arm(boundary.ms);
  }

  /** With boundary `connector`: the batch that `poll` returns next is the last of its transaction. */
  request(): void {
    if (this.#options.boundary.kind === 'connector') this.#requested = true;
  }

  /** Nothing is committed any more by itself. */
  stop(): void {
    this.#stopped = true;
    this.#timer?.cancel();
  }

  /** Commits what was delivered. False when that failed, now or before. Never rejects. */
  commit(): Promise<boolean> {
    this.#timer?.cancel();
    this.#timer = undefined;
    this.#requested = false;
    this.#committing ??= this.#commit().finally(() => {
      this.#committing = undefined;
    });
    return this.#committing;
  }

  /**
   * Ends the last transaction: commits it when everything was delivered, within the time; otherwise nothing of it counts. With boundary
   * `connector` what the source did not complete is not committed. Never rejects.
   */
  async finish(timeoutMs: number): Promise<void> {
    this.stop();
    const { delivery, boundary, clock, producer } = this.#options;
    await this.#committing;
    if (this.#isComplete && !this.#failed && boundary.kind !== 'connector') {
      await within({ clock, ms: timeoutMs }, 'committing the last transaction', this.commit()).catch(
        (thrown: unknown) => this.#fail(ConnectorError.from(thrown)),
      );
    }
    if (delivery.held === 0 && this.#isComplete) return;
    delivery.discard('produce_rejected');
    if (this.#failed) return;
    await within({ clock, ms: ABORT_MS }, 'aborting a transaction', producer.abort()).catch(() => {
      // The next task aborts it, or the log does when the transaction has been open for too long.
    });
  }

  /** False: some record is neither stored nor given up on purpose, so no offset after it may be committed. */
  get #isComplete(): boolean {
    const { failure, undelivered } = this.#options.delivery;
    return failure === undefined && undelivered === 0;
  }

  get #isFull(): boolean {
    const { boundary, delivery } = this.#options;
    return boundary.kind === 'interval' && delivery.held >= MOST_HELD_RECORDS;
  }

  /** Half of the time-out is left for the commit itself. */
  #arm(ms: number): void {
    if (this.#timer !== undefined || this.#stopped) return;
    const { clock, producer } = this.#options;
    this.#timer = clock.after(Math.min(ms, producer.transactionTimeoutMs / 2), () => void this.commit());
  }

  async #commit(): Promise<boolean> {
    const { delivery, tracker, offsets, producer, clock, onEnd } = this.#options;
    await delivery.settled();
    if (this.#failed || !this.#isComplete) return false;
    const committable = tracker.committable();
    const begun = clock.monotonic();
    try {
      await this.#sendOffsets(await offsets.records(committable, clock.now()));
      await producer.commit();
    } catch (thrown) {
      onEnd?.(false, clock.monotonic() - begun);
      this.#fail(ConnectorError.from(thrown));
      return false;
    }
    onEnd?.(true, clock.monotonic() - begun);
    this.#openSince = undefined;
    offsets.committed(committable);
    delivery.release();
    return true;
  }

  async #sendOffsets(records: readonly LogRecord[]): Promise<void> {
    if (records.length === 0) return;
    const { failures } = await this.#options.producer.send(records);
    const [failure] = failures;
    if (failure !== undefined) throw failure.error;
  }

  #fail(error: ConnectorError): void {
    this.#failed = true;
    this.#options.delivery.discard(error.code === 'fenced' ? 'fenced' : 'delivery_unknown');
    this.#options.onFailure(error);
  }
}
