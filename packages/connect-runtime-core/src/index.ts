// For authors of connectors, and for services that run one connector as a library.
export type { ConfigDef, ConfigValue } from './config/config-def.ts';
export { configDef } from './config/config-def.ts';
export type {
  ConfigKey,
  ConfigOptions,
  ConfigType,
  ParsedConfig,
  RawConfig,
  UpdateMode,
} from './config/config-key.ts';
export type { ConfigKeyInfo } from './config/config-key-info.ts';
export type { ConfigProvider, ConfigProviderPlugin } from './config/config-provider.ts';
export { javaTrim } from './config/java-text.ts';
export { reconnectKeys } from './config/key-groups.ts';
export { hiddenText, Secret } from './config/secret.ts';
export type { ValidatedValue, Validator } from './config/validators.ts';
export {
  allOf,
  atLeast,
  between,
  nonBlank,
  nonEmpty,
  oneOf,
  oneOfIgnoringCase,
  optional,
  port,
  topicName,
  withMessage,
} from './config/validators.ts';
export { httpHeaderName, httpHeaderValue, jsonPointer, jsonText, url } from './config/wire-validators.ts';
export type { ProducedTypes } from './connector/produced-types.ts';
export type { AnySourceConnector, OffsetChange, SourceConnector } from './connector/source-connector.ts';
export type { SourceEvent, SourceEventMap } from './connector/source-event.ts';
export type { DroppedRecords, SourceTask } from './connector/source-task.ts';
export type { OffsetReader, TaskContext } from './connector/task-context.ts';
export { byteArrayConverter } from './converter/byte-array-converter.ts';
export type { Converter, ConverterPlugin } from './converter/converter.ts';
export { jsonConverter } from './converter/json-converter.ts';
export { stringConverter } from './converter/string-converter.ts';
export type { ConfigIssue, ConnectorErrorOptions } from './errors/connector-error.ts';
export { ConnectorError, isConnectorError } from './errors/connector-error.ts';
export type { ErrorCode } from './errors/error-codes.ts';
export { errorCodes } from './errors/error-codes.ts';
export type { SourceOptions } from './library/create-source.ts';
export { createSource } from './library/create-source.ts';
export type { PipeOptions, Run } from './library/pipe.ts';
export { pipe } from './library/pipe.ts';
export type { SourceEventName, SourceListener } from './library/source-events.ts';
export type { SourceFactory } from './library/source-factory.ts';
export { sourceFactory } from './library/source-factory.ts';
export type {
  CloseOptions,
  CloseReport,
  SourceBatches,
  SourceHandle,
  SourceHealth,
} from './library/source-handle.ts';
export type { EventLog, LogEvent, LogEventTable } from './logging/log-event.ts';
export { eventLog } from './logging/log-event.ts';
export type { LogFields, Logger, LogLevel } from './logging/logger.ts';
export { silentLogger } from './logging/logger.ts';
export type { GaugeSources } from './metrics/connection-gauges.ts';
export { connectionSnapshot, freezeGauges, observeGauges } from './metrics/connection-gauges.ts';
export { HIGH_UTILIZATION, healthEvents } from './metrics/health-events.ts';
export type { HealthLineOptions } from './metrics/health-line.ts';
export { HealthLine } from './metrics/health-line.ts';
export type {
  CounterDef,
  DerivedDef,
  GaugeDef,
  MetricDef,
  MetricNames,
  MetricSeries,
  MetricTable,
} from './metrics/metric-def.ts';
export type { Counter, MetricObjectName } from './metrics/metric-group.ts';
export { MetricGroup } from './metrics/metric-group.ts';
export { RegularLine } from './metrics/regular-line.ts';
export type { DropCause } from './metrics/source-metrics.ts';
export { connectionMetrics, dropAttribute, dropCauses, sourceMetrics } from './metrics/source-metrics.ts';
export type {
  GroupAssignment,
  GroupMembership,
  GroupMembershipOptions,
} from './platform/group-membership.ts';
export { singleMembership } from './platform/group-membership.ts';
export type {
  CompactedLog,
  CompactedLogOptions,
  CompactedRecord,
  LogHeader,
  LogPlatform,
  LogPlatformContext,
  LogProducer,
  LogProducerOptions,
  LogRecord,
  PlatformHealth,
  SendFailure,
  SendResult,
  TopicDescription,
  TopicSpec,
} from './platform/log-platform.ts';
export { partitionOfKey } from './platform/murmur2.ts';
export type { BoundedQueueOptions } from './queue/bounded-queue.ts';
export { BoundedQueue } from './queue/bounded-queue.ts';
export type { DroppedMessages, IntakeOptions } from './queue/intake.ts';
export { Intake } from './queue/intake.ts';
export type { HeldBytes } from './queue/release-chunk.ts';
export { newSlab, SLAB_BYTES } from './record/new-slab.ts';
export type { Write } from './record/output-arena.ts';
export { OutputArena } from './record/output-arena.ts';
export type { Schema, SchemaField, SchemaType } from './record/schema.ts';
export { bytesSchema, optionalStringSchema, stringSchema } from './record/schema.ts';
export type { OffsetValue, SourceOffset, SourcePartition } from './record/source-offset.ts';
export { canonicalJson } from './record/source-offset.ts';
export type { RecordHeader, SourceRecord, SourceRecordInput } from './record/source-record.ts';
export { sourceRecord } from './record/source-record.ts';
export type { BackoffPolicy } from './retry/backoff.ts';
export { backoffDelay } from './retry/backoff.ts';
export type { ConnectionSnapshot, ConnectionState } from './retry/connection-state.ts';
export type { ConnectionHooks, ReconnectPolicy, SuperviseOptions } from './retry/supervise.ts';
export { supervise } from './retry/supervise.ts';
export type { UndeliveredRecord } from './runtime/delivery.ts';
export { pointerValue } from './text/json-pointer.ts';
export { nearest } from './text/nearest.ts';
export type { Printable } from './text/printable.ts';
export { printable } from './text/printable.ts';
export type { Clock, Timer } from './time/clock.ts';
export { systemClock } from './time/clock.ts';
