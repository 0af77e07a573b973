import type { LogEventTable } from '../diagnostics/log-event.ts';

/** Log events of every source on how it is doing: a connector's table spreads them. */
export const healthEvents = {
  queue_high_utilization: {
    level: 'warn',
    help: 'The queue is more than 80 percent full: queue_size, queue_capacity, utilization_percent',
    everyMs: 10_000,
  },
  task_metrics: {
    level: 'info',
    help: 'Every 30 seconds and at the end: connected, the counters, queue, lag_count, session_id, status',
  },
} as const satisfies LogEventTable;

/** Share of the queue's capacity, in percent, above which the log says so. */
export const HIGH_UTILIZATION = 80;
