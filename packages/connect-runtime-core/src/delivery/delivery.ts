import type { SourceRecord } from '../contract/source-record.ts';
import type { DroppedRecords } from '../contract/source-task.ts';
import { ConnectorError } from '../diagnostics/connector-error.ts';
import type { DropCause } from '../diagnostics/source-metrics.ts';
import type { LogProducer, LogRecord, SendResult } from '../platform/log-platform.ts';
import type { DeliveryMetrics } from './delivery-metrics.ts';
import { judgeFailure } from './failure-policy.ts';
import type { OffsetTracker, SubmittedOffset } from './offset-tracker.ts';
import { type RecordConverters, toLogRecord } from './record-converter.ts';

/** A record that was not produced, for the log. */
export interface UndeliveredRecord {
  readonly topic: string;
  readonly cause: DropCause;
  readonly error: ConnectorError;
}

export interface DeliveryOptions {
  readonly producer: LogProducer;
  readonly converters: RecordConverters;
  /** Stands in for missing time stamps: milliseconds since 1970, asked once per batch. */
  readonly now: () => number;
  readonly tracker: OffsetTracker;
  readonly metrics: (inFlight: () => number) => DeliveryMetrics;
  /** `errors.tolerance=all`: a record that fails is dropped and counted, and the task continues. */
  readonly tolerant: boolean;
  /** Whether a new task reads records with offsets again that were not committed. */
  readonly rereads: boolean;
  /**
   * Records are part of transactions: what is stored counts as produced, and is reported as committed, when {@link Delivery.release} is called.
   * Default: false.
   */
  readonly transactional?: boolean;
  /** Batches that may be on their way at once. */
  readonly maxInFlightBatches: number;
  /** Bytes that may be on their way before another batch is taken. */
  readonly maxInFlightBytes: number;
  /** Waited for before a batch is sent; undefined when it may be sent at once. A rejection ends the task. */
  readonly admit?: (records: readonly SourceRecord[]) => Promise<void> | undefined;
  /** Something was stored in a topic. Called once per batch and topic. */
  readonly onStored?: (topic: string) => void;
  readonly onDrop?: ((record: UndeliveredRecord) => void) | undefined;
  /** The first failure that the task cannot outlive; a callback that throws is one, too. Called once. */
  readonly onFailure: (error: ConnectorError) => void;
  /** A batch is settled: stored or dropped for good, all of it. Called at once; batches settle in any order. */
  readonly onCommitted?: (records: readonly SourceRecord[], dropped: DroppedRecords) => void;
}

/** One polled batch on its way. */
interface Batch {
  readonly records: readonly SourceRecord[];
  readonly submitted: readonly (SubmittedOffset | undefined)[] | undefined;
  /** The index in `records` of each record that was handed to the producer; undefined when that was all of them. */
  sent: number[] | undefined;
  readonly topics: Set<string>;
  /** Why records were dropped, by index; made when there is one. */
  dropped: Map<number, DropCause> | undefined;
  /** Whether some of it is undelivered. */
  undelivered: boolean;
}

const nothing: DroppedRecords = new Map();

/**
 * From poll to the log: converts, tracks offsets, hands whole batches to the producer with several in flight in order, and
 * settles them. Every record that enters is counted once: produced, or dropped with a cause.
 */
export class Delivery {
  readonly #options: DeliveryOptions;
  readonly #metrics: DeliveryMetrics;
  #inFlightBatches = 0;
  #inFlight = 0;
  #undelivered = 0;
  #failure: ConnectorError | undefined;
  /** Stored in a transaction that is not committed. */
  #held: { readonly batch: Batch; readonly stored: number }[] = [];
  #heldRecords = 0;
  #phase: 'open' | 'abandoned' | 'over' = 'open';
  /** Settles when a batch does, or when waiting is over. Made when somebody waits. */
  #change: PromiseWithResolvers<void> | undefined;

  constructor(options: DeliveryOptions) {
    this.#options = options;
    this.#metrics = options.metrics(() => this.#inFlight);
  }

  /** Records that were not delivered, because of a failure or because the time to stop ran out. */
  get undelivered(): number {
    return this.#undelivered;
  }

  /** The error that the task failed with, if it failed. */
  get failure(): ConnectorError | undefined {
    return this.#failure;
  }

  /** Records of settled batches whose transaction is not committed. */
  get held(): number {
    return this.#heldRecords;
  }

  /** The transaction is committed: what was held counts as produced. */
  release(): void {
    for (const { batch, stored } of this.#takeHeld()) {
      this.#produced(batch, stored);
      this.#reportCommitted(batch);
    }
  }

  /** The transaction is aborted, or that is to be assumed: what was held counts as undelivered. */
  discard(cause: DropCause): void {
    for (const { stored } of this.#takeHeld()) this.#countUndelivered(stored, cause);
  }

  /** True when another batch may be taken at once. */
  get hasRoom(): boolean {
    const { maxInFlightBatches, maxInFlightBytes, producer } = this.#options;
    if (this.#phase !== 'open' || this.#inFlightBatches === 0) return true;
    return this.#inFlightBatches < maxInFlightBatches && producer.pendingBytes < maxInFlightBytes;
  }

  /** Resolves when another batch may be taken. */
  async room(): Promise<void> {
    while (!this.hasRoom) await this.#nextChange();
  }

  /** Resolves when everything handed over is settled. */
  async settled(): Promise<void> {
    while (this.#inFlightBatches > 0) await this.#nextChange();
  }

  /** From now on batches are counted as undelivered instead of being sent, and waits for room end. */
  abandon(): void {
    if (this.#phase === 'open') this.#phase = 'abandoned';
    this.#changed();
  }

  /** Ends all waits: what is on its way counts as unknown, and its later outcome has no effect. */
  giveUp(): void {
    this.#phase = 'over';
    this.#countUndelivered(this.#inFlight, 'delivery_unknown');
    this.#inFlightBatches = 0;
    this.#takeHeld();
    this.#changed();
  }

  /**
   * Takes one polled batch, which is in flight from now on. Resolves when it was sent and another one may be polled. Never
   * rejects: the outcome of the batch shows in counters, offsets and {@link failure}.
   */
  async deliver(records: readonly SourceRecord[]): Promise<void> {
    if (this.#phase === 'over') return;
    this.#inFlight += records.length;
    const admitted = this.#options.admit?.(records);
    if (admitted !== undefined && (await this.#overAfter(admitted))) return;
    const batch = this.#submit(records);
    if (batch === undefined) return;
    this.#inFlightBatches += 1;
    const converted = this.#convert(batch);
    if (converted.length === 0) this.#close(batch);
    else {
      this.#send(converted).then(
        (result) => this.#settle(batch, result),
        (thrown: unknown) => this.#rejected(batch, ConnectorError.from(thrown)),
      );
    }
  }

  /** Whether it was given up, and the batch counted, while something was waited for. */
  async #overAfter(wait: Promise<void>): Promise<boolean> {
    try {
      await wait;
    } catch (thrown) {
      this.#endTask(ConnectorError.from(thrown));
    }
    return this.#phase === 'over';
  }

  /** Records handed over from now on count as undelivered. */
  #endTask(error: ConnectorError): void {
    if (this.#failure !== undefined) return;
    this.#failure = error;
    this.#options.onFailure(error);
  }

  /** A producer that throws instead of rejecting rejects. */
  async #send(converted: readonly LogRecord[]): Promise<SendResult> {
    return await this.#options.producer.send(converted);
  }

  /** The batch with its offsets on their way; undefined when it counts as undelivered. */
  #submit(records: readonly SourceRecord[]): Batch | undefined {
    let submitted: (SubmittedOffset | undefined)[] | undefined;
    try {
      if (this.#isSending()) submitted = this.#submitOffsets(records);
    } catch (thrown) {
      this.#endTask(ConnectorError.from(thrown));
    }
    if (this.#isSending())
      return {
        records,
        submitted,
        sent: undefined,
        topics: new Set(),
        dropped: undefined,
        undelivered: false,
      };
    this.#countUndelivered(records.length, this.#phase === 'open' ? 'produce_rejected' : 'shutdown_timeout');
    return undefined;
  }

  #isSending(): boolean {
    return this.#phase === 'open' && this.#failure === undefined;
  }

  #submitOffsets(records: readonly SourceRecord[]): (SubmittedOffset | undefined)[] | undefined {
    const { tracker } = this.#options;
    let submitted: (SubmittedOffset | undefined)[] | undefined;
    for (let i = 0; i < records.length; i += 1) {
      const one = tracker.submit(records[i] as SourceRecord);
      if (one === undefined) continue;
      submitted ??= new Array<SubmittedOffset | undefined>(records.length);
      submitted[i] = one;
    }
    return submitted;
  }

  #convert(batch: Batch): LogRecord[] {
    const { records, topics } = batch;
    const { converters } = this.#options;
    const now = this.#options.now();
    const converted: LogRecord[] = [];
    let lastTopic: string | undefined;
    for (let i = 0; i < records.length; i += 1) {
      const record = records[i] as SourceRecord;
      try {
        converted.push(toLogRecord(converters, record, now));
      } catch (thrown) {
        batch.sent ??= converted.map((_, index) => index);
        this.#fail(batch, i, ConnectorError.from(thrown, 'conversion_failed'));
        if (this.#failure === undefined || !this.#readAgain(batch, i)) continue;
        // What can be read again is left to a new task, so that it is not produced twice.
        this.#countUndelivered(records.length - i - 1, 'produce_rejected');
        break;
      }
      batch.sent?.push(i);
      if (record.topic !== lastTopic) topics.add(record.topic);
      lastTopic = record.topic;
    }
    return converted;
  }

  #settle(batch: Batch, { stored, failures }: SendResult): void {
    if (this.#phase === 'over') return;
    const { records, sent } = batch;
    for (const { index, error } of failures) this.#fail(batch, sent?.[index] ?? index, error);
    if (batch.submitted !== undefined) {
      const failed = new Set(failures.map(({ index }) => index));
      const count = sent?.length ?? records.length;
      for (let i = 0; i < count; i += 1) if (!failed.has(i)) this.#ack(batch, sent?.[i] ?? i);
    }
    if (this.#options.transactional === true) {
      this.#held.push({ batch, stored });
      this.#heldRecords += records.length;
      this.#inFlightBatches -= 1;
      this.#changed();
      return;
    }
    this.#produced(batch, stored);
    this.#close(batch);
  }

  #produced({ topics }: Batch, stored: number): void {
    this.#metrics.produced.value += stored;
    this.#inFlight -= stored;
    if (stored > 0) for (const topic of topics) this.#tell(() => this.#options.onStored?.(topic));
  }

  #takeHeld(): readonly { readonly batch: Batch; readonly stored: number }[] {
    const held = this.#held;
    this.#held = [];
    this.#heldRecords = 0;
    return held;
  }

  #rejected(batch: Batch, error: ConnectorError): void {
    if (this.#phase === 'over') return;
    const indexes = batch.sent ?? batch.records.keys();
    for (const index of indexes) this.#fail(batch, index, error);
    this.#close(batch);
  }

  #fail(batch: Batch, index: number, error: ConnectorError): void {
    const { topic } = batch.records[index] as SourceRecord;
    const resumable = this.#readAgain(batch, index);
    const { cause, action } = judgeFailure(error, { tolerant: this.#options.tolerant, resumable });
    this.#inFlight -= 1;
    this.#metrics.dropped(cause, 1);
    if (action === 'drop') {
      batch.dropped ??= new Map();
      batch.dropped.set(index, cause);
      this.#ack(batch, index);
    } else {
      this.#undelivered += 1;
      batch.undelivered = true;
    }
    if (action !== 'undelivered') this.#tell(() => this.#options.onDrop?.({ topic, cause, error }));
    if (action === 'fail') this.#endTask(error);
  }

  #readAgain({ submitted }: Batch, index: number): boolean {
    return submitted?.[index] !== undefined && this.#options.rereads;
  }

  #ack(batch: Batch, index: number): void {
    const submitted = batch.submitted?.[index];
    if (submitted !== undefined) this.#options.tracker.ack(submitted);
  }

  #countUndelivered(count: number, cause: DropCause): void {
    this.#inFlight -= count;
    this.#undelivered += count;
    if (count > 0) this.#metrics.dropped(cause, count);
  }

  #close(batch: Batch): void {
    this.#inFlightBatches -= 1;
    this.#reportCommitted(batch);
    this.#changed();
  }

  #reportCommitted({ records, dropped, undelivered }: Batch): void {
    if (!undelivered) this.#tell(() => this.#options.onCommitted?.(records, dropped ?? nothing));
  }

  /** Others' code must not keep a batch from being settled. */
  #tell(call: () => void): void {
    try {
      call();
    } catch (thrown) {
      this.#endTask(ConnectorError.from(thrown));
    }
  }

  #nextChange(): Promise<void> {
    this.#change ??= Promise.withResolvers<void>();
    return this.#change.promise;
  }

  #changed(): void {
    this.#change?.resolve();
    this.#change = undefined;
  }
}
