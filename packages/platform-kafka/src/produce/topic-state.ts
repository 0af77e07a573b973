import { type LogRecord, partitionOfKey } from '@levada/connect-runtime-core/platform';
import type { PartitionState } from './partition-state.ts';
import type { BatchOwner, ByteLedger, GiveUpErrors } from './pending-batch.ts';

/** A copy of a record with an unknown partition. */
export interface HeldRecord extends BatchOwner {
  readonly record: LogRecord;
  readonly headers: Uint8Array;
  readonly bytes: number;
  readonly createdAt: number;
}

/** A topic being written. */
export class TopicState {
  readonly name: string;
  /** By id. Empty until brokers have described the topic. */
  readonly partitions: PartitionState[] = [];
  /** Current number of partitions. */
  count = 0;
  /** Monotonic time since brokers report that the topic does not exist. */
  missingSince: number | undefined;
  /** Monotonic time of the last record. */
  usedAt = 0;
  readonly #ledger: ByteLedger;
  readonly #random: () => number;
  #held: HeldRecord[] = [];
  #sticky = -1;
  #stickyBytes = 0;

  constructor(name: string, ledger: ByteLedger, random: () => number) {
    this.name = name;
    this.#ledger = ledger;
    this.#random = random;
  }

  /** Whether every record is settled. */
  get empty(): boolean {
    return this.#held.length === 0 && this.partitions.every((partition) => partition.empty);
  }

  /** Holds a record until the partitions are known. */
  hold(held: HeldRecord): void {
    this.#held.push(held);
    this.#ledger.pendingBytes += held.bytes;
    this.#ledger.unsentBytes += held.bytes;
  }

  get holds(): boolean {
    return this.#held.length > 0;
  }

  /** Returns the held records in order. */
  release(): readonly HeldRecord[] {
    const held = this.#held;
    this.#held = [];
    for (const { bytes } of held) {
      this.#ledger.pendingBytes -= bytes;
      this.#ledger.unsentBytes -= bytes;
    }
    return held;
  }

  /** Creation times of unsettled batches and held records. */
  *creationTimes(): Generator<number> {
    for (const { createdAt } of this.#held) yield createdAt;
    for (const partition of this.partitions)
      for (const { createdAt } of partition.unsettledBatches()) yield createdAt;
  }

  /** Gives up every record. */
  failAll(errors: GiveUpErrors): void {
    for (const held of this.release()) held.submission.noteFailed(held.index, errors.unsent);
    for (const partition of this.partitions) partition.failAll(errors);
  }

  /** Gives up records submitted at this monotonic time or before. */
  expireBefore(time: number, errors: GiveUpErrors): void {
    for (const held of this.release()) {
      if (held.createdAt <= time) held.submission.noteFailed(held.index, errors.unsent);
      else this.hold(held);
    }
    for (const partition of this.partitions) partition.expireBefore(time, errors);
  }

  /** The partition of a record: its own, that of its key, or the sticky one. Undefined if its own does not exist. */
  partitionFor(record: LogRecord, room: number, batchBytes: number): PartitionState | undefined {
    if (record.partition !== null)
      return record.partition < this.count ? this.partitions[record.partition] : undefined;
    if (record.key !== null) return this.partitions[partitionOfKey(record.key, this.count)];
    return this.#stickyPartition(room, batchBytes);
  }

  /** Records without a key stay in a partition for one batch, so that batches are full. */
  #stickyPartition(room: number, batchBytes: number): PartitionState | undefined {
    if (this.#sticky < 0) this.#sticky = Math.floor(this.#random() * this.count);
    if (this.#stickyBytes >= batchBytes || this.#sticky >= this.count) this.#nextSticky();
    else if (this.partitions[this.#sticky]?.leader === -1) this.#nextSticky();
    this.#stickyBytes += room;
    return this.partitions[this.#sticky];
  }

  /** The next partition with a leader, or the next one if none has a leader. */
  #nextSticky(): void {
    this.#stickyBytes = 0;
    for (let step = 1; step <= this.count; step++) {
      const next = (this.#sticky + step) % this.count;
      if (this.partitions[next]?.leader !== -1) {
        this.#sticky = next;
        return;
      }
    }
    this.#sticky = (this.#sticky + 1) % this.count;
  }
}
