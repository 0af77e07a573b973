import { type LogRecord, partitionOfKey } from '@levada/connect-runtime-core/platform';
import type { PartitionState } from './partition-state.ts';
import type { BatchOwner, ByteLedger, GiveUpErrors } from './pending-batch.ts';

/** A copy of a record of which the partition is not known yet. */
export interface HeldRecord extends BatchOwner {
  readonly record: LogRecord;
  readonly headers: Uint8Array;
  readonly bytes: number;
  readonly createdAt: number;
}

/** A topic that is written to. */
export class TopicState {
  readonly name: string;
  /** By id. Empty until brokers have described the topic. */
  readonly partitions: PartitionState[] = [];
  /** Number of partitions that the topic has now. */
  count = 0;
  /** Monotonic time since which brokers say that there is no such topic. */
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

  /** True when every record is settled. */
  get empty(): boolean {
    return this.#held.length === 0 && this.partitions.every((partition) => partition.empty);
  }

  /** Keeps a record until the partitions are known. */
  hold(held: HeldRecord): void {
    this.#held.push(held);
    this.#ledger.pendingBytes += held.bytes;
    this.#ledger.unsentBytes += held.bytes;
  }

  get holds(): boolean {
    return this.#held.length > 0;
  }

  /** Hands out what was held, in order. */
  release(): readonly HeldRecord[] {
    const held = this.#held;
    this.#held = [];
    for (const { bytes } of held) {
      this.#ledger.pendingBytes -= bytes;
      this.#ledger.unsentBytes -= bytes;
    }
    return held;
  }

  /** When the first record of each batch that is not settled, and each held record, was handed over. */
  *creationTimes(): Generator<number> {
    for (const { createdAt } of this.#held) yield createdAt;
    for (const partition of this.partitions)
      for (const { createdAt } of partition.unsettled()) yield createdAt;
  }

  /** Gives up every record. */
  failAll(errors: GiveUpErrors): void {
    for (const held of this.release()) held.submission.failed(held.index, errors.unsent);
    for (const partition of this.partitions) partition.failAll(errors);
  }

  /** Gives up the records that were handed over at this monotonic time or before. */
  expireBefore(time: number, errors: GiveUpErrors): void {
    for (const held of this.release()) {
      if (held.createdAt <= time) held.submission.failed(held.index, errors.unsent);
      else this.hold(held);
    }
    for (const partition of this.partitions) partition.expireBefore(time, errors);
  }

  /** The partition for a record: its own, that of its key, or the sticky one. Undefined when its own does not exist. */
  partitionFor(record: LogRecord, room: number, batchBytes: number): PartitionState | undefined {
    if (record.partition !== null)
      return record.partition < this.count ? this.partitions[record.partition] : undefined;
    if (record.key !== null) return this.partitions[partitionOfKey(record.key, this.count)];
    return this.#stickyPartition(room, batchBytes);
  }

  /** Records without a key stay with a partition for a batch's worth of bytes, so that batches are full. */
  #stickyPartition(room: number, batchBytes: number): PartitionState | undefined {
    if (this.#sticky < 0) this.#sticky = Math.floor(this.#random() * this.count);
    if (this.#stickyBytes >= batchBytes || this.#sticky >= this.count) this.#nextSticky();
    else if (this.partitions[this.#sticky]?.leader === -1) this.#nextSticky();
    this.#stickyBytes += room;
    return this.partitions[this.#sticky];
  }

  /** The next partition that has a leader; the next one at all when none has. */
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
