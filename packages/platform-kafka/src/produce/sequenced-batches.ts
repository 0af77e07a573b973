import { reactionTo, recordError } from '../model/broker-errors.ts';
import type { PendingBatch } from './pending-batch.ts';
import type { BatchAnswer } from './produce-call.ts';
import { nextEpoch, type ProducerIdentity } from './producer-identity.ts';

/** Sequence numbers run from 0 to 2^31 - 1, then start at 0 again. */
const SEQUENCES = 0x8000_0000;
/** Well below the time after which brokers forget an idle producer. */
const FORGET_MS = 600_000;

/** How sequence numbers change once everything in flight is answered. A new epoch starts them from 0. */
type Resolution = 'none' | 'renumber' | 'new-epoch';

type Flow =
  | { readonly phase: 'open' }
  /** A batch was refused: nothing is sent until everything in flight is answered. */
  | { readonly phase: 'draining'; readonly resolution: Resolution }
  /** Batches in doubt are sent again unchanged. Once it is known which are stored, the resolution follows. */
  | { readonly phase: 'resolving'; readonly resolution: 'renumber' | 'new-epoch' };

type Identity =
  /** A new producer id is required. It must differ from the retired one. */
  | { readonly phase: 'needed'; readonly retired: ProducerIdentity | undefined }
  | { readonly phase: 'assigned'; readonly identity: ProducerIdentity };

/**
 * The batches of one partition that have sequence numbers, in order (`TxnPartitionEntry` in Kafka's producer), and the rules
 * that keep each record stored once and in order:
 *
 * 1. A sequence number belongs to a batch from its first send to its answer; it is sent again byte for byte the same.
 * 2. After any refusal nothing more is sent until everything in flight is answered; then sending starts again from the first.
 * 3. Out of order means a gap in the log only for the batch that is next; otherwise an earlier one is missing and both are
 *    sent again. A gap is closed by the next epoch, with sequence numbers from 0.
 * 4. A broker that does not remember this producer takes any first sequence number, so until it has acknowledged one batch,
 *    and after each new epoch and each long idle time, one batch at a time is in flight.
 * 5. Batches get new sequence numbers only when none of them is in doubt. Until then those in doubt are sent again as they
 *    are: the answer resolves the doubt.
 */
export class SequencedBatches {
  readonly #topic: string;
  #identity: Identity = { phase: 'needed', retired: undefined };
  /** In the order of their sequence numbers. */
  #batches: PendingBatch[] = [];
  #inFlight = 0;
  #flow: Flow = { phase: 'open' };
  /** Number of the next new batch. */
  #nextSequence = 0;
  /** Number that the broker expects next. */
  #expectedSequence = 0;
  /** Monotonic time; undefined if the broker may not remember this producer. */
  #acknowledgedAt: number | undefined;

  constructor(topic: string) {
    this.#topic = topic;
  }

  /** Undefined if a producer id is required before batches can get sequence numbers. */
  get identity(): ProducerIdentity | undefined {
    return this.#identity.phase === 'assigned' ? this.#identity.identity : undefined;
  }

  /** The previous identity, while a new one is required. */
  get retiredIdentity(): ProducerIdentity | undefined {
    return this.#identity.phase === 'needed' ? this.#identity.retired : undefined;
  }

  /** Uses this identity for further sequence numbers. */
  assignIdentity(identity: ProducerIdentity): void {
    this.#identity = { phase: 'assigned', identity };
  }

  /** Whether nothing is in flight. */
  get idle(): boolean {
    return this.#inFlight === 0;
  }

  get length(): number {
    return this.#batches.length;
  }

  get batches(): readonly PendingBatch[] {
    return this.#batches;
  }

  /** Whether {@link resolve} must be called once nothing is in flight. */
  get needsResolution(): boolean {
    return this.#flow.phase !== 'open';
  }

  /** Whether a batch may be sent now. */
  get canSend(): boolean {
    return this.#flow.phase !== 'draining' && (this.#acknowledgedAt !== undefined || this.idle);
  }

  /** Whether new batches may get sequence numbers, given an identity. */
  get canAdd(): boolean {
    return this.#flow.phase === 'open';
  }

  /** The first batch to send again. During a resolution, the first one in doubt. */
  firstWaiting(): PendingBatch | undefined {
    const resolving = this.#flow.phase === 'resolving';
    return this.#batches.find((batch) => batch.phase === 'waiting' && (!resolving || batch.inDoubt));
  }

  /** Gives a new batch the next sequence number. */
  add(batch: PendingBatch): void {
    const { identity } = this;
    if (identity === undefined) throw new Error('a sequence number was given before there was a producer id');
    batch.number({ producerId: identity.id, epoch: identity.epoch, sequence: this.#nextSequence });
    this.#nextSequence = (this.#nextSequence + batch.count) % SEQUENCES;
    this.#batches.push(batch);
  }

  /** A batch is being sent. */
  noteSent(batch: PendingBatch, now: number): void {
    if (this.idle && now - (this.#acknowledgedAt ?? now) > FORGET_MS) this.#acknowledgedAt = undefined;
    batch.noteSent();
    this.#inFlight += 1;
  }

  /** After a change of leader, nothing is sent to the new one before the old one has answered. */
  leaderMoved(): void {
    if (!this.idle) this.#drain('none');
  }

  /** No answer came: the batch may be stored. */
  noteUnanswered(batch: PendingBatch): void {
    this.#inFlight -= 1;
    this.#requeue(batch, true);
  }

  /** The broker answered. */
  noteAnswer(batch: PendingBatch, answer: BatchAnswer, now: number): void {
    this.#inFlight -= 1;
    switch (reactionTo(answer.code)) {
      case 'stored':
        this.#noteStored(batch, now);
        break;
      case 'retry':
      case 'find-leader':
        this.#requeue(batch, batch.inDoubt);
        break;
      case 'in-doubt':
        this.#requeue(batch, true);
        break;
      case 'out-of-order':
        this.#outOfOrder(batch);
        break;
      case 'fenced':
        this.#retireIdentity();
        this.#requeue(batch, false, 'new-epoch');
        break;
      case 'split':
        if (batch.count > 1) this.#split(batch);
        else this.#reject(batch, answer);
        break;
      case 'reject':
        this.#reject(batch, answer);
        break;
    }
  }

  /**
   * Call it when nothing is in flight. Handles refused and given-up batches. Returns the batches that lost their sequence number;
   * they must be sent before all others without one.
   */
  resolve(): readonly PendingBatch[] {
    const before = this.#flow.phase === 'open' ? 'none' : this.#flow.resolution;
    this.#flow = { phase: 'open' };
    if (this.#batches.some((batch) => batch.inDoubt && !batch.settled)) {
      // Given-up batches are sent again too, only to learn about later ones
      if (before !== 'none') this.#flow = { phase: 'resolving', resolution: before };
      return [];
    }
    const resolution = this.#dropSettled(before);
    if (resolution === 'none') return [];
    const unnumbered = this.#batches;
    this.#batches = [];
    for (const batch of unnumbered) batch.loseNumber();
    if (resolution === 'new-epoch') this.#startEpoch();
    this.#nextSequence = this.#expectedSequence;
    return unnumbered;
  }

  #noteStored(batch: PendingBatch, now: number): void {
    this.#expectedSequence = ((batch.sequence ?? 0) + batch.count) % SEQUENCES;
    this.#acknowledgedAt = now;
    // Brokers accept batches in sequence order, so earlier batches in doubt must have been stored as well
    const earlier = this.#batches.slice(0, this.#batches.indexOf(batch));
    for (const each of [...earlier.filter(({ inDoubt, phase }) => inDoubt && phase === 'waiting'), batch]) {
      each.succeed();
      this.#remove(each);
    }
  }

  #drain(more: Resolution): void {
    const resolution = this.#flow.phase === 'open' ? 'none' : this.#flow.resolution;
    this.#flow = { phase: 'draining', resolution: stronger(resolution, more) };
  }

  /** The batch keeps its place and number; nothing else is sent before the rest is answered. */
  #requeue(batch: PendingBatch, inDoubt: boolean, resolution: Resolution = 'none'): void {
    batch.requeue(inDoubt);
    this.#drain(resolution);
  }

  #outOfOrder(batch: PendingBatch): void {
    // Brokers remember the last five batches, and at most five are in flight: a stored one would have been recognised
    this.#requeue(batch, false, batch.sequence === this.#expectedSequence ? 'new-epoch' : 'none');
  }

  /** The halves share the sequence numbers of the whole, so that later batches keep theirs. */
  #split(batch: PendingBatch): void {
    const at = this.#batches.indexOf(batch);
    const { identity } = this;
    let sequence = batch.sequence ?? 0;
    this.#drain(batch.inDoubt ? 'new-epoch' : 'none');
    const halves = batch.halves();
    for (const half of halves) {
      if (identity !== undefined) half.number({ producerId: identity.id, epoch: identity.epoch, sequence });
      sequence = (sequence + half.count) % SEQUENCES;
    }
    this.#batches.splice(at, 1, ...halves);
  }

  #reject(batch: PendingBatch, { code: errorCode, message, records }: BatchAnswer): void {
    const at = this.#batches.indexOf(batch);
    const { inDoubt } = batch;
    this.#drain(inDoubt ? 'new-epoch' : 'renumber');
    const named = records.filter(({ index }) => index >= 0 && index < batch.count);
    if (named.length === 0) {
      batch.fail(recordError(this.#topic, { errorCode, message, inDoubt }));
      this.#remove(batch);
      return;
    }
    const errors = new Map(
      named.map((record) => {
        const text = record.message ?? message;
        return [record.index, recordError(this.#topic, { errorCode, message: text, inDoubt })];
      }),
    );
    const rest = batch.without(errors);
    this.#batches.splice(at, 1, ...(rest === undefined ? [] : [rest]));
  }

  /** Given-up batches leave a gap in the sequence numbers. */
  #dropSettled(resolution: Resolution): Resolution {
    let after = resolution;
    for (const batch of this.#batches.filter((candidate) => candidate.settled)) {
      after = stronger(after, batch.inDoubt ? 'new-epoch' : 'renumber');
      this.#remove(batch);
    }
    return after;
  }

  #startEpoch(): void {
    const next = this.identity === undefined ? undefined : nextEpoch(this.identity);
    if (next === undefined) this.#retireIdentity();
    else this.assignIdentity(next);
    this.#expectedSequence = 0;
    this.#acknowledgedAt = undefined;
  }

  #retireIdentity(): void {
    if (this.#identity.phase === 'assigned')
      this.#identity = { phase: 'needed', retired: this.#identity.identity };
  }

  #remove(batch: PendingBatch): void {
    const at = this.#batches.indexOf(batch);
    if (at >= 0) this.#batches.splice(at, 1);
    batch.records.release();
  }
}

/** A new epoch also renumbers everything. */
function stronger(one: Resolution, other: Resolution): Resolution {
  if (one === 'new-epoch' || other === 'new-epoch') return 'new-epoch';
  return one === 'renumber' ? one : other;
}
