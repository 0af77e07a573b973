import { fromBinary, toJson } from '@bufbuild/protobuf';
import { ROOT_CONTEXT, SpanKind, SpanStatusCode, trace, ValueType } from '@opentelemetry/api';
import {
  JsonLogsSerializer,
  JsonMetricsSerializer,
  JsonTraceSerializer,
  ProtobufLogsSerializer,
  ProtobufMetricsSerializer,
  ProtobufTraceSerializer,
} from '@opentelemetry/otlp-transformer';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { InMemoryLogRecordExporter, LoggerProvider, SimpleLogRecordProcessor } from '@opentelemetry/sdk-logs';
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
import { expect, it } from 'vitest';
import type { SignalName } from '../src/model/signals.ts';
import { jsonToExport, readBack, schema } from './json-input-reader.ts';

const resource = resourceFromAttributes(
  { 'service.name': 'shop', 'host.cores': 4 },
  { schemaUrl: 'https://schema/1' },
);
const attributes = {
  text: 'gr\u00fcn \ud83d\ude00 "\\/\u0000\u2028',
  empty: '',
  yes: true,
  no: false,
  whole: 42,
  below: -7,
  large: 2 ** 53 - 1,
  part: 0.1 + 0.2,
  tiny: 5e-324,
  texts: ['a', 'b'],
  wholes: [1, 2],
  parts: [0.5, 1e-7],
  flags: [true, false],
  ['__proto__x']: 'plain',
};
/** What only bodies and attributes of log records have. */
const nested = {
  items: [1, 'two', { three: [null, undefined] }],
  raw: new Uint8Array([0, 255, 254]),
  nothing: null,
  inner: { deeper: { deepest: 0.5 } },
};

function spansOf(spanAttributes: Record<string, unknown>): readonly ReadableSpan[] {
  const exporter = new InMemorySpanExporter();
  const provider = new TracerProvider({ resource, spanProcessors: [new SimpleSpanProcessor({ exporter })] });
  const tracer = provider.getTracer('checkout', '1.2.3', { schemaUrl: 'https://schema/2' });
  const linked = tracer.startSpan('linked');
  const parent = tracer.startSpan('buy', {
    kind: SpanKind.SERVER,
    attributes: spanAttributes as typeof attributes,
    links: [{ context: linked.spanContext(), attributes: { why: 'batch' } }],
  });
  parent.addEvent('paid', { amount: 9.5 });
  parent.addEvent('bare');
  parent.setStatus({ code: SpanStatusCode.ERROR, message: 'out of stock' });
  tracer.startSpan('pick', { kind: SpanKind.CLIENT }, trace.setSpan(ROOT_CONTEXT, parent)).end();
  parent.end();
  linked.end();
  return exporter.getFinishedSpans();
}

function logsOf(body: unknown): ReturnType<InMemoryLogRecordExporter['getFinishedLogRecords']> {
  const exporter = new InMemoryLogRecordExporter();
  const provider = new LoggerProvider({ resource, processors: [new SimpleLogRecordProcessor({ exporter })] });
  const ids = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331' };
  const logger = provider.getLogger('checkout');
  const context = trace.setSpanContext(ROOT_CONTEXT, { ...ids, traceFlags: 1 });
  logger.emit({
    severityNumber: 13,
    severityText: 'warn',
    eventName: 'low',
    body,
    attributes,
    context,
  } as never);
  logger.emit({ body: 'plain', attributes: { nested } as never });
  return exporter.getFinishedLogRecords();
}

class PulledReader extends MetricReader {
  protected async onShutdown(): Promise<void> {}
  protected async onForceFlush(): Promise<void> {}
}

async function metricsOf(value: number): Promise<ResourceMetrics> {
  const reader = new PulledReader();
  const views = [
    { instrumentName: 'sizes', aggregation: { type: AggregationType.EXPONENTIAL_HISTOGRAM } as const },
  ];
  const meter = new MeterProvider({ resource, readers: [reader], views }).getMeter('checkout');
  meter.createCounter('orders', { unit: '{order}', valueType: ValueType.INT }).add(3, { region: 'eu' });
  meter.createUpDownCounter('load').add(-1.5);
  meter.createGauge('temperature').record(value, attributes);
  const whole = meter.createGauge('whole', { valueType: ValueType.INT });
  whole.record(Number.isInteger(value) ? value : -7);
  for (const name of ['times', 'sizes']) {
    const histogram = meter.createHistogram(name);
    for (const time of [0.5, 5, 50, value]) histogram.record(time);
  }
  const { resourceMetrics } = await reader.collect();
  return resourceMetrics;
}

/** What is read from the SDK's JSON, and what is in its protobuf. */
function both(signal: SignalName, json: Uint8Array | undefined, protobuf: Uint8Array | undefined): Both {
  const desc = schema.request(signal);
  const decoded = (wire: Uint8Array): unknown => toJson(desc, fromBinary(desc, wire));
  return {
    read: decoded(jsonToExport(signal, json as Uint8Array)),
    sent: decoded(protobuf as Uint8Array),
  };
}

interface Both {
  readonly read: unknown;
  readonly sent: unknown;
}

it('the reader reads spans of the SDK as its protobuf has them', () => {
  const spans = [...spansOf(attributes)];
  const json = JsonTraceSerializer.serializeRequest(spans);
  const { read, sent } = both('traces', json, ProtobufTraceSerializer.serializeRequest(spans));
  expect(read).toEqual(sent);
});

it('the reader reads log records of the SDK, with nested bodies, as its protobuf has them', () => {
  const records = logsOf(nested);
  const json = JsonLogsSerializer.serializeRequest(records);
  const { read, sent } = both('logs', json, ProtobufLogsSerializer.serializeRequest(records));
  expect(read).toEqual(sent);
});

it('the reader reads metrics of the SDK, with both histograms, as its protobuf has them', async () => {
  const metrics = await metricsOf(21.5);
  const json = JsonMetricsSerializer.serializeRequest(metrics);
  const { read, sent } = both('metrics', json, ProtobufMetricsSerializer.serializeRequest(metrics));
  expect(read).toEqual(sent);
});

it('the reader reads attributes of the SDK that JSON numbers cannot hold', () => {
  const spans = spansOf({
    nan: Number.NaN,
    up: Number.POSITIVE_INFINITY,
    huge: 1e21,
    beyond: 2 ** 63,
    below: -(2 ** 63),
    zero: -0,
    max: Number.MAX_VALUE,
  });
  const json = JsonTraceSerializer.serializeRequest([...spans]) as Uint8Array;
  expect(Buffer.from(json).toString()).toContain('{"doubleValue":null}');
  expect(Buffer.from(json).toString()).toContain('{"intValue":1e+21}');
  const request = readBack('traces', json) as SpanRequest;
  const span = request.resourceSpans[0]?.scopeSpans[0]?.spans.find(({ name }) => name === 'buy');
  expect(span?.attributes).toEqual([
    { key: 'nan', value: {} },
    { key: 'up', value: {} },
    { key: 'huge', value: { doubleValue: 1e21 } },
    { key: 'beyond', value: { doubleValue: 2 ** 63 } },
    { key: 'below', value: { doubleValue: -(2 ** 63) } }, // as "-9223372036854776000", one of the texts of the double
    { key: 'zero', value: { intValue: '0' } },
    { key: 'max', value: { doubleValue: Number.MAX_VALUE } },
  ]);
});

interface SpanRequest {
  readonly resourceSpans: readonly {
    readonly scopeSpans: readonly {
      readonly spans: readonly { readonly name: string; readonly attributes: unknown }[];
    }[];
  }[];
}

it.each([
  [Number.NaN, {}, { asInt: '-7' }],
  [Number.POSITIVE_INFINITY, {}, { asInt: '-7' }],
  [1e21, { asDouble: 1e21 }, { asDouble: 1e21 }],
  [-0, { asDouble: 0 }, { asInt: '0' }], // JSON.stringify drops the sign
  [Number.MAX_VALUE, { asDouble: Number.MAX_VALUE }, { asDouble: Number.MAX_VALUE }],
])('the reader reads metrics of the SDK that measured %d', async (value, part, whole) => {
  const json = JsonMetricsSerializer.serializeRequest(await metricsOf(value)) as Uint8Array;
  const request = readBack('metrics', json) as MetricRequest;
  const points = new Map(
    request.resourceMetrics[0]?.scopeMetrics[0]?.metrics.map(({ name, gauge }) => [
      name,
      gauge?.dataPoints[0],
    ]),
  );
  const { asDouble, asInt } = points.get('temperature') ?? {};
  expect({ asDouble, asInt }).toEqual(part);
  expect({ asDouble: points.get('whole')?.asDouble, asInt: points.get('whole')?.asInt }).toEqual(whole);
});

interface MetricRequest {
  readonly resourceMetrics: readonly {
    readonly scopeMetrics: readonly { readonly metrics: readonly Metric[] }[];
  }[];
}

interface Metric {
  readonly name: string;
  readonly gauge?: {
    readonly dataPoints: readonly { readonly asDouble?: number; readonly asInt?: string }[];
  };
}
