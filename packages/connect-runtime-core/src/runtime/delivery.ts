import { ConnectorError } from '../errors/connector-error.ts';
import type { DropCause } from '../metrics/source-metrics.ts';
import type { LogProducer, LogRecord, SendResult } from '../platform/log-platform.ts';
import type { SourceRecord } from '../record/source-record.ts';
import type { DeliveryMetrics } from './delivery-metrics.ts';
import { judgeFailure } from './failure-policy.ts';
import type { OffsetTracker, SubmittedOffset } from './offset-tracker.ts';

/** A record that was not produced, for the log. */
export interface UndeliveredRecord {
  readonly topic: string;
  readonly cause: DropCause;
  readonly error: ConnectorError;
}

/** What a delivery works with. */
export interface DeliveryOptions {
  readonly producer: LogProducer;
  /** One record to the log's form. Throws a `conversion_failed` ConnectorError. */
  readonly convert: (record: SourceRecord) => LogRecord;
  readonly tracker: OffsetTracker;
  readonly metrics: (inFlight: () => number) => DeliveryMetrics;
  /** `errors.tolerance=all`: a record that fails is dropped and counted, and the task goes on. */
  readonly tolerant: boolean;
  /** Batches that may be on their way at once. */
  readonly maxInFlightBatches: number;
  /** Bytes that may be on their way before another batch is taken. */
  readonly maxInFlightBytes: number;
  /** Something was stored in a topic. Called once per batch and topic. */
  readonly onStored?: (topic: string) => void;
  readonly onDrop?: (record: UndeliveredRecord) => void;
  /** The first failure that the task cannot outlive. Called once. */
  readonly onFailure: (error: ConnectorError) => void;
  /** A batch is settled: stored or dropped for good, all of it, in the order of polling. */
  readonly onCommitted?: ((records: readonly SourceRecord[]) => void) | undefined;
}

/** One polled batch on its way. `sent[i]` is the index in `records` of the i-th record that was handed to the producer. */
interface Batch {
  readonly records: readonly SourceRecord[];
  readonly submitted: readonly (SubmittedOffset | undefined)[] | undefined;
  readonly sent: number[];
  readonly topics: Set<string>;
  state: 'in-flight' | 'committed' | 'undelivered';
}

/**
 * From poll to the log: converts, tracks offsets, hands whole batches to the producer with several in flight in order, and
 * settles them. Every record that enters is counted once: produced, or dropped with a cause.
 */
export class Delivery {
  readonly #options: DeliveryOptions;
  readonly #metrics: DeliveryMetrics;
  readonly #batches: Batch[] = [];
  #inFlightBatches = 0;
  #inFlight = 0;
  #undelivered = 0;
  #failure: ConnectorError | undefined;
  #abandoned = false;
  #wake: (() => void) | undefined;

  constructor(options: DeliveryOptions) {
    this.#options = options;
    this.#metrics = options.metrics(() => this.#inFlight);
  }

  /** Records taken and not settled. */
  get inFlight(): number {
    return this.#inFlight;
  }

  /** Records that were left behind, by a failure or because the time to stop ran out. */
  get undelivered(): number {
    return this.#undelivered;
  }

  /** What made the task fail, if anything did. */
  get failure(): ConnectorError | undefined {
    return this.#failure;
  }

  /** True when another batch may be taken at once. */
  get hasRoom(): boolean {
    const { maxInFlightBatches, maxInFlightBytes, producer } = this.#options;
    if (this.#abandoned || this.#inFlightBatches === 0) return true;
    return this.#inFlightBatches < maxInFlightBatches && producer.pendingBytes < maxInFlightBytes;
  }

  /** Resolves when another batch may be taken. One caller at a time. */
  async room(): Promise<void> {
    while (!this.hasRoom) await this.#nextSettled();
  }

  /** Resolves when everything handed over is settled. One caller at a time, and not beside {@link room}. */
  async settled(): Promise<void> {
    while (this.#inFlightBatches > 0) await this.#nextSettled();
  }

  /** From now on batches are counted as left behind instead of being sent, and nobody waits for room. */
  abandon(): void {
    this.#abandoned = true;
    this.#wake?.();
  }

  /** The task cannot go on, for a reason that shows before anything is sent: what is delivered from now on is left behind. */
  refuse(error: ConnectorError): void {
    if (this.#failure !== undefined) return;
    this.#failure = error;
    this.#options.onFailure(error);
  }

  /** Hands over one polled batch. Never throws: what becomes of it shows in counters, offsets and {@link failure}. */
  deliver(records: readonly SourceRecord[]): void {
    if (this.#abandoned || this.#failure !== undefined) {
      this.#leaveBehind(records.length, this.#abandoned ? 'shutdown_timeout' : 'produce_rejected');
      return;
    }
    this.#inFlight += records.length;
    this.#inFlightBatches += 1;
    const batch = this.#submit(records);
    this.#batches.push(batch);
    const converted = this.#convert(batch);
    if (converted.length === 0) this.#close(batch);
    else {
      this.#options.producer.send(converted).then(
        (result) => this.#settle(batch, result),
        (thrown: unknown) => this.#rejected(batch, ConnectorError.from(thrown)),
      );
    }
  }

  #submit(records: readonly SourceRecord[]): Batch {
    const { tracker } = this.#options;
    let submitted: (SubmittedOffset | undefined)[] | undefined;
    for (let i = 0; i < records.length; i += 1) {
      const one = tracker.submit(records[i] as SourceRecord);
      if (one === undefined) continue;
      submitted ??= new Array<SubmittedOffset | undefined>(records.length);
      submitted[i] = one;
    }
    return { records, submitted, sent: [], topics: new Set(), state: 'in-flight' };
  }

  #convert(batch: Batch): LogRecord[] {
    const { records, sent, topics } = batch;
    const converted: LogRecord[] = [];
    let lastTopic: string | undefined;
    for (let i = 0; i < records.length; i += 1) {
      const record = records[i] as SourceRecord;
      try {
        converted.push(this.#options.convert(record));
        sent.push(i);
      } catch (thrown) {
        this.#fail(batch, i, ConnectorError.from(thrown, 'conversion_failed'));
        // What can be read again is left to a new task, so that it is not produced twice.
        if (this.#failure !== undefined && batch.submitted !== undefined) {
          this.#inFlight -= records.length - i - 1;
          this.#leaveBehind(records.length - i - 1, 'produce_rejected');
          break;
        }
      }
      if (record.topic !== lastTopic) topics.add(record.topic);
      lastTopic = record.topic;
    }
    return converted;
  }

  #settle(batch: Batch, result: SendResult): void {
    const { sent, submitted } = batch;
    let next = 0;
    for (let i = 0; i < sent.length; i += 1) {
      const index = sent[i] as number;
      if (result.failures[next]?.index === i) {
        this.#fail(batch, index, result.failures[next]?.error as ConnectorError);
        next += 1;
      } else if (submitted !== undefined) this.#ack(batch, index);
      // Nothing failed from here on, and nothing is to be acknowledged one by one.
      else if (next === result.failures.length) break;
    }
    this.#metrics.produced.value += result.stored;
    this.#inFlight -= result.stored;
    if (result.stored > 0) for (const topic of batch.topics) this.#options.onStored?.(topic);
    this.#close(batch);
  }

  #rejected(batch: Batch, error: ConnectorError): void {
    for (const index of batch.sent) this.#fail(batch, index, error);
    this.#close(batch);
  }

  #fail(batch: Batch, index: number, error: ConnectorError): void {
    const record = batch.records[index] as SourceRecord;
    const resumable = batch.submitted?.[index] !== undefined;
    const { cause, action } = judgeFailure(error, { tolerant: this.#options.tolerant, resumable });
    this.#inFlight -= 1;
    this.#metrics.dropped(cause, 1);
    if (action === 'drop') this.#ack(batch, index);
    else {
      this.#undelivered += 1;
      batch.state = 'undelivered';
    }
    if (action !== 'undelivered') this.#options.onDrop?.({ topic: record.topic, cause, error });
    if (action === 'fail') this.refuse(error);
  }

  #ack(batch: Batch, index: number): void {
    const submitted = batch.submitted?.[index];
    if (submitted !== undefined) this.#options.tracker.ack(submitted);
  }

  #leaveBehind(count: number, cause: DropCause): void {
    this.#undelivered += count;
    this.#metrics.dropped(cause, count);
  }

  #close(batch: Batch): void {
    this.#inFlightBatches -= 1;
    if (batch.state === 'in-flight') batch.state = 'committed';
    // Batches settle in any order; their source is told in the order of polling.
    while (this.#batches.length > 0 && this.#batches[0]?.state !== 'in-flight') {
      const first = this.#batches.shift();
      if (first?.state === 'committed') this.#options.onCommitted?.(first.records);
    }
    this.#wake?.();
  }

  async #nextSettled(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
    });
    this.#wake = undefined;
  }
}
