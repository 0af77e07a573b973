import type { ConnectorError } from '@levada/connect-runtime-core';
import type { LogRecord } from '@levada/connect-runtime-core/platform';
import type { BatchRow, TopicRow } from '../model/commit-protocol.ts';
import { roomFor, StoredBatch } from '../model/stored-batch.ts';
import type { PendingSend } from './pending-send.ts';

/** Size of a batch, which is a row of the file. */
const BATCH_BYTES = 262_144;
/** Size of a batch in a group with many batches. */
const SMALL_BATCH_BYTES = 16_384;
const MANY = 16;
/** Buffers kept for reuse: 8 MB. */
const KEPT = 32;
/** A group of this size accepts no more records. */
const GROUP_BYTES = 4_194_304;
/** Maximum difference between the deadlines of one group's deliveries, so that they can be given up together. */
const DEADLINE_SPREAD_MS = 1000;

/** Reusable buffers of batches: fresh memory costs more than filling it. */
export class BatchBuffers {
  readonly #free: ArrayBuffer[] = [];

  /** A buffer of at least this size. `small` saves memory if many batches are open. */
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

/** The part of a delivery in one group: the records `from` to `to` (exclusive) of its batch. */
interface Share {
  readonly delivery: PendingSend;
  readonly from: number;
  readonly to: number;
}

/** The content of one transaction: all records that arrived during the previous one. */
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

  /** Deadline of its last open delivery, on the monotonic clock; infinite if none is open. */
  get deadline(): number {
    return this.#shares.length === 0 ? Number.POSITIVE_INFINITY : this.#deadline;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get empty(): boolean {
    return this.#shares.length === 0 && this.topics.length === 0;
  }

  /** Whether storing the group writes anything. */
  get writes(): boolean {
    return this.#batches.length > 0 || this.topics.length > 0;
  }

  /** Whether records of a delivery with this deadline may be added. */
  takes(deadline: number): boolean {
    if (this.#bytes >= GROUP_BYTES) return false;
    return Math.abs(deadline - this.#firstDeadline) <= DEADLINE_SPREAD_MS || this.#shares.length === 0;
  }

  /** Appends a copy of a record to its log. */
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

  /** Assigns the records appended before this call to their delivery. */
  share(delivery: PendingSend, from: number, to: number): void {
    this.#shares.push({ delivery, from, to });
    this.#firstDeadline = Math.min(this.#firstDeadline, delivery.deadline);
    this.#deadline = Math.max(this.#deadline, delivery.deadline);
    delivery.expect();
  }

  /** The batches in the form that the commit thread receives. */
  rows(): BatchRow[] {
    return this.#batches.map((batch) => ({
      log: batch.log,
      compacted: batch.compacted,
      count: batch.count,
      maxTimestamp: batch.maxTimestamp,
      data: batch.content(),
    }));
  }

  /** The logs of the group, with the bytes of each. */
  *writtenLogs(): Generator<{
    readonly log: number;
    readonly compacted: boolean;
    readonly bytes: number;
    readonly count: number;
  }> {
    for (const { log, compacted, size, count } of this.#batches) yield { log, compacted, bytes: size, count };
  }

  /** Takes the buffers back after a failed commit, to commit again. */
  restore(buffers: readonly ArrayBuffer[]): void {
    for (const [i, buffer] of buffers.entries()) this.#batches[i]?.restore(buffer);
  }

  /** Settles the deliveries of a stored group. */
  succeed(): void {
    for (const { delivery } of this.#shares.splice(0)) delivery.completePart();
  }

  /** Fails the deliveries of the group. */
  fail(error: ConnectorError): void {
    for (const { delivery, from, to } of this.#shares.splice(0)) delivery.failRecords(from, to, error);
  }
}
