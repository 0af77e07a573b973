import type { Clock, Timer } from '@levada/connect-runtime-core';
import type { ExportWaiter } from '../model/waiting-export.ts';
import { accepted, type ExportOutcome, refused } from '../receive/admission/export-outcome.ts';

/** Is notified of the outcome of exports. One object serves all of them, because a pending export is made for each request. */
export interface PendingExportOwner {
  /** One of the messages was stored. */
  onStored(): void;
  /** The last of the messages was settled, whatever answer the client had before. */
  onSettled(pending: PendingExport): void;
  /** The answer was not there in time. */
  onLate(waitedMs: number): void;
  /** All of it was stored after it had been answered as not stored. */
  onStoredLate(): void;
}

export interface PendingExportOptions {
  /** Messages that it was divided into. */
  readonly messages: number;
  readonly clock: Clock;
  readonly timeoutMs: number;
}

const late = refused('unavailable', 'not acknowledged by the log in time');
const unknown = refused('unavailable', 'the log may or may not have stored it');

/**
 * An export whose client waits until all of its messages are settled. Lost permanently: success with partial_success, since sending
 * it again cannot help. One message unknown: the whole is refused and may be sent again (OTLP allows duplicates).
 */
export class PendingExport implements ExportWaiter {
  readonly outcome: Promise<ExportOutcome>;
  readonly #owner: PendingExportOwner;
  readonly #timeoutMs: number;
  readonly #answer: (outcome: ExportOutcome) => void;
  readonly #timer: Timer;
  #left: number;
  #lost = 0;
  #unknown = false;
  #answered = false;

  constructor(owner: PendingExportOwner, { messages, clock, timeoutMs }: PendingExportOptions) {
    const { promise, resolve } = Promise.withResolvers<ExportOutcome>();
    this.#owner = owner;
    this.#timeoutMs = timeoutMs;
    this.outcome = promise;
    this.#answer = resolve;
    this.#left = messages;
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
