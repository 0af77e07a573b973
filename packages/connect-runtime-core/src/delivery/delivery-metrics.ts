import type { Counter, MetricGroup } from '../diagnostics/metric-group.ts';
import { type DropCause, dropAttribute } from '../diagnostics/source-metrics.ts';

/** The counters that delivery moves, as far as the connector's table has them. */
export interface DeliveryMetrics {
  readonly produced: Counter;
  dropped(cause: DropCause, count: number): void;
}

/** Binds the counters of a connector's metric group. `inFlight` is read whenever the gauge is. */
export function deliveryMetrics(group: MetricGroup, inFlight: () => number): DeliveryMetrics {
  if (Object.hasOwn(group.table, 'InFlightCount')) group.observe('InFlightCount', inFlight);
  return {
    produced: group.hasCounter('RecordsProduced') ? group.counter('RecordsProduced') : { value: 0 },
    dropped: (cause, count) => {
      const attribute = dropAttribute(cause);
      if (group.hasCounter(attribute)) group.counter(attribute).value += count;
    },
  };
}
