import type { LogEventTable } from '@levada/connect-runtime-core';

/** Log events of the embedded log. It logs little while there is no trouble. */
export const embeddedLogEvents = {
  embedded_log_opened: { level: 'info', help: 'The folder was opened: path, cluster id, number of topics.' },
  embedded_log_degraded: {
    level: 'warn',
    help: 'Records cannot be stored at the moment (disk full, read-only, i/o error); nothing is acknowledged until it works again.',
  },
  embedded_log_recovered: { level: 'info', help: 'Records are stored again; how long they were not.' },
  embedded_log_failed: {
    level: 'error',
    help: 'The log is damaged or its thread ended: nothing more is stored.',
  },
  embedded_log_topic_created: { level: 'info', help: 'A topic was made: name, partitions, clean-up policy.' },
  embedded_log_maintenance_failed: {
    level: 'warn',
    help: 'Old or superseded records could not be removed; it is tried again later.',
    everyMs: 60_000,
  },
  embedded_log_follower_failed: {
    level: 'warn',
    help: 'A compacted log could not be read; it is tried again with the next record.',
    everyMs: 10_000,
  },
  embedded_log_key_ignored: { level: 'warn', help: 'A producer key that means nothing here, named once.' },
} as const satisfies LogEventTable;
