import type { MetricTable } from '@levada/connect-runtime-core';
import type { MeasuredConnector, RunState } from '@levada/connect-worker';
import type { Labels, Sample, SeriesFamily } from './prometheus-text.ts';

const connectorStates: readonly RunState[] = [
  'UNASSIGNED',
  'RUNNING',
  'PAUSED',
  'FAILED',
  'RESTARTING',
  'STOPPED',
];
const taskStates = connectorStates.filter((state) => state !== 'STOPPED');

/** Names of the series of one connector's states, and of one task's: one for each state. */
export const stateNames = {
  connector: connectorStates.map(() => 'connect_connector_state'),
  task: taskStates.map(() => 'connect_task_state'),
} as const;

/** Names of the series of a connector's table, one for each row. */
export function rowNames(table: MetricTable): readonly string[] {
  return [...seriesOfTable(table)].flatMap(([name, { rows }]) => rows.map(() => name));
}

/** How many connectors and tasks are in each state, whether or not their own series are shown. */
export function stateCounts(connectors: readonly MeasuredConnector[]): readonly SeriesFamily[] {
  const ofConnectors = connectors.flatMap(({ status }) => status?.state ?? []);
  const ofTasks = connectors.flatMap(({ tasks }) => tasks.map(({ state }) => state));
  const counts = (states: readonly RunState[], found: readonly RunState[]): readonly Sample[] =>
    states.map((state) => [{ state }, found.filter((one) => one === state).length]);
  return [
    {
      name: 'connect_worker_connectors',
      type: 'gauge',
      help: 'Connectors that the worker shows, by state',
      samples: () => counts(connectorStates, ofConnectors),
    },
    {
      name: 'connect_worker_tasks',
      type: 'gauge',
      help: 'Tasks that the worker shows, by state',
      samples: () => counts(taskStates, ofTasks),
    },
  ];
}

/** States of connectors and tasks: each state at 0 or 1, so that an alert sees a change. */
export function stateSeries(connectors: readonly MeasuredConnector[]): readonly SeriesFamily[] {
  return [
    {
      name: 'connect_connector_state',
      type: 'gauge',
      help: 'State of the connector: 1 for the present state, 0 for every other',
      samples: () => connectorStateSamples(connectors),
    },
    {
      name: 'connect_task_state',
      type: 'gauge',
      help: 'State of the task: 1 for the present state, 0 for every other',
      samples: () => taskStateSamples(connectors),
    },
  ];
}

function* connectorStateSamples(connectors: readonly MeasuredConnector[]): Iterable<Sample> {
  for (const { name: connector, className, status } of connectors) {
    if (status === undefined) continue;
    const labels = { connector, plugin: simpleName(className) };
    for (const state of connectorStates) yield [{ ...labels, state }, Number(state === status.state)];
  }
}

function* taskStateSamples(connectors: readonly MeasuredConnector[]): Iterable<Sample> {
  for (const { name: connector, className, tasks } of connectors) {
    const plugin = simpleName(className);
    for (const task of tasks) {
      const labels = { connector, task: String(task.id), plugin };
      for (const state of taskStates) yield [{ ...labels, state }, Number(state === task.state)];
    }
  }
}

/** What Prometheus takes for a name. Any other would make the whole text unreadable. */
const seriesName = /^[A-Za-z_:][\w:]*$/;

interface Row {
  readonly attribute: string;
  readonly scale: number;
  readonly absentAt: number | undefined;
  /** Beside those of the connector. */
  readonly labels: Labels | undefined;
}

interface TableSeries {
  readonly type: SeriesFamily['type'];
  readonly help: string;
  readonly rows: readonly Row[];
}

/** The series of the connectors' own tables, each name over all connectors, in the order in which names first come. */
export function* sourceSeries(connectors: readonly MeasuredConnector[]): Iterable<SeriesFamily> {
  const tables = new Map<MetricTable, ReadonlyMap<string, TableSeries>>();
  const families = new Map<string, TableSeries>();
  for (const { group } of connectors) {
    if (group === undefined || tables.has(group.table)) continue;
    const series = seriesOfTable(group.table);
    tables.set(group.table, series);
    for (const [name, one] of series) if (!families.has(name)) families.set(name, one);
  }
  const own = connectors.map(({ name, className }) => ({ connector: name, plugin: simpleName(className) }));
  for (const [name, { type, help }] of families) {
    const rowsOf = (table: MetricTable) => tables.get(table)?.get(name)?.rows ?? [];
    yield { name, type, help, samples: () => sourceSamples(connectors, own, rowsOf) };
  }
}

function* sourceSamples(
  connectors: readonly MeasuredConnector[],
  own: readonly Labels[],
  rowsOf: (table: MetricTable) => readonly Row[],
): Iterable<Sample> {
  for (const [at, { group }] of connectors.entries()) {
    if (group === undefined) continue;
    const shared = own[at] ?? {};
    for (const { attribute, scale, absentAt, labels } of rowsOf(group.table)) {
      const value = group.read(attribute);
      if (value === absentAt) continue;
      yield [labels === undefined ? shared : { ...shared, ...labels }, value * scale];
    }
  }
}

function seriesOfTable(table: MetricTable): ReadonlyMap<string, TableSeries> {
  const series = new Map<string, TableSeries & { readonly rows: Row[] }>();
  for (const [attribute, { kind, help, series: one }] of Object.entries(table)) {
    if (one === undefined || !seriesName.test(one.name)) continue;
    const { name, scale = 1, absentAt, labels } = one;
    const known = series.get(name) ?? { type: kind === 'counter' ? 'counter' : 'gauge', help, rows: [] };
    series.set(name, known);
    known.rows.push({ attribute, scale, absentAt, labels });
  }
  return series;
}

function simpleName(className: string): string {
  return className.slice(className.lastIndexOf('.') + 1);
}
