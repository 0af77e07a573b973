import type { LogEventTable } from '../diagnostics/log-event.ts';

/** Log events of every source on how it is doing: a connector's table spreads them. */
export const healthEvents = {
  queue_high_utilization: {
    level: 'warn',
    help: 'The queue is more than 80 percent full. Fields: `queue_size`, `queue_capacity`, `utilization_percent`.',
    everyMs: 10_000,
  },
  task_metrics: {
    level: 'info',
    help: 'How the task is doing, every 30 seconds and at the end. Fields: `connected`, the counters, `queue`, `lag_count`, `session_id`, `status`.',
  },
} as const satisfies LogEventTable;

/** Share of the queue's capacity, in percent, above which the log says so. */
export const HIGH_UTILIZATION = 80;

/** Log events of every source with a connection on how it connects again: a connector's table spreads them. */
export const connectionEvents = {
  credentials_unresolved: {
    level: 'warn',
    help: 'Secrets or TLS files could not be read again before an attempt to connect; the last known ones are used. Fields: `error_message`.',
    everyMs: 60_000,
  },
  held_up_connection_ended: {
    level: 'warn',
    help: 'A connection ended on which the server was held up for a second or longer, which may be why; what it had sent before is still read. Fields: `held_up_ms` (longest hold of the connection), `error_message`.',
  },
  reconnect_scheduled: {
    level: 'info',
    help: 'Another attempt to connect follows after a pause. Fields: `attempt`, `backoff_ms`.',
  },
  reconnect_executing: {
    level: 'info',
    help: 'An attempt to connect again begins. Fields: `attempt`; `server` for a source that may have several.',
  },
  reconnect_skipped: {
    level: 'info',
    help: 'The connection ended, and reconnecting is disabled. Fields: `reason`.',
  },
  reconnect_failed: {
    level: 'error',
    help: 'No attempt to connect is left, so the task fails. Fields: `reason`, `max_attempts`, `error_message`.',
  },
} as const satisfies LogEventTable;
