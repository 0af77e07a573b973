// Export requests as the official JavaScript SDK encodes them.
import {
  type Attributes,
  ROOT_CONTEXT,
  SeverityNumber,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import {
  ProtobufLogsSerializer,
  ProtobufMetricsSerializer,
  ProtobufTraceSerializer,
} from '@opentelemetry/otlp-transformer';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { InMemoryLogRecordExporter, LoggerProvider, SimpleLogRecordProcessor } from '@opentelemetry/sdk-logs';
import { AggregationType, MeterProvider, MetricReader } from '@opentelemetry/sdk-metrics';
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';

const resource = resourceFromAttributes(
  { 'service.name': 'shop', 'host.cores': 4 },
  { schemaUrl: 'https://schema/1' },
);

/** Attributes with a value of each kind that the SDK knows. */
export const everyKind: Attributes = {
  text: 'grün',
  empty: '',
  yes: true,
  whole: 42,
  below: -7,
  large: 2 ** 53 - 1,
  part: 0.25,
  texts: ['a', 'b'],
  wholes: [1, 2],
  flags: [true, false],
};

/** Two spans: one with events and links and an error, and its child. */
export function spansOfSdk(): { readonly request: Uint8Array; readonly ids: readonly SpanIds[] } {
  const exporter = new InMemorySpanExporter();
  const provider = new TracerProvider({ resource, spanProcessors: [new SimpleSpanProcessor({ exporter })] });
  const tracer = provider.getTracer('checkout', '1.2.3', { schemaUrl: 'https://schema/2' });
  const linked = tracer.startSpan('linked');
  const parent = tracer.startSpan('buy', {
    kind: SpanKind.SERVER,
    startTime: [1_700_000_000, 5],
    attributes: everyKind,
    links: [{ context: linked.spanContext(), attributes: { why: 'batch' } }],
  });
  parent.addEvent('paid', { amount: 9.5 }, [1_700_000_001, 6]);
  parent.setStatus({ code: SpanStatusCode.ERROR, message: 'out of stock' });
  const child = tracer.startSpan(
    'pick',
    { kind: SpanKind.CLIENT, startTime: [1_700_000_000, 7] },
    trace.setSpan(ROOT_CONTEXT, parent),
  );
  child.end([1_700_000_002, 8]);
  parent.end([1_700_000_003, 9]);
  const spans = exporter.getFinishedSpans();
  return {
    request: encoded(ProtobufTraceSerializer.serializeRequest(spans)),
    ids: [child, parent, linked].map((span) => span.spanContext()),
  };
}

/** Ids of a span in hexadecimal. */
export interface SpanIds {
  readonly traceId: string;
  readonly spanId: string;
}

/** One metric of each kind that the SDK encodes: sums of integers and doubles, a gauge, both histograms. */
export async function metricsOfSdk(): Promise<Uint8Array> {
  const reader = new PulledReader();
  const views = [
    { instrumentName: 'sizes', aggregation: { type: AggregationType.EXPONENTIAL_HISTOGRAM } as const },
  ];
  const provider = new MeterProvider({ resource, readers: [reader], views });
  const meter = provider.getMeter('checkout', '1.2.3');
  meter
    .createCounter('orders', { unit: '{order}', description: 'Orders', valueType: 0 })
    .add(3, { region: 'eu' });
  meter.createUpDownCounter('load').add(-1.5);
  meter.createGauge('temperature').record(21.5, everyKind);
  const times = meter.createHistogram('times', { advice: { explicitBucketBoundaries: [1, 10] } });
  for (const time of [0.5, 5, 50]) times.record(time);
  const sizes = meter.createHistogram('sizes');
  for (const size of [1, 2, 4, 0]) sizes.record(size);
  const { resourceMetrics } = await reader.collect();
  return encoded(ProtobufMetricsSerializer.serializeRequest(resourceMetrics));
}

/** A log record with a body of nested values inside a span, and one with text alone. */
export function logsOfSdk(): { readonly request: Uint8Array; readonly ids: SpanIds } {
  const exporter = new InMemoryLogRecordExporter();
  const provider = new LoggerProvider({ resource, processors: [new SimpleLogRecordProcessor({ exporter })] });
  const ids = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331' };
  const logger = provider.getLogger('checkout');
  logger.emit({
    timestamp: [1_700_000_000, 1],
    observedTimestamp: [1_700_000_000, 2],
    severityNumber: SeverityNumber.WARN,
    severityText: 'warn',
    eventName: 'stock.low',
    body: { items: [1, 'two', { three: true }], raw: new Uint8Array([0, 255]), nothing: null },
    attributes: everyKind,
    context: trace.setSpanContext(ROOT_CONTEXT, { ...ids, traceFlags: 1 }),
  });
  logger.emit({ timestamp: [1_700_000_001, 0], observedTimestamp: [1_700_000_001, 0], body: 'plain' });
  return { request: encoded(ProtobufLogsSerializer.serializeRequest(exporter.getFinishedLogRecords())), ids };
}

class PulledReader extends MetricReader {
  protected async onShutdown(): Promise<void> {}
  protected async onForceFlush(): Promise<void> {}
}

function encoded(request: Uint8Array | undefined): Uint8Array {
  if (request === undefined) throw new Error('the SDK encoded nothing');
  return request;
}
