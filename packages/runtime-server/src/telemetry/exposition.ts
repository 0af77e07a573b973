import type { MetricGroup } from '@levada/connect-runtime-core';
import type {
  ConnectorMetrics,
  ConnectorStatus,
  Herder,
  TaskErrors,
} from '@levada/connect-runtime-core/runtime';
import { FamilyCollector, prometheusText } from './prometheus-text.ts';
import { addErrorSeries, addStateSeries } from './state-series.ts';

/** What of the process is shown; read at each scrape. */
export interface ProcessReading {
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  readonly residentBytes: number;
  readonly cpuSeconds: number;
}

/** Where the text comes from. */
export interface ExpositionSources {
  readonly herder: Herder;
  /** Labels of `connect_worker_info`. */
  readonly labels: Readonly<Record<string, string>>;
  readonly process: () => ProcessReading;
  readonly logUp: () => boolean;
  /** How often the process was found without a free file descriptor. */
  readonly descriptorsExhausted: () => number;
}

interface ConnectorReading {
  readonly name: string;
  readonly plugin: string;
  readonly metrics: ConnectorMetrics | undefined;
  readonly status: ConnectorStatus | undefined;
  readonly errors: readonly TaskErrors[] | undefined;
}

/** The whole of `GET /metrics`. Every connector shows all series of its table from its first scrape on. */
export async function expose(sources: ExpositionSources): Promise<string> {
  const { herder } = sources;
  const readings = await Promise.all(herder.knownConnectors().map((name) => readConnector(herder, name)));
  const to = new FamilyCollector();
  addWorkerSeries(to, sources, readings);
  for (const { name, plugin, metrics, status, errors } of readings) {
    if (status !== undefined) addStateSeries(to, plugin, status);
    if (errors !== undefined) addErrorSeries(to, name, errors);
    if (metrics !== undefined) addConnectorSeries(to, { connector: name, plugin }, metrics.group);
  }
  return prometheusText(to.families());
}

async function readConnector(herder: Herder, name: string): Promise<ConnectorReading> {
  const [info, metrics, status, errors] = await Promise.all([
    ifAny(herder.connector(name)),
    ifAny(herder.metrics(name)),
    ifAny(herder.status(name)),
    ifAny(herder.taskErrors(name)),
  ]);
  return { name, plugin: pluginName(herder, info?.config['connector.class'] ?? ''), metrics, status, errors };
}

/** Simple name of the plugin's class, whichever of its names a configuration uses. */
function pluginName(herder: Herder, className: string): string {
  const simple = simpleName(className);
  const names = herder.plugins(true).map((plugin) => simpleName(plugin.className));
  return names.find((name) => name === simple || name === `${simple}Connector`) ?? simple;
}

function simpleName(className: string): string {
  return className.slice(className.lastIndexOf('.') + 1);
}

/**
 * A connector may vanish, or have no status yet, between two questions, and one whose code throws must not hide all the
 * others: then this scrape goes without it.
 */
async function ifAny<V>(value: Promise<V>): Promise<V | undefined> {
  try {
    return await value;
  } catch {
    return undefined;
  }
}

function addWorkerSeries(
  to: FamilyCollector,
  sources: ExpositionSources,
  readings: readonly ConnectorReading[],
): void {
  const gauge = (
    name: string,
    help: string,
    value: number,
    labels: Readonly<Record<string, string>> = {},
  ): void => to.add({ name, type: 'gauge', help }, { labels, value });
  const { startedAt, residentBytes, cpuSeconds } = sources.process();
  const tasks = readings.reduce((sum, { status }) => sum + (status?.tasks.length ?? 0), 0);
  gauge('connect_worker_info', 'Identity of the worker, as labels', 1, sources.labels);
  gauge(
    'connect_worker_log_up',
    'Whether the log that the worker writes to can be reached',
    Number(sources.logUp()),
  );
  gauge('kafka_connect_up', 'Whether the worker answers', 1);
  gauge('kafka_connect_start_time_seconds', 'Start of the worker, Unix time', startedAt / 1000);
  gauge('kafka_connect_worker_connector_count', 'Connectors of the worker', readings.length);
  gauge('kafka_connect_worker_task_count', 'Tasks of the worker', tasks);
  gauge('process_resident_memory_bytes', 'Resident memory', residentBytes);
  const counter = (name: string, help: string, value: number): void =>
    to.add({ name, type: 'counter', help }, { labels: {}, value });
  counter('process_cpu_seconds_total', 'User and system time of the process', cpuSeconds);
  counter(
    'connect_worker_descriptors_exhausted_total',
    'Looks, one a second, that found no free file descriptor: REST refused connections then',
    sources.descriptorsExhausted(),
  );
}

/** What Prometheus takes for a name. Any other would make the whole text unreadable. */
const seriesName = /^[A-Za-z_:][\w:]*$/;

/** The attributes of one connector's table that have a series. */
export function addConnectorSeries(
  to: FamilyCollector,
  labels: Readonly<Record<string, string>>,
  group: MetricGroup,
): void {
  for (const [attribute, row] of Object.entries(group.table)) {
    const { series } = row;
    if (series === undefined || !seriesName.test(series.name)) continue;
    const value = group.read(attribute);
    if (value === series.absentAt) continue;
    to.add(
      { name: series.name, type: row.kind === 'counter' ? 'counter' : 'gauge', help: row.help },
      { labels: { ...labels, ...series.labels }, value: value * (series.scale ?? 1) },
    );
  }
}

/** Reads this process at each call. */
export function processReader(startedAt: number): () => ProcessReading {
  return () => {
    const { user, system } = process.cpuUsage();
    return { startedAt, residentBytes: process.memoryUsage.rss(), cpuSeconds: (user + system) / 1e6 };
  };
}
