// Requests as instrumented services send them, for benchmarks and for bounds that need only hold for such.
import { type DescMessage, fromJson, type JsonObject, toBinary } from '@bufbuild/protobuf';

type SignalName = 'traces' | 'metrics' | 'logs' | 'profiles';

/** The export requests of OTLP, by signal. */
interface RequestSchema {
  request(signal: SignalName): DescMessage;
}

/** A request of each signal with so many spans, metrics or log records. */
export function realisticRequest(
  schema: RequestSchema,
  signal: 'traces' | 'metrics' | 'logs',
  count: number,
): Uint8Array {
  const next = randomNumbers(count);
  const items = Array.from({ length: count }, () => makers[signal](next));
  const inScope = { scope: { name: '@example/instrumentation-http', version: '0.57.1' } };
  const requests: Readonly<Record<typeof signal, JsonObject>> = {
    traces: { resourceSpans: [{ resource, scopeSpans: [{ ...inScope, spans: items }], schemaUrl }] },
    metrics: { resourceMetrics: [{ resource, scopeMetrics: [{ ...inScope, metrics: items }], schemaUrl }] },
    logs: { resourceLogs: [{ resource, scopeLogs: [{ ...inScope, logRecords: items }], schemaUrl }] },
  };
  return encoded(schema, signal, requests[signal]);
}

/** The request that canonical JSON says. */
export function encoded(schema: RequestSchema, signal: SignalName, json: JsonObject): Uint8Array {
  const desc = schema.request(signal);
  return toBinary(desc, fromJson(desc, json));
}

type Numbers = (below: number) => number;

/** The same numbers in every run. */
function randomNumbers(seed: number): Numbers {
  let state = seed + 0x9e3779b9;
  return (below) => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x6d2b79f5) | 0;
    return ((state ^ (state >>> 13)) >>> 0) % below;
  };
}

const text = (key: string, stringValue: string): JsonObject => ({ key, value: { stringValue } });
const schemaUrl = 'https://opentelemetry.io/schemas/1.30.0';
const resource = {
  attributes: [
    text('service.name', 'checkout'),
    text('service.version', '1.42.0'),
    text('host.name', 'kx2d9q-7f4b'),
  ],
};

const makers: Readonly<Record<'traces' | 'metrics' | 'logs', (next: Numbers) => JsonObject>> = {
  traces: span,
  metrics: metric,
  logs: logRecord,
};

function bytes(next: Numbers, length: number): string {
  return Buffer.from(Array.from({ length }, () => next(256))).toString('base64');
}

function times(next: Numbers): { readonly start: string; readonly end: string } {
  const start = 1_790_000_000_000_000_000n + BigInt(next(2 ** 31));
  return { start: String(start), end: String(start + BigInt(next(1e9))) };
}

function span(next: Numbers): JsonObject {
  const { start, end } = times(next);
  return {
    traceId: bytes(next, 16),
    spanId: bytes(next, 8),
    parentSpanId: bytes(next, 8),
    name: ['GET /api/orders/{id}', 'SELECT orders', 'publish order.created'][next(3)] as string,
    kind: 1 + next(5),
    startTimeUnixNano: start,
    endTimeUnixNano: end,
    attributes: [
      text('http.request.method', 'GET'),
      text('server.address', `shop-${next(20)}.internal`),
      { key: 'http.response.status_code', value: { intValue: '200' } },
      text('http.route', '/api/orders/{id}'),
      { key: 'duration.ratio', value: { doubleValue: next(2 ** 31) / 2 ** 31 } },
    ],
    status: next(10) === 0 ? { code: 2, message: 'upstream timed out' } : {},
  };
}

function metric(next: Numbers): JsonObject {
  const { start, end } = times(next);
  const point = {
    attributes: [text('http.request.method', 'GET'), text('http.route', '/api/orders/{id}')],
    startTimeUnixNano: start,
    timeUnixNano: end,
  };
  const sums = [0, 1].map(() => ({ ...point, asInt: String(next(100_000)) }));
  const histogram = {
    ...point,
    count: String(next(100_000)),
    sum: next(2 ** 31) / 1000,
    bucketCounts: Array.from({ length: 16 }, () => String(next(1000))),
    explicitBounds: [0, 5, 10, 25, 50, 75, 100, 250, 500, 750, 1000, 2500, 5000, 7500, 10000],
    min: next(10_000) / 1000,
    max: next(2 ** 31) / 1000,
  };
  const data: readonly JsonObject[] = [
    { gauge: { dataPoints: [{ ...point, asDouble: next(2 ** 31) / 2 ** 31 }] } },
    { sum: { dataPoints: sums, aggregationTemporality: 2, isMonotonic: true } },
    { histogram: { dataPoints: [histogram], aggregationTemporality: 2 } },
  ];
  return {
    name: 'http.server.request.duration',
    unit: 'ms',
    description: 'Duration of requests',
    ...data[next(3)],
  };
}

function logRecord(next: Numbers): JsonObject {
  const { start, end } = times(next);
  return {
    timeUnixNano: start,
    observedTimeUnixNano: end,
    severityNumber: 9 + next(8),
    severityText: 'INFO',
    body: { stringValue: `order ${next(100_000)} of customer "Łukasz" was taken in ${next(1000)} ms\n` },
    attributes: [
      text('logger.name', 'com.example.checkout.Orders'),
      text('thread.name', `worker-${next(16)}`),
    ],
    traceId: bytes(next, 16),
    spanId: bytes(next, 8),
    flags: 1,
  };
}
