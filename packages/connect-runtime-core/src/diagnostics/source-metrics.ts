import type { MetricTable } from './metric-def.ts';

/**
 * Why a received message was not produced. Each has a counter of its own, and `MessagesDropped` is their sum, so
 * `Received = Produced + Dropped + Queued + InFlight` holds whenever the connector is quiet.
 */
export const dropCauses = [
  'queue_full',
  'queue_bytes',
  'unsupported_frame',
  'message_too_large',
  'conversion_error',
  'filtered',
  'record_too_large',
  'produce_rejected',
  'delivery_unknown',
  'shutdown_timeout',
  'fenced',
] as const;

/** One of {@link dropCauses}. */
export type DropCause = (typeof dropCauses)[number];

const dropAttributes = {
  queue_full: 'DroppedQueueFull',
  queue_bytes: 'DroppedQueueBytes',
  unsupported_frame: 'DroppedUnsupportedFrame',
  message_too_large: 'DroppedMessageTooLarge',
  conversion_error: 'DroppedConversionError',
  filtered: 'DroppedFiltered',
  record_too_large: 'DroppedRecordTooLarge',
  produce_rejected: 'DroppedProduceRejected',
  delivery_unknown: 'DroppedDeliveryUnknown',
  shutdown_timeout: 'DroppedShutdownTimeout',
  fenced: 'DroppedFenced',
} as const satisfies Record<DropCause, string>;

/** The attribute that counts drops of one cause. */
export function dropAttribute<C extends DropCause>(cause: C): (typeof dropAttributes)[C] {
  return dropAttributes[cause];
}

const dropped = (cause: DropCause, help: string) =>
  ({
    kind: 'counter',
    unit: 'count',
    help,
    series: { name: 'connect_source_messages_dropped_total', labels: { cause } },
  }) as const;

/**
 * The attributes that every source with one queue has: a connector's table spreads them and adds its own. The task moves
 * what happens before the queue (`MessagesReceived`, drops of the queue), the runtime what happens after it
 * (`RecordsProduced`, `InFlightCount`, drops while converting and producing).
 */
export const sourceMetrics = {
  MessagesReceived: {
    kind: 'counter',
    unit: 'count',
    help: 'Messages received from the peer, dropped ones included',
    series: { name: 'connect_source_messages_received_total' },
  },
  MessagesDropped: {
    kind: 'derived',
    unit: 'count',
    help: 'Messages dropped, whatever the cause',
    from: (read) => dropCauses.reduce((sum, cause) => sum + read(dropAttributes[cause]), 0),
  },
  RecordsProduced: {
    kind: 'counter',
    unit: 'count',
    help: 'Records that the log acknowledged',
    series: { name: 'connect_source_records_produced_total' },
  },
  QueueSize: {
    kind: 'gauge',
    unit: 'count',
    help: 'Messages in the queue now',
    series: { name: 'connect_source_queue_size' },
  },
  QueueBytes: {
    kind: 'gauge',
    unit: 'bytes',
    help: 'Bytes of the messages in the queue now',
    series: { name: 'connect_source_queue_bytes' },
  },
  QueueCapacity: {
    kind: 'gauge',
    unit: 'count',
    help: 'Most messages that the queue takes',
    series: { name: 'connect_source_queue_capacity' },
  },
  QueueUtilizationPercent: {
    kind: 'derived',
    unit: 'percent',
    help: 'QueueSize / QueueCapacity * 100',
    from: (read) => percent(read('QueueSize'), read('QueueCapacity')),
    series: { name: 'connect_source_queue_utilization_ratio', scale: 0.01 },
  },
  InFlightCount: {
    kind: 'gauge',
    unit: 'count',
    help: 'Messages taken from the queue and not yet acknowledged by the log',
    series: { name: 'connect_source_inflight_messages' },
  },
  LagCount: {
    kind: 'derived',
    unit: 'count',
    help: 'MessagesReceived - RecordsProduced',
    from: (read) => read('MessagesReceived') - read('RecordsProduced'),
  },
  // The series is not that of LagCount, which never falls again by what was dropped, so that an alert on it would never end.
  BacklogCount: {
    kind: 'derived',
    unit: 'count',
    help: 'QueueSize + InFlightCount: messages that wait for the log now',
    from: (read) => read('QueueSize') + read('InFlightCount'),
    series: { name: 'connect_source_lag_messages' },
  },
  DropRate: {
    kind: 'derived',
    unit: 'percent',
    help: 'MessagesDropped / MessagesReceived * 100',
    from: (read) => percent(read('MessagesDropped'), read('MessagesReceived')),
    series: { name: 'connect_source_drop_percent' },
  },
  UnaccountedCount: {
    kind: 'derived',
    unit: 'count',
    help: 'Received - Produced - Dropped - Queued - InFlight; always 0 when quiet',
    from: (read) =>
      read('MessagesReceived') -
      read('RecordsProduced') -
      read('MessagesDropped') -
      read('QueueSize') -
      read('InFlightCount'),
    series: { name: 'connect_source_unaccounted_messages' },
  },
  DroppedQueueFull: dropped('queue_full', 'Messages dropped because the queue held its maximum count'),
  DroppedQueueBytes: dropped('queue_bytes', 'Messages dropped because the queue held its maximum bytes'),
  DroppedUnsupportedFrame: dropped(
    'unsupported_frame',
    'Messages dropped because of their kind, such as binary frames',
  ),
  DroppedMessageTooLarge: dropped(
    'message_too_large',
    'Messages dropped because they were longer than the configured limit',
  ),
  DroppedConversionError: dropped(
    'conversion_error',
    'Messages dropped because they could not be transformed or converted',
  ),
  DroppedFiltered: dropped('filtered', 'Messages that a transformation dropped on purpose'),
  DroppedRecordTooLarge: dropped(
    'record_too_large',
    'Records dropped because the log does not accept their size',
  ),
  DroppedProduceRejected: dropped('produce_rejected', 'Records that the log refused'),
  DroppedDeliveryUnknown: dropped(
    'delivery_unknown',
    'Records given up because the log may or may not have stored them',
  ),
  DroppedShutdownTimeout: dropped('shutdown_timeout', 'Messages left when the time to stop ran out'),
  DroppedFenced: dropped('fenced', 'Messages discarded because another worker owns the task'),
} as const satisfies MetricTable;

/** The attributes of a source that keeps one connection to a peer. */
export const connectionMetrics = {
  IsConnected: {
    kind: 'gauge',
    unit: 'boolean',
    help: 'Whether the connection to the peer is up',
    series: { name: 'connect_source_connected' },
  },
  MillisSinceLastMessage: {
    kind: 'gauge',
    unit: 'milliseconds',
    initial: -1,
    help: 'Time since the last message was received; -1 before the first',
    series: { name: 'connect_source_last_message_age_seconds', scale: 0.001, absentAt: -1 },
  },
  UptimeMillis: {
    kind: 'gauge',
    unit: 'milliseconds',
    help: 'Time since the connection was established; 0 while there is none',
    series: { name: 'connect_source_connection_uptime_seconds', scale: 0.001 },
  },
  TotalReconnects: {
    kind: 'counter',
    unit: 'count',
    help: 'Reconnection attempts',
    series: { name: 'connect_source_reconnect_attempts_total' },
  },
} as const satisfies MetricTable;

function percent(part: number, whole: number): number {
  return whole === 0 ? 0 : (part / whole) * 100;
}
