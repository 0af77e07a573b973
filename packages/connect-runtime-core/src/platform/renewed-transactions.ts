import { ConnectorError } from '../diagnostics/connector-error.ts';
import type { Clock, Timer } from '../time/clock.ts';
import type { LogHeader, LogRecord, SendResult, TransactionalProducer } from './log-platform.ts';

/**
 * A producer whose transactions may be open for longer than the log allows, for those who cannot know when one of theirs ends. After half
 * of that time it aborts the transaction and sends what was stored in it again, in the same order, in a new one. For that it keeps
 * copies of the records until the end.
 */
export function renewedTransactions(producer: TransactionalProducer, clock: Clock): TransactionalProducer {
  return new RenewedTransactions(producer, clock);
}

class RenewedTransactions implements TransactionalProducer {
  readonly #producer: TransactionalProducer;
  readonly #clock: Clock;
  /** What the open transaction consists of, in order. */
  #stored: LogRecord[][] = [];
  #sending = new Set<Promise<unknown>>();
  #timer: Timer | undefined;
  #renewal: Promise<void> | undefined;
  #failure: ConnectorError | undefined;

  constructor(producer: TransactionalProducer, clock: Clock) {
    this.#producer = producer;
    this.#clock = clock;
  }

  get transactionTimeoutMs(): number {
    return this.#producer.transactionTimeoutMs;
  }

  get pendingBytes(): number {
    return this.#producer.pendingBytes;
  }

  get unsentBytes(): number | undefined {
    return this.#producer.unsentBytes;
  }

  get throttledUntil(): number | undefined {
    return this.#producer.throttledUntil;
  }

  async send(records: readonly LogRecord[]): Promise<SendResult> {
    const kept = records.map(copy);
    const batch: LogRecord[] = [];
    await this.#renewal;
    if (this.#failure !== undefined) throw this.#failure;
    this.#stored.push(batch);
    this.#arm();
    const sending = this.#producer.send(kept);
    this.#sending.add(sending);
    try {
      const result = await sending;
      const failed = new Set(result.failures.map(({ index }) => index));
      batch.push(...kept.filter((_, index) => !failed.has(index)));
      return result;
    } finally {
      this.#sending.delete(sending);
    }
  }

  async flush(): Promise<void> {
    await this.#renewal;
    await this.#producer.flush();
  }

  async close(options?: { readonly timeoutMs?: number }): Promise<void> {
    this.#forget();
    await this.#producer.close(options);
  }

  commit(): Promise<void> {
    return this.#end(() => this.#producer.commit());
  }

  abort(): Promise<void> {
    return this.#end(() => this.#producer.abort());
  }

  async #end(end: () => Promise<void>): Promise<void> {
    await this.#renewal;
    if (this.#failure !== undefined) throw this.#failure;
    this.#forget();
    await end();
  }

  #forget(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
    this.#stored = [];
  }

  #arm(): void {
    this.#timer ??= this.#clock.after(this.transactionTimeoutMs / 2, () => {
      this.#timer = undefined;
      this.#renewal = this.#renew()
        .catch((thrown: unknown) => {
          this.#failure = ConnectorError.from(thrown);
        })
        .finally(() => {
          this.#renewal = undefined;
        });
    });
  }

  async #renew(): Promise<void> {
    await Promise.allSettled(this.#sending);
    await this.#producer.abort();
    if (this.#stored.length > 0) this.#arm();
    for (const batch of this.#stored) {
      const { failures } = await this.#producer.send(batch);
      const [failure] = failures;
      if (failure !== undefined) throw failure.error;
    }
  }
}

/** Senders may use the bytes of what they sent again. */
function copy({ key, value, headers, ...rest }: LogRecord): LogRecord {
  const headerCopies = headers.map((header): LogHeader => ({ key: header.key, value: bytes(header.value) }));
  return { ...rest, key: bytes(key), value: bytes(value), headers: headerCopies };
}

function bytes(of: Uint8Array | null): Uint8Array | null {
  return of === null ? null : new Uint8Array(of);
}
