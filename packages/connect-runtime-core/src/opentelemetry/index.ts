// OpenTelemetry for sources in a service, through its API package alone.
export type { SourceInfo } from '../library/source-channels.ts';
export type { InstrumentSourcesOptions } from './instrument-sources.ts';
export { instrumentSources } from './instrument-sources.ts';
export type { RecordSpanOptions } from './record-span.ts';
export { withRecordSpan } from './record-span.ts';
