import { silentLogger, systemClock } from '@levada/connect-runtime-core';
import type { LogRecord } from '@levada/connect-runtime-core/platform';
import { openKafkaPlatform } from '@levada/platform-kafka';

const MOST_WAITING = 10_000;
const BATCH = 500;
const IN_FLIGHT = 5;
const NO_HEADERS: LogRecord['headers'] = [];

/** What of a source is held up while the log has enough. */
export interface Pausable {
  pause(): void;
  resume(): void;
}

/** The least that stores values in Kafka without loss: batches of what waits, several on their way, and a source that is held up. */
export class LeastProducer {
  stored = 0;
  readonly #topic: string;
  readonly #send: (records: readonly LogRecord[]) => Promise<unknown>;
  #waiting: LogRecord[] = [];
  #inFlight = 0;
  #scheduled = false;
  #paused: Pausable | undefined;

  private constructor(topic: string, send: (records: readonly LogRecord[]) => Promise<unknown>) {
    this.#topic = topic;
    this.#send = send;
  }

  /** Opens one for a topic of a broker. */
  static async open(bootstrap: string, topic: string): Promise<LeastProducer> {
    const platform = await openKafkaPlatform({
      config: { 'bootstrap.servers': bootstrap },
      logger: silentLogger,
      clock: systemClock,
    });
    const producer = await platform.producer({ clientId: 'least' });
    return new LeastProducer(topic, async (records) => {
      const { stored } = await producer.send(records);
      if (stored !== records.length) throw new Error(`${records.length - stored} records were not stored`);
    });
  }

  /** Takes a value, and pauses its source when enough waits. */
  offer(value: Uint8Array, source: Pausable): void {
    const timestamp = Date.now();
    this.#waiting.push({
      topic: this.#topic,
      partition: null,
      key: null,
      value,
      timestamp,
      headers: NO_HEADERS,
    });
    if (this.#paused === undefined && this.#waiting.length >= MOST_WAITING) {
      this.#paused = source;
      source.pause();
    }
    if (this.#scheduled || this.#inFlight >= IN_FLIGHT) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      this.#fill();
    });
  }

  #fill(): void {
    while (this.#inFlight < IN_FLIGHT && this.#waiting.length > 0) {
      const batch = this.#waiting.slice(0, BATCH);
      this.#waiting = this.#waiting.slice(BATCH);
      this.#inFlight += 1;
      void this.#store(batch);
    }
  }

  async #store(batch: readonly LogRecord[]): Promise<void> {
    await this.#send(batch).catch((error: unknown) => {
      process.stderr.write(`${String(error)}\n`);
      process.exit(1);
    });
    this.#inFlight -= 1;
    this.stored += batch.length;
    const paused = this.#paused;
    if (paused !== undefined && this.#waiting.length < MOST_WAITING / 2) {
      this.#paused = undefined;
      paused.resume();
    }
    this.#fill();
  }
}
