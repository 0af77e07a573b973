import type { LogEventTable } from '@levada/connect-runtime-core';
import { connectionEvents, healthEvents, holdUpEvents } from '@levada/connect-runtime-core/source-kit';

/** Log events of a gRPC connector's task. The six that the product definition names come first. */
export const grpcEvents = {
  streaming_started: {
    level: 'info',
    help: 'The call is made on a ready connection. Fields: `service`, `method`, `server`.',
  },
  connection_closed: {
    level: 'info',
    help: 'The stream is over; the task connects again if that is enabled. Fields: `server`, `status_code`, `error_code`, `error_message`, `messages_received`.',
  },
  connection_failed: {
    level: 'error',
    help: 'A connection or a call could not be made, or was refused. Fields: `server`, `status_code`, `error_code`, `error_message`.',
  },
  queue_full: {
    level: 'warn',
    help: 'Messages were dropped, because the queue was full. Fields: `reason`, `count`, `queue_size`, `queue_capacity`, `messages_dropped_total`.',
    everyMs: 1000,
  },
  sequence_gap: {
    level: 'warn',
    help: 'Sequence numbers are missing, because their messages were dropped. Fields: `expected`, `received`, `missing`, `session_id`.',
    everyMs: 1000,
  },
  session_initialized: {
    level: 'info',
    help: 'A stream began, and with it a session. Fields: `session_id`, `starting_sequence`.',
  },

  task_starting: {
    level: 'info',
    help: 'The task begins. Fields: `connector_name`, `grpc_server`, `grpc_method`, `platform_topic`.',
  },
  task_started: {
    level: 'info',
    help: 'The task is operating. Fields: `starting_sequence`, `queue_capacity`.',
  },
  offset_restored: {
    level: 'info',
    help: 'An earlier run left an offset. Fields: `session_id`, `sequence`.',
  },
  no_previous_offset: { level: 'info', help: 'No earlier run left an offset; the sequence begins with 1.' },
  offset_restore_error: {
    level: 'warn',
    help: 'The stored offset is not one of this connector, so the sequence begins with 1. Fields: `offset`.',
  },
  descriptor_by_reflection: {
    level: 'info',
    help: 'The server described its service by reflection. Fields: `server`, `files`.',
  },
  proxy_used: {
    level: 'info',
    help: 'Connections go through a proxy. Fields: `server`, `proxy`, `source` (the configuration key or environment variable that names the proxy).',
  },
  tls_verification_off: {
    level: 'warn',
    help: 'The certificate of the server is not verified. Fields: `server`.',
  },
  keepalive_backed_off: {
    level: 'warn',
    help: 'The server closed the connection because of too many pings; from now on pings are sent less often than grpc.keepalive.time.ms says. Fields: `server`, `keepalive_time_ms`.',
  },
  stream_idle: {
    level: 'warn',
    help: 'No message came for grpc.stream.idle.timeout.ms, so the stream is given up. Fields: `server`, `idle_ms`.',
  },
  message_too_large: {
    level: 'warn',
    help: 'Messages above grpc.max.inbound.message.size were skipped. Fields: `count`, `message_bytes`, `max_bytes`, `messages_dropped_total`.',
    everyMs: 1000,
  },
  message_conversion_failed: {
    level: 'error',
    help: 'A message could not be converted. Fields: `sequence`, `message_bytes`, `error_message`, `dead_letter_topic`.',
    everyMs: 1000,
  },
  ...holdUpEvents,
  ...healthEvents,
  ...connectionEvents,
  stream_completed: {
    level: 'info',
    help: 'The server ended the stream with OK. Fields: `server`, `messages_received`, `completion_policy`.',
  },
  task_stopping: { level: 'info', help: 'The task was asked to stop. Fields: `session_id`, `queue_size`.' },
  task_stopped: {
    level: 'info',
    help: 'The task receives nothing more; what is queued is still written to the topic. Fields: `session_id`, `final_sequence`, `queue_size`.',
  },
} as const satisfies LogEventTable;
