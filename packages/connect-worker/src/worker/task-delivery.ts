import { ConnectorError, type EventLog, type SourceRecord } from '@levada/connect-runtime-core';
import type { DroppedRecords } from '@levada/connect-runtime-core/contract';
import {
  Delivery,
  type DeliveryMetrics,
  deliveryMetrics,
  type OffsetTracker,
  RecordRetry,
  type RecordStage,
  SchemaPreparation,
  SendGate,
  TopicAdmission,
  toLogRecord,
} from '@levada/connect-runtime-core/host';
import type { LogProducer } from '@levada/connect-runtime-core/platform';
import type { runtimeEvents } from '../port/runtime-events.ts';
import type { RecordErrors } from './record-errors.ts';
import type { TaskSettings } from './task-settings.ts';
import type { WorkerSourceTaskOptions } from './worker-source-task.ts';

/** What delivery needs of a task's options. */
type TaskOptions = Pick<
  WorkerSourceTaskOptions,
  | 'connector'
  | 'platform'
  | 'metrics'
  | 'measured'
  | 'clock'
  | 'internalTopics'
  | 'mayProduce'
  | 'environment'
  | 'onTopic'
>;

export interface TaskDeliveryParts {
  readonly task: TaskOptions;
  readonly settings: TaskSettings;
  readonly producer: LogProducer;
  readonly tracker: OffsetTracker;
  readonly errors: RecordErrors;
  readonly log: EventLog<typeof runtimeEvents>;
  /** Ends the waits for topics, schemas and further attempts. */
  readonly signal: AbortSignal;
  /** See `DeliveryOptions.hold`. */
  readonly hold: () => Promise<unknown> | undefined;
  /** The first failure that the task cannot outlive. */
  readonly onFailure: (error: ConnectorError) => void;
  /** A batch is stored or dropped for good, all of it. */
  readonly onCommitted: (records: readonly SourceRecord[], dropped: DroppedRecords) => void;
}

/** Batches on their way at once: enough to keep a log busy, few enough that a slow log shows in the task's own queue. */
const MAX_IN_FLIGHT_BATCHES = 8;
/** Bytes on their way before another batch is taken. */
const MAX_IN_FLIGHT_BYTES = 16 * 1024 * 1024;

/** The delivery of one task, with everything that its settings ask for on the way. */
export function createTaskDelivery(parts: TaskDeliveryParts): Delivery {
  const { task, settings, producer, tracker, errors, log } = parts;
  const { clock } = task;
  const { stages, converters, tolerant, rereads } = settings;
  const gate = createGate(parts);
  return new Delivery({
    producer,
    stages,
    convert: (record, now) => toLogRecord(converters, record, now),
    retry: createRetry(parts),
    tolerant,
    rereads,
    transactional: settings.transactions !== undefined,
    tracker,
    now: () => clock.now(),
    admit: (records) => gate.pass(records),
    hold: parts.hold,
    metrics: (inFlight) => metricsOf(task, inFlight),
    maxInFlightBatches: MAX_IN_FLIGHT_BATCHES,
    maxInFlightBytes: MAX_IN_FLIGHT_BYTES,
    onStored: task.onTopic,
    onDrop: ({ topic, cause, error }) => log('record_dropped', { topic, cause, reason: error.message }),
    onRecordFailed: (failed) => errors.record(failed, settings),
    onFailure: (error, stage) => parts.onFailure(connectFailure(error, stage)),
    onCommitted: parts.onCommitted,
  });
}

function createGate({ task, settings, log, signal }: TaskDeliveryParts): SendGate {
  const { platform, mayProduce, clock, environment } = task;
  const internalTopics = new Set(task.internalTopics);
  if (settings.offsetsTopic !== undefined) internalTopics.add(settings.offsetsTopic);
  return new SendGate({
    mayProduce,
    clock,
    admission: new TopicAdmission({ platform, internalTopics, specFor: settings.topicSpec }),
    preparation: new SchemaPreparation({
      key: settings.converters.key,
      value: settings.converters.value,
      context: { clock, signal, environment },
      retry: { timeoutMs: settings.errors.retryTimeoutMs, delayMaxMs: settings.errors.retryDelayMaxMs },
      onFailed: ({ error, attempt }) => log('schema_preparation_failed', { reason: error.message, attempt }),
    }),
    signal,
    onCheckFailed: ({ error, attempt }) => log('topic_check_failed', { reason: error.message, attempt }),
  });
}

function createRetry({ task, settings, errors, signal }: TaskDeliveryParts): RecordRetry | undefined {
  const { retryTimeoutMs, retryDelayMaxMs } = settings.errors;
  if (retryTimeoutMs === 0) return undefined;
  return new RecordRetry({
    clock: task.clock,
    signal,
    timeoutMs: retryTimeoutMs,
    delayMaxMs: retryDelayMaxMs,
    onRetry: () => errors.retried(),
  });
}

function metricsOf({ metrics, measured, connector }: TaskOptions, inFlight: () => number): DeliveryMetrics {
  measured.observeActive(inFlight);
  const counters = deliveryMetrics(metrics, inFlight, connector.metrics);
  return { ...counters, settled: (stored, sent) => measured.written(stored, sent) };
}

/** As Kafka Connect words it when a record does not transform or convert. */
function connectFailure(error: ConnectorError, stage: RecordStage | undefined): ConnectorError {
  if (stage === undefined || stage === 'KAFKA_PRODUCE') return error;
  return new ConnectorError('tolerance_exceeded', 'Tolerance exceeded in error handler', { cause: error });
}
