import type { Clock, EventLog, Timer } from '@levada/connect-runtime-core';
import type { SeriesFamily } from '../telemetry/prometheus-text.ts';
import type { workerEvents } from '../telemetry/worker-events.ts';
import { metricsRequests, type OtlpResource, tracesRequest } from './otlp-json.ts';
import { type OtlpTarget, sendOtlp } from './otlp-sender.ts';
import { makeSpan, SpanBuffer, type SpanInput } from './span.ts';

export interface OtlpExporterOptions {
  readonly target: OtlpTarget;
  readonly resource: OtlpResource;
  /** Time between two exports of metrics, in milliseconds. */
  readonly intervalMs: number;
  /** Whether metrics are sent. */
  readonly metrics: boolean;
  /** Whether spans are recorded and sent. */
  readonly traces: boolean;
  /** All series at this moment. */
  readonly families: () => Iterable<SeriesFamily>;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  readonly clock: Clock;
  readonly log: EventLog<typeof workerEvents>;
}

/** Data points of one request. */
const MAX_POINTS = 5_000;
/** Spans that wait for a receiver. */
const MAX_SPANS = 4_096;
/** Spans of one request. */
const SPANS_AT_ONCE = 512;
/** Time between two exports of spans, in milliseconds. */
const SPAN_INTERVAL_MS = 5_000;

/** Sends the worker's metrics and spans to a receiver of OTLP, in intervals, and for the last time at the end. */
export class OtlpExporter {
  readonly #options: OtlpExporterOptions;
  readonly #spans = new SpanBuffer(MAX_SPANS);
  readonly #timers = new Set<Timer>();
  #failures = 0;
  #sending: Promise<void> = Promise.resolve();
  #stopped: Promise<void> | undefined;

  constructor(options: OtlpExporterOptions) {
    this.#options = options;
  }

  /** Requests that failed. */
  get failures(): number {
    return this.#failures;
  }

  /** Spans that were never sent, because there were too many or the receiver refused them. */
  get lostSpans(): number {
    return this.#spans.lost;
  }

  start(): void {
    const { intervalMs, metrics, traces } = this.#options;
    if (metrics) this.#every(intervalMs, () => this.#sendMetrics());
    if (traces) this.#every(SPAN_INTERVAL_MS, () => this.#sendSpans());
  }

  /** Something was done. Nothing happens unless spans are recorded. */
  record(input: SpanInput): void {
    if (!this.#options.traces || this.#stopped !== undefined) return;
    const span = makeSpan(input);
    if (span !== undefined) this.#spans.add(span);
  }

  /** Sends what there is, within the time. Always resolves; idempotent. */
  stop(withinMs: number): Promise<void> {
    this.#stopped ??= this.#stop(withinMs);
    return this.#stopped;
  }

  async #stop(withinMs: number): Promise<void> {
    for (const timer of this.#timers) timer.cancel();
    const late = Promise.withResolvers<void>();
    const timer = this.#options.clock.after(withinMs, late.resolve);
    const last = this.#oneByOne(async () => {
      await this.#sendSpans();
      if (this.#options.metrics) await this.#sendMetrics();
    });
    await Promise.race([last, late.promise]);
    timer.cancel();
  }

  #every(ms: number, work: () => Promise<void>): void {
    if (this.#stopped !== undefined) return;
    const timer = this.#options.clock.after(ms, () => {
      this.#timers.delete(timer);
      void this.#oneByOne(work).finally(() => this.#every(ms, work));
    });
    this.#timers.add(timer);
  }

  /** One request at a time, so that a slow receiver costs one body of memory. */
  #oneByOne(work: () => Promise<void>): Promise<void> {
    this.#sending = this.#sending.then(work).catch((thrown: unknown) => this.#failed('all', String(thrown)));
    return this.#sending;
  }

  #failed(signal: string, reason: string | undefined): void {
    this.#failures += 1;
    this.#options.log('telemetry_export_failed', { signal, reason });
  }

  /** What is not taken is not sent again: the next values replace it. */
  async #sendMetrics(): Promise<void> {
    const { families, resource, startedAt, clock } = this.#options;
    const times = { startedAt, now: clock.now() };
    for (const body of metricsRequests(families(), { resource, times, maxPoints: MAX_POINTS }))
      if ((await this.#send('metrics', body)) !== 'sent') return;
  }

  async #sendSpans(): Promise<void> {
    while (this.#spans.size > 0) {
      const spans = this.#spans.first(SPANS_AT_ONCE);
      const outcome = await this.#send('traces', tracesRequest(spans, this.#options.resource));
      if (outcome === 'again') return;
      this.#spans.remove(spans.length, outcome === 'sent' ? 'sent' : 'lost');
    }
  }

  async #send(signal: 'metrics' | 'traces', body: string): Promise<'sent' | 'again' | 'refused'> {
    const { kind, reason } = await sendOtlp(this.#options.target, signal, body);
    if (kind !== 'sent') this.#failed(signal, reason);
    return kind;
  }
}
