import { OTLPLogExporter as GrpcLogs } from '@opentelemetry/exporter-logs-otlp-grpc';
import { OTLPLogExporter as JsonLogs } from '@opentelemetry/exporter-logs-otlp-http';
import { OTLPLogExporter as ProtoLogs } from '@opentelemetry/exporter-logs-otlp-proto';
import { OTLPMetricExporter as GrpcMetrics } from '@opentelemetry/exporter-metrics-otlp-grpc';
import { OTLPMetricExporter as JsonMetrics } from '@opentelemetry/exporter-metrics-otlp-http';
import { OTLPMetricExporter as ProtoMetrics } from '@opentelemetry/exporter-metrics-otlp-proto';
import { OTLPTraceExporter as GrpcTraces } from '@opentelemetry/exporter-trace-otlp-grpc';
import { OTLPTraceExporter as JsonTraces } from '@opentelemetry/exporter-trace-otlp-http';
import { OTLPTraceExporter as ProtoTraces } from '@opentelemetry/exporter-trace-otlp-proto';
import type { LogRecordExporter } from '@opentelemetry/sdk-logs';
import type { PushMetricExporter } from '@opentelemetry/sdk-metrics';
import type { SpanExporter } from '@opentelemetry/sdk-trace';
import type { SdkStory } from './sdk-story.ts';

/** `OTEL_EXPORTER_OTLP_PROTOCOL`. */
export type SdkProtocol = 'grpc' | 'http/protobuf' | 'http/json';
/** All three. */
export const sdkProtocols: readonly SdkProtocol[] = ['grpc', 'http/protobuf', 'http/json'];

/** The exporters of a program. */
export interface SdkExporters {
  readonly traces: SpanExporter;
  readonly metrics: PushMetricExporter;
  readonly logs: LogRecordExporter;
}

/** Where exporters send, and how. Without a URL it is as the environment has it. */
export interface SdkOptions {
  readonly url?: string;
  readonly gzip?: boolean;
}

type Compression = NonNullable<ConstructorParameters<typeof ProtoTraces>[0]>['compression'];

/** The official exporters of a protocol. */
export function sdkExporters(protocol: SdkProtocol, { url, gzip = false }: SdkOptions = {}): SdkExporters {
  const compression = gzip ? { compression: 'gzip' as NonNullable<Compression> } : {};
  const to = (signal: string): object => {
    const path = protocol === 'grpc' ? '' : `/v1/${signal}`;
    return { ...compression, ...(url === undefined ? {} : { url: `${url}${path}` }) };
  };
  const [Traces, Metrics, Logs] = classes[protocol];
  return {
    traces: new Traces(to('traces')),
    metrics: new Metrics(to('metrics')),
    logs: new Logs(to('logs')),
  };
}

const classes = {
  grpc: [GrpcTraces, GrpcMetrics, GrpcLogs],
  'http/protobuf': [ProtoTraces, ProtoMetrics, ProtoLogs],
  'http/json': [JsonTraces, JsonMetrics, JsonLogs],
} as const;

/** Exports once per signal, all at once. Rejects with what an exporter says; closes them. */
export async function exportAll(exporters: SdkExporters, story: SdkStory): Promise<void> {
  const { traces, metrics, logs } = exporters;
  try {
    await Promise.all([
      exported((done) => traces.export(story.traces, done)),
      exported((done) => metrics.export(story.metrics, done)),
      exported((done) => logs.export(story.logs, done)),
    ]);
  } finally {
    await Promise.all([traces.shutdown(), metrics.shutdown(), logs.shutdown()]);
  }
}

/** What exporters call back with: code 0 is success. */
type Done = Parameters<SpanExporter['export']>[1];

function exported(start: (done: Done) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    start(({ code, error }) => {
      if (code === 0) resolve();
      else reject(error ?? new Error('not exported'));
    });
  });
}
