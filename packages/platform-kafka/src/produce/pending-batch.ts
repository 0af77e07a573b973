import { ConnectorError } from '@levada/connect-runtime-core';
import type { LogRecord } from '@levada/connect-runtime-core/platform';
import type { Codec } from './compression.ts';
import type { BatchNumber, RecordBatch } from './record-batch.ts';
import { RecordRuns } from './record-runs.ts';
import type { Submission } from './submission.ts';

/** Counts bytes that were handed over and are not settled. */
export interface ByteLedger {
  pendingBytes: number;
}

/** A batch on its way: its records, whom they belong to, and what is known of its delivery. */
export class PendingBatch {
  readonly records: RecordBatch;
  /** Monotonic time of its first record: the delivery timeout counts from here. */
  readonly born: number;
  /** Where the batch stands in its partition's line. */
  state: 'filling' | 'waiting' | 'in flight' = 'filling';
  /** Sequence number of the first record; -1: none given. It changes only while the batch is surely not stored. */
  sequence = -1;
  /** How often it was sent. */
  attempts = 0;
  /** True: sent, not answered (or answered "perhaps"), so that it may be stored. */
  unsure = false;
  readonly #ledger: ByteLedger;
  #runs: RecordRuns;
  #bytes: number;
  #settled = false;

  constructor(
    records: RecordBatch,
    runs: RecordRuns,
    context: { readonly ledger: ByteLedger; readonly born: number },
  ) {
    this.records = records;
    this.#runs = runs;
    this.#ledger = context.ledger;
    this.born = context.born;
    this.#bytes = records.bytes;
    this.#ledger.pendingBytes += this.#bytes;
  }

  get count(): number {
    return this.records.count;
  }

  get bytes(): number {
    return this.records.bytes;
  }

  /** True when its submissions were told, though the batch itself may have to be sent again to keep the numbers in order. */
  get settled(): boolean {
    return this.#settled;
  }

  /** Copies a record in, which must fit. {@link own} says next whose it is. */
  append(record: LogRecord, headers: Uint8Array): void {
    this.records.append(record, headers);
    const grown = this.records.bytes - this.#bytes;
    this.#bytes += grown;
    this.#ledger.pendingBytes += grown;
  }

  /** The record appended last is that of this submission at this index. */
  own(submission: Submission, index: number): void {
    this.#runs.add(submission, index);
  }

  seal(partition: number, codec: Codec): void {
    this.records.seal(partition, codec);
    this.state = 'waiting';
  }

  number(number: BatchNumber): void {
    this.sequence = number.sequence;
    this.records.number(number);
  }

  /** Tells the submissions that everything is stored. */
  stored(): void {
    if (!this.#settle()) return;
    this.#runs.stored();
  }

  /** Tells the submissions that nothing will be stored. */
  failed(error: ConnectorError): void {
    if (!this.#settle()) return;
    this.#runs.failed(error);
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
    const records = this.records.part(from, to, leftOut);
    const made = new PendingBatch(records, this.#runs.part(from, to, leftOut), {
      ledger: this.#ledger,
      born: this.born,
    });
    made.state = 'waiting';
    made.attempts = this.attempts;
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
    this.#settled = true;
    this.#ledger.pendingBytes -= this.#bytes;
    return true;
  }
}

/** The error of records that were given up, with the cause that says whether they may be stored. */
export function givenUp(code: 'delivery_timeout' | 'closed', message: string, sent: boolean): ConnectorError {
  const cause = new Error(
    sent ? 'it was sent and not acknowledged: it may have been stored' : 'it was not sent: it is not stored',
  );
  return new ConnectorError(code, message, { cause });
}

/** An empty batch with room for at least so many bytes. */
export function emptyBatch(
  records: RecordBatch,
  context: { readonly ledger: ByteLedger; readonly born: number },
): PendingBatch {
  return new PendingBatch(records, new RecordRuns(), context);
}
