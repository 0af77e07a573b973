import type { LogEventTable } from '@levada/connect-runtime-core';
import { connectionEvents, healthEvents } from '@levada/connect-runtime-core/source-kit';

/** Log events of a gRPC connector's task. The six that the product definition names come first. */
export const grpcEvents = {
  streaming_started: {
    level: 'info',
    help: 'The call is made on a ready connection: service, method, server',
  },
  connection_closed: {
    level: 'info',
    help: 'The stream is over; reconnecting follows if it is enabled: server, status_code, error_code, error_message, messages_received',
  },
  connection_failed: {
    level: 'error',
    help: 'A connection or call was not made, or was refused: server, status_code, error_code, error_message',
  },
  queue_full: {
    level: 'warn',
    help: 'Messages were dropped, because the queue was full: reason, count, queue_size, queue_capacity, messages_dropped_total',
    everyMs: 1000,
  },
  sequence_gap: {
    level: 'warn',
    help: 'Sequence numbers are missing, their messages were dropped: expected, received, missing, session_id',
    everyMs: 1000,
  },
  session_initialized: {
    level: 'info',
    help: 'A stream began and has this session_id: session_id, starting_sequence',
  },

  task_starting: {
    level: 'info',
    help: 'The task begins: connector_name, grpc_server, grpc_method, platform_topic',
  },
  task_started: { level: 'info', help: 'The task is operating: starting_sequence, queue_capacity' },
  offset_restored: { level: 'info', help: 'An earlier run left an offset: session_id, sequence' },
  no_previous_offset: { level: 'info', help: 'No earlier run left an offset; the sequence begins with 1' },
  offset_restore_error: {
    level: 'warn',
    help: 'The offset of an earlier run is not one of this connector; the sequence begins with 1: offset',
  },
  descriptor_by_reflection: {
    level: 'info',
    help: 'The server described its service by reflection: server, files',
  },
  proxy_used: {
    level: 'info',
    help: 'Connections go through a proxy: server, proxy, source (the key or the environment variable that names it)',
  },
  tls_verification_off: { level: 'warn', help: 'The certificate of the server is not verified: server' },
  keepalive_backed_off: {
    level: 'warn',
    help: 'The server closed the connection because of too many pings; grpc.keepalive.time.ms counts as more from now on: server, keepalive_time_ms',
  },
  stream_idle: {
    level: 'warn',
    help: 'No message for grpc.stream.idle.timeout.ms; the stream is given up: server, idle_ms',
  },
  message_too_large: {
    level: 'warn',
    help: 'Messages above grpc.max.inbound.message.size were skipped: count, message_bytes, max_bytes, messages_dropped_total',
    everyMs: 1000,
  },
  message_conversion_failed: {
    level: 'error',
    help: 'A message could not be converted: sequence, message_bytes, error_message, dead_letter_topic',
    everyMs: 1000,
  },
  ...healthEvents,
  ...connectionEvents,
  stream_completed: {
    level: 'info',
    help: 'The server ended the stream with OK: server, messages_received, completion_policy',
  },
  task_stopping: { level: 'info', help: 'The task was asked to stop: session_id, queue_size' },
  task_stopped: {
    level: 'info',
    help: 'Intake has ended; what is queued is still handed out: session_id, final_sequence, queue_size',
  },
} as const satisfies LogEventTable;
