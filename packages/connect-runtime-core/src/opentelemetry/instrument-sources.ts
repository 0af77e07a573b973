import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { type Meter, metrics, type Tracer, trace } from '@opentelemetry/api';
import type { SourceInfo, SourceMessages } from '../library/source-channels.ts';
import { BatchSpans } from './batch-spans.ts';
import { Observables, observeSource } from './source-gauges.ts';

/** What is recorded, and where. */
export interface InstrumentSourcesOptions {
  /** Default: that of the global provider, at the time that a source is first used. */
  readonly tracer?: Tracer | undefined;
  /** Default: that of the global provider, at the time that a source is first used. */
  readonly meter?: Meter | undefined;
  /** Spans of batches; `none` where `withRecordSpan` makes one for each record. Default `batch`. */
  readonly spans?: 'batch' | 'none' | undefined;
  /** Which sources are instrumented. Default: all. */
  readonly sources?: ((source: SourceInfo) => boolean) | undefined;
}

interface Instrumented {
  readonly spans: BatchSpans;
  readonly endGauges: () => void;
}

const SCOPE = '@levada/connect-runtime-core';

/**
 * Records metrics and spans of every source of the process that is first used from now on: all attributes as observable counters and
 * gauges, `messaging.client.consumed.messages`, `messaging.process.duration`, and one span for each batch from the time it is handed
 * out until it is settled, linked to the spans in which its records were made. Call it once, after the SDK was started. Returns
 * what ends it.
 *
 * @example
 * const stop = instrumentSources();
 */
export function instrumentSources(options: InstrumentSourcesOptions = {}): () => void {
  const known = new Map<SourceInfo, Instrumented>();
  const observables = new Observables();
  const end = (source: SourceInfo): void => {
    const instrumented = known.get(source);
    known.delete(source);
    instrumented?.spans.end();
    instrumented?.endGauges();
  };
  const off = [
    listen('levada:source:started', ({ source }) => {
      if (options.sources?.(source) !== false) known.set(source, instrument(source, options, observables));
    }),
    listen('levada:source:batch', (message) => known.get(message.source)?.spans.begin(message)),
    listen('levada:source:settled', (message) => known.get(message.source)?.spans.settle(message)),
    listen('levada:source:failed', ({ source, error }) => known.get(source)?.spans.fail(error)),
    listen('levada:source:closed', ({ source }) => end(source)),
  ];
  return () => {
    for (const stop of off) stop();
    for (const source of known.keys()) end(source);
  };
}

function instrument(
  source: SourceInfo,
  options: InstrumentSourcesOptions,
  observables: Observables,
): Instrumented {
  const meter = options.meter ?? metrics.getMeter(SCOPE);
  const tracer = options.spans === 'none' ? undefined : (options.tracer ?? trace.getTracer(SCOPE));
  return { spans: new BatchSpans(tracer, meter), endGauges: observeSource(source, meter, observables) };
}

function listen<Channel extends keyof SourceMessages>(
  channel: Channel,
  listener: (message: SourceMessages[Channel]) => void,
): () => void {
  const onMessage = (message: unknown): void => listener(message as SourceMessages[Channel]);
  subscribe(channel, onMessage);
  return () => void unsubscribe(channel, onMessage);
}
