import type { MetricTable, TaskContext } from '@levada/connect-runtime-core';
import type { MetricObjectName } from '@levada/connect-runtime-core/contract';
import { connectionMetrics, holdUpMetrics, sourceMetrics } from '@levada/connect-runtime-core/source-kit';
import { type SignalName, signalNames } from './signals.ts';

/** What each signal counts, by its place in attribute names. */
const signalRows = <const S extends SignalName>(signal: S, items: string) =>
  ({
    received: {
      kind: 'counter',
      unit: 'count',
      help: `Messages of ${signal} received, dropped ones included: export requests, or records with otlp.record.mode=resource or item`,
      series: { name: 'connect_source_messages_received_total', labels: { signal } },
    },
    dropped: {
      kind: 'counter',
      unit: 'count',
      help: `Messages of ${signal} dropped because the queue was full; those that were refused, and may come again, included`,
      series: { name: 'connect_source_messages_dropped_total', labels: { signal, cause: 'queue_full' } },
    },
    queueSize: {
      kind: 'gauge',
      unit: 'count',
      help: `Messages of ${signal} waiting for the log now, in the queue or in the spool`,
      series: { name: 'connect_source_queue_size', labels: { signal } },
    },
    items: {
      kind: 'counter',
      unit: 'count',
      help: `${items} in the messages received, dropped ones included`,
      series: { name: 'connect_source_items_received_total', labels: { signal } },
    },
    itemsRejected: {
      kind: 'counter',
      unit: 'count',
      help: `${items} that were rejected for good, as partial_success said`,
      series: { name: 'connect_source_items_rejected_total', labels: { signal } },
    },
  }) as const satisfies MetricTable;

const traces = signalRows('traces', 'Spans');
const metrics = signalRows('metrics', 'Data points');
const logs = signalRows('logs', 'Log records');
const profiles = signalRows('profiles', 'Profiles');

const rejectedRow = (reason: string, help: string) =>
  ({
    kind: 'counter',
    unit: 'count',
    help,
    series: { name: 'connect_source_rejected_requests_total', labels: { reason } },
  }) as const;

const failedRow = (reason: string, protocol: string, help: string) =>
  ({
    kind: 'counter',
    unit: 'count',
    help,
    series: { name: 'connect_source_failed_connections_total', labels: { protocol, reason } },
  }) as const;

/** The names of the attributes of one signal. */
export interface SignalAttributes {
  readonly received: 'TracesReceived' | 'MetricsReceived' | 'LogsReceived' | 'ProfilesReceived';
  readonly dropped: 'TracesDropped' | 'MetricsDropped' | 'LogsDropped' | 'ProfilesDropped';
  readonly queueSize: 'TracesQueueSize' | 'MetricsQueueSize' | 'LogsQueueSize' | 'ProfilesQueueSize';
  readonly items: 'SpansReceived' | 'DataPointsReceived' | 'LogRecordsReceived' | 'ProfileItemsReceived';
  readonly itemsRejected:
    | 'SpansRejected'
    | 'DataPointsRejected'
    | 'LogRecordsRejected'
    | 'ProfileItemsRejected';
}

/** Signal to the names of its attributes. */
export const signalAttributes: Readonly<Record<SignalName, SignalAttributes>> = {
  traces: {
    received: 'TracesReceived',
    dropped: 'TracesDropped',
    queueSize: 'TracesQueueSize',
    items: 'SpansReceived',
    itemsRejected: 'SpansRejected',
  },
  metrics: {
    received: 'MetricsReceived',
    dropped: 'MetricsDropped',
    queueSize: 'MetricsQueueSize',
    items: 'DataPointsReceived',
    itemsRejected: 'DataPointsRejected',
  },
  logs: {
    received: 'LogsReceived',
    dropped: 'LogsDropped',
    queueSize: 'LogsQueueSize',
    items: 'LogRecordsReceived',
    itemsRejected: 'LogRecordsRejected',
  },
  profiles: {
    received: 'ProfilesReceived',
    dropped: 'ProfilesDropped',
    queueSize: 'ProfilesQueueSize',
    items: 'ProfileItemsReceived',
    itemsRejected: 'ProfileItemsRejected',
  },
};

/** Drops that happen after the queue, not while an export is received. */
const laterDrops = [
  'DroppedConversionError',
  'DroppedRecordTooLarge',
  'DroppedProduceRejected',
  'DroppedDeliveryUnknown',
  'DroppedShutdownTimeout',
  'DroppedFenced',
  'DroppedSpoolDamaged',
] as const;

type Read = (attribute: string) => number;

const sumOf = (read: Read, names: readonly string[]): number =>
  names.reduce((sum, name) => sum + read(name), 0);

const attributesOf = (part: keyof SignalAttributes): readonly string[] =>
  signalNames.map((signal) => signalAttributes[signal][part]);

const percent = (part: number, whole: number): number => (whole === 0 ? 0 : (part / whole) * 100);

/** Attributes of an OTLP connector. Those that the product definition names come first. */
export const otlpMetrics = {
  TracesReceived: traces.received,
  MetricsReceived: metrics.received,
  LogsReceived: logs.received,
  TracesDropped: traces.dropped,
  MetricsDropped: metrics.dropped,
  LogsDropped: logs.dropped,
  RecordsProduced: sourceMetrics.RecordsProduced,
  TracesQueueSize: traces.queueSize,
  MetricsQueueSize: metrics.queueSize,
  LogsQueueSize: logs.queueSize,
  QueueCapacity: { ...sourceMetrics.QueueCapacity, help: 'Most messages that the queue of a signal takes' },
  MaxQueueUtilizationPercent: {
    kind: 'derived',
    unit: 'percent',
    help: 'Highest of the queue sizes / QueueCapacity * 100; with a spool: its bytes / otlp.spool.bytes * 100, if that is more',
    from: (read) =>
      Math.max(
        // What lies in a spool does not fill a queue.
        percent(
          Math.min(Math.max(...attributesOf('queueSize').map(read)), read('QueueSize')),
          read('QueueCapacity'),
        ),
        percent(read('SpoolBytes'), read('SpoolCapacityBytes')),
      ),
    series: { name: 'connect_source_queue_utilization_ratio', scale: 0.01 },
  },
  TotalMessagesReceived: {
    kind: 'derived',
    unit: 'count',
    help: 'TracesReceived + MetricsReceived + LogsReceived (+ ProfilesReceived)',
    from: (read) => sumOf(read, attributesOf('received')),
  },
  TotalMessagesDropped: {
    kind: 'derived',
    unit: 'count',
    help: 'TracesDropped + MetricsDropped + LogsDropped (+ ProfilesDropped)',
    from: (read) => sumOf(read, attributesOf('dropped')),
  },
  TotalLagCount: {
    kind: 'derived',
    unit: 'count',
    help: 'TotalMessagesReceived - RecordsProduced',
    from: (read) => read('TotalMessagesReceived') - read('RecordsProduced'),
  },
  DropRate: {
    kind: 'derived',
    unit: 'percent',
    help: 'TotalMessagesDropped / TotalMessagesReceived * 100',
    from: (read) => percent(read('TotalMessagesDropped'), read('TotalMessagesReceived')),
    series: { name: 'connect_source_drop_percent' },
  },

  ProfilesReceived: profiles.received,
  ProfilesDropped: profiles.dropped,
  ProfilesQueueSize: profiles.queueSize,
  SpansReceived: traces.items,
  DataPointsReceived: metrics.items,
  LogRecordsReceived: logs.items,
  ProfileItemsReceived: profiles.items,
  SpansRejected: traces.itemsRejected,
  DataPointsRejected: metrics.itemsRejected,
  LogRecordsRejected: logs.itemsRejected,
  ProfileItemsRejected: profiles.itemsRejected,
  QueueSize: { kind: 'gauge', unit: 'count', help: 'Messages in the queues of all signals, in memory, now' },
  QueueBytes: sourceMetrics.QueueBytes,
  IsHeldUp: {
    ...holdUpMetrics.IsHeldUp,
    help: 'Whether requests wait now, because the queue of their signal is full',
  },
  HeldUpMillis: {
    ...holdUpMetrics.HeldUpMillis,
    help: 'Time for which requests waited, because the queue of their signal was full; however many at once',
  },
  InFlightCount: sourceMetrics.InFlightCount,
  BacklogCount: {
    ...sourceMetrics.BacklogCount,
    help: 'QueueSize + InFlightCount + SpooledCount: messages that wait for the log now',
    from: (read) => sourceMetrics.BacklogCount.from(read) + read('SpooledCount'),
  },
  SpooledCount: {
    kind: 'gauge',
    unit: 'count',
    help: 'Messages that wait in the spool; a restart finds them again',
    series: { name: 'connect_source_spooled_messages' },
  },
  SpoolBytes: {
    kind: 'gauge',
    unit: 'bytes',
    help: 'Bytes of the fullest spool of a signal on the disk',
    series: { name: 'connect_source_spool_bytes' },
  },
  SpoolCapacityBytes: {
    kind: 'gauge',
    unit: 'bytes',
    help: 'otlp.spool.bytes; 0 without a spool',
    series: { name: 'connect_source_spool_capacity_bytes' },
  },
  MessagesReplayed: {
    kind: 'counter',
    unit: 'count',
    help: 'Messages of the spool that are not counted as received or spooled already: left by an earlier process, or by a task that was cut off',
    series: { name: 'connect_source_replayed_messages_total' },
  },
  UnaccountedCount: {
    kind: 'derived',
    unit: 'count',
    help: 'Received + replayed - produced - all drops - queued - spooled - in flight; always 0 when quiet',
    from: (read) =>
      read('TotalMessagesReceived') +
      read('MessagesReplayed') -
      read('RecordsProduced') -
      read('TotalMessagesDropped') -
      sumOf(read, laterDrops) -
      read('QueueSize') -
      read('SpooledCount') -
      read('InFlightCount'),
    series: { name: 'connect_source_unaccounted_messages' },
  },
  DroppedConversionError: sourceMetrics.DroppedConversionError,
  DroppedRecordTooLarge: {
    ...sourceMetrics.DroppedRecordTooLarge,
    help: 'Messages dropped because no part of them is small enough for the log, or because the log did not accept their size',
  },
  DroppedProduceRejected: sourceMetrics.DroppedProduceRejected,
  DroppedDeliveryUnknown: sourceMetrics.DroppedDeliveryUnknown,
  DroppedShutdownTimeout: sourceMetrics.DroppedShutdownTimeout,
  DroppedFenced: sourceMetrics.DroppedFenced,
  DroppedSpoolDamaged: {
    kind: 'counter',
    unit: 'count',
    help: 'Messages that the spool does not have any more: damaged, or left in another folder',
    series: { name: 'connect_source_messages_dropped_total', labels: { cause: 'spool_damaged' } },
  },
  RejectedInvalid: rejectedRow('invalid', 'Requests refused because their body is no export of that signal'),
  RejectedTooLarge: rejectedRow('too_large', 'Requests refused because of their size'),
  RejectedUnauthenticated: rejectedRow(
    'unauthenticated',
    'Requests refused because of missing or wrong credentials',
  ),
  RejectedForbidden: rejectedRow('forbidden', 'Requests refused because of their host or origin'),
  RejectedUnsupported: rejectedRow(
    'unsupported',
    'Requests refused because of their content type or encoding',
  ),
  RejectedTimeout: rejectedRow('timeout', 'Requests given up because they did not arrive in time'),
  RejectedRateLimited: rejectedRow(
    'rate_limited',
    'Requests refused because their address sent too many, or had too many under way',
  ),
  RejectedUnavailable: rejectedRow(
    'unavailable',
    'Requests refused because too many are under way, the log does not answer or the connector stops; not those of a full queue',
  ),
  EmptyIgnored: {
    kind: 'counter',
    unit: 'count',
    help: 'Exports without anything to record, and resources and scopes without items in exports that were divided',
    series: { name: 'connect_source_empty_ignored_total' },
  },
  ValuesCut: {
    kind: 'counter',
    unit: 'count',
    help: 'Values of attributes and bodies that were left empty, because they are nested deeper than 64 AnyValues',
    series: { name: 'connect_source_values_cut_total' },
  },
  AckedLate: {
    kind: 'counter',
    unit: 'count',
    help: 'Exports that were stored after they were answered as not stored; the client may have sent them again',
    series: { name: 'connect_source_acked_late_total' },
  },
  PendingExports: {
    kind: 'gauge',
    unit: 'count',
    help: 'Requests under way: being read, or waiting for their acknowledgement',
    series: { name: 'connect_source_pending_requests' },
  },
  PendingBytes: {
    kind: 'gauge',
    unit: 'bytes',
    help: 'Bytes of these requests',
    series: { name: 'connect_source_pending_bytes' },
  },
  GrpcPort: {
    kind: 'gauge',
    unit: 'count',
    help: 'Port that the gRPC receiver listens on; 0 when it does not',
  },
  HttpPort: {
    kind: 'gauge',
    unit: 'count',
    help: 'Port that the HTTP receiver listens on; 0 when it does not',
  },
  GrpcConnections: {
    kind: 'gauge',
    unit: 'count',
    help: 'Open connections of the gRPC receiver',
    series: { name: 'connect_source_connections', labels: { protocol: 'grpc' } },
  },
  HttpConnections: {
    kind: 'gauge',
    unit: 'count',
    help: 'Open connections of the HTTP receiver',
    series: { name: 'connect_source_connections', labels: { protocol: 'http' } },
  },
  GrpcTlsHandshakesFailed: failedRow(
    'tls_handshake_failed',
    'grpc',
    'TLS handshakes that failed on the gRPC port',
  ),
  HttpTlsHandshakesFailed: failedRow(
    'tls_handshake_failed',
    'http',
    'TLS handshakes that failed on the HTTP port',
  ),
  GrpcWrongProtocol: failedRow(
    'wrong_protocol',
    'grpc',
    'Connections to the gRPC port that spoke another protocol, such as HTTP/1',
  ),
  HttpWrongProtocol: failedRow(
    'wrong_protocol',
    'http',
    'Connections to the HTTP port that spoke another protocol, such as HTTP/2',
  ),
  MillisSinceLastMessage: connectionMetrics.MillisSinceLastMessage,
} as const satisfies MetricTable;

/** The object that carries the attributes. */
export function otlpObjectName(name: string): MetricObjectName {
  return { domain: 'io.vendor.connect.otel', type: 'OpenTelemetryConnector', keys: { name } };
}

/** What a task of the connector is handed at its start. */
export type OtlpContext = TaskContext<typeof otlpMetrics>;
