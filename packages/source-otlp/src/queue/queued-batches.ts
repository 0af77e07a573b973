import type { QueuedExport } from '../model/queued-export.ts';
import type { SignalQueue } from './signal-queue.ts';

/** Most exports of one batch, and most bytes of them unless one alone has more. */
const BATCH = 1000;
const BATCH_BYTES = 1024 * 1024;

/** Takes exports out of the queues, a batch of one signal at a time, in turns, so that a busy signal does not delay the others. */
export class QueuedBatches {
  readonly #signals: readonly SignalQueue[];
  #turn = 0;
  #closed = false;
  #wake: (() => void) | undefined;

  constructor(signals: readonly SignalQueue[]) {
    this.#signals = signals;
    for (const { outputs } of signals) for (const queue of outputs) queue.onAdded = () => this.#wakeUp();
  }

  /** Ends once the queues are empty. What survives a restart stays where it is. */
  close(): void {
    this.#closed = true;
    this.#wakeUp();
  }

  /** The next exports, all of one signal; empty at the end. One call at a time. */
  async take(): Promise<readonly QueuedExport[]> {
    for (;;) {
      const batch = await this.#takeTurn();
      if (batch.length > 0) return batch;
      if (this.#closed) return [];
      await new Promise<void>((resolve) => {
        // Never at once: a spool whose entries cannot be taken yet must not keep the event loop busy.
        if (this.#closed || this.#signals.some(({ size }) => size > 0)) setImmediate(resolve);
        else this.#wake = resolve;
      });
    }
  }

  /** Lets everything arrive first that the event loop has to read. */
  #wakeUp(): void {
    const wake = this.#wake;
    if (wake === undefined) return;
    this.#wake = undefined;
    setImmediate(wake);
  }

  async #takeTurn(): Promise<readonly QueuedExport[]> {
    for (let tried = 0; tried < this.#signals.length; tried += 1) {
      const { outputs } = this.#signals[this.#turn % this.#signals.length] as SignalQueue;
      this.#turn += 1;
      for (const queue of outputs) {
        if (queue.size === 0 || (this.#closed && queue.isDurable)) continue;
        const batch = await queue.take(BATCH, BATCH_BYTES);
        if (batch.length > 0) return batch;
      }
    }
    return [];
  }
}
