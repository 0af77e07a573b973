import type { PendingBatch } from './pending-batch.ts';
import { reactionTo, rejection } from './produce-codes.ts';
import type { BatchAnswer } from './produce-response.ts';
import { nextEpoch, type ProducerIdentity } from './producer-identity.ts';

/** Numbers run from 0 to 2^31 - 1 and start anew. */
const SEQUENCES = 0x8000_0000;
/** Well under the time after which brokers forget a producer that is idle. */
const FORGET_MS = 600_000;

/**
 * The batches of one partition that carry numbers, in order, and the rules that keep each record stored once and in order:
 *
 * 1. A number belongs to a batch from its first send to its answer; it goes again byte for byte the same.
 * 2. After any refusal nothing more is sent until everything in flight is answered; then the line goes again from its start.
 * 3. Out of order means a gap in the log only for the batch that is next; else an earlier one is missing and both go again.
 *    A gap is closed by the next epoch, with numbers from 0.
 * 4. A broker without a memory of this producer takes any first number, so until it has acknowledged one batch, and after
 *    each new epoch and each long silence, there is one batch in flight at a time.
 * 5. Numbers are given anew only when no batch of the line may be stored. Until then those that may be are sent again as
 *    they are: the answer makes it sure.
 */
export class PartitionLine {
  readonly #topic: string;
  /** Undefined: a new producer id is needed before anything can be numbered. */
  identity: ProducerIdentity | undefined;
  /** The identity that serves no more; the next one must have another id. */
  spent: ProducerIdentity | undefined;
  /** In the order of their numbers. */
  #batches: PendingBatch[] = [];
  #inFlight = 0;
  /** The number for the next new batch. */
  #sequence = 0;
  /** The number that the broker expects next. */
  #acknowledged = 0;
  #draining = false;
  #renumber = false;
  #bump = false;
  #known = false;
  #acknowledgedAt = 0;

  constructor(topic: string) {
    this.#topic = topic;
  }

  /** True while nothing is in flight. */
  get quiet(): boolean {
    return this.#inFlight === 0;
  }

  get length(): number {
    return this.#batches.length;
  }

  get batches(): readonly PendingBatch[] {
    return this.#batches;
  }

  /** True when something may be sent now. */
  get open(): boolean {
    return !this.#draining && (this.#known || this.#inFlight === 0);
  }

  /** True when {@link resume} has something to see to as soon as the line is quiet. */
  get disturbed(): boolean {
    return this.#draining || this.#renumber || this.#bump;
  }

  /** True when new batches may join, given an identity; not while the numbers are unsettled. */
  get settledNumbers(): boolean {
    return !this.#renumber && !this.#bump;
  }

  /** The first batch that is to be sent again. Before numbers are given anew, only those go that may be stored. */
  firstWaiting(): PendingBatch | undefined {
    return this.#batches.find((batch) => {
      return batch.state === 'waiting' && batch.sequence >= 0 && (this.settledNumbers || batch.unsure);
    });
  }

  /** A new batch joins with the next number. */
  join(batch: PendingBatch): void {
    const { identity } = this;
    if (identity === undefined) throw new Error('a batch was numbered before there was a producer id');
    batch.number({ producerId: identity.id, epoch: identity.epoch, sequence: this.#sequence });
    this.#sequence = (this.#sequence + batch.count) % SEQUENCES;
    this.#batches.push(batch);
  }

  /** A batch of the line is being sent. */
  sent(batch: PendingBatch, now: number): void {
    if (this.#inFlight === 0 && now - this.#acknowledgedAt > FORGET_MS) this.#known = false;
    batch.state = 'in flight';
    batch.attempts += 1;
    this.#inFlight += 1;
  }

  /** After a change of leader, the answers of the old one come first. */
  leaderMoved(): void {
    if (this.#inFlight > 0) this.#draining = true;
  }

  /** No answer came: nobody knows whether the batch is stored. */
  unanswered(batch: PendingBatch): void {
    this.#inFlight -= 1;
    batch.unsure = true;
    this.#goesAgain(batch);
  }

  /** The broker answered. */
  answered(batch: PendingBatch, answer: BatchAnswer, now: number): void {
    this.#inFlight -= 1;
    switch (reactionTo(answer.code)) {
      case 'stored':
        this.#stored(batch, now);
        break;
      case 'retry':
      case 'move':
        this.#goesAgain(batch);
        break;
      case 'perhaps':
        batch.unsure = true;
        this.#goesAgain(batch);
        break;
      case 'out of order':
        this.#outOfOrder(batch);
        break;
      case 'new id':
        this.#spend();
        batch.unsure = false;
        this.#bump = true;
        this.#goesAgain(batch);
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
   * Everything in flight is answered: sees to what the refusals left behind. Returns the batches that lost their number; they
   * are to go first of all those that have none.
   */
  resume(): readonly PendingBatch[] {
    this.#draining = false;
    const mayBeStored = this.#batches.some((batch) => batch.unsure && !batch.settled);
    // Given-up batches go again only to find out about those behind them.
    if (!mayBeStored) this.#dropSettled();
    if (mayBeStored || !(this.#renumber || this.#bump)) return [];
    const unnumbered = this.#batches;
    this.#batches = [];
    for (const batch of unnumbered) batch.sequence = -1;
    if (this.#bump) this.#startEpoch();
    this.#sequence = this.#acknowledged;
    this.#renumber = false;
    this.#bump = false;
    return unnumbered;
  }

  #stored(batch: PendingBatch, now: number): void {
    this.#acknowledged = (batch.sequence + batch.count) % SEQUENCES;
    this.#acknowledgedAt = now;
    this.#known = true;
    // The broker takes a batch only behind the one before it, so those of which that was unsure are stored too.
    const before = this.#batches.slice(0, this.#batches.indexOf(batch));
    for (const each of [...before.filter(({ unsure, state }) => unsure && state === 'waiting'), batch]) {
      each.stored();
      this.#remove(each);
    }
  }

  /** Back to its place in the line; nothing else is sent before the rest is answered. */
  #goesAgain(batch: PendingBatch): void {
    batch.state = 'waiting';
    this.#draining = true;
  }

  #outOfOrder(batch: PendingBatch): void {
    // Brokers remember the last five batches, and no more are in flight: a stored one would have been recognised.
    batch.unsure = false;
    if (batch.sequence === this.#acknowledged) this.#bump = true;
    this.#goesAgain(batch);
  }

  /** The halves share the number's range, so that those behind keep theirs. */
  #split(batch: PendingBatch): void {
    const at = this.#batches.indexOf(batch);
    if (batch.unsure) this.#bump = true;
    const { identity } = this;
    let { sequence } = batch;
    const halves = batch.halves();
    for (const half of halves) {
      if (identity !== undefined) half.number({ producerId: identity.id, epoch: identity.epoch, sequence });
      sequence = (sequence + half.count) % SEQUENCES;
    }
    this.#batches.splice(at, 1, ...halves);
    this.#draining = true;
  }

  #reject(batch: PendingBatch, answer: BatchAnswer): void {
    const at = this.#batches.indexOf(batch);
    this.#renumber = true;
    this.#draining = true;
    if (batch.unsure) this.#bump = true;
    const { code, message } = answer;
    const { unsure } = batch;
    const named = answer.records.filter(({ index }) => index >= 0 && index < batch.count);
    if (named.length === 0) {
      batch.failed(rejection(this.#topic, { code, message, unsure }));
      this.#remove(batch);
      return;
    }
    const errors = new Map(
      named.map((record) => {
        const text = record.message ?? message;
        return [record.index, rejection(this.#topic, { code, message: text, unsure })];
      }),
    );
    const rest = batch.without(errors);
    this.#batches.splice(at, 1, ...(rest === undefined ? [] : [rest]));
  }

  #dropSettled(): void {
    for (const batch of this.#batches.filter((candidate) => candidate.settled)) {
      if (batch.unsure) this.#bump = true;
      else this.#renumber = true;
      this.#remove(batch);
    }
  }

  #startEpoch(): void {
    const next = this.identity === undefined ? undefined : nextEpoch(this.identity);
    if (next === undefined) this.#spend();
    else this.identity = next;
    this.#acknowledged = 0;
    this.#known = false;
  }

  #spend(): void {
    this.spent = this.identity ?? this.spent;
    this.identity = undefined;
  }

  #remove(batch: PendingBatch): void {
    const at = this.#batches.indexOf(batch);
    if (at >= 0) this.#batches.splice(at, 1);
    batch.records.release();
  }
}
