// For services and sources: types of everything that a source in a service takes and gives, and a source without a factory.
export type { UndeliveredRecord } from '../delivery/delivery-options.ts';
export type { SourceStatus } from '../diagnostics/polled-metrics.ts';
export type { MessageFirstLogger, ServiceLogger } from '../diagnostics/service-logger.ts';
export type { SourceOptions } from './create-source.ts';
export { createSource } from './create-source.ts';
export type { BatchOptions } from './records/batch-feed.ts';
export type { OnInvalid } from './records/record-feed.ts';
export type { RecordBatches, Records } from './records/records.ts';
export type { SourceInfo } from './source-channels.ts';
export type { SourceListener } from './source-events.ts';
export type {
  CloseOptions,
  DecodeOptions,
  LimitedSource,
  PipeSource,
  SourceConsumer,
} from './source-handle.ts';
