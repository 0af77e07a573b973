import type { LogEventTable } from '@levada/connect-runtime-core';

/** Every log event that the runtime itself writes. Connectors have tables of their own. */
export const runtimeEvents = {
  worker_started: {
    level: 'info',
    help: 'Configurations, statuses and offsets were read, and connectors start',
  },
  previous_session_unclean: {
    level: 'warn',
    help: 'The last run of this worker ended without a proper stop while these tasks ran. Records that were queued then are lost, unless the source can be read again from its offset',
  },
  worker_stopped: {
    level: 'info',
    help: 'All connectors are stopped; the number of records that could not be delivered',
  },
  group_mismatch: {
    level: 'warn',
    help: 'The workers of the group do not fit together: addresses that cannot be reached or are advertised twice, other versions, classes that connectors name and a worker does not have. Logged when `findings` change; also in `/health`',
  },
  group_fits: { level: 'info', help: 'What `group_mismatch` said is over' },
  store_unavailable: {
    level: 'warn',
    help: 'The topics for configurations, statuses and offsets cannot be read at the moment; the worker tries again',
  },
  store_records_skipped: {
    level: 'warn',
    help: 'An internal topic is read to its end, and some of its records could not be understood. Fields: `topic`, `count`.',
  },
  store_record_skipped: {
    level: 'warn',
    help: 'A record of an internal topic could not be understood and is skipped; its value is not logged. `total` counts those of the topic since the start',
    everyMs: 10_000,
  },
  status_write_failed: {
    level: 'warn',
    help: 'Statuses could not be stored; the worker tries again',
    everyMs: 10_000,
  },
  worker_removed: {
    level: 'warn',
    help: 'This worker is not a member of its group any more, or could not become one, and has stopped everything. The message says why.',
  },
  connector_started: { level: 'info', help: 'The connector has started; its tasks start next' },
  connector_failed: { level: 'error', help: 'The connector cannot run; the status has the trace' },
  connector_stopped: { level: 'info', help: 'The connector and its tasks are stopped; the reason' },
  task_running: { level: 'debug', help: 'The task has started, and its status is RUNNING' },
  task_reconfigured: {
    level: 'info',
    help: 'A changed configuration was applied to the task without a restart',
  },
  task_failed: { level: 'error', help: 'The task cannot continue; the status has the trace' },
  task_completed: {
    level: 'info',
    help: 'The source has nothing more to read; the connector is stopped when all its tasks are complete',
  },
  task_ended: {
    level: 'info',
    help: 'The task has ended; the number of records that could not be delivered',
  },
  task_cancelled: { level: 'error', help: 'The task did not stop in time and was abandoned' },
  task_thread_ended: {
    level: 'error',
    help: 'The thread of a task ended by itself, or did not answer any more; the task fails, and what it had received and not stored is counted as dropped',
  },
  task_thread_lingers: {
    level: 'warn',
    help: 'A thread of an earlier run of the task was ended and has not exited, because it is busy in native code, for example; it may have ports and files that the task needs. The task starts when it exits, or after `wait_ms`.',
  },
  log_lines_lost: {
    level: 'warn',
    help: 'Log lines of a task in a thread of its own were not written: more than 10,000 waited for the thread of the worker, or its thread was ended. Fields: `lines`.',
  },
  task_error_uncaught: {
    level: 'error',
    help: 'The task threw an error that no code caught, for example in a timer; the task fails',
  },
  record_dropped: {
    level: 'warn',
    help: 'A record could not be converted or written; it is dropped and counted',
    everyMs: 5_000,
  },
  topic_check_failed: {
    level: 'warn',
    help: 'The worker could not find out whether a topic exists; it tries again',
  },
  offset_flush_failed: {
    level: 'warn',
    help: 'Offsets could not be stored; they are stored with the next ones',
  },
  transaction_timed_out: {
    level: 'warn',
    help: 'A transaction was open for longer than `transaction.timeout.ms`, as when brokers were away in the middle of it, so the log ended it. The task starts again, and reads again what was in it',
  },
  schema_preparation_failed: {
    level: 'warn',
    help: 'A converter could not get ready for a new schema, because the registry does not answer; tried again',
    everyMs: 5_000,
  },
  record_failed: {
    level: 'error',
    help: 'A record could not be transformed, converted or stored; logged with errors.log.enable only',
  },
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
  effect_failed: {
    level: 'error',
    help: 'A change of connectors or tasks could not be carried out; the worker tries again',
  },
} as const satisfies LogEventTable;
