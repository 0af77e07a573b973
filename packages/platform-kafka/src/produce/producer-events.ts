import type { LogEventTable } from '@levada/connect-runtime-core';

/** What a producer logs. */
export const producerEvents = {
  kafka_unavailable: {
    level: 'warn',
    everyMs: 30_000,
    help: 'No connection to a broker could be made or kept; records wait. Field `error`.',
  },
  kafka_available: { level: 'info', help: 'Brokers answer again after `kafka_unavailable`.' },
  topic_missing: {
    level: 'warn',
    everyMs: 30_000,
    help: 'Brokers do not know a topic that is written to, or know no leader for a partition of it. Fields `topic`, `error`.',
  },
  produce_refused: {
    level: 'debug',
    help: 'A broker refused a batch for the moment; it is sent again. Fields `topic`, `partition`, `error`.',
  },
  producer_epoch: {
    level: 'info',
    help: 'Sequence numbers of a partition start anew after a gap. Fields `topic`, `partition`.',
  },
} as const satisfies LogEventTable;
