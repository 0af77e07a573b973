import type { Labels, SeriesFamily } from '../telemetry/prometheus-text.ts';
import type { Span } from './span.ts';

/** What every request says of the sender. */
export interface OtlpResource {
  readonly attributes: Readonly<Record<string, string>>;
  /** Version of the worker. */
  readonly version: string;
}

/** When what is sent was measured. Milliseconds since 1970. */
export interface OtlpTimes {
  /** From when counters count. */
  readonly startedAt: number;
  readonly now: number;
}

type Json = Readonly<Record<string, unknown>>;

/** Bodies of requests to `/v1/metrics`, each with at most so many data points. Series keep their Prometheus names. */
export function* metricsRequests(
  families: Iterable<SeriesFamily>,
  {
    resource,
    times,
    maxPoints,
  }: {
    readonly resource: OtlpResource;
    readonly times: OtlpTimes;
    readonly maxPoints: number;
  },
): Iterable<string> {
  let metrics: Json[] = [];
  let points = 0;
  const body = (): string =>
    JSON.stringify({
      resourceMetrics: [{ ...resourceOf(resource), scopeMetrics: [{ ...scope(resource), metrics }] }],
    });
  for (const family of families) {
    let dataPoints: Json[] = [];
    for (const [labels, value] of family.samples()) {
      // JSON has no word for what is not finite, and it means that nothing was measured.
      if (!Number.isFinite(value)) continue;
      dataPoints.push(pointOf(labels, value, { family, times }));
      points += 1;
      if (points < maxPoints) continue;
      metrics.push(metricOf(family, dataPoints));
      yield body();
      [metrics, dataPoints, points] = [[], [], 0];
    }
    if (dataPoints.length > 0) metrics.push(metricOf(family, dataPoints));
  }
  if (points > 0) yield body();
}

/** The body of a request to `/v1/traces`. */
export function tracesRequest(spans: readonly Span[], resource: OtlpResource): string {
  return JSON.stringify({
    resourceSpans: [
      { ...resourceOf(resource), scopeSpans: [{ ...scope(resource), spans: spans.map(spanOf) }] },
    ],
  });
}

function metricOf({ name, help, type }: SeriesFamily, dataPoints: readonly Json[]): Json {
  const described = { name, description: help };
  if (type !== 'counter') return { ...described, gauge: { dataPoints } };
  // 2: cumulative.
  return { ...described, sum: { aggregationTemporality: 2, isMonotonic: true, dataPoints } };
}

function pointOf(
  labels: Labels,
  value: number,
  { family, times }: { readonly family: SeriesFamily; readonly times: OtlpTimes },
): Json {
  const start = family.type === 'counter' ? { startTimeUnixNano: nanos(times.startedAt) } : {};
  return { attributes: keyValues(labels), ...start, timeUnixNano: nanos(times.now), asDouble: value };
}

const kinds = { internal: 1, server: 2 } as const;

function spanOf(span: Span): Json {
  return {
    traceId: span.traceId,
    spanId: span.spanId,
    ...(span.parentSpanId === undefined ? {} : { parentSpanId: span.parentSpanId }),
    name: span.name,
    kind: kinds[span.kind],
    startTimeUnixNano: nanos(span.startedAt),
    endTimeUnixNano: nanos(span.startedAt + span.ms),
    attributes: keyValues(span.attributes),
    // 2: error; nothing: unset.
    status: span.failed ? { code: 2 } : {},
  };
}

function resourceOf({ attributes }: OtlpResource): Json {
  return { resource: { attributes: keyValues(attributes) } };
}

function scope({ version }: OtlpResource): Json {
  return { scope: { name: 'levada', version } };
}

function keyValues(values: Readonly<Record<string, string | number>>): readonly Json[] {
  return Object.entries(values).map(([key, value]) => ({
    key,
    value: typeof value === 'string' ? { stringValue: value } : { intValue: String(value) },
  }));
}

/** Nanoseconds since 1970 as JSON writes 64-bit integers: text. */
function nanos(ms: number): string {
  return (BigInt(Math.round(ms * 1000)) * 1000n).toString();
}
