import type { LogEventTable } from '@levada/connect-runtime-core';
import { healthEvents, holdUpEvents } from '@levada/connect-runtime-core/source-kit';
import type { SignalName } from './signals.ts';

/** Log events of an OTLP connector's task. Those that the product definition names come first. */
export const otlpEvents = {
  task_starting: {
    level: 'info',
    help: 'The task begins. Fields: `connector_name`, `grpc_port`, `http_port`, `topics`.',
  },
  otlp_receiver_started: {
    level: 'info',
    help: 'The receivers listen. Fields: `grpc_port`, `http_port`, `bind_address`, `tls_enabled`, `message_format`, `ack_mode`.',
  },
  trace_received: { level: 'debug', help: 'Traces arrived. Fields: `transport`, `spans`.' },
  metric_received: { level: 'debug', help: 'Metrics arrived. Fields: `transport`, `data_points`.' },
  log_received: { level: 'debug', help: 'Logs arrived. Fields: `transport`, `log_records`.' },
  profile_received: { level: 'debug', help: 'Profiles arrived. Fields: `transport`, `profiles`.' },
  trace_dropped: {
    level: 'warn',
    help: 'Queue full, dropping message. Fields: `reason`, `answer`, `queue_size`, `queue_capacity`, `messages_dropped_total`.',
    everyMs: 1000,
  },
  metric_dropped: { level: 'warn', help: 'As `trace_dropped`, for metrics.', everyMs: 1000 },
  log_dropped: { level: 'warn', help: 'As `trace_dropped`, for logs.', everyMs: 1000 },
  profile_dropped: { level: 'warn', help: 'As `trace_dropped`, for profiles.', everyMs: 1000 },
  task_metrics: {
    level: 'info',
    help: 'How the task is doing, every 30 seconds and at the end. Fields: `records_produced`, the queue sizes, `queue_capacity`, the sequences, `session_id`, `status`.',
  },
  task_stopping: { level: 'info', help: 'The task was asked to stop. Fields: `session_id`, `queue_size`.' },

  otlp_receiver_starting: {
    level: 'info',
    help: 'The receivers are about to open their ports. Fields: `grpc_enabled`, `grpc_port`, `http_enabled`, `http_port`, `tls_enabled`, `message_format`.',
  },
  grpc_server_started: { level: 'info', help: 'The gRPC receiver listens. Fields: `bind_address`, `port`.' },
  http_server_started: { level: 'info', help: 'The HTTP receiver listens. Fields: `bind_address`, `port`.' },
  waiting_while_in_use: {
    level: 'warn',
    help: 'Another process has a port or a spool folder of the task, as a worker that is frozen; the task waits for it. Fields: `wait_ms` (longest wait), `error`.',
  },
  otlp_receiver_start_failed: {
    level: 'error',
    help: 'A receiver could not start; the message is "Failed to start gRPC server" or "Failed to start HTTP server". Fields: `protocol`, `bind_address`, `port`, `error`.',
  },
  receivers_open_to_network: {
    level: 'warn',
    help: 'Anyone who reaches the ports can send, because neither TLS with client certificates nor a token is configured. Fields: `bind_address`.',
  },
  tls_reloaded: { level: 'info', help: 'The TLS files have changed; new connections use the new ones.' },
  tls_reload_failed: {
    level: 'warn',
    help: 'The TLS files could not be reloaded; the last ones are used. Fields: `error`.',
    everyMs: 60_000,
  },
  receiver_error: {
    level: 'warn',
    help: 'A receiver failed in a way that no client can be blamed for, such as a connection that could not be accepted or an internal error. It continues. Fields: `protocol`, `error`.',
    everyMs: 10_000,
  },
  tls_handshake_failed: {
    level: 'warn',
    help: 'A client and a receiver did not agree on TLS. Fields: `protocol`, `peer`, `reason`, `error`.',
    everyMs: 10_000,
  },
  wrong_protocol: {
    level: 'warn',
    help: 'A client speaks another protocol than the port that it reached. Fields: `protocol`, `peer`, `found`.',
    everyMs: 10_000,
  },
  request_refused: {
    level: 'warn',
    help: 'Requests were refused. Fields: `reason`, `signal`, `transport`, `error`.',
    everyMs: 10_000,
  },
  items_rejected: {
    level: 'warn',
    help: 'Items were rejected for good, because they are larger than a record may be. Fields: `signal`, `count`, `max_bytes`.',
    everyMs: 1000,
  },
  values_cut: {
    level: 'warn',
    help: 'Values were left empty, because they are inside more than 64 values. Fields: `signal`, `count`, `max_depth`.',
    everyMs: 1000,
  },
  message_conversion_failed: {
    level: 'error',
    help: 'A message could not be converted, and is dropped. Fields: `signal`, `sequence`, `message_bytes`, `error`.',
    everyMs: 1000,
  },
  queue_grace_over: {
    ...holdUpEvents.queue_grace_over,
    help: 'The queue of a signal was full, and the log took nothing out of it for the time of grace: exports that waited, and later ones, are refused or dropped until it does. Fields: `signal`, `grace_ms`, `queue_size`, `queue_capacity`.',
  },
  acknowledgement_late: {
    level: 'warn',
    help: 'The topic does not acknowledge records in time; until it does, exports of the signal are refused at once. Fields: `signal`, `waited_ms`.',
    everyMs: 10_000,
  },
  spool_opened: {
    level: 'info',
    help: 'The spool is open. Fields: `signal`, `entries`, `bytes`, `discarded_bytes`, `damaged_entries`.',
  },
  spool_damaged: {
    level: 'error',
    help: 'Parts of the spool could not be read; they are kept beside it. Fields: `signal`, `discarded_bytes`, `damaged_entries`.',
  },
  spool_write_failed: {
    level: 'error',
    help: 'Writing to the spool failed, so exports are refused. Fields: `signal`, `error`.',
    everyMs: 10_000,
  },
  queue_high_utilization: healthEvents.queue_high_utilization,
  session_initialized: {
    level: 'info',
    help: 'The run of the task has a new session. Fields: `session_id`.',
  },
  offset_restored: {
    level: 'info',
    help: 'An earlier run left an offset. Fields: `signal_type`, `session_id`, `sequence`.',
  },
  no_previous_offset: {
    level: 'info',
    help: 'No earlier run left an offset; the sequence begins with 1. Fields: `signal_type`.',
  },
  offset_restore_error: {
    level: 'warn',
    help: 'The stored offset is not one of this connector, so the sequence begins with 1. Fields: `signal_type`, `offset`.',
  },
  task_started: {
    level: 'info',
    help: 'The task has started. Fields: `session_id`, `traces_seq`, `metrics_seq`, `logs_seq`.',
  },
  otlp_receiver_stopping: { level: 'info', help: 'The receivers accept no more requests.' },
  otlp_receiver_stopped: {
    level: 'info',
    help: 'The ports are closed. Fields: `traces_received`, `metrics_received`, `logs_received`, `traces_dropped`, `metrics_dropped`, `logs_dropped`.',
  },
  task_stopped: {
    level: 'info',
    help: 'The task receives nothing more; what is queued is still written to the topic. Fields: `session_id`, `queue_size`, `spooled`.',
  },
} as const satisfies LogEventTable;

/** The events of one signal. */
export const signalEvents = {
  traces: { received: 'trace_received', dropped: 'trace_dropped', items: 'spans' },
  metrics: { received: 'metric_received', dropped: 'metric_dropped', items: 'data_points' },
  logs: { received: 'log_received', dropped: 'log_dropped', items: 'log_records' },
  profiles: { received: 'profile_received', dropped: 'profile_dropped', items: 'profiles' },
} as const satisfies Readonly<Record<SignalName, unknown>>;
