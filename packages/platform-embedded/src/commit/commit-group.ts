import type { ConnectorError } from '@levada/connect-runtime-core';
import type { LogRecord } from '@levada/connect-runtime-core/platform';
import type { BatchRow, TopicRow } from '../model/commit-protocol.ts';
import { roomFor, StoredBatch } from '../model/stored-batch.ts';
import type { PendingSend } from './pending-send.ts';

/** Size of a batch, and so of a row of the file. */
const BATCH_BYTES = 262_144;
/** Size of a batch once a group has many batches. */
const SMALL_BATCH_BYTES = 16_384;
const MANY = 16;
/** Buffers kept for use again: 8 MB. */
const KEPT = 32;
/** A group this large takes no more records. */
const GROUP_BYTES = 4_194_304;
/** Deadlines of the deliveries of one group differ by no more than this, so that they can be given up together. */
const DEADLINE_SPREAD_MS = 1000;

/** Buffers of batches, used again: fresh memory costs more than what is done in it. */
export class BatchBuffers {
  readonly #free: ArrayBuffer[] = [];

  /** A buffer of at least this size. `small` saves memory where many batches are open. */
  take(room: number, small: boolean): Buffer {
    if (room > BATCH_BYTES) return Buffer.from(new ArrayBuffer(room));
    if (small) return Buffer.from(new ArrayBuffer(Math.max(room, SMALL_BATCH_BYTES)));
    return Buffer.from(this.#free.pop() ?? new ArrayBuffer(BATCH_BYTES));
  }

  /** Takes buffers back. */
  give(buffers: readonly ArrayBuffer[]): void {
    for (const buffer of buffers) {
      if (buffer.byteLength === BATCH_BYTES && this.#free.length < KEPT) this.#free.push(buffer);
    }
  }
}

/** The part of a delivery that is in one group: the records `from` to `to` (exclusive) of its batch. */
interface Share {
  readonly delivery: PendingSend;
  readonly from: number;
  readonly to: number;
}

/** What is stored in one transaction: everything that was handed over while the one before was being stored. */
export class CommitGroup {
  readonly id: number;
  topics: readonly TopicRow[] = [];
  readonly #buffers: BatchBuffers;
  readonly #batches: StoredBatch[] = [];
  readonly #open = new Map<number, StoredBatch>();
  readonly #shares: Share[] = [];
  #bytes = 0;
  #firstDeadline = Number.POSITIVE_INFINITY;
  #deadline = 0;

  constructor(id: number, buffers: BatchBuffers) {
    this.id = id;
    this.#buffers = buffers;
  }

  /** When the last of its deliveries is given up, on the monotonic clock; infinite once none is open. */
  get deadline(): number {
    return this.#shares.length === 0 ? Number.POSITIVE_INFINITY : this.#deadline;
  }

  /** Bytes of records. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Whether nothing is in it. */
  get empty(): boolean {
    return this.#shares.length === 0 && this.topics.length === 0;
  }

  /** Whether storing it writes anything. */
  get writes(): boolean {
    return this.#batches.length > 0 || this.topics.length > 0;
  }

  /** Whether records of a delivery with this deadline may be added. */
  takes(deadline: number): boolean {
    if (this.#bytes >= GROUP_BYTES) return false;
    return Math.abs(deadline - this.#firstDeadline) <= DEADLINE_SPREAD_MS || this.#shares.length === 0;
  }

  /** Copies a record to the end of its log. */
  append(log: number, compacted: boolean, record: LogRecord): void {
    const room = roomFor(record);
    let batch = this.#open.get(log);
    if (batch === undefined || !batch.fits(room)) {
      const buffer = this.#buffers.take(room + 8, this.#open.size >= MANY);
      batch = new StoredBatch(log, compacted, buffer);
      this.#open.set(log, batch);
      this.#batches.push(batch);
    }
    const before = batch.size;
    batch.append(record);
    this.#bytes += batch.size - before;
  }

  /** Notes whose records these are. Called once for the records appended before it. */
  share(delivery: PendingSend, from: number, to: number): void {
    this.#shares.push({ delivery, from, to });
    this.#firstDeadline = Math.min(this.#firstDeadline, delivery.deadline);
    this.#deadline = Math.max(this.#deadline, delivery.deadline);
    delivery.expect();
  }

  /** The batches as they go to the commit thread. */
  rows(): BatchRow[] {
    return this.#batches.map((batch) => ({
      log: batch.log,
      compacted: batch.compacted,
      count: batch.count,
      maxTimestamp: batch.maxTimestamp,
      data: batch.content(),
    }));
  }

  /** The logs that it writes, with the bytes for each. */
  *written(): Generator<{
    readonly log: number;
    readonly compacted: boolean;
    readonly bytes: number;
    readonly count: number;
  }> {
    for (const { log, compacted, size, count } of this.#batches) yield { log, compacted, bytes: size, count };
  }

  /** Takes the buffers back after a failed commit, for another one. */
  restore(buffers: readonly ArrayBuffer[]): void {
    for (const [i, buffer] of buffers.entries()) this.#batches[i]?.restore(buffer);
  }

  /** All is stored. */
  succeed(): void {
    for (const { delivery } of this.#shares.splice(0)) delivery.stored();
  }

  /** Gives all up. */
  fail(error: ConnectorError): void {
    for (const { delivery, from, to } of this.#shares.splice(0)) delivery.failed(from, to, error);
  }
}
