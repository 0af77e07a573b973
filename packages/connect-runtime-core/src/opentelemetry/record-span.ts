import { type Attributes, type Span, SpanKind, SpanStatusCode, type Tracer, trace } from '@opentelemetry/api';
import type { SourceRecord } from '../contract/source-record.ts';
import { processing, producersOf } from './messaging-attributes.ts';

/** How the span of a record is made. */
export interface RecordSpanOptions {
  /** Default: that of the global provider. */
  readonly tracer?: Tracer | undefined;
  /** Attributes in addition to those of messaging. */
  readonly attributes?: Attributes | undefined;
}

/**
 * Does the work for one record in a span, `process <topic>`, that is active meanwhile, so that spans of databases and clients are
 * its children, and that is linked to the span in which the record was made. Returns what the work returns; a failure is
 * recorded on the span.
 *
 * @example
 * for await (const record of source) await withRecordSpan(record, () => store(record));
 */
export function withRecordSpan<T>(
  record: SourceRecord,
  work: (span: Span) => Promise<T>,
  options: RecordSpanOptions = {},
): Promise<T> {
  const tracer = options.tracer ?? trace.getTracer('@levada/connect-runtime-core');
  const { topic, partition } = record;
  const attributes = {
    ...processing,
    'messaging.destination.name': topic,
    ...(partition === null ? {} : { 'messaging.destination.partition.id': String(partition) }),
    ...options.attributes,
  };
  const made = { kind: SpanKind.CONSUMER, attributes, links: producersOf([record]) };
  return tracer.startActiveSpan(`process ${topic}`, made, async (span) => {
    try {
      return await work(span);
    } catch (thrown) {
      failSpan(span, thrown);
      throw thrown;
    } finally {
      span.end();
    }
  });
}

/** Marks a span as failed. `error.type` is the code of an error that has one, as the conventions want it. */
export function failSpan(span: Span, thrown: unknown): void {
  const error = thrown instanceof Error ? thrown : new Error(String(thrown));
  const code: unknown = Reflect.get(error, 'code');
  span.recordException(error);
  span.setAttribute('error.type', typeof code === 'string' ? code : error.name);
  span.setStatus({ code: SpanStatusCode.ERROR, message: error.message });
}
