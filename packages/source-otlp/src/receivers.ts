import { createServer } from 'node:net';
import { type Clock, ConnectorError } from '@levada/connect-runtime-core';
import type { OtlpConfig } from './config/config.ts';
import { addressOf, portOf, protocolsOf, tlsPath } from './config/protocol-settings.ts';
import type { TlsContexts } from './config/tls-files.ts';
import type { OtlpSchema } from './model/otlp-schema.ts';
import { type SignalName, signals } from './model/signals.ts';
import { bindServer, socketPath } from './receive/admission/bind-server.ts';
import type { ConnectionFailure } from './receive/admission/connection-failure.ts';
import type { ExportIntake } from './receive/admission/export-intake.ts';
import type { Http2Server, Receiver, ReceiverOptions } from './receive/admission/receiver.ts';
import type { Protocol } from './receive/admission/wrong-port.ts';
import { openGrpcReceiver } from './receive/grpc/open-grpc-receiver.ts';
import type { HttpReceiverOptions } from './receive/http/http-receiver-options.ts';
import { lastRefusal } from './receive/http/last-answer.ts';
import { openHttpReceiver } from './receive/http/open-http-receiver.ts';
import { type Patience, retryWhileInUse } from './retry-while-in-use.ts';

export interface OpenReceiversOptions {
  readonly config: OtlpConfig;
  readonly intake: ExportIntake;
  readonly schema: OtlpSchema;
  readonly tls: TlsContexts;
  readonly clock: Clock;
  readonly onError: (protocol: Protocol, error: Error) => void;
  readonly onConnectionFailure: (protocol: Protocol, failure: ConnectionFailure) => void;
  /** A receiver listens. */
  readonly onStarted: (protocol: Protocol, receiver: Receiver) => void;
  /** A port could not be bound; nothing stays open. */
  readonly onFailed: (protocol: Protocol, error: Error) => void;
  /** How a port is waited for that somebody else has. */
  readonly patience: Patience;
}

/** The receivers that are configured, by protocol. */
export type Receivers = ReadonlyMap<Protocol, Receiver>;

/** What the log and the trace of the task say. */
export const startFailures: Readonly<Record<Protocol, string>> = {
  grpc: 'Failed to start gRPC server',
  http: 'Failed to start HTTP server',
};

/**
 * Waits until all ports are free, so that no receiver accepts exports while another one is waited for, and binds them, gRPC first. Rejects
 * when one cannot be bound, with all of them closed again.
 */
export async function openReceivers(options: OpenReceiversOptions): Promise<Receivers> {
  const { config, patience, onStarted, onFailed } = options;
  const receivers = new Map<Protocol, Receiver>();
  const bind = async (protocol: Protocol): Promise<void> => {
    const receiver = await open(protocol, options, receivers);
    receivers.set(protocol, receiver);
    onStarted(protocol, receiver);
  };
  for (const step of [(protocol: Protocol) => tryAddress(protocol, config), bind]) {
    for (const protocol of protocolsOf(config)) {
      try {
        await retryWhileInUse('EADDRINUSE', patience, () => step(protocol));
      } catch (thrown) {
        await Promise.all([...receivers.values()].map((one) => one.close({ graceMs: 0 })));
        const cause = thrown instanceof Error ? thrown : new Error(String(thrown));
        if (!patience.signal.aborted) onFailed(protocol, cause);
        const message = `${startFailures[protocol]}: ${placeIn(protocol, config)}: ${cause.message}`;
        throw new ConnectorError('address_in_use', message, { cause });
      }
    }
  }
  return receivers;
}

/** Rejects when a receiver could not be bound now. */
async function tryAddress(protocol: Protocol, config: OtlpConfig): Promise<void> {
  const port = portOf(protocol, config);
  const server = createServer();
  const socketMode = Number.parseInt(config['otlp.unix.socket.mode'], 8);
  await bindServer(server, { address: addressOf(protocol, config), port, socketMode });
  await new Promise((resolve) => server.close(resolve));
}

function open(protocol: Protocol, options: OpenReceiversOptions, receivers: Receivers): Promise<Receiver> {
  const { config, schema } = options;
  const context = options.tls.get(protocol);
  const maxAgeMs = config['otlp.max.connection.age.ms'];
  const common: ReceiverOptions = {
    intake: options.intake,
    signals: new Set(config['otlp.signals'] as readonly SignalName[]),
    address: addressOf(protocol, config),
    socketMode: Number.parseInt(config['otlp.unix.socket.mode'], 8),
    port: portOf(protocol, config),
    tls: context && { context, clientCertificate: tlsPath(protocol, 'client.ca', config).value !== null },
    includedHeaders: new Set(config['otlp.request.headers'].map((name) => name.toLowerCase())),
    maxRequestBytes: config['otlp.max.request.size'],
    maxCompressedBytes: config['otlp.max.compressed.size'],
    maxConnections: config['otlp.max.connections'],
    connectionAge:
      maxAgeMs === 0 ? undefined : { maxMs: maxAgeMs, graceMs: config['otlp.max.connection.age.grace.ms'] },
    clock: options.clock,
    http2: config['otlp.http2.server'] as Http2Server,
    onError: (error) => options.onError(protocol, error),
    onConnectionFailure: (failure) => options.onConnectionFailure(protocol, failure),
    elsewhere: () => placeOf(receivers.get(protocol === 'grpc' ? 'http' : 'grpc')),
  };
  if (protocol === 'grpc') return openGrpcReceiver({ ...common, schema, answerHttp1: lastRefusal });
  return openHttpReceiver({ ...common, ...httpOptions(config) });
}

function placeIn(protocol: Protocol, config: OtlpConfig): string {
  const address = addressOf(protocol, config);
  return socketPath(address) === undefined ? `${address} port ${portOf(protocol, config)}` : address;
}

/** Where a receiver listens, for clients that speak its protocol elsewhere. */
function placeOf(receiver: Receiver | undefined): string | undefined {
  return receiver && (receiver.port === 0 ? receiver.address : `port ${receiver.port}`);
}

function httpOptions(config: OtlpConfig): Pick<HttpReceiverOptions, 'paths' | 'cors' | 'timeouts'> {
  const requestMs = config['otlp.http.request.timeout.ms'];
  const origins = config['otlp.http.cors.allowed.origins'];
  return {
    paths: new Map([
      [config['otlp.http.path.traces'], 'traces'],
      [config['otlp.http.path.metrics'], 'metrics'],
      [config['otlp.http.path.logs'], 'logs'],
      [signals.profiles.path, 'profiles'],
    ]),
    cors:
      origins.length === 0
        ? undefined
        : { origins, headers: config['otlp.http.cors.allowed.headers'], maxAgeSeconds: 3600 },
    timeouts: {
      headersMs: Math.ceil(requestMs / 3),
      requestMs,
      keepAliveMs: config['otlp.http.idle.timeout.ms'],
    },
  };
}
