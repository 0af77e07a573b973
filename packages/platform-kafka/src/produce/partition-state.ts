import type { GiveUpErrors, PendingBatch } from './pending-batch.ts';
import { SequencedBatches } from './sequenced-batches.ts';

/** The pause after refusals. */
type Backoff =
  | { readonly phase: 'none' }
  /** Starts when nothing is in flight. */
  | { readonly phase: 'due' }
  /** Nothing is sent before this monotonic time. */
  | { readonly phase: 'until'; readonly time: number };

/** One partition of a topic, as seen by the producer. */
export class PartitionState {
  readonly topic: string;
  readonly id: number;
  readonly sequenced: SequencedBatches;
  /** Node id of the leader; -1: none. */
  leader = -1;
  /** The batch that accepts records. */
  filling: PendingBatch | undefined;
  /** Full batches without a sequence number, in order. */
  readonly queue: PendingBatch[] = [];
  backoff: Backoff = { phase: 'none' };
  /** Consecutive refusals. */
  refusals = 0;

  constructor(topic: string, id: number) {
    this.topic = topic;
    this.id = id;
    this.sequenced = new SequencedBatches(topic);
  }

  /** Whether a batch may be sent. */
  get sendable(): boolean {
    if (!this.sequenced.canSend) return false;
    if (this.sequenced.firstWaiting() !== undefined) return true;
    return this.sequenced.canAdd && (this.queue.length > 0 || this.filling !== undefined);
  }

  /** Whether no record is waiting. */
  get empty(): boolean {
    return this.filling === undefined && this.queue.length === 0 && this.sequenced.length === 0;
  }

  /** All unsettled batches, in order. */
  *unsettledBatches(): Generator<PendingBatch> {
    for (const batch of this.sequenced.batches) if (!batch.settled) yield batch;
    yield* this.queue;
    if (this.filling !== undefined) yield this.filling;
  }

  /** Call it when nothing is in flight. Batches that lost their sequence number are sent first. */
  resolve(): void {
    this.queue.unshift(...this.sequenced.resolve());
  }

  /** Gives up every batch. */
  failAll(errors: GiveUpErrors): void {
    this.#giveUp(() => true, errors);
  }

  /** Gives up batches created at this monotonic time or before. */
  expireBefore(time: number, errors: GiveUpErrors): void {
    this.#giveUp(({ createdAt }) => createdAt <= time, errors);
  }

  #giveUp(which: (batch: PendingBatch) => boolean, errors: GiveUpErrors): void {
    for (const batch of [...this.unsettledBatches()].filter(which)) batch.giveUp(errors);
    // Batches with a sequence number stay until their outcome is known
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
