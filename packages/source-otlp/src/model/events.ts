import type { LogEventTable } from '@levada/connect-runtime-core';
import { healthEvents } from '@levada/connect-runtime-core/source-kit';
import type { SignalName } from './signals.ts';

/** Log events of an OTLP connector's task. Those that the product definition names come first. */
export const otlpEvents = {
  task_starting: {
    level: 'info',
    help: 'The task begins: connector_name, grpc_port, http_port, topics',
  },
  otlp_receiver_started: {
    level: 'info',
    help: 'The receivers listen: grpc_port, http_port, bind_address, tls_enabled, message_format, ack_mode',
  },
  trace_received: { level: 'debug', help: 'Traces arrived: transport, spans' },
  metric_received: { level: 'debug', help: 'Metrics arrived: transport, data_points' },
  log_received: { level: 'debug', help: 'Logs arrived: transport, log_records' },
  profile_received: { level: 'debug', help: 'Profiles arrived: transport, profiles' },
  trace_dropped: {
    level: 'warn',
    help: 'Queue full, dropping message: reason, answer, queue_size, queue_capacity, messages_dropped_total',
    everyMs: 1000,
  },
  metric_dropped: { level: 'warn', help: 'The same for metrics', everyMs: 1000 },
  log_dropped: { level: 'warn', help: 'The same for logs', everyMs: 1000 },
  profile_dropped: { level: 'warn', help: 'The same for profiles', everyMs: 1000 },
  task_metrics: {
    level: 'info',
    help: 'Every 30 seconds and at the end: records_produced, the queue sizes, queue_capacity, the sequences, session_id, status',
  },
  task_stopping: { level: 'info', help: 'The task was asked to stop: session_id, queue_size' },

  otlp_receiver_starting: {
    level: 'info',
    help: 'The receivers are about to be bound: grpc_enabled, grpc_port, http_enabled, http_port, tls_enabled, message_format',
  },
  grpc_server_started: { level: 'info', help: 'The gRPC receiver listens: bind_address, port' },
  http_server_started: { level: 'info', help: 'The HTTP receiver listens: bind_address, port' },
  otlp_receiver_start_failed: {
    level: 'error',
    help: 'Failed to start gRPC server, or Failed to start HTTP server: protocol, bind_address, port, error',
  },
  receivers_open_to_network: {
    level: 'warn',
    help: 'Everybody who reaches the ports can send: no TLS with client certificates and no token is configured: bind_address',
  },
  tls_reloaded: { level: 'info', help: 'The TLS files have changed; new connections use them' },
  tls_reload_failed: {
    level: 'warn',
    help: 'The TLS files could not be reloaded; the last ones are used: error',
    everyMs: 60_000,
  },
  receiver_error: {
    level: 'warn',
    help: 'A receiver had a fault that is reported to no client, such as an accept that failed: protocol, error',
    everyMs: 10_000,
  },
  tls_handshake_failed: {
    level: 'warn',
    help: 'A client and a receiver did not agree on TLS: protocol, peer, reason, error',
    everyMs: 10_000,
  },
  wrong_protocol: {
    level: 'warn',
    help: 'A client speaks another protocol than the port that it reached: protocol, peer, found',
    everyMs: 10_000,
  },
  request_refused: {
    level: 'warn',
    help: 'Requests were refused: reason, signal, transport, error',
    everyMs: 10_000,
  },
  items_rejected: {
    level: 'warn',
    help: 'Items were rejected for good, because they are larger than a record may be: signal, count, max_bytes',
    everyMs: 1000,
  },
  values_cut: {
    level: 'warn',
    help: 'Values were left empty, because they are nested deeper than 64 AnyValues: signal, count, max_depth',
    everyMs: 1000,
  },
  message_conversion_failed: {
    level: 'error',
    help: 'A message could not be converted, and is dropped: signal, sequence, message_bytes, error',
    everyMs: 1000,
  },
  acknowledgement_late: {
    level: 'warn',
    help: 'The log does not acknowledge in time; exports of the signal are refused at once until it does: signal, waited_ms',
    everyMs: 10_000,
  },
  spool_opened: {
    level: 'info',
    help: 'The spool is open: signal, entries, bytes, discarded_bytes, damaged_entries',
  },
  spool_damaged: {
    level: 'error',
    help: 'Parts of the spool could not be read; they are kept beside it: signal, discarded_bytes, damaged_entries',
  },
  spool_write_failed: {
    level: 'error',
    help: 'The disk refuses what is to be spooled; exports are refused: signal, error',
    everyMs: 10_000,
  },
  queue_high_utilization: healthEvents.queue_high_utilization,
  session_initialized: {
    level: 'info',
    help: 'The run has this session_id: session_id',
  },
  offset_restored: {
    level: 'info',
    help: 'An earlier run left an offset: signal_type, session_id, sequence',
  },
  no_previous_offset: {
    level: 'info',
    help: 'No earlier run left an offset; the sequence begins with 1: signal_type',
  },
  offset_restore_error: {
    level: 'warn',
    help: 'The offset of an earlier run is not one of this connector; the sequence begins with 1: signal_type, offset',
  },
  task_started: {
    level: 'info',
    help: 'The task is operating: session_id, traces_seq, metrics_seq, logs_seq',
  },
  otlp_receiver_stopping: { level: 'info', help: 'The receivers take nothing more' },
  otlp_receiver_stopped: {
    level: 'info',
    help: 'The ports are closed: traces_received, metrics_received, logs_received, traces_dropped, metrics_dropped, logs_dropped',
  },
  task_stopped: {
    level: 'info',
    help: 'Intake has ended; what is queued is still handed out: session_id, queue_size, spooled',
  },
} as const satisfies LogEventTable;

/** The events of one signal. */
export const signalEvents = {
  traces: { received: 'trace_received', dropped: 'trace_dropped', items: 'spans' },
  metrics: { received: 'metric_received', dropped: 'metric_dropped', items: 'data_points' },
  logs: { received: 'log_received', dropped: 'log_dropped', items: 'log_records' },
  profiles: { received: 'profile_received', dropped: 'profile_dropped', items: 'profiles' },
} as const satisfies Readonly<Record<SignalName, unknown>>;
