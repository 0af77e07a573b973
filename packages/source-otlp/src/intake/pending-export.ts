import type { Clock } from '@levada/connect-runtime-core';
import { accepted, type ExportOutcome, refused } from '../receiver/export-outcome.ts';
import type { ExportWaiter } from '../waiting-export.ts';

/** What an export waits with. */
export interface PendingExportOptions {
  /** Messages that it was divided into. */
  readonly messages: number;
  readonly clock: Clock;
  readonly timeoutMs: number;
  /** One of the messages was stored. */
  readonly onStored: () => void;
  /** The last of the messages was settled, whatever its client was told before. */
  readonly onSettled: () => void;
  /** The answer was not there in time. */
  readonly onLate: () => void;
  /** All of it was stored after its client had been told that it was not. */
  readonly onStoredLate: () => void;
}

const late = refused('unavailable', 'not acknowledged by the log in time');
const unknown = refused('unavailable', 'the log may or may not have stored it');

/**
 * An export whose client waits until all of its messages are settled. Lost for good: success with partial_success, since sending
 * it again cannot help. One message unknown: the whole is refused and may be sent again (OTLP allows duplicates).
 */
export class PendingExport implements ExportWaiter {
  readonly outcome: Promise<ExportOutcome>;
  readonly #options: PendingExportOptions;
  readonly #answer: (outcome: ExportOutcome) => void;
  readonly #cancel: () => void;
  #left: number;
  #lost = 0;
  #unknown = false;
  #answered = false;

  constructor(options: PendingExportOptions) {
    const { promise, resolve } = Promise.withResolvers<ExportOutcome>();
    this.#options = options;
    this.outcome = promise;
    this.#answer = resolve;
    this.#left = options.messages;
    const timer = options.clock.after(options.timeoutMs, () => this.#giveUp());
    this.#cancel = () => timer.cancel();
  }

  settle(result: 'stored' | 'lost' | 'unknown', items: number): void {
    const { onStored, onSettled, onStoredLate } = this.#options;
    this.#left -= 1;
    if (result === 'stored') onStored();
    if (result === 'lost') this.#lost += items;
    if (result === 'unknown') this.#unknown = true;
    if (this.#left > 0) return;
    onSettled();
    const outcome = this.#outcomeNow();
    if (!this.#answered) {
      this.#cancel();
      this.#tell(outcome);
    } else if (outcome === accepted) onStoredLate();
  }

  /** Nobody will settle the rest of it. */
  abandon(): void {
    if (this.#answered) return;
    this.#cancel();
    this.#tell(unknown);
  }

  #outcomeNow(): ExportOutcome {
    if (this.#unknown) return unknown;
    if (this.#lost === 0) return accepted;
    return { kind: 'accepted', partial: { rejected: this.#lost, message: 'the log does not accept it' } };
  }

  #giveUp(): void {
    if (this.#answered) return;
    this.#tell(late);
    this.#options.onLate();
  }

  #tell(outcome: ExportOutcome): void {
    this.#answered = true;
    this.#answer(outcome);
  }
}
