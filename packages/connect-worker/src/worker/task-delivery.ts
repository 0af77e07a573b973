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
import { internalTopicsOf } from '../stores/runtime-stores.ts';
import type { RecordErrors } from './record-errors.ts';
import type { TaskSettings } from './task-settings.ts';
import type { SourceTaskParts, TaskHost } from './worker-source-task.ts';

export interface TaskDeliveryParts {
  readonly task: SourceTaskParts;
  readonly host: TaskHost;
  readonly settings: TaskSettings;
  readonly producer: LogProducer;
  readonly tracker: OffsetTracker;
  readonly errors: RecordErrors;
  readonly log: EventLog<typeof runtimeEvents>;
  /** Ends the waits for topics, schemas and further attempts. */
  readonly signal: AbortSignal;
  /** See `DeliveryOptions.hold`. */
  readonly hold: () => Promise<unknown> | undefined;
  /** Records were stored in a topic. */
  readonly onStored: (topic: string) => void;
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
  const { task, host, settings, producer, tracker, errors, log } = parts;
  const { clock } = host.runtime;
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
    onStored: parts.onStored,
    onDrop: ({ topic, cause, error }) => log('record_dropped', { topic, cause, reason: error.message }),
    onRecordFailed: (failed) => errors.record(failed, settings),
    onFailure: (error, stage) => parts.onFailure(connectFailure(error, stage)),
    onCommitted: parts.onCommitted,
  });
}

function createGate({ host, settings, log, signal }: TaskDeliveryParts): SendGate {
  const { platform, clock, environment } = host.runtime;
  const internalTopics = new Set(internalTopicsOf(host.runtime));
  if (settings.offsetsTopic !== undefined) internalTopics.add(settings.offsetsTopic);
  return new SendGate({
    mayProduce: host.mayProduce,
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

function createRetry({ host, settings, errors, signal }: TaskDeliveryParts): RecordRetry | undefined {
  const { retryTimeoutMs, retryDelayMaxMs } = settings.errors;
  if (retryTimeoutMs === 0) return undefined;
  return new RecordRetry({
    clock: host.runtime.clock,
    signal,
    timeoutMs: retryTimeoutMs,
    delayMaxMs: retryDelayMaxMs,
    onRetry: () => errors.retried(),
  });
}

function metricsOf(
  { metrics, measured, connector }: SourceTaskParts,
  inFlight: () => number,
): DeliveryMetrics {
  measured.observeActive(inFlight);
  const counters = deliveryMetrics(metrics, inFlight, connector.metrics);
  return { ...counters, settled: (stored, sent) => measured.written(stored, sent) };
}

/** As Kafka Connect words it when a record does not transform or convert. */
function connectFailure(error: ConnectorError, stage: RecordStage | undefined): ConnectorError {
  if (stage === undefined || stage === 'KAFKA_PRODUCE') return error;
  return new ConnectorError('tolerance_exceeded', 'Tolerance exceeded in error handler', { cause: error });
}
