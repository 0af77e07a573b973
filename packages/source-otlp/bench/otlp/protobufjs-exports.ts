// Exports the easy way: protobufjs decodes into objects, and JSON.stringify writes them.
import { fileURLToPath } from 'node:url';
import protobufjs from 'protobufjs';
import type { BenchRequest } from './requests.ts';

type Signal = BenchRequest['signal'];

/** What is done with the requests of one signal. */
export interface ProtobufjsExport {
  /** Throws when the bytes are no request. */
  decode(bytes: Uint8Array): protobufjs.Message;
  /** OTLP/JSON: 64-bit integers as text, enums as numbers, ids in hexadecimal. */
  json(message: protobufjs.Message): Buffer;
}

const types: Readonly<Record<Signal, string>> = {
  traces: 'trace.v1.ExportTraceServiceRequest',
  metrics: 'metrics.v1.ExportMetricsServiceRequest',
  logs: 'logs.v1.ExportLogsServiceRequest',
};

const files = ['trace', 'metrics', 'logs'].map(
  (name) => `opentelemetry/proto/collector/${name}/v1/${name}_service.proto`,
);

/** protobufjs for each signal, from the original .proto files. */
export function protobufjsExports(): (signal: Signal) => ProtobufjsExport {
  const root = new protobufjs.Root();
  root.resolvePath = (_, target) => fileURLToPath(new URL(`../../proto/${target}`, import.meta.url));
  root.loadSync(files).resolveAll();
  return (signal) => {
    const type = root.lookupType(`opentelemetry.proto.collector.${types[signal]}`);
    return {
      decode: (bytes) => type.decode(bytes),
      json: (message) => {
        const plain = type.toObject(message, { longs: String });
        hexIds[signal](plain);
        return Buffer.from(JSON.stringify(plain));
      },
    };
  };
}

/** An object with ids, as bytes before and as text afterwards. */
interface WithIds {
  traceId?: unknown;
  spanId?: unknown;
  parentSpanId?: unknown;
  links?: readonly WithIds[];
}

type Groups = readonly Readonly<Record<string, readonly Readonly<Record<string, readonly unknown[]>>[]>>[];

const hexIds: Readonly<Record<Signal, (request: Readonly<Record<string, Groups>>) => void>> = {
  traces: ({ resourceSpans = [] }) => {
    for (const { scopeSpans = [] } of resourceSpans)
      for (const { spans = [] } of scopeSpans) for (const span of spans) hexSpan(span as WithIds);
  },
  // No request of the benchmark has exemplars.
  metrics: () => undefined,
  logs: ({ resourceLogs = [] }) => {
    for (const { scopeLogs = [] } of resourceLogs)
      for (const { logRecords = [] } of scopeLogs)
        for (const record of logRecords) hexSpan(record as WithIds);
  },
};

function hexSpan(span: WithIds): void {
  span.traceId = hex(span.traceId);
  span.spanId = hex(span.spanId);
  if (span.parentSpanId !== undefined) span.parentSpanId = hex(span.parentSpanId);
  for (const link of span.links ?? []) hexSpan(link);
}

function hex(id: unknown): string | undefined {
  return Buffer.isBuffer(id) ? id.toString('hex') : undefined;
}
