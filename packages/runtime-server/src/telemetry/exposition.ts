import type { PlatformHealth } from '@levada/connect-runtime-core/platform';
import type { WorkerMetrics } from '@levada/connect-worker';
import { connectSeries, type SeriesNames } from './connect-series.ts';
import { type Labels, prometheusText, type SeriesFamily, type TextFormat } from './prometheus-text.ts';
import { isInShard, type Shard, type ShownConnectors, shownConnectors } from './shown-connectors.ts';
import { sourceSeries, stateCounts, stateSeries } from './source-series.ts';

/** What of the process is shown; read at each scrape. */
export interface ProcessReading {
  readonly residentBytes: number;
  readonly cpuSeconds: number;
}

/** Where the text comes from. */
export interface ExpositionSources {
  readonly metrics: WorkerMetrics;
  readonly names: SeriesNames;
  /** Most series of connectors in one text. */
  readonly maxSeries: number;
  /** Labels of `connect_worker_info`. */
  readonly labels: Labels;
  readonly process: () => ProcessReading;
  readonly logHealth: () => PlatformHealth;
  /** How many things keep the workers of the group from working together. */
  readonly groupFindings: () => number;
  /** How often the process was found without a free file descriptor. */
  readonly descriptorsExhausted: () => number;
  /** What the export of telemetry could not send; absent where there is none. */
  readonly exporter?: { readonly failures: number; readonly lostSpans: number } | undefined;
}

/** What of the metrics is asked for. */
export interface ExpositionRequest {
  readonly format: TextFormat;
  /** Names of connectors; empty: all, and the worker itself. */
  readonly connectors: ReadonlySet<string>;
  /** Names of series, or their beginnings followed by `*`; empty: all. */
  readonly families: readonly string[];
  /** Undefined: all connectors. */
  readonly shard?: Shard | undefined;
}

/** All that is asked for without any limit. */
export const everything: Omit<ExpositionRequest, 'format'> = { connectors: new Set(), families: [] };

/** States of the log, and whether only a part of it is in that state. */
const logStates = [
  ['ok', false],
  ['throttled', false],
  ['throttled', true],
  ['away', false],
  ['away', true],
] as const satisfies readonly (readonly [PlatformHealth['status'], boolean])[];

/** Texts that are written at once. Each holds a few MB with 10000 connectors; further ones wait. */
const MAX_AT_ONCE = 4;

/** Makes `GET /metrics`: in parts, between which everything else has its turn. */
export function createExposition(
  sources: ExpositionSources,
): (request: ExpositionRequest) => AsyncIterable<string> {
  const slots = new Slots(MAX_AT_ONCE);
  return async function* (request) {
    await slots.take();
    try {
      for (const part of prometheusText(requestedFamilies(sources, request), request.format)) {
        yield part;
        await nextTurn();
      }
    } finally {
      slots.free();
    }
  };
}

/**
 * Every family of series that is asked for, in the order of the text. Every connector that is shown has all series of its table
 * from its first scrape on. What the limit leaves out is said in any case.
 */
export function* requestedFamilies(
  sources: ExpositionSources,
  request: Omit<ExpositionRequest, 'format'>,
): Iterable<SeriesFamily> {
  const { metrics, names, maxSeries } = sources;
  const { connectors: only, families, shard } = request;
  const isWanted = wantedNames(families);
  const present = metrics.connectors();
  const isOfShard = shard === undefined ? () => true : isInShard(shard);
  const asked = present.filter(({ name }) => (only.size === 0 || only.has(name)) && isOfShard(name));
  const { connectors, leftOut } = shownConnectors(asked, metrics, { maxSeries, names, isWanted });
  // The worker itself is shown once, however many texts its connectors are spread over.
  const withWorker = only.size === 0 && (shard?.at ?? 1) === 1;
  const objects = [
    ...(withWorker ? metrics.objects() : []),
    ...connectors.flatMap((connector) => [...metrics.objectsOf(connector)]),
  ];
  const said = leftOutSeries(leftOut);
  if (leftOut.connectors > 0) yield* said;
  const all = allFamilies([
    ...(withWorker ? [workerSeries(sources), stateCounts(present)] : []),
    ...(withWorker && leftOut.connectors === 0 ? [said] : []),
    stateSeries(connectors),
    sourceSeries(connectors),
    connectSeries(objects, names),
  ]);
  for (const family of all) if (isWanted(family.name)) yield family;
}

function* allFamilies(parts: readonly Iterable<SeriesFamily>[]): Iterable<SeriesFamily> {
  for (const part of parts) yield* part;
}

/** What the limit of series leaves out. */
export function leftOutSeries({ connectors, series }: ShownConnectors['leftOut']): readonly SeriesFamily[] {
  return [
    {
      name: 'connect_worker_connectors_left_out',
      type: 'gauge',
      help: 'Connectors without series in this text, because there would be more than metrics.prometheus.max.series; those with trouble are shown first. Ask for them by ?connector=name, for fewer series of more connectors by ?family=name, or for all of them in several texts by ?shard=1/4 and so on',
      samples: () => [[{}, connectors]],
    },
    {
      name: 'connect_worker_series_left_out',
      type: 'gauge',
      help: 'Series of those connectors',
      samples: () => [[{}, series]],
    },
  ];
}

function wantedNames(families: readonly string[]): (name: string) => boolean {
  if (families.length === 0) return () => true;
  const exact = new Set(families);
  const beginnings = families.filter((name) => name.endsWith('*')).map((name) => name.slice(0, -1));
  return (name) => exact.has(name) || beginnings.some((beginning) => name.startsWith(beginning));
}

/** The series of the worker itself and of its process. */
export function workerSeries(sources: Omit<ExpositionSources, 'metrics' | 'names'>): readonly SeriesFamily[] {
  const { residentBytes, cpuSeconds } = sources.process();
  const { exporter } = sources;
  const series = (name: string, help: string, value: number, labels = {}): SeriesFamily => ({
    name,
    type: name.endsWith('_total') ? 'counter' : 'gauge',
    help,
    samples: () => [[labels, value]],
  });
  return [
    series('connect_worker_info', 'Identity of the worker, as labels', 1, sources.labels),
    {
      name: 'connect_worker_log_state',
      type: 'gauge',
      help: 'How the log is that the worker writes to: 1 for the present state, which is ok, throttled (it stores everything, as fast as a quota allows) or away; partial: only some topic, some producer or the tasks in some thread are concerned',
      samples: () => {
        const health = sources.logHealth();
        const isPartial = health.status !== 'ok' && health.isPartial === true;
        return logStates.map(([state, partial]) => [
          { state, partial: String(partial) },
          Number(health.status === state && isPartial === partial),
        ]);
      },
    },
    series(
      'connect_worker_group_findings',
      'What keeps the workers of the group from working together, as far as this one knows: addresses, versions, classes. /health says what it is',
      sources.groupFindings(),
    ),
    series('kafka_connect_up', 'Whether the worker answers', 1),
    series('process_resident_memory_bytes', 'Resident memory', residentBytes),
    series('process_cpu_seconds_total', 'User and system time of the process', cpuSeconds),
    series(
      'connect_worker_descriptors_exhausted_total',
      'Looks, one a second, that found no free file descriptor: REST refused connections then',
      sources.descriptorsExhausted(),
    ),
    ...(exporter === undefined
      ? []
      : [
          series(
            'connect_worker_telemetry_failed_requests_total',
            'Requests that the receiver of OTLP did not take',
            exporter.failures,
          ),
          series(
            'connect_worker_telemetry_lost_spans_total',
            'Spans that were never sent',
            exporter.lostSpans,
          ),
        ]),
  ];
}

/** Reads this process. */
export function readProcess(): ProcessReading {
  const { user, system } = process.cpuUsage();
  return { residentBytes: process.memoryUsage.rss(), cpuSeconds: (user + system) / 1e6 };
}

/** Lets sockets and timers have a turn. */
function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Lets so many in at once; the others wait in order. */
class Slots {
  readonly #waiting: (() => void)[] = [];
  #free: number;

  constructor(count: number) {
    this.#free = count;
  }

  async take(): Promise<void> {
    if (this.#free > 0) {
      this.#free -= 1;
      return;
    }
    await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  free(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#free += 1;
    else next();
  }
}
