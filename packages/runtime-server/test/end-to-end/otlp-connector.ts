import { createServer } from 'node:net';
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
  const ports = await freePorts();
  const config = otlpConfig(ports, { 'otlp.bind.address': '127.0.0.1', ...more });
  const { status, text } = await worker.call('PUT', `/connectors/${name}/config`, config);
  if (status !== 201) throw new Error(text);
  await worker.untilState(name, 'RUNNING');
  return ports;
}

/** Below the ports that systems give to clients, so that no client of a port that is closed meanwhile gets hold of it. */
const LEAST_PORT = 12_000;
const PORTS = 20_000;
let next = (process.pid * 64) % PORTS;

/** Two ports without a listener. */
export async function freePorts(): Promise<OtlpPorts> {
  return { grpc: await freePort(), http: await freePort() };
}

async function freePort(): Promise<number> {
  for (let tried = 0; tried < PORTS; tried += 1) {
    next = (next + 1) % PORTS;
    if (await isFree(LEAST_PORT + next)) return LEAST_PORT + next;
  }
  throw new Error('no port is free');
}

/** Whether a server could listen on the port now. */
export function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '0.0.0.0', () => server.close(() => resolve(true)));
  });
}
