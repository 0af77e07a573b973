import type { LogProducer, LogRecord } from '@levada/connect-runtime-core/platform';
import { topic } from './sinks.ts';

const BATCH = 500;
const IN_FLIGHT = 5;
const QUEUED = 10_000;

/** Sends what waits in batches, several on their way at once. */
export class BatchingProducer {
  stored = 0;
  dropped = 0;
  readonly #producer: LogProducer;
  #waiting: LogRecord[] = [];
  #inFlight = 0;
  #scheduled = false;

  constructor(producer: LogProducer) {
    this.#producer = producer;
  }

  /** False when too much waits already. */
  offer(value: Buffer): boolean {
    if (this.#waiting.length >= QUEUED) {
      this.dropped += 1;
      return false;
    }
    this.#waiting.push({ topic, partition: null, key: null, value, timestamp: Date.now(), headers: [] });
    this.#schedule();
    return true;
  }

  #schedule(): void {
    if (this.#scheduled || this.#inFlight >= IN_FLIGHT || this.#waiting.length === 0) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      this.#send().catch((error: unknown) => {
        console.error(error);
        process.exit(1);
      });
    });
  }

  async #send(): Promise<void> {
    const batch = this.#waiting.slice(0, BATCH);
    this.#waiting = this.#waiting.slice(BATCH);
    this.#inFlight += 1;
    this.#schedule();
    const { stored } = await this.#producer.send(batch);
    this.stored += stored;
    this.#inFlight -= 1;
    this.#schedule();
  }
}
