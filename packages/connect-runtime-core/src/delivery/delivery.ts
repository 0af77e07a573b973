import type { SourceRecord } from '../contract/source-record.ts';
import type { DroppedRecords } from '../contract/source-task.ts';
import { ConnectorError } from '../diagnostics/connector-error.ts';
import type { DropCause } from '../diagnostics/source-metrics.ts';
import type { LogRecord, SendFailure, SendResult } from '../platform/log-platform.ts';
import {
  type Batch,
  checkResult,
  convertedAgain,
  converterOf,
  type Held,
  submitOffsets,
  takesAnother,
  transformedAgain,
  transformedOnce,
} from './batch.ts';
import type { DeliveryMetrics } from './delivery-metrics.ts';
import type { DeliveryOptions, RecordWriter } from './delivery-options.ts';
import { judgeFailure } from './failure-policy.ts';
import type { SubmittedOffset } from './offset-tracker.ts';
import { RecordFailure, type RecordStage } from './record-failure.ts';
import { sentOf, type Transformed } from './transformation-chain.ts';

const nothing: DroppedRecords = new Map();

/**
 * From poll to the log: converts, tracks offsets, hands whole batches to the producer with several in flight in order, and
 * settles them. Every record that enters is counted once: produced, or dropped with a cause.
 */
export class Delivery<T = LogRecord> {
  readonly #options: DeliveryOptions<T>;
  readonly #metrics: DeliveryMetrics;
  #inFlightBatches = 0;
  #inFlight = 0;
  #undelivered = 0;
  #failure: ConnectorError | undefined;
  /** Stored in a transaction that is not committed. */
  #held: Held[] = [];
  #heldRecords = 0;
  #phase: 'open' | 'abandoned' | 'over' = 'open';
  /** Settles when a batch does, or when waiting is over. Made when somebody waits. */
  #change: PromiseWithResolvers<void> | undefined;

  constructor(options: DeliveryOptions<T>) {
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
    for (const held of this.#takeHeld()) {
      this.#produced(held);
      this.#reportCommitted(held.batch);
    }
  }

  /** The transaction is aborted, or that is to be assumed: what was held counts as undelivered. */
  discard(cause: DropCause): void {
    for (const { stored, sent } of this.#takeHeld()) {
      this.#countUndelivered(stored, cause);
      this.#metrics.settled?.(0, sent);
    }
  }

  /** True when another batch may be taken at once. */
  get hasRoom(): boolean {
    return this.#phase !== 'open' || takesAnother(this.#options, this.#inFlightBatches);
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
    if (this.#isOver()) return;
    this.#inFlight += records.length;
    this.#metrics.taken?.(records.length);
    const { retry } = this.#options;
    const transformed =
      retry === undefined
        ? transformedOnce(this.#options, records)
        : await transformedAgain(this.#options, records, retry);
    if (this.#isOver()) return;
    const admitted = this.#options.admit?.(transformed === undefined ? records : sentOf(transformed));
    if (admitted !== undefined && (await this.#overAfter(admitted))) return;
    const convert =
      retry === undefined ? undefined : await convertedAgain(this.#options, transformed ?? records, retry);
    const { hold } = this.#options;
    for (let held = hold?.(); held !== undefined; held = hold?.()) await held;
    if (this.#isOver()) return;
    const batch = this.#submit(records);
    if (batch === undefined) return;
    this.#inFlightBatches += 1;
    const converted =
      transformed === undefined && retry === undefined
        ? this.#convert(batch)
        : this.#convertSent(batch, transformed ?? records, convert ?? converterOf(this.#options));
    if (converted.length === 0) this.#close(batch);
    else {
      this.#send(converted).then(
        (result) => this.#settle(batch, result),
        (thrown: unknown) => this.#rejected(batch, ConnectorError.from(thrown)),
      );
    }
  }

  /** Apart, because a comparison narrows the phase for the compiler, also across what changes it. */
  #isOver(): boolean {
    return this.#phase === 'over';
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
  #endTask(error: ConnectorError, stage?: RecordStage): void {
    if (this.#failure !== undefined) return;
    this.#failure = error;
    this.#options.onFailure(error, stage);
  }

  /**
   * A producer that throws instead of rejecting rejects, as does one whose answer does not fit the batch. No async function: that
   * would keep the converted records, of which the producer has copied what it needs, until they are acknowledged.
   */
  #send(converted: readonly T[]): Promise<SendResult> {
    const { length } = converted;
    return handOver(this.#options.producer, converted).then((result) => {
      checkResult(result, length);
      return result;
    });
  }

  /** The batch with its offsets on their way; undefined when it counts as undelivered. */
  #submit(records: readonly SourceRecord[]): Batch | undefined {
    let submitted: (SubmittedOffset | undefined)[] | undefined;
    try {
      if (this.#isSending()) submitted = submitOffsets(this.#options.tracker, records);
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

  #convert(batch: Batch): T[] {
    const { records, topics } = batch;
    const { convert } = this.#options;
    const now = this.#options.now();
    const converted: T[] = [];
    let lastTopic: string | undefined;
    for (let i = 0; i < records.length; i += 1) {
      const record = records[i] as SourceRecord;
      try {
        converted.push(convert(record, now));
      } catch (thrown) {
        batch.sent ??= converted.map((_, index) => index);
        if (this.#failConversion(batch, i, thrown)) continue;
        break;
      }
      batch.sent?.push(i);
      if (record.topic !== lastTopic) topics.add(record.topic);
      lastTopic = record.topic;
    }
    return converted;
  }

  /** As {@link #convert}, of what transformations left. */
  #convertSent(batch: Batch, transformed: readonly Transformed[], convert: (record: SourceRecord) => T): T[] {
    const converted: T[] = [];
    const sent: number[] = [];
    batch.sent = sent;
    for (const [i, record] of transformed.entries()) {
      if (record === null) {
        this.#filter(batch, i);
        continue;
      }
      try {
        if (record instanceof RecordFailure) throw record;
        converted.push(convert(record));
        sent.push(i);
        batch.topics.add(record.topic);
      } catch (thrown) {
        if (!this.#failConversion(batch, i, thrown)) break;
      }
    }
    return converted;
  }

  /** False when the rest of the batch is not to be sent: what can be read again is left to a new task, so that it is not produced twice. */
  #failConversion(batch: Batch, index: number, thrown: unknown): boolean {
    this.#fail(
      batch,
      index,
      thrown instanceof RecordFailure ? thrown : new RecordFailure('VALUE_CONVERTER', thrown),
    );
    if (this.#failure === undefined || !this.#readAgain(batch, index)) return true;
    this.#countUndelivered(batch.records.length - index - 1, 'produce_rejected');
    return false;
  }

  /** Dropped on purpose: counted, and its offset is committed. */
  #filter(batch: Batch, index: number): void {
    this.#inFlight -= 1;
    this.#metrics.dropped('filtered', 1);
    batch.dropped ??= new Map();
    batch.dropped.set(index, 'filtered');
    this.#ack(batch, index);
  }

  #settle(batch: Batch, { stored, failures }: SendResult): void {
    if (this.#phase === 'over') return;
    const { records, sent } = batch;
    for (const failure of failures) this.#failProduce(batch, sent?.[failure.index] ?? failure.index, failure);
    if (batch.submitted !== undefined) {
      const failed = failures.length === 0 ? undefined : new Set(failures.map(({ index }) => index));
      const count = sent?.length ?? records.length;
      for (let i = 0; i < count; i += 1) if (failed?.has(i) !== true) this.#ack(batch, sent?.[i] ?? i);
    }
    const held = { batch, stored, sent: stored + failures.length };
    if (this.#options.transactional === true) {
      this.#held.push(held);
      this.#heldRecords += records.length;
      this.#inFlightBatches -= 1;
      this.#changed();
      return;
    }
    this.#produced(held);
    this.#close(batch);
  }

  #produced({ batch, stored, sent }: Held): void {
    this.#metrics.produced.value += stored;
    this.#inFlight -= stored;
    this.#metrics.settled?.(stored, sent);
    if (stored > 0) for (const topic of batch.topics) this.#tell(() => this.#options.onStored?.(topic));
  }

  #takeHeld(): readonly Held[] {
    const held = this.#held;
    this.#held = [];
    this.#heldRecords = 0;
    return held;
  }

  #rejected(batch: Batch, error: ConnectorError): void {
    if (this.#phase === 'over') return;
    const indexes = batch.sent ?? batch.records.keys();
    for (const index of indexes) this.#failProduce(batch, index, { error });
    this.#metrics.settled?.(0, batch.sent?.length ?? batch.records.length);
    this.#close(batch);
  }

  #failProduce(batch: Batch, index: number, { error, drop }: Omit<SendFailure, 'index'>): void {
    this.#fail(batch, index, new RecordFailure('KAFKA_PRODUCE', error), drop);
  }

  #fail(batch: Batch, index: number, failure: RecordFailure, drop = false): void {
    const { stage, className, error } = failure;
    const record = batch.records[index] as SourceRecord;
    const { topic } = record;
    const resumable = this.#readAgain(batch, index);
    // Whatever a plugin throws, the record never came to the log.
    const code = stage === 'KAFKA_PRODUCE' ? error.code : 'conversion_failed';
    const tolerant = this.#options.tolerant || drop || failure.drop;
    const { cause, action } = judgeFailure(code, { tolerant, resumable });
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
    const tolerated = action === 'drop';
    if (action !== 'undelivered') {
      this.#tell(() => this.#options.onDrop?.({ topic, record, cause, error }));
      this.#tell(() => this.#options.onRecordFailed?.({ stage, className, record, error, tolerated }));
    }
    if (action === 'fail') this.#endTask(error, stage);
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

function handOver<T>(producer: RecordWriter<T>, records: readonly T[]): Promise<SendResult> {
  try {
    return Promise.resolve(producer.send(records));
  } catch (thrown) {
    return Promise.reject(thrown);
  }
}
