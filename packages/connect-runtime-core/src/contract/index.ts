// For sources, converters, transformations and workers: the rest of the contract of connectors, every type of which has a name here or in ".".
export type { LogFields } from '../diagnostics/logger.ts';
export type { MetricDef } from '../diagnostics/metric-def.ts';
export type { MetricObjectName } from '../diagnostics/metric-group.ts';
export type { ConnectionSnapshot, ConnectionState } from './connection-state.ts';
export type { Decimal, ProducedTypes, SchemaField, SchemaType } from './schema.ts';
export { logicalTypes, optionalStringSchema } from './schema.ts';
export type { AnySourceConnector, ExactlyOnceSupport, OffsetChange } from './source-connector.ts';
export type { SourceEvent, SourceEventMap, SourceEventName } from './source-event.ts';
export type { OffsetValue } from './source-offset.ts';
export type { RecordHeader, SourceRecordInput } from './source-record.ts';
export type { DroppedRecords } from './source-task.ts';
export type { OffsetReader, TaskTransaction } from './task-context.ts';
export type { Predicate, PredicatePlugin, Transformation, TransformationPlugin } from './transformation.ts';
