import type { LogEventTable } from '../../diagnostics/log-event.ts';

/** Every log event that the runtime itself writes. Connectors have tables of their own. */
export const runtimeEvents = {
  worker_started: { level: 'info', help: 'The stores are read, and connectors start' },
  previous_session_unclean: {
    level: 'warn',
    help: 'This worker was cut off while these tasks ran: what was queued or on its way then is lost, or read again by sources with offsets',
  },
  worker_stopped: { level: 'info', help: 'Everything is stopped; says what was not delivered' },
  store_unavailable: { level: 'warn', help: 'The stores cannot be opened at the moment; tried again' },
  store_record_skipped: {
    level: 'warn',
    help: 'A record of an internal topic makes no sense and is passed over; its value is not shown',
    everyMs: 10_000,
  },
  status_write_failed: { level: 'warn', help: 'Statuses could not be stored; tried again', everyMs: 10_000 },
  worker_removed: {
    level: 'warn',
    help: 'This worker is not a member of its group any more, or could not become one, and has stopped everything. The message says why.',
  },
  connector_started: { level: 'info', help: 'The connector runs; its tasks follow' },
  connector_failed: { level: 'error', help: 'The connector cannot run; the status has the trace' },
  connector_stopped: { level: 'info', help: 'The connector and its tasks are stopped, and why' },
  task_running: { level: 'debug', help: 'The task is operating; its status says so, too' },
  task_reconfigured: { level: 'info', help: 'A changed configuration holds without a new task' },
  task_failed: { level: 'error', help: 'The task cannot continue; the status has the trace' },
  task_completed: {
    level: 'info',
    help: 'The source has nothing more to read; the connector is stopped when all its tasks are complete',
  },
  task_ended: { level: 'info', help: 'The task has ended; says how many records were not delivered' },
  task_cancelled: { level: 'error', help: 'The task did not stop in time and was abandoned' },
  task_error_uncaught: {
    level: 'error',
    help: 'The task threw where nothing awaits it, for example in a timer; it fails',
  },
  record_dropped: { level: 'warn', help: 'A record was given up and counted', everyMs: 5_000 },
  topic_check_failed: { level: 'warn', help: 'Whether a topic exists could not be found out; tried again' },
  offset_flush_failed: { level: 'warn', help: 'Offsets could not be stored; kept for the next time' },
  offset_copy_failed: {
    level: 'warn',
    help: "Offsets are stored in the connector's own topic, and could not be copied to the worker's; the next commit copies later ones",
    everyMs: 10_000,
  },
  literal_secret: {
    level: 'warn',
    help: 'A secret is written in the configuration itself, so it is stored in the config topic as it is',
  },
  config_warning: { level: 'warn', help: 'A key of a configuration has no effect or is unknown' },
  effect_failed: { level: 'error', help: 'A change could not be carried out; tried again' },
} as const satisfies LogEventTable;
