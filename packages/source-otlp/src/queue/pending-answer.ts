import type { Clock, Timer } from '@levada/connect-runtime-core';
import type { ExportWaiter } from '../model/queued-export.ts';
import { accepted, type ExportOutcome, refuse } from '../receive/admission/export-outcome.ts';

/** Is notified of the outcome of exports. One object serves all of them, because a pending export is made for each request. */
export interface PendingAnswerOwner {
  /** One of its parts was stored. */
  onStored(): void;
  /** The last of its parts was settled, whatever answer the client had before. */
  onSettled(pending: PendingAnswer): void;
  /** The answer was not there in time. */
  onLate(waitedMs: number): void;
  /** All of it was stored after it had been answered as not stored. */
  onStoredLate(): void;
}

export interface PendingAnswerOptions {
  readonly parts: number;
  readonly clock: Clock;
  readonly timeoutMs: number;
}

const late = refuse('unavailable', 'not acknowledged by the log in time');
const unknown = refuse('unavailable', 'the log may or may not have stored it');

/**
 * An export whose client waits until all of its parts are settled. Items lost for good: success with partial_success, since
 * a retry cannot help. If the outcome of one part is unknown, the whole is refused and may be sent again (OTLP allows duplicates).
 */
export class PendingAnswer implements ExportWaiter {
  readonly outcome: Promise<ExportOutcome>;
  readonly #owner: PendingAnswerOwner;
  readonly #timeoutMs: number;
  readonly #answer: (outcome: ExportOutcome) => void;
  readonly #timer: Timer;
  #left: number;
  #lost = 0;
  #unknown = false;
  #answered = false;

  constructor(owner: PendingAnswerOwner, { parts, clock, timeoutMs }: PendingAnswerOptions) {
    const { promise, resolve } = Promise.withResolvers<ExportOutcome>();
    this.#owner = owner;
    this.#timeoutMs = timeoutMs;
    this.outcome = promise;
    this.#answer = resolve;
    this.#left = parts;
    this.#timer = clock.after(timeoutMs, () => this.#giveUp());
  }

  settle(result: 'stored' | 'lost' | 'unknown', items: number): void {
    const owner = this.#owner;
    this.#left -= 1;
    if (result === 'stored') owner.onStored();
    if (result === 'lost') this.#lost += items;
    if (result === 'unknown') this.#unknown = true;
    if (this.#left > 0) return;
    owner.onSettled(this);
    const outcome = this.#outcomeNow();
    if (!this.#answered) {
      this.#timer.cancel();
      this.#respond(outcome);
    } else if (outcome === accepted) owner.onStoredLate();
  }

  /** The rest of it will not be settled any more. */
  abandon(): void {
    if (this.#answered) return;
    this.#timer.cancel();
    this.#respond(unknown);
  }

  #outcomeNow(): ExportOutcome {
    if (this.#unknown) return unknown;
    if (this.#lost === 0) return accepted;
    return { kind: 'accepted', partial: { rejected: this.#lost, message: 'the log does not accept it' } };
  }

  #giveUp(): void {
    if (this.#answered) return;
    this.#respond(late);
    this.#owner.onLate(this.#timeoutMs);
  }

  #respond(outcome: ExportOutcome): void {
    this.#answered = true;
    this.#answer(outcome);
  }
}
