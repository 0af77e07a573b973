import type { MetricTable } from './metric-def.ts';
import { type DropCause, dropAttribute, sourceMetrics } from './source-metrics.ts';

/** Causes for which the runtime itself drops records; the others are a queue's. */
const causes = [
  'conversion_error',
  'record_too_large',
  'produce_rejected',
  'delivery_unknown',
  'shutdown_timeout',
  'fenced',
] as const satisfies readonly DropCause[];

const {
  RecordsProduced,
  InFlightCount,
  LagCount,
  BacklogCount,
  DropRate,
  DroppedConversionError,
  DroppedRecordTooLarge,
  DroppedProduceRejected,
  DroppedDeliveryUnknown,
  DroppedShutdownTimeout,
  DroppedFenced,
} = sourceMetrics;

/** What the runtime knows of any source without its help: a record is received when the task hands it out. */
const polledMetrics = {
  MessagesReceived: {
    ...sourceMetrics.MessagesReceived,
    help: 'Records that the task handed out, dropped ones included',
  },
  MessagesDropped: {
    ...sourceMetrics.MessagesDropped,
    from: (read) => causes.reduce((sum, cause) => sum + read(dropAttribute(cause)), 0),
  },
  RecordsProduced,
  InFlightCount,
  LagCount,
  BacklogCount: {
    ...BacklogCount,
    help: 'InFlightCount: records that wait for the log now',
    from: (read) => read('InFlightCount'),
  },
  DropRate,
  UnaccountedCount: {
    ...sourceMetrics.UnaccountedCount,
    help: 'Received - Produced - Dropped - InFlight; always 0 when quiet',
    from: (read) =>
      read('MessagesReceived') - read('RecordsProduced') - read('MessagesDropped') - read('InFlightCount'),
  },
  DroppedConversionError,
  DroppedRecordTooLarge,
  DroppedProduceRejected,
  DroppedDeliveryUnknown,
  DroppedShutdownTimeout,
  DroppedFenced,
} as const satisfies MetricTable;

/**
 * A connector's table with the attributes that every source has. A table that counts `RecordsProduced` takes part in the
 * accounting and stays as it is; any other one gets the attributes that the runtime can move alone.
 */
export function withCommonMetrics(table: MetricTable): MetricTable {
  return Object.hasOwn(table, 'RecordsProduced') ? table : { ...polledMetrics, ...table };
}
