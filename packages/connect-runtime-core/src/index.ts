// The contract: what an author of a connector implements, and what a service runs one with.
export type { ConfigDef, ConfigValue } from './config/config-def.ts';
export { configDef } from './config/config-def.ts';
export type { ConfigKey, ConfigOptions, ParsedConfig, RawConfig } from './config/config-key.ts';
export { Secret } from './config/secret.ts';
export type { ConnectionSnapshot, ConnectionState } from './contract/connection-state.ts';
export type { OffsetStore, OffsetStoreContext, PartitionOffset } from './contract/offset-store.ts';
export type { Decimal, ProducedTypes, Schema, SchemaField, SchemaType } from './contract/schema.ts';
export { bytesSchema, logicalTypes, optionalStringSchema, stringSchema } from './contract/schema.ts';
export type {
  AnySourceConnector,
  ExactlyOnceSupport,
  OffsetChange,
  SourceConnector,
} from './contract/source-connector.ts';
export type { SourceEvent, SourceEventMap, SourceEventName } from './contract/source-event.ts';
export type { SourceOffset, SourcePartition } from './contract/source-offset.ts';
export type { RecordHeader, SourceRecord, SourceRecordInput } from './contract/source-record.ts';
export { sourceRecord } from './contract/source-record.ts';
export type { DroppedRecords, SourceTask } from './contract/source-task.ts';
export type { OffsetReader, TaskContext, TaskTransaction } from './contract/task-context.ts';
export type {
  Predicate,
  PredicatePlugin,
  Transformation,
  TransformationPlugin,
} from './contract/transformation.ts';
export type { UndeliveredRecord } from './delivery/delivery-options.ts';
export type { ConfigIssue } from './diagnostics/connector-error.ts';
export { ConnectorError, isConnectorError } from './diagnostics/connector-error.ts';
export type { ErrorCode } from './diagnostics/error-codes.ts';
export type { ConnectorErrorJson, ErrorCauseJson } from './diagnostics/error-json.ts';
export type { EventLog, LogEventTable } from './diagnostics/log-event.ts';
export { eventLog } from './diagnostics/log-event.ts';
export type { LogFields, Logger, LogLevel } from './diagnostics/logger.ts';
export { silentLogger } from './diagnostics/logger.ts';
export type { MetricTable } from './diagnostics/metric-def.ts';
export type { MetricObjectName } from './diagnostics/metric-group.ts';
export { MetricGroup } from './diagnostics/metric-group.ts';
export type { SourceStatus } from './diagnostics/polled-metrics.ts';
export type { MessageFirstLogger, ServiceLogger } from './diagnostics/service-logger.ts';
export { messageFirst, serviceLogger } from './diagnostics/service-logger.ts';
export type { DropCause } from './diagnostics/source-metrics.ts';
export type { SourceOptions } from './library/create-source.ts';
export { createSource } from './library/create-source.ts';
export type { PipeOptions, Run } from './library/pipe.ts';
export { pipe } from './library/pipe.ts';
export type { BatchOptions } from './library/records/batch-feed.ts';
export type { OnInvalid } from './library/records/record-feed.ts';
export type { RecordBatches, Records } from './library/records/records.ts';
export type { SourceInfo, SourceMessages } from './library/source-channels.ts';
export type { SourceListener } from './library/source-events.ts';
export type { SourceFactory } from './library/source-factory.ts';
export { sourceFactory } from './library/source-factory.ts';
export type {
  CloseOptions,
  CloseReport,
  DecodeOptions,
  LimitedSource,
  PipeSource,
  SourceConsumer,
  SourceHandle,
  SourceHealth,
} from './library/source-handle.ts';
export type { Clock, Timer } from './time/clock.ts';
export { systemClock } from './time/clock.ts';
