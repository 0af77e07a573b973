import { createRequire } from 'node:module';
import { onTestFinished } from 'vitest';
import type { OtlpPorts } from './otlp-connector.ts';

/** Result of an export in the official JavaScript SDK: 0 is success. */
interface SdkResult {
  readonly code: number;
  readonly error?: Error;
}

interface SdkExporter {
  export(spans: readonly unknown[], done: (result: SdkResult) => void): void;
  shutdown(): Promise<void>;
}

interface TraceExporterModule {
  readonly OTLPTraceExporter: new (options: {
    readonly url: string;
    readonly timeoutMillis: number;
  }) => SdkExporter;
}

interface SdkTraceModule {
  readonly InMemorySpanExporter: new () => {
    getFinishedSpans(): readonly unknown[];
  };
  readonly SimpleSpanProcessor: new (options: { readonly exporter: unknown }) => unknown;
  readonly TracerProvider: new (options: {
    readonly spanProcessors: readonly unknown[];
  }) => {
    getTracer(name: string): { startSpan(name: string): { end(): void } };
  };
}

/** An official exporter of traces. */
export interface TraceExporter {
  /** Exports a span of this name. Resolves with undefined, or with what the exporter gave up with. */
  send(name: string): Promise<string | undefined>;
}

// The SDK is a development dependency of the connector, which this package knows as built.
const fromConnector = createRequire(new URL('../../../source-otlp/package.json', import.meta.url));
const sdk = '@opentelemetry/sdk-trace';
const packages = {
  grpc: '@opentelemetry/exporter-trace-otlp-grpc',
  'http/protobuf': '@opentelemetry/exporter-trace-otlp-proto',
  'http/json': '@opentelemetry/exporter-trace-otlp-http',
} as const;

/** The SDK's own time limit, for all attempts of an export together. */
const TIMEOUT_MS = 10_000;

/** The official exporter for a protocol, as it is when nothing is said but where to send. Shut down after the test. */
export function traceExporter(protocol: keyof typeof packages, ports: OtlpPorts): TraceExporter {
  const { OTLPTraceExporter } = fromConnector(packages[protocol]) as TraceExporterModule;
  const base = `http://127.0.0.1:${protocol === 'grpc' ? ports.grpc : ports.http}`;
  const url = protocol === 'grpc' ? base : `${base}/v1/traces`;
  const exporter = new OTLPTraceExporter({ url, timeoutMillis: TIMEOUT_MS });
  onTestFinished(() => exporter.shutdown());
  return {
    send: (name) =>
      new Promise((resolve) =>
        exporter.export(spansNamed(name), ({ code, error }) =>
          resolve(code === 0 ? undefined : String(error)),
        ),
      ),
  };
}

function spansNamed(name: string): readonly unknown[] {
  const { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } = fromConnector(sdk) as SdkTraceModule;
  const exporter = new InMemorySpanExporter();
  const provider = new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] });
  provider.getTracer('checkout').startSpan(name).end();
  return exporter.getFinishedSpans();
}
