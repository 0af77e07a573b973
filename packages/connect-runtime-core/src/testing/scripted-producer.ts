import { ConnectorError } from '../diagnostics/connector-error.ts';
import type {
  LogProducer,
  LogProducerOptions,
  LogRecord,
  SendFailure,
  SendResult,
} from '../platform/log-platform.ts';
import type { Clock } from '../time/clock.ts';
import type { FaultState } from './log-faults.ts';
import type { ScriptedTopics } from './scripted-topics.ts';

export interface ScriptedLogParts {
  readonly topics: ScriptedTopics;
  readonly faults: FaultState;
  readonly clock: Clock;
}

interface Batch {
  readonly records: readonly LogRecord[];
  readonly bytes: number;
  readonly deadline: number;
  readonly settled: Promise<SendResult>;
  readonly settle: (result: SendResult) => void;
  stored: boolean;
}

/** Kafka's default of `delivery.timeout.ms`. */
const DELIVERY_TIMEOUT_MS = 120_000;

/** A producer that does what the script says. Batches are stored and answered in the order of sending. */
export class ScriptedProducer implements LogProducer {
  readonly #parts: ScriptedLogParts;
  readonly #onClosed: () => void;
  readonly #deliveryTimeoutMs: number;
  readonly #pending = new Set<Batch>();
  readonly #closed = new AbortController();
  #tail: Promise<void> = Promise.resolve();
  #pendingBytes = 0;
  #sticky = 0;

  constructor(parts: ScriptedLogParts, options: LogProducerOptions, onClosed: () => void) {
    this.#parts = parts;
    this.#onClosed = onClosed;
    const timeout = options.overrides?.['delivery.timeout.ms'];
    this.#deliveryTimeoutMs = timeout === undefined ? DELIVERY_TIMEOUT_MS : Number(timeout);
  }

  get pendingBytes(): number {
    return this.#pendingBytes;
  }

  async send(records: readonly LogRecord[]): Promise<SendResult> {
    if (this.#closed.signal.aborted) throw new ConnectorError('closed', 'the producer is closed');
    if (this.#parts.faults.fenced) throw fenced();
    const batch = this.#batchOf(records);
    this.#pending.add(batch);
    this.#pendingBytes += batch.bytes;
    this.#tail = this.#tail.then(() => this.#store(batch));
    return batch.settled;
  }

  async flush(): Promise<void> {
    await Promise.all([...this.#pending].map((batch) => batch.settled));
  }

  async close(options: { readonly timeoutMs?: number } = {}): Promise<void> {
    const flushed = this.flush();
    if (options.timeoutMs === undefined) await flushed;
    else await this.#wait(options.timeoutMs, flushed);
    this.#closed.abort();
    for (const batch of this.#pending) {
      const cause = new Error(batch.stored ? 'stored, but not answered' : 'not stored');
      this.#failAll(batch, new ConnectorError('closed', 'the producer was closed', { cause }));
    }
    this.#onClosed();
  }

  #batchOf(records: readonly LogRecord[]): Batch {
    const copies = records.map(copy);
    const bytes = copies.reduce((sum, record) => sum + sizeOf(record), 0);
    const { promise, resolve } = Promise.withResolvers<SendResult>();
    const deadline = this.#parts.clock.monotonic() + this.#deliveryTimeoutMs;
    return { records: copies, bytes, deadline, settled: promise, settle: resolve, stored: false };
  }

  async #store(batch: Batch): Promise<void> {
    const { faults } = this.#parts;
    if (faults.delayMs > 0) await this.#wait(faults.delayMs);
    await this.#untilReachable(batch);
    if (!this.#pending.has(batch)) return;
    const failure = faults.fenced ? fenced() : (this.#lateness(batch) ?? faults.takeFailure());
    if (failure !== undefined) {
      this.#failAll(batch, failure);
      return;
    }
    const failures = this.#append(batch);
    if (faults.takeLostAnswer()) {
      const cause = new Error('stored, but the answer was lost');
      this.#failAll(batch, new ConnectorError('delivery_timeout', 'no answer from the log', { cause }));
      return;
    }
    const result = { stored: batch.records.length - failures.length, failures };
    const held = faults.held();
    if (held === undefined) this.#settle(batch, result);
    // Fencing does not end a hold: the batch is stored, only its answer waits.
    else void held.then(() => this.#settle(batch, result));
  }

  #append(batch: Batch): readonly SendFailure[] {
    const { topics, faults } = this.#parts;
    const failures: SendFailure[] = [];
    for (const [index, record] of batch.records.entries()) {
      const error = faults.decide(record) ?? topics.refusal(record);
      if (error === undefined) topics.append(record, this.#sticky);
      else failures.push({ index, error });
    }
    this.#sticky += 1;
    batch.stored = true;
    return failures;
  }

  async #untilReachable(batch: Batch): Promise<void> {
    const { faults, clock } = this.#parts;
    const waiting = (): boolean =>
      faults.away !== undefined && !faults.fenced && !this.#closed.signal.aborted;
    while (waiting()) {
      const left = batch.deadline - clock.monotonic();
      if (left <= 0) return;
      await this.#wait(left, faults.changed());
    }
  }

  #lateness(batch: Batch): ConnectorError | undefined {
    const { faults, clock } = this.#parts;
    if (faults.away === undefined || clock.monotonic() < batch.deadline) return undefined;
    const cause = new Error('not stored');
    return new ConnectorError('delivery_timeout', `not delivered in time: ${faults.away}`, { cause });
  }

  /** Until the time is over, the other promise settles, or the producer is closed. */
  async #wait(ms: number, other?: Promise<unknown>): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = this.#parts.clock.after(ms, resolve);
    const { signal } = this.#closed;
    const end = (): void => resolve();
    signal.addEventListener('abort', end, { once: true });
    await (other === undefined ? promise : Promise.race([promise, other]));
    signal.removeEventListener('abort', end);
    timer.cancel();
  }

  #failAll(batch: Batch, error: ConnectorError): void {
    this.#settle(batch, { stored: 0, failures: batch.records.map((_, index) => ({ index, error })) });
  }

  #settle(batch: Batch, result: SendResult): void {
    if (!this.#pending.delete(batch)) return;
    this.#pendingBytes -= batch.bytes;
    batch.settle(result);
  }
}

function fenced(): ConnectorError {
  return new ConnectorError('fenced', 'another producer has taken over');
}

function copy(record: LogRecord): LogRecord {
  return {
    ...record,
    key: record.key?.slice() ?? null,
    value: record.value?.slice() ?? null,
    headers: record.headers.map(({ key, value }) => ({ key, value: value?.slice() ?? null })),
  };
}

function sizeOf(record: LogRecord): number {
  return (record.key?.length ?? 0) + (record.value?.length ?? 0);
}
