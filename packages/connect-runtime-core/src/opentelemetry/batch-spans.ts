import {
  type Counter,
  type Histogram,
  type Meter,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
} from '@opentelemetry/api';
import type { SourceRecord } from '../contract/source-record.ts';
import type { ConnectorError } from '../diagnostics/connector-error.ts';
import type { SourceMessages } from '../library/source-channels.ts';
import { destinationOf, messagingSystem, processing, producersOf } from './messaging-attributes.ts';
import { failSpan } from './record-span.ts';

interface OpenBatch {
  /** Absent when only metrics are wanted. */
  readonly span: Span | undefined;
  readonly startedMs: number;
}

/**
 * Batches of one source that are neither settled nor given up. A consumer need not settle what it takes, so this is bounded: the
 * oldest is given up.
 */
const MOST_OPEN = 256;

/** The batches of one source, from the time they are handed to the consumer until it has settled them. */
export class BatchSpans {
  readonly #tracer: Tracer | undefined;
  readonly #consumed: Counter;
  readonly #duration: Histogram;
  readonly #open = new Map<readonly SourceRecord[], OpenBatch>();
  #failure: ConnectorError | undefined;

  constructor(tracer: Tracer | undefined, meter: Meter) {
    this.#tracer = tracer;
    this.#consumed = meter.createCounter('messaging.client.consumed.messages', {
      description: 'Number of messages that were delivered to the application.',
      unit: '{message}',
    });
    this.#duration = meter.createHistogram('messaging.process.duration', {
      description: 'Duration of processing operation.',
      unit: 's',
      advice: {
        explicitBucketBoundaries: [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10],
      },
    });
  }

  /** A batch was handed to the consumer. */
  begin({ source, records }: SourceMessages['levada:source:batch']): void {
    const topic = destinationOf(records);
    const destination = topic === undefined ? {} : { 'messaging.destination.name': topic };
    this.#consumed.add(records.length, {
      ...messagingSystem,
      ...destination,
      'messaging.operation.name': 'receive',
      'messaging.client.id': source.name,
    });
    const span = this.#tracer?.startSpan(topic === undefined ? 'process' : `process ${topic}`, {
      kind: SpanKind.CONSUMER,
      attributes: {
        ...processing,
        ...destination,
        'messaging.client.id': source.name,
        'messaging.batch.message_count': records.length,
      },
      links: producersOf(records),
    });
    const [oldest] = this.#open.keys();
    if (oldest !== undefined && this.#open.size === MOST_OPEN) this.#giveUp(oldest);
    this.#open.set(records, { span, startedMs: performance.now() });
  }

  /** The consumer has settled it. */
  settle({ source, records, dropped }: SourceMessages['levada:source:settled']): void {
    const batch = this.#open.get(records);
    if (batch === undefined) return;
    this.#open.delete(records);
    const [cause] = dropped.values();
    this.#duration.record((performance.now() - batch.startedMs) / 1000, {
      ...messagingSystem,
      'messaging.operation.name': 'process',
      'messaging.client.id': source.name,
      ...(cause === undefined ? {} : { 'error.type': cause }),
    });
    if (cause !== undefined) {
      batch.span?.setAttributes({ 'error.type': cause, 'levada.batch.dropped_count': dropped.size });
      batch.span?.setStatus({ code: SpanStatusCode.ERROR, message: `${dropped.size} records were given up` });
    }
    batch.span?.end();
  }

  /** The source cannot continue. */
  fail(error: ConnectorError): void {
    this.#failure = error;
  }

  /** The source is closed: what is not settled never will be. */
  end(): void {
    for (const records of this.#open.keys()) this.#giveUp(records);
  }

  #giveUp(records: readonly SourceRecord[]): void {
    const span = this.#open.get(records)?.span;
    this.#open.delete(records);
    span?.setAttribute('levada.batch.settled', false);
    if (span !== undefined && this.#failure !== undefined) failSpan(span, this.#failure);
    span?.end();
  }
}
