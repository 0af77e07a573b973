import type { MetricTable } from '../diagnostics/metric-def.ts';
import type { Counter, MetricGroup } from '../diagnostics/metric-group.ts';
import { type DropCause, dropAttribute } from '../diagnostics/source-metrics.ts';

/** The counters that delivery moves, as far as the connector's table has them. */
export interface DeliveryMetrics {
  readonly produced: Counter;
  /** A batch was taken from the source. */
  taken?(records: number): void;
  /** So many records of a batch were handed to the log, and so many of them are stored. Called after everything was counted. */
  settled?(stored: number, sent: number): void;
  dropped(cause: DropCause, count: number): void;
}

/**
 * Binds the counters of a connector's metric group. `inFlight` is read whenever the gauge is. What is taken counts as received
 * when the connector's own table says nothing about it.
 */
export function deliveryMetrics(
  group: MetricGroup,
  inFlight: () => number,
  own: MetricTable = group.table,
): DeliveryMetrics {
  if (Object.hasOwn(group.table, 'InFlightCount')) group.observe('InFlightCount', inFlight);
  const countsReceived = group.hasCounter('MessagesReceived') && !Object.hasOwn(own, 'MessagesReceived');
  const received = countsReceived ? group.counter('MessagesReceived') : { value: 0 };
  return {
    taken: (records) => {
      received.value += records;
    },
    produced: group.hasCounter('RecordsProduced') ? group.counter('RecordsProduced') : { value: 0 },
    dropped: (cause, count) => {
      const attribute = dropAttribute(cause);
      if (group.hasCounter(attribute)) group.counter(attribute).value += count;
    },
  };
}
