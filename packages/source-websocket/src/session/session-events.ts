import type { LogEventTable, MetricTable } from '@levada/connect-runtime-core';

/** Log events of what is said on an open connection. */
export const sessionEvents = {
  handshake_completed: {
    level: 'info',
    help: 'All messages of the handshake were sent and their replies arrived. Fields: `steps` (how many), `duration_ms`.',
  },
  handshake_rejected: {
    level: 'error',
    help: 'A message of the handshake was refused, or could not be sent; reconnecting continues. Fields: `step` (its number), `reason` (matched, no_reply, no_value or closed), `missing` (the placeholder without a value), `close_code`, `close_reason`.',
  },
  control_unanswered: {
    level: 'warn',
    help: 'A control message could not be answered, because it lacks a value that the answer holds. Fields: `rule` (its number), `missing`.',
    everyMs: 60_000,
  },
  heartbeat_missed: {
    level: 'warn',
    help: 'No reply to a heartbeat arrived in time, so the connection is given up. Fields: `timeout_ms`.',
  },
  session_renewed: {
    level: 'info',
    help: 'The session was renewed before it expired. Fields: `next_ms` (time to the next renewal; null: none is scheduled).',
  },
  session_renewal_failed: {
    level: 'error',
    help: 'The session could not be renewed, so the connection is made again. Fields: `reason` (matched, no_reply or no_value), `missing`.',
  },
  session_expiring: {
    level: 'info',
    help: 'The session expires soon, so the connection is made again.',
  },
  session_expiry_unknown: {
    level: 'warn',
    help: 'No reply said when the session expires, and no interval is configured, so it is not renewed.',
  },
  sequence_gap: {
    level: 'warn',
    help: 'Sequence numbers are missing. Fields: `expected`, `received`, `missing`, `requested` (whether the server was asked for them).',
    everyMs: 1000,
  },
  sequence_restarted: {
    level: 'info',
    help: 'A sequence number was lower than the one before, and not one that was asked for: numbering continues from it. Fields: `expected`, `received`.',
    everyMs: 1000,
  },
} as const satisfies LogEventTable;

/** Counters of what is said on an open connection. */
export const sessionMetrics = {
  ControlMessages: {
    kind: 'counter',
    unit: 'count',
    help: 'Messages that are part of the protocol and no records: replies, heartbeats and what control rules match; not in MessagesReceived',
    series: { name: 'connect_source_control_messages_total' },
  },
  SequenceMissing: {
    kind: 'counter',
    unit: 'count',
    help: 'Sequence numbers that were missing among the messages received, whether or not they followed later',
    series: { name: 'connect_source_sequence_missing_total' },
  },
  SequenceRecovered: {
    kind: 'counter',
    unit: 'count',
    help: 'Messages that had been missing and were received after the server was asked for them',
    series: { name: 'connect_source_sequence_recovered_total' },
  },
} as const satisfies MetricTable;
