import type { EventLog, MetricGroup } from '@levada/connect-runtime-core';
import type { OtlpConfig } from './config/config.ts';
import { addressesOf, openAddresses, portOf, protocolsOf, usesTls } from './config/protocol-settings.ts';
import type { otlpEvents } from './model/events.ts';
import type { otlpMetrics } from './model/metrics.ts';
import type { SignalName } from './model/signals.ts';
import type { SignalQueue } from './queue/signal-queue.ts';
import type { ConnectionFailure } from './receive/admission/connection-failure.ts';
import type { Protocol } from './receive/admission/wrong-port.ts';
import type { Receivers } from './receivers.ts';

/** What the log lines of a run are made from. */
export interface RunLines {
  readonly config: OtlpConfig;
  readonly metrics: MetricGroup<typeof otlpMetrics>;
  readonly log: EventLog<typeof otlpEvents>;
  readonly queues: readonly SignalQueue[];
  readonly sessionId: string;
}

/** The ports are about to be bound. */
export function logStarting({ config, log, sessionId }: RunLines): void {
  log('session_initialized', { session_id: sessionId });
  log('otlp_receiver_starting', {
    grpc_enabled: config['otlp.grpc.enabled'],
    grpc_port: portOf('grpc', config),
    http_enabled: config['otlp.http.enabled'],
    http_port: portOf('http', config),
    tls_enabled: allUseTls(config),
    message_format: config['otlp.message.format'],
  });
}

/** The receivers listen. */
export function logStarted({ config, log, queues, sessionId }: RunLines, receivers: Receivers): void {
  log('otlp_receiver_started', {
    grpc_port: receivers.get('grpc')?.port || null,
    http_port: receivers.get('http')?.port || null,
    bind_address: addressesOf(config),
    tls_enabled: allUseTls(config),
    message_format: config['otlp.message.format'],
    ack_mode: config['otlp.ack.mode'],
  });
  const open = openAddresses(config);
  if (open.length > 0) log('receivers_open_to_network', { bind_address: open.join(', ') });
  log('task_started', {
    session_id: sessionId,
    traces_seq: sequenceOf(queues, 'traces'),
    metrics_seq: sequenceOf(queues, 'metrics'),
    logs_seq: sequenceOf(queues, 'logs'),
  });
}

function allUseTls(config: OtlpConfig): boolean {
  return protocolsOf(config).every((protocol) => usesTls(protocol, config));
}

/** The receivers are closed. */
export function logStopped({ metrics, log }: RunLines): void {
  log('otlp_receiver_stopped', {
    traces_received: metrics.read('TracesReceived'),
    metrics_received: metrics.read('MetricsReceived'),
    logs_received: metrics.read('LogsReceived'),
    traces_dropped: metrics.read('TracesDropped'),
    metrics_dropped: metrics.read('MetricsDropped'),
    logs_dropped: metrics.read('LogsDropped'),
  });
}

const failureAttributes = {
  grpc: { tls_handshake_failed: 'GrpcTlsHandshakesFailed', wrong_protocol: 'GrpcWrongProtocol' },
  http: { tls_handshake_failed: 'HttpTlsHandshakesFailed', wrong_protocol: 'HttpWrongProtocol' },
} as const;

/** A connection failed before it carried a request: counts it, and says why. */
export function reportFailure(
  { metrics, log }: RunLines,
  protocol: Protocol,
  { kind, ...details }: ConnectionFailure,
): void {
  metrics.counter(failureAttributes[protocol][kind]).value += 1;
  log(kind, { protocol, ...details });
}

/** Number of the last message of a signal; 0 when it is not received. */
export function sequenceOf(queues: readonly SignalQueue[], signal: SignalName): number {
  return queues.find((queue) => queue.signal === signal)?.counts.sequence ?? 0;
}
