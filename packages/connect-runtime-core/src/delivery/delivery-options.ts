import type { SourceRecord } from '../contract/source-record.ts';
import type { DroppedRecords } from '../contract/source-task.ts';
import type { ConnectorError } from '../diagnostics/connector-error.ts';
import type { DropCause } from '../diagnostics/source-metrics.ts';
import type { LogRecord, SendResult } from '../platform/log-platform.ts';
import type { DeliveryMetrics } from './delivery-metrics.ts';
import type { OffsetTracking } from './offset-tracker.ts';
import type { RecordStage } from './record-failure.ts';
import type { RecordRetry } from './record-retry.ts';
import type { TransformationStage } from './transformation-chain.ts';

/** A record that was not produced. */
export interface UndeliveredRecord {
  /** Topic that the source gave it. */
  readonly topic: string;
  /**
   * The record as the source made it, before transformations and converters. For `onDrop` of a pipe text is strings, and bytes are a copy of
   * its own.
   */
  readonly record: SourceRecord;
  /** The counter that it is in. */
  readonly cause: DropCause;
  /** Why it could not be delivered. */
  readonly error: ConnectorError;
}

/** A record that failed, for counters and for the log. */
export interface FailedRecord {
  readonly stage: RecordStage;
  /** Class of the transformation; undefined in other stages. */
  readonly className: string | undefined;
  /** As the source made it. */
  readonly record: SourceRecord;
  readonly error: ConnectorError;
  /** It was dropped, and the task continues. */
  readonly tolerated: boolean;
}

/** What takes converted records, in order. A `LogProducer` is one. */
export interface RecordWriter<T> {
  /** As `LogProducer.send`. */
  send(records: readonly T[]): Promise<SendResult>;
  /** Bytes handed over and not yet settled. */
  readonly pendingBytes: number;
  /** As `LogProducer.unsentBytes`. */
  readonly unsentBytes?: number | undefined;
}

/** `T` is what the producer takes. */
export interface DeliveryOptions<T = LogRecord> {
  readonly producer: RecordWriter<T>;
  /** Transformations of each record, in order. Undefined without any: then nothing is done for them. */
  readonly stages?: readonly TransformationStage[] | undefined;
  /** Makes of a record what the producer takes. `now` stands in for a missing time stamp. What it throws fails the record. */
  readonly convert: (record: SourceRecord, now: number) => T;
  /** Tries again what may succeed later. Undefined: nothing is tried again. */
  readonly retry?: RecordRetry | undefined;
  /** Stands in for missing time stamps: milliseconds since 1970, asked once per batch. */
  readonly now: () => number;
  readonly tracker: OffsetTracking;
  readonly metrics: (inFlight: () => number) => DeliveryMetrics;
  /** `errors.tolerance=all`: a record that fails is dropped and counted, and the task continues. */
  readonly tolerant: boolean;
  /** Whether a new task reads records with offsets again that were not committed. */
  readonly rereads: boolean;
  /**
   * Records are part of transactions: what is stored counts as produced, and is reported as committed, when
   * `Delivery.release` is called. Default: false.
   */
  readonly transactional?: boolean;
  /** Batches that may be on their way at once. */
  readonly maxInFlightBatches: number;
  /** Bytes that may be on their way before another batch is taken. */
  readonly maxInFlightBytes: number;
  /** Waited for before a batch is sent; undefined when it may be sent at once. A rejection ends the task. */
  readonly admit?: (records: readonly SourceRecord[]) => Promise<void> | undefined;
  /** Asked right before a batch is sent, until it is undefined: then the batch is sent at once. */
  readonly hold?: () => Promise<unknown> | undefined;
  /** Something was stored in a topic. Called once per batch and topic. */
  readonly onStored?: (topic: string) => void;
  readonly onDrop?: ((record: UndeliveredRecord) => void) | undefined;
  /** A record failed, whether or not that is tolerated. */
  readonly onRecordFailed?: ((record: FailedRecord) => void) | undefined;
  /** The first failure that the task cannot outlive, with the stage of a record that is not tolerated; a callback that throws is one, too. Called once. */
  readonly onFailure: (error: ConnectorError, stage?: RecordStage) => void;
  /** A batch is settled: stored or dropped for good, all of it. Called at once; batches settle in any order. */
  readonly onCommitted?: (records: readonly SourceRecord[], dropped: DroppedRecords) => void;
}
