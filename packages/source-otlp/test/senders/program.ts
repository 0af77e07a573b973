// A program with the JavaScript SDK as its documentation has it. Where it sends is in the environment: OTEL_EXPORTER_OTLP_ENDPOINT,
// OTEL_EXPORTER_OTLP_PROTOCOL. It prints each export as a line of JSON: its signal, and its protobuf in base64.
import { ROOT_CONTEXT, SeverityNumber, SpanKind, trace } from '@opentelemetry/api';
import {
  ProtobufLogsSerializer,
  ProtobufMetricsSerializer,
  ProtobufTraceSerializer,
} from '@opentelemetry/otlp-transformer';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BatchLogRecordProcessor, LoggerProvider } from '@opentelemetry/sdk-logs';
import { MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics';
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import { type SdkProtocol, sdkExporters } from './sdk-exporters.ts';

const ORDERS = 60;
const PAUSE_MS = 5;
const MOMENT_MS = 100;
const resource = resourceFromAttributes({ 'service.name': 'shop' });
const { traces, metrics, logs } = sdkExporters(process.env['OTEL_EXPORTER_OTLP_PROTOCOL'] as SdkProtocol);

const tracerProvider = new TracerProvider({
  resource,
  spanProcessors: [
    new BatchSpanProcessor({
      exporter: telling('traces', traces, (spans) => ProtobufTraceSerializer.serializeRequest(spans)),
      maxExportBatchSize: 50,
      scheduledDelayMillis: MOMENT_MS,
    }),
  ],
});
const loggerProvider = new LoggerProvider({
  resource,
  processors: [
    new BatchLogRecordProcessor({
      exporter: telling('logs', logs, (records) => ProtobufLogsSerializer.serializeRequest(records)),
      maxExportBatchSize: 20,
      scheduledDelayMillis: MOMENT_MS,
    }),
  ],
});
const meterProvider = new MeterProvider({
  resource,
  readers: [
    new PeriodicExportingMetricReader({
      exporter: telling('metrics', metrics, (all) => ProtobufMetricsSerializer.serializeRequest(all)),
      exportIntervalMillis: MOMENT_MS,
      exportTimeoutMillis: MOMENT_MS,
    }),
  ],
});

const tracer = tracerProvider.getTracer('checkout', '1.2.3');
const logger = loggerProvider.getLogger('checkout', '1.2.3');
const meter = meterProvider.getMeter('checkout', '1.2.3');
const orders = meter.createCounter('orders', { unit: '{order}' });
const amounts = meter.createHistogram('amounts', { unit: 'EUR' });
meter.createObservableGauge('memory', { unit: 'By' }).addCallback((result) => {
  result.observe(process.memoryUsage().rss);
});

for (let order = 0; order < ORDERS; order += 1) {
  const span = tracer.startSpan('POST /orders', { kind: SpanKind.SERVER, attributes: { order } });
  const context = trace.setSpan(ROOT_CONTEXT, span);
  const child = tracer.startSpan('INSERT orders', { kind: SpanKind.CLIENT }, context);
  await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  child.end();
  span.addEvent('stored', { rows: 1 });
  orders.add(1, { region: order % 2 === 0 ? 'eu' : 'us' });
  amounts.record(order * 1.5);
  logger.emit({
    severityNumber: SeverityNumber.INFO,
    body: `order ${order}`,
    attributes: { order },
    context,
  });
  span.end();
}
await Promise.all([tracerProvider.shutdown(), loggerProvider.shutdown(), meterProvider.shutdown()]);

interface Exporter<T> {
  export(items: T, done: (result: { code: number; error?: Error }) => void): void;
}

/** The exporter, but it prints what it is given, and says when it fails. */
function telling<T, E extends Exporter<T>>(
  signal: string,
  exporter: E & Exporter<T>,
  wireOf: (items: T) => Uint8Array | undefined,
): E {
  const send = exporter.export.bind(exporter);
  exporter.export = (items, done) => {
    const wire = Buffer.from(wireOf(items) ?? []).toString('base64');
    process.stdout.write(`${JSON.stringify({ signal, wire })}\n`);
    send(items, (result) => {
      if (result.code !== 0) process.stderr.write(`${signal}: ${result.error?.message}\n`);
      process.exitCode = result.code === 0 ? process.exitCode : 1;
      done(result);
    });
  };
  return exporter;
}
