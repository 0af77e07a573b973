import { type Clock, ConnectorError } from '@levada/connect-runtime-core';
import { type BackoffPolicy, backoffDelay } from '@levada/connect-runtime-core/converter';
import { settlesWithin } from '@levada/connect-runtime-core/host';

export interface LatestWriterOptions {
  /** Stores one value; null deletes. Rejects with a ConnectorError. */
  readonly put: (key: string, value: string | null) => Promise<void>;
  readonly clock: Clock;
  /** A write failed: it is tried again (`attempt` from 1), or given up when the error is not retriable. */
  readonly onFailure: (failure: { readonly error: ConnectorError; readonly attempt: number }) => void;
}

const backoff: BackoffPolicy = { intervalMs: 250, maxMs: 10_000 };

/**
 * Writes the latest value of each key in the background, again and again until the log takes it. A value that is replaced
 * before it was written is never written. One write per key at a time.
 */
export class LatestWriter {
  readonly #options: LatestWriterOptions;
  readonly #dirty = new Map<string, string | null>();
  readonly #closed = new AbortController();
  #running: Promise<void> | undefined;

  constructor(options: LatestWriterOptions) {
    this.#options = options;
  }

  write(key: string, value: string | null): void {
    if (this.#closed.signal.aborted) return;
    this.#dirty.set(key, value);
    this.#running ??= this.#run();
  }

  /** Waits until everything is written, at most `timeoutMs`. */
  async flush(timeoutMs: number): Promise<void> {
    const { clock } = this.#options;
    if (this.#running !== undefined) await settlesWithin({ clock, ms: timeoutMs }, this.#running);
  }

  /** The value of a key is not to be written any more. */
  drop(key: string): void {
    this.#dirty.delete(key);
  }

  /** Waits until everything is written, at most `timeoutMs`, and gives up the rest. False when something is left. */
  async close(timeoutMs: number): Promise<boolean> {
    const { clock } = this.#options;
    if (this.#running !== undefined) await settlesWithin({ clock, ms: timeoutMs }, this.#running);
    this.#closed.abort();
    const complete = this.#dirty.size === 0;
    this.#dirty.clear();
    return complete;
  }

  async #run(): Promise<void> {
    let attempt = 0;
    while (this.#dirty.size > 0 && !this.#closed.signal.aborted) {
      const batch = [...this.#dirty];
      const results = await Promise.all(batch.map(([key, value]) => this.#write(key, value)));
      const failed = results.find((error) => error !== undefined);
      attempt = failed === undefined ? 0 : attempt + 1;
      if (failed === undefined || this.#closed.signal.aborted) continue;
      this.#options.onFailure({ error: failed, attempt });
      await this.#pause(backoffDelay(backoff, attempt, Math.random));
    }
    // In the same turn as the last look at what is left, so that nothing can come in between.
    this.#running = undefined;
  }

  async #write(key: string, value: string | null): Promise<ConnectorError | undefined> {
    try {
      await this.#options.put(key, value);
    } catch (thrown) {
      const error = ConnectorError.from(thrown);
      if (!error.retriable && this.#dirty.get(key) === value) this.#dirty.delete(key);
      return error;
    }
    if (this.#dirty.get(key) === value) this.#dirty.delete(key);
    return undefined;
  }

  async #pause(ms: number): Promise<void> {
    // Closing ends the wait; the loop sees it.
    await this.#options.clock.sleep(ms, this.#closed.signal).catch(() => undefined);
  }
}
