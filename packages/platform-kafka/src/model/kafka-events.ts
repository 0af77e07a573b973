import type { EventLog, LogEventTable } from '@levada/connect-runtime-core';

export const kafkaEvents = {
  kafka_unavailable: {
    level: 'warn',
    help: 'No broker answers. It is tried again with back-off. Fields: `client` or `producer`, `error`.',
    everyMs: 30_000,
  },
  kafka_available: { level: 'info', help: 'A broker answers, at first or again. Fields: `cluster`.' },
  kafka_throttled: {
    level: 'warn',
    help: 'A broker asked to wait, because a quota is used up. Nothing is lost by that: records are sent after the wait. Fields: `client` or `producer`, `ms`.',
    everyMs: 30_000,
  },
  topic_missing: {
    level: 'warn',
    everyMs: 30_000,
    help: 'Brokers do not know a topic that is written to, or know no leader for a partition of it. Fields: `topic`, `error`.',
  },
  produce_refused: {
    level: 'debug',
    help: 'A broker refused a batch for the moment; it is sent again. Fields: `topic`, `partition`, `error`.',
  },
  producer_epoch: {
    level: 'info',
    help: 'A batch was given up, so the idempotent producer numbers its batches of this partition from 0 again under a new producer epoch. Fields: `topic`, `partition`.',
  },
  kafka_topic_unreadable: {
    level: 'warn',
    help: 'A compacted log cannot be read, for 5 s already unless trying again cannot help. It is tried again with back-off. Fields: `topic`, `reason`.',
    everyMs: 30_000,
  },
  kafka_topic_created: { level: 'info', help: 'An internal topic was missing and was created.' },
  kafka_topic_reset: {
    level: 'warn',
    help: 'The next record to read of a compacted log is gone; the partition is read again from its beginning.',
  },
  kafka_group_joined: {
    level: 'info',
    help: 'The worker group has rebalanced, and this worker has an assignment. Fields: `group`, `generation`, `leader`, `members` on the leader.',
  },
  kafka_group_member_unreadable: {
    level: 'warn',
    help: 'What a member of the worker group sent cannot be read; it is assigned nothing. Fields: `group`, `member`, `reason`.',
  },
  kafka_group_unconfirmed: {
    level: 'warn',
    help: 'The group coordinator does not confirm the membership: nothing is produced until it does. Fields: `group`, `error`.',
    everyMs: 30_000,
  },
  kafka_group_refused: {
    level: 'error',
    help: 'The group coordinator refuses this worker for a reason that trying again does not change, for example a missing right: everything has stopped here. It is tried again ever more seldom. Fields `group`, `error`, `nextTryInMs`.',
  },
  kafka_group_assignment_unreadable: {
    level: 'error',
    help: 'What the leader of the worker group assigned to this worker cannot be read: everything stops here, and it joins again. Fields `group`, `leader`, `reason`.',
    everyMs: 30_000,
  },
  kafka_group_unsynced: {
    level: 'warn',
    help: 'The config topic could not be read to its end within worker.sync.timeout.ms: this worker leaves the worker group for a while. Fields `group`, `nextTryInMs`.',
  },
  kafka_group_name_too_long: {
    level: 'error',
    help: 'The name of a connector is longer than the 32,767 bytes that messages of the worker group can carry: it runs only on a worker without others beside it. Fields `group`, `connector` (its first characters), `bytes`.',
    everyMs: 30_000,
  },
  kafka_keys_ignored: { level: 'warn', help: 'Keys for Kafka clients that have no effect here; once.' },
  kafka_record_refused: {
    level: 'error',
    help: 'A record of a compacted log could not be handled; it is skipped.',
  },
} as const satisfies LogEventTable;

export type KafkaEventLog = EventLog<typeof kafkaEvents>;
