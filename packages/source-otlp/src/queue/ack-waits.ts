import type { Clock } from '@levada/connect-runtime-core';
import { answerTime } from './answer-time.ts';
import { PendingAnswer, type PendingAnswerOwner } from './pending-answer.ts';

export interface AckWaitsOptions {
  readonly clock: Clock;
  /** Longest wait of a client, in milliseconds. */
  readonly timeoutMs: number;
  /** A client's wait ended before its export was acknowledged; it is answered with a refusal. */
  readonly onLate: (waitedMs: number) => void;
  /** It was stored after that. */
  readonly onStoredLate: () => void;
}

/** The exports of one signal whose clients wait for the log. */
export class AckWaits implements PendingAnswerOwner {
  readonly #options: AckWaitsOptions;
  /** Not settled by the log, whether or not their client still waits. */
  readonly #unsettled = new Set<PendingAnswer>();
  #stalled = false;

  constructor(options: AckWaitsOptions) {
    this.#options = options;
  }

  /**
   * True from the first wait that timed out until something is stored again: further clients are then refused at once instead of
   * waiting, too. False when nothing is left that could be stored, because then only another export shows the state of the log.
   */
  get isStalled(): boolean {
    return this.#stalled;
  }

  /** One more export of so many parts, whose client gives up after `clientTimeoutMs`, if it said so. */
  begin(parts: number, clientTimeoutMs: number | undefined): PendingAnswer {
    const { clock, timeoutMs } = this.#options;
    const waitMs = answerTime(timeoutMs, clientTimeoutMs);
    const pending = new PendingAnswer(this, { parts, clock, timeoutMs: waitMs });
    this.#unsettled.add(pending);
    return pending;
  }

  /** What still waits will not be settled any more. */
  abandon(): void {
    for (const pending of this.#unsettled) pending.abandon();
  }

  onStored(): void {
    this.#stalled = false;
  }

  onSettled(pending: PendingAnswer): void {
    this.#unsettled.delete(pending);
    if (this.#unsettled.size === 0) this.#stalled = false;
  }

  onLate(waitedMs: number): void {
    // One impatient client says little of the log.
    if (waitedMs === this.#options.timeoutMs) this.#stalled = true;
    this.#options.onLate(waitedMs);
  }

  onStoredLate(): void {
    this.#options.onStoredLate();
  }
}
