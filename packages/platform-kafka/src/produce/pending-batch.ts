import { ConnectorError } from '@levada/connect-runtime-core';
import type { LogRecord } from '@levada/connect-runtime-core/platform';
import type { Codec } from '../compression/codecs.ts';
import type { BatchNumber, RecordBatch } from './record-batch.ts';
import { RecordRuns, type Submission } from './submission.ts';

/** Counts unsettled bytes. */
export interface ByteLedger {
  pendingBytes: number;
  /** Bytes in full batches that were never sent, and of records with unknown partitions. */
  unsentBytes: number;
}

/** The counter of a new batch, and the start of its delivery timeout (monotonic time). */
export interface BatchContext {
  readonly ledger: ByteLedger;
  readonly createdAt: number;
}

type State =
  | { readonly phase: 'filling' }
  /** Sealed, without a sequence number. */
  | { readonly phase: 'queued' }
  | {
      readonly phase: 'waiting' | 'in-flight';
      /** Sequence number of the first record. */
      readonly sequence: number;
      /** Whether the batch may be stored: an earlier attempt was not answered, or the answer was inconclusive. */
      readonly inDoubt: boolean;
    };

/** A batch in flight: its records, their submissions, and its progress. */
export class PendingBatch {
  readonly records: RecordBatch;
  /** Monotonic time of its first record, the start of the delivery timeout. */
  readonly createdAt: number;
  readonly #ledger: ByteLedger;
  #runs = new RecordRuns();
  #state: State = { phase: 'filling' };
  /** Number of attempts. */
  #attempts = 0;
  #bytes: number;
  /** Bytes counted as unsent in the ledger. */
  #unsent = 0;
  #settled = false;

  constructor(records: RecordBatch, { ledger, createdAt }: BatchContext) {
    this.records = records;
    this.createdAt = createdAt;
    this.#ledger = ledger;
    this.#bytes = records.bytes;
    this.#ledger.pendingBytes += this.#bytes;
  }

  get phase(): State['phase'] {
    return this.#state.phase;
  }

  /** Sequence number of the first record. */
  get sequence(): number | undefined {
    return 'sequence' in this.#state ? this.#state.sequence : undefined;
  }

  /** Whether it may be stored already. */
  get inDoubt(): boolean {
    return 'inDoubt' in this.#state && this.#state.inDoubt;
  }

  get count(): number {
    return this.records.count;
  }

  get bytes(): number {
    return this.records.bytes;
  }

  /** Whether its submissions know the outcome. The batch itself may have to be sent again to keep the sequence. */
  get settled(): boolean {
    return this.#settled;
  }

  /** Copies a record, which must fit. `index` is its index in the submission. */
  append(record: LogRecord, headers: Uint8Array, owner: BatchOwner): void {
    this.records.append(record, headers);
    this.#runs.add(owner.submission, owner.index);
    const grown = this.records.bytes - this.#bytes;
    this.#bytes += grown;
    this.#ledger.pendingBytes += grown;
  }

  seal(partition: number, codec: Codec, transactional = false): void {
    this.records.seal(partition, codec, transactional);
    this.#state = { phase: 'queued' };
    if (this.#settled) return;
    this.#unsent = this.#bytes;
    this.#ledger.unsentBytes += this.#unsent;
  }

  number(number: BatchNumber): void {
    this.records.number(number);
    this.#state = { phase: 'waiting', sequence: number.sequence, inDoubt: false };
  }

  /** The batch is certainly not stored, and its number is reused. */
  loseNumber(): void {
    this.#state = { phase: 'queued' };
  }

  noteSent(): void {
    this.#leaveUnsent();
    this.#attempts += 1;
    this.#state = { phase: 'in-flight', sequence: this.sequence ?? 0, inDoubt: this.inDoubt };
  }

  /** Queues it to be sent again. */
  requeue(inDoubt: boolean): void {
    this.#state = { phase: 'waiting', sequence: this.sequence ?? 0, inDoubt };
  }

  /** Settles all records as stored. */
  succeed(): void {
    if (!this.#settle()) return;
    this.#runs.settleStored();
  }

  /** Settles all records as failed. */
  fail(error: ConnectorError): void {
    if (!this.#settle()) return;
    this.#runs.settleFailed(error);
  }

  /** Stops waiting for the outcome. */
  giveUp({ sent, unsent }: GiveUpErrors): void {
    this.fail(this.#attempts > 0 ? sent : unsent);
  }

  /** Two halves in order, which replace this batch. None of its records may be stored. */
  halves(): readonly PendingBatch[] {
    const middle = this.count >> 1;
    const made = [this.#part(0, middle), this.#part(middle, this.count)];
    this.#replaced();
    return made;
  }

  /** Fails single records by index. The rest, if any, becomes a new batch. None of its records may be stored. */
  without(errors: ReadonlyMap<number, ConnectorError>): PendingBatch | undefined {
    const leftOut = new Set(errors.keys());
    const rest = leftOut.size < this.count ? this.#part(0, this.count, leftOut) : undefined;
    if (!this.#settled) this.#runs.failedAt(errors);
    this.#replaced();
    return rest;
  }

  #part(from: number, to: number, leftOut: ReadonlySet<number> = new Set()): PendingBatch {
    const made = new PendingBatch(this.records.part(from, to, leftOut), {
      ledger: this.#ledger,
      createdAt: this.createdAt,
    });
    made.#runs = this.#runs.part(from, to, leftOut);
    made.#state = { phase: 'queued' };
    made.#attempts = this.#attempts;
    if (this.#settled) made.#settle();
    return made;
  }

  #replaced(): void {
    this.#settle();
    this.records.release();
  }

  /** Returns false if it was settled before. */
  #settle(): boolean {
    if (this.#settled) return false;
    this.#leaveUnsent();
    this.#settled = true;
    this.#ledger.pendingBytes -= this.#bytes;
    return true;
  }

  /** At the first attempt, or when its outcome is no longer awaited. */
  #leaveUnsent(): void {
    this.#ledger.unsentBytes -= this.#unsent;
    this.#unsent = 0;
  }
}

/** The submission of a record. */
export interface BatchOwner {
  readonly submission: Submission;
  /** Index in the submission. */
  readonly index: number;
}

/** The errors of given-up records: for those that were sent and may be stored, and for the others. */
export interface GiveUpErrors {
  readonly sent: ConnectorError;
  readonly unsent: ConnectorError;
}

/** Errors whose cause says whether the record may be stored. */
export function givenUp(code: 'delivery_timeout' | 'closed', message: string): GiveUpErrors {
  const because = (cause: string): ConnectorError =>
    new ConnectorError(code, message, { cause: new Error(cause) });
  return {
    sent: because('it was sent and not acknowledged: it may have been stored'),
    unsent: because('it was not sent: it is not stored'),
  };
}

/** The same error for sent and unsent records. */
export function sameError(error: ConnectorError): GiveUpErrors {
  return { sent: error, unsent: error };
}
