import type { LogEventTable } from '@levada/connect-runtime-core';

/** Log events of the embedded log. It is quiet while it is healthy. */
export const embeddedLogEvents = {
  embedded_log_opened: {
    level: 'info',
    help: 'The folder was opened; its path, the cluster id and the number of topics.',
  },
  embedded_log_degraded: {
    level: 'warn',
    help: 'Records cannot be stored at the moment (disk full, read-only, i/o error); nothing is acknowledged until it works again.',
  },
  embedded_log_recovered: {
    level: 'info',
    help: 'Records are stored again; for how long they could not be.',
  },
  embedded_log_failed: {
    level: 'error',
    help: 'The log is damaged, or the thread that writes it has ended; no more records are stored.',
  },
  embedded_log_topic_created: {
    level: 'info',
    help: 'A topic was created; its name, partitions and clean-up policy.',
  },
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
  embedded_log_key_ignored: {
    level: 'warn',
    help: 'A configuration key for Kafka producers has no effect here; logged once for each key.',
  },
} as const satisfies LogEventTable;
