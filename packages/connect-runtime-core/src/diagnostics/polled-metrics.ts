import type { MetricTable, MetricValues } from './metric-def.ts';
import { type DropCause, dropAttribute, dropCauses, sourceMetrics } from './source-metrics.ts';

/** Causes for which a source itself drops messages, before the runtime has them. */
const causesInSources = ['queue_full', 'queue_bytes', 'unsupported_frame', 'message_too_large'] as const;
const causesOfSources: ReadonlySet<DropCause> = new Set(causesInSources);
const causes = dropCauses.filter((cause) => !causesOfSources.has(cause));
const dropRows = Object.fromEntries(
  causes.map((cause) => [dropAttribute(cause), sourceMetrics[dropAttribute(cause)]]),
) as Omit<
  Pick<typeof sourceMetrics, ReturnType<typeof dropAttribute>>,
  ReturnType<typeof dropAttribute<(typeof causesInSources)[number]>>
>;

const { RecordsProduced, InFlightCount, LagCount, BacklogCount, DropRate } = sourceMetrics;

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
  ...dropRows,
} as const satisfies MetricTable;

/** What `status()` of a source with this table has: see {@link withCommonMetrics}. */
export type SourceStatus<M extends MetricTable> = string extends keyof M
  ? Readonly<Record<string, number | boolean>>
  : M extends { readonly RecordsProduced: unknown }
    ? MetricValues<M>
    : MetricValues<Omit<typeof polledMetrics, keyof M> & M>;

/**
 * A connector's table with the attributes that every source has. A table that counts `RecordsProduced` takes part in the
 * accounting and stays as it is; any other one gets the attributes that the runtime can move alone.
 */
export function withCommonMetrics(table: MetricTable): MetricTable {
  return Object.hasOwn(table, 'RecordsProduced') ? table : { ...polledMetrics, ...table };
}
