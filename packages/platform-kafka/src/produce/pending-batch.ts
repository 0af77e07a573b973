import { ConnectorError } from '@levada/connect-runtime-core';
import type { LogRecord } from '@levada/connect-runtime-core/platform';
import type { Codec } from '../compression/codecs.ts';
import type { BatchNumber, RecordBatch } from './record-batch.ts';
import { RecordRuns, type Submission } from './submission.ts';

/** Counts bytes that were handed over and are not settled. */
export interface ByteLedger {
  pendingBytes: number;
  /** Of those, bytes in full batches that were not sent once, and of records whose partitions are not known. */
  unsentBytes: number;
}

/** Where a new batch is counted, and since when its delivery timeout runs (monotonic time). */
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
      /** An earlier attempt was not answered, or the answer left it open: the batch may be stored. */
      readonly inDoubt: boolean;
    };

/** A batch on its way: its records, which submissions they belong to, and how far it got. */
export class PendingBatch {
  readonly records: RecordBatch;
  /** Monotonic time of its first record: the delivery timeout runs from here. */
  readonly createdAt: number;
  readonly #ledger: ByteLedger;
  #runs = new RecordRuns();
  #state: State = { phase: 'filling' };
  /** How often it was sent. */
  #attempts = 0;
  #bytes: number;
  /** As far as they are in the ledger's unsent ones. */
  #unsent = 0;
  #settled = false;

  /** An empty batch. */
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

  /** True: it may be stored already. */
  get inDoubt(): boolean {
    return 'inDoubt' in this.#state && this.#state.inDoubt;
  }

  get count(): number {
    return this.records.count;
  }

  get bytes(): number {
    return this.records.bytes;
  }

  /** True when its submissions know the outcome, though the batch itself may have to be sent again to keep the numbers in order. */
  get settled(): boolean {
    return this.#settled;
  }

  /** Copies in a record, which must fit: the one at this index of the submission. */
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

  /** It is surely not stored, and its number is given to others. */
  loseNumber(): void {
    this.#state = { phase: 'queued' };
  }

  sent(): void {
    this.#leaveUnsent();
    this.#attempts += 1;
    this.#state = { phase: 'in-flight', sequence: this.sequence ?? 0, inDoubt: this.inDoubt };
  }

  /** It is to be sent again. */
  requeue(inDoubt: boolean): void {
    this.#state = { phase: 'waiting', sequence: this.sequence ?? 0, inDoubt };
  }

  /** Everything is stored. */
  stored(): void {
    if (!this.#settle()) return;
    this.#runs.stored();
  }

  /** Nothing will be stored. */
  failed(error: ConnectorError): void {
    if (!this.#settle()) return;
    this.#runs.failed(error);
  }

  /** Its outcome is not awaited any more. */
  giveUp({ sent, unsent }: GiveUpErrors): void {
    this.failed(this.#attempts > 0 ? sent : unsent);
  }

  /** Two halves in order, in place of this batch, which is not to be used any more. Nothing of it may be stored. */
  halves(): readonly PendingBatch[] {
    const middle = this.count >> 1;
    const made = [this.#part(0, middle), this.#part(middle, this.count)];
    this.#replaced();
    return made;
  }

  /** Fails single records, by index; the rest, if any, is a new batch in place of this one. Nothing of it may be stored. */
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

  /** Returns false when that was done before. */
  #settle(): boolean {
    if (this.#settled) return false;
    this.#leaveUnsent();
    this.#settled = true;
    this.#ledger.pendingBytes -= this.#bytes;
    return true;
  }

  /** At the first attempt, or when its outcome is not awaited any more. */
  #leaveUnsent(): void {
    this.#ledger.unsentBytes -= this.#unsent;
    this.#unsent = 0;
  }
}

/** Whose record it is. */
export interface BatchOwner {
  readonly submission: Submission;
  /** In the submission. */
  readonly index: number;
}

/** The errors of records that are given up: of those that were sent, which may be stored, and of the others. */
export interface GiveUpErrors {
  readonly sent: ConnectorError;
  readonly unsent: ConnectorError;
}

/** Errors with a cause that says whether the record may be stored. */
export function givenUp(code: 'delivery_timeout' | 'closed', message: string): GiveUpErrors {
  const because = (cause: string): ConnectorError =>
    new ConnectorError(code, message, { cause: new Error(cause) });
  return {
    sent: because('it was sent and not acknowledged: it may have been stored'),
    unsent: because('it was not sent: it is not stored'),
  };
}

/** One error for records that were sent and for those that were not. */
export function refused(error: ConnectorError): GiveUpErrors {
  return { sent: error, unsent: error };
}
