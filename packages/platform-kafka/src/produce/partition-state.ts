import type { ConnectorError } from '@levada/connect-runtime-core';
import { PartitionLine } from './partition-line.ts';
import type { PendingBatch } from './pending-batch.ts';

/** One partition of a topic that is written to. */
export class PartitionState {
  readonly topic: string;
  readonly id: number;
  readonly line: PartitionLine;
  /** Node id of its leader; -1: none. */
  leader = -1;
  /** The batch that records are being added to. */
  filling: PendingBatch | undefined;
  /** Full batches without a number, in order. */
  readonly queue: PendingBatch[] = [];
  /** Monotonic time before which nothing is sent. */
  pausedUntil = 0;
  /** Refusals in a row. */
  refusals = 0;
  /** True: what was refused goes again only after a pause. */
  pauseDue = false;

  constructor(topic: string, id: number) {
    this.topic = topic;
    this.id = id;
    this.line = new PartitionLine(topic);
  }

  /** True when there is something that may be sent. */
  get sendable(): boolean {
    if (!this.line.open) return false;
    if (this.line.firstWaiting() !== undefined) return true;
    return this.line.settledNumbers && (this.queue.length > 0 || this.filling !== undefined);
  }

  /** True when nothing is on its way. */
  get empty(): boolean {
    return this.filling === undefined && this.queue.length === 0 && this.line.length === 0;
  }

  /** Every batch whose records are not settled, in order. */
  *unsettled(): Generator<PendingBatch> {
    for (const batch of this.line.batches) if (!batch.settled) yield batch;
    yield* this.queue;
    if (this.filling !== undefined) yield this.filling;
  }

  /** Nothing is in flight any more: those that lost their number go first. */
  resume(): void {
    this.queue.unshift(...this.line.resume());
  }

  /** Gives up every batch that `which` selects, with the error made for it. */
  giveUp(which: (batch: PendingBatch) => boolean, error: (batch: PendingBatch) => ConnectorError): void {
    for (const batch of this.line.batches) if (!batch.settled && which(batch)) batch.failed(error(batch));
    this.#removeUnnumbered((batch) => {
      if (!which(batch)) return false;
      batch.failed(error(batch));
      return true;
    });
    if (this.line.quiet && this.line.length > 0) this.resume();
  }

  #removeUnnumbered(remove: (batch: PendingBatch) => boolean): void {
    const kept = this.queue.filter((batch) => {
      const removed = remove(batch);
      if (removed) batch.records.release();
      return !removed;
    });
    this.queue.splice(0, this.queue.length, ...kept);
    if (this.filling !== undefined && remove(this.filling)) {
      this.filling.records.release();
      this.filling = undefined;
    }
  }
}
