import type { Clock } from '@levada/connect-runtime-core';
import { answerTime } from './answer-time.ts';
import { PendingExport } from './pending-export.ts';

/** What waiting for acknowledgements goes by. */
export interface AckWaitsOptions {
  readonly clock: Clock;
  /** Longest wait of a client, in milliseconds. */
  readonly timeoutMs: number;
  /** A client was told that its export was not acknowledged in time. */
  readonly onLate: (waitedMs: number) => void;
  /** It was stored after that. */
  readonly onStoredLate: () => void;
}

/** The exports whose clients wait for the log. */
export class AckWaits {
  readonly #options: AckWaitsOptions;
  readonly #waiting = new Set<PendingExport>();
  #stalled = false;

  constructor(options: AckWaitsOptions) {
    this.#options = options;
  }

  /**
   * True from when a client waited in vain until something is stored again: further clients are then better told at once than
   * made to wait, too.
   */
  get stalled(): boolean {
    return this.#stalled;
  }

  /** The log has stored something. */
  stored(): void {
    this.#stalled = false;
  }

  /** One more export of so many messages, whose client gives up after `clientTimeoutMs`, if it said so. */
  begin(messages: number, clientTimeoutMs: number | undefined): PendingExport {
    const { clock, timeoutMs, onLate, onStoredLate } = this.#options;
    const waitMs = answerTime(timeoutMs, clientTimeoutMs);
    const pending = new PendingExport({
      messages,
      clock,
      timeoutMs: waitMs,
      onStoredLate,
      onLate: () => {
        // One impatient client says little of the log.
        if (waitMs === timeoutMs) this.#stalled = true;
        onLate(waitMs);
      },
    });
    this.#waiting.add(pending);
    void pending.outcome.then(() => this.#waiting.delete(pending));
    return pending;
  }

  /** Nobody will settle what still waits. */
  abandon(): void {
    for (const pending of this.#waiting) pending.abandon();
  }
}
