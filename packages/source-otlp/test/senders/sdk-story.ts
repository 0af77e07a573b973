// Telemetry by the JavaScript SDK, with all that it can send.
import {
  type AnyValue,
  createTraceState,
  ROOT_CONTEXT,
  SeverityNumber,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  trace,
  ValueType,
} from '@opentelemetry/api';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  InMemoryLogRecordExporter,
  LoggerProvider,
  type ReadableLogRecord,
  SimpleLogRecordProcessor,
} from '@opentelemetry/sdk-logs';
import {
  AggregationType,
  MeterProvider,
  MetricReader,
  type ResourceMetrics,
} from '@opentelemetry/sdk-metrics';
import {
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
  TracerProvider,
} from '@opentelemetry/sdk-trace';

/** Values that are the same in JSON numbers and in protobuf. */
export const plainValues = {
  text: 'grün 😀 "\\/\u0000\u2028',
  empty: '',
  yes: true,
  no: false,
  whole: 42,
  below: -7,
  safe: 2 ** 53 - 1,
  lowest: -(2 ** 53 - 1),
  part: 0.1 + 0.2,
  tiny: 5e-324,
  max: Number.MAX_VALUE / 3,
  texts: ['a', ''],
  wholes: [1, 2],
  parts: [0.5, 1e-7],
  flags: [true, false],
  none: [],
};

/** Values that the http/json exporter cannot write as numbers: it sends null, other numbers, or no sign. */
export const wildValues = {
  nan: Number.NaN,
  above: Number.POSITIVE_INFINITY,
  under: Number.NEGATIVE_INFINITY,
  huge: 1e21,
  highest: 2 ** 63 - 1024,
  beyond: 2 ** 63,
  lowest64: -(2 ** 63),
  zero: -0,
};

/** A body of each kind. */
export const plainBodies: readonly AnyValue[] = [
  'plain',
  '',
  42,
  0.5,
  true,
  ['list', 1],
  new Uint8Array([1]),
];

const nested = {
  items: [1, 'two', { three: [null, true] }],
  raw: new Uint8Array([0, 255, 254]),
  nothing: null,
  inner: { deeper: { deepest: 0.5 } },
  empty: {},
};

/** What the SDK measured, ready for exporters. */
export interface SdkStory {
  readonly traces: ReadableSpan[];
  readonly metrics: ResourceMetrics;
  readonly logs: ReadableLogRecord[];
}

/** What is to be in a story. */
export interface StoryParts {
  /** Attributes, in each place that takes some. */
  readonly values: object;
  /** What a gauge measures. */
  readonly numbers: readonly number[];
  /** Bodies of log records, one each, beside one of nested values. */
  readonly bodies: readonly AnyValue[];
}

/** Telemetry that the SDK made. */
export async function sdkStory({ values, numbers, bodies }: StoryParts): Promise<SdkStory> {
  return { traces: spansOf(values), metrics: await metricsOf(values, numbers), logs: logsOf(values, bodies) };
}

const resource = resourceFromAttributes(
  { 'service.name': 'shop', 'host.cores': 4 },
  { schemaUrl: 'https://schema.test/1' },
);

function spansOf(values: object): ReadableSpan[] {
  const exporter = new InMemorySpanExporter();
  const spanLimits = {
    attributeCountLimit: 40,
    eventCountLimit: 2,
    linkCountLimit: 1,
    attributePerEventCountLimit: 1,
  };
  const spanProcessors = [new SimpleSpanProcessor({ exporter })];
  const tracer = new TracerProvider({ resource, spanProcessors, spanLimits }).getTracer('checkout', '1.2.3', {
    schemaUrl: 'https://schema.test/2',
  });
  const remote: SpanContext = {
    traceId: '0af7651916cd43dd8448eb211c80319c',
    spanId: 'b7ad6b7169203331',
    traceFlags: 1,
    isRemote: true,
    traceState: createTraceState('vendor=1,other=2'),
  };
  const linked = { context: remote, attributes: { why: 'batch' } };
  const parent = tracer.startSpan(
    'buy',
    {
      kind: SpanKind.SERVER,
      startTime: [1_700_000_000, 5],
      attributes: { ...values },
      links: [linked, linked],
    },
    trace.setSpanContext(ROOT_CONTEXT, remote),
  );
  for (const name of ['lost', 'paid', 'sent'])
    parent.addEvent(name, { amount: 9.5, more: 1 }, [1_700_000_001, 6]);
  parent.setStatus({ code: SpanStatusCode.ERROR, message: 'out of stock' });
  const kinds = [SpanKind.INTERNAL, SpanKind.CLIENT, SpanKind.PRODUCER, SpanKind.CONSUMER];
  for (const kind of kinds) tracer.startSpan('', { kind }, trace.setSpan(ROOT_CONTEXT, parent)).end();
  for (let i = 0; i < 41; i += 1) parent.setAttribute(`attribute ${i}`, i);
  parent.end([1_700_000_003, 999_999_999]);
  return exporter.getFinishedSpans();
}

class PulledReader extends MetricReader {
  protected async onShutdown(): Promise<void> {}
  protected async onForceFlush(): Promise<void> {}
}

async function metricsOf(values: object, numbers: readonly number[]): Promise<ResourceMetrics> {
  const reader = new PulledReader();
  const exponential = { type: AggregationType.EXPONENTIAL_HISTOGRAM } as const;
  const views = [{ instrumentName: 'sizes', aggregation: exponential }];
  const meter = new MeterProvider({ resource, readers: [reader], views }).getMeter('checkout', '1.2.3', {
    schemaUrl: 'https://schema.test/2',
  });
  const orders = meter.createCounter('orders', {
    unit: '{order}',
    description: 'Orders',
    valueType: ValueType.INT,
  });
  orders.add(Number.MAX_SAFE_INTEGER, { region: 'eu' });
  meter.createUpDownCounter('load').add(-1.5);
  meter.createObservableGauge('temperature').addCallback((result) => {
    numbers.forEach((number, index) => {
      result.observe(number, { ...values, index });
    });
  });
  meter.createObservableCounter('seen', { valueType: ValueType.INT }).addCallback((result) => {
    result.observe(7);
  });
  const times = meter.createHistogram('times', { unit: 'ms', advice: { explicitBucketBoundaries: [1, 10] } });
  const sizes = meter.createHistogram('sizes');
  for (const value of [0.5, 5, 50, 0]) {
    times.record(value);
    sizes.record(value);
  }
  return (await reader.collect()).resourceMetrics;
}

function logsOf(values: object, bodies: readonly AnyValue[]): ReadableLogRecord[] {
  const exporter = new InMemoryLogRecordExporter();
  const provider = new LoggerProvider({
    resource,
    processors: [new SimpleLogRecordProcessor({ exporter })],
    logRecordLimits: { attributeCountLimit: 30 },
  });
  const logger = provider.getLogger('checkout', '1.2.3', { schemaUrl: 'https://schema.test/2' });
  const ids = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331', traceFlags: 1 };
  logger.emit({
    timestamp: [1_700_000_000, 1],
    observedTimestamp: [1_700_000_000, 2],
    severityNumber: SeverityNumber.WARN,
    severityText: 'warn',
    eventName: 'stock.low',
    body: nested,
    attributes: { ...values, nested },
    context: trace.setSpanContext(ROOT_CONTEXT, ids),
  });
  const many = Array.from({ length: 33 }, (_, index) => [`attribute ${index}`, index]);
  for (const body of bodies)
    logger.emit({
      severityNumber: SeverityNumber.FATAL4,
      attributes: Object.fromEntries(many),
      body,
    });
  return exporter.getFinishedLogRecords();
}
