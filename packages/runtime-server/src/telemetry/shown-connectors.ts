import type { MetricTable } from '@levada/connect-runtime-core';
import { partitionOfKey } from '@levada/connect-runtime-core/platform';
import type { AnyMetricFamily, MeasuredConnector, MetricObject, WorkerMetrics } from '@levada/connect-worker';
import { type SeriesNames, seriesOf } from './connect-series.ts';
import { rowNames, stateNames } from './source-series.ts';

/** One of several texts that show all connectors together, each other ones. */
export interface Shard {
  /** From 1 to `of`. */
  readonly at: number;
  readonly of: number;
}

/** What a text shows of the connectors. */
export interface ShownConnectors {
  readonly connectors: readonly MeasuredConnector[];
  readonly leftOut: { readonly connectors: number; readonly series: number };
}

/** How many series of connectors there may be, and which are wanted. */
export interface SeriesLimit {
  readonly maxSeries: number;
  readonly names: SeriesNames;
  readonly isWanted: (series: string) => boolean;
}

/**
 * The connectors whose series fit into the limit: all of them, or those with trouble first, so that alerts on them fire. A
 * connector is shown with all of its series or not at all. Series without a value count too, so that a connector does not
 * disappear because another one is measured for the first time.
 */
export function shownConnectors(
  asked: readonly MeasuredConnector[],
  metrics: Pick<WorkerMetrics, 'objectsOf'>,
  limit: SeriesLimit,
): ShownConnectors {
  const count = seriesCounter(limit);
  const series = asked.map((connector) => count(connector, metrics.objectsOf(connector)));
  const total = series.reduce((sum, one) => sum + one, 0);
  if (total <= limit.maxSeries) return { connectors: asked, leftOut: { connectors: 0, series: 0 } };
  const ranked = asked.map((connector, at) => ({
    at,
    name: connector.name,
    rank: rank(connector, metrics.objectsOf(connector)),
  }));
  ranked.sort((a, b) => a.rank - b.rank || (a.name < b.name ? -1 : 1));
  const kept = new Set<number>();
  let shown = 0;
  for (const { at } of ranked) {
    const own = series[at] ?? 0;
    if (shown + own > limit.maxSeries) break;
    shown += own;
    kept.add(at);
  }
  return {
    connectors: asked.filter((_, at) => kept.has(at)),
    leftOut: { connectors: asked.length - kept.size, series: total - shown },
  };
}

/** Whether a connector is one of the shard's. It stays there when others come and go. */
export function isInShard({ at, of }: Shard): (connector: string) => boolean {
  const encoder = new TextEncoder();
  return (connector) => partitionOfKey(encoder.encode(connector), of) === at - 1;
}

/** Counts the wanted series of a connector. */
function seriesCounter({ names, isWanted }: SeriesLimit) {
  const wanted = (all: readonly string[]): number => all.filter(isWanted).length;
  const byTable = new Map<MetricTable, number>();
  const byFamily = new Map<AnyMetricFamily, number>();
  const ofConnector = wanted(stateNames.connector);
  const ofTask = wanted(stateNames.task);
  const ofTable = (table: MetricTable): number => wanted(rowNames(table));
  const ofFamily = (family: AnyMetricFamily): number =>
    wanted(Object.keys(family.attributes).map((attribute) => seriesOf(family, attribute, names).name));
  return ({ status, tasks, group }: MeasuredConnector, objects: Iterable<MetricObject>): number => {
    let count = (status === undefined ? 0 : ofConnector) + tasks.length * ofTask;
    if (group !== undefined) count += remembered(byTable, group.table, ofTable);
    for (const { family } of objects) count += remembered(byFamily, family, ofFamily);
    return count;
  };
}

function remembered<K>(counts: Map<K, number>, key: K, count: (key: K) => number): number {
  const known = counts.get(key) ?? count(key);
  counts.set(key, known);
  return known;
}

/** Attributes of connectors' tables that alerts look at, from the value on that is trouble: at present, or at any time before. */
const troubleNow: Readonly<Record<string, number>> = { QueueUtilizationPercent: 50, BacklogCount: 1000 };
const troubleBefore: Readonly<Record<string, number>> = {
  MessagesDropped: 1,
  SequenceGaps: 1,
  TotalReconnects: 1,
};

/** 0: failed. 1: something else is wrong at present. 2: something went wrong before. 3: nothing did. */
function rank({ status, tasks, group }: MeasuredConnector, objects: Iterable<MetricObject>): number {
  const states = [...(status === undefined ? [] : [status]), ...tasks].map(({ state }) => state);
  if (states.includes('FAILED')) return 0;
  const isReached = (limits: Readonly<Record<string, number>>): boolean =>
    Object.entries(limits).some(([name, least]) => read(group, name) >= least);
  const isDisconnected = states.includes('RUNNING') && read(group, 'IsConnected') === 0;
  if (isDisconnected || states.includes('UNASSIGNED') || isReached(troubleNow)) return 1;
  for (const object of objects) if (Number(object.read('offset-commit-failure-percentage')) > 0) return 1;
  return isReached(troubleBefore) ? 2 : 3;
}

/** NaN when the table has no such attribute. */
function read(group: MeasuredConnector['group'], name: string): number {
  return group !== undefined && Object.hasOwn(group.table, name) ? group.read(name) : Number.NaN;
}
