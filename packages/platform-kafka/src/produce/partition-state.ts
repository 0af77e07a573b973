import type { GiveUpErrors, PendingBatch } from './pending-batch.ts';
import { SequencedBatches } from './sequenced-batches.ts';

/** The pause after refusals. */
type Backoff =
  | { readonly phase: 'none' }
  /** Begins when nothing is in flight any more. */
  | { readonly phase: 'due' }
  /** Nothing is sent before this monotonic time. */
  | { readonly phase: 'until'; readonly time: number };

/** One partition of a topic that is written to. */
export class PartitionState {
  readonly topic: string;
  readonly id: number;
  readonly sequenced: SequencedBatches;
  /** Node id of its leader; -1: none. */
  leader = -1;
  /** The batch that records are being added to. */
  filling: PendingBatch | undefined;
  /** Full batches without a sequence number, in order. */
  readonly queue: PendingBatch[] = [];
  backoff: Backoff = { phase: 'none' };
  /** Refusals in a row. */
  refusals = 0;

  constructor(topic: string, id: number) {
    this.topic = topic;
    this.id = id;
    this.sequenced = new SequencedBatches(topic);
  }

  /** True when there is something that may be sent. */
  get sendable(): boolean {
    if (!this.sequenced.canSend) return false;
    if (this.sequenced.firstWaiting() !== undefined) return true;
    return this.sequenced.canAdd && (this.queue.length > 0 || this.filling !== undefined);
  }

  /** True when no record waits for anything. */
  get empty(): boolean {
    return this.filling === undefined && this.queue.length === 0 && this.sequenced.length === 0;
  }

  /** Every batch whose records are not settled, in order. */
  *unsettled(): Generator<PendingBatch> {
    for (const batch of this.sequenced.batches) if (!batch.settled) yield batch;
    yield* this.queue;
    if (this.filling !== undefined) yield this.filling;
  }

  /** To be called when nothing is in flight: batches that lost their sequence number go first. */
  resolve(): void {
    this.queue.unshift(...this.sequenced.resolve());
  }

  /** Gives up every batch. */
  failAll(errors: GiveUpErrors): void {
    this.#giveUp(() => true, errors);
  }

  /** Gives up the batches that were created at this monotonic time or before. */
  expireBefore(time: number, errors: GiveUpErrors): void {
    this.#giveUp(({ createdAt }) => createdAt <= time, errors);
  }

  #giveUp(which: (batch: PendingBatch) => boolean, errors: GiveUpErrors): void {
    for (const batch of [...this.unsettled()].filter(which)) batch.giveUp(errors);
    // Those with a sequence number stay until it is known what brokers have of them.
    const kept = this.queue.filter((batch) => !releaseSettled(batch));
    this.queue.splice(0, this.queue.length, ...kept);
    if (this.filling !== undefined && releaseSettled(this.filling)) this.filling = undefined;
    if (this.sequenced.idle && this.sequenced.length > 0) this.resolve();
  }
}

function releaseSettled(batch: PendingBatch): boolean {
  if (batch.settled) batch.records.release();
  return batch.settled;
}
