import { freePorts } from '@levada/kafka-testkit';
import type { ObservedWorker } from './observed-worker.ts';

/** Where the receivers of a connector listen. */
export interface OtlpPorts {
  readonly grpc: number;
  readonly http: number;
}

const CLASS = 'io.vendor.connect.otel.OpenTelemetrySourceConnector';

/** A connector on ports that are known before, which it has again after a restart. */
export function otlpConfig(ports: OtlpPorts, more: Readonly<Record<string, string>> = {}) {
  return {
    'connector.class': CLASS,
    'tasks.max': '1',
    'otlp.grpc.port': String(ports.grpc),
    'otlp.http.port': String(ports.http),
    ...more,
  };
}

/** Creates or changes a connector on loopback, and waits until it runs. Resolves with where it listens. */
export async function runOtlp(
  worker: ObservedWorker,
  name: string,
  more: Readonly<Record<string, string>> = {},
): Promise<OtlpPorts> {
  const ports = await otlpPorts();
  const config = otlpConfig(ports, { 'otlp.bind.address': '127.0.0.1', ...more });
  const { status, text } = await worker.call('PUT', `/connectors/${name}/config`, config);
  if (status !== 201) throw new Error(text);
  await worker.untilState(name, 'RUNNING');
  return ports;
}

/** Two ports without a listener. */
export async function otlpPorts(): Promise<OtlpPorts> {
  const [grpc = 0, http = 0] = await freePorts(2);
  return { grpc, http };
}
