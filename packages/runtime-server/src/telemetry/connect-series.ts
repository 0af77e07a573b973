import { type AnyMetricFamily, connectFamilies, type MetricObject } from '@levada/connect-worker';
import type { Labels, Sample, SeriesFamily } from './prometheus-text.ts';

/** How Connect's metrics are named: by Strimzi's rules of the JMX exporter, or as that exporter (1.0.1) does without rules. */
export const seriesNames = ['strimzi', 'jmx_exporter'] as const;

/** One of {@link seriesNames}. */
export type SeriesNames = (typeof seriesNames)[number];

/**
 * Endings that version 1.0.1 of the exporter drops from every name, because they are reserved for series that it does not make of
 * attributes (`RESERVED_METRIC_NAME_SUFFIXES` of `PrometheusNaming` in client_java 1.x).
 */
const reservedEndings = /(?:_(?:total|created|bucket|info))+$/;

interface SeriesName {
  readonly name: string;
  readonly type: SeriesFamily['type'];
  /** Factor from the attribute's unit. */
  readonly scale: number;
  /** Label that holds the value of an attribute that is text; undefined: such attributes have no series. */
  readonly textLabel: string | undefined;
}

/** Series whose names Strimzi's rules do not form from the type and the attribute. */
const strimziExceptions: Readonly<Record<string, Partial<SeriesName>>> = {
  'app-info start-time-ms': { name: 'kafka_connect_start_time_seconds', scale: 0.001 },
  'app-info version': { name: 'kafka_connect_version_info' },
  'app-info commit-id': { name: 'kafka_connect_commit_id_info' },
};

/** Name and type of the series of one attribute. */
export function seriesOf(family: AnyMetricFamily, attribute: string, names: SeriesNames): SeriesName {
  const word = underscored(attribute);
  if (names === 'jmx_exporter') {
    const name = `${underscored(family.domain)}_${underscored(family.type)}_${word}`.replace(
      reservedEndings,
      '',
    );
    return { name, type: 'unknown', scale: 1, textLabel: undefined };
  }
  const type = attribute.endsWith('-total') ? 'counter' : 'gauge';
  const regular: SeriesName = { name: `${family.series}_${word}`, type, scale: 1, textLabel: word };
  return { ...regular, ...strimziExceptions[`${family.type} ${attribute}`] };
}

/** Connect's metrics as series, the objects of each family together. */
export function* connectSeries(objects: Iterable<MetricObject>, names: SeriesNames): Iterable<SeriesFamily> {
  const byFamily = Map.groupBy(objects, ({ family }) => family);
  const shown = new Set<string>();
  // The per-connector counts share their type, and in the exporter's naming their name could be another family's.
  for (const family of Object.values(connectFamilies) as readonly AnyMetricFamily[]) {
    const present = byFamily.get(family) ?? [];
    const labels = present.map((object) => labelsOf(object, names));
    for (const [attribute, { help }] of Object.entries(family.attributes)) {
      const series = seriesOf(family, attribute, names);
      if (shown.has(series.name)) continue;
      shown.add(series.name);
      const samples = (): Iterable<Sample> => samplesOf(present, labels, { attribute, series });
      yield { name: series.name, type: series.type, help, samples };
    }
  }
}

function* samplesOf(
  objects: readonly MetricObject[],
  labels: readonly Labels[],
  { attribute, series }: { readonly attribute: string; readonly series: SeriesName },
): Iterable<Sample> {
  const { scale, textLabel } = series;
  for (const [at, object] of objects.entries()) {
    const value = object.read(attribute);
    const own = labels[at] ?? {};
    if (typeof value === 'string') {
      if (value !== '' && textLabel !== undefined) yield [{ ...own, [textLabel]: value }, 1];
      // NaN: nothing was measured yet. No alert can fire on it, so it needs no series.
    } else if (!Number.isNaN(value)) yield [own, value * scale];
  }
}

function labelsOf({ family, keys }: MetricObject, names: SeriesNames): Labels {
  const word = (key: string): string => (names === 'strimzi' ? key.replaceAll('-', '') : underscored(key));
  return Object.fromEntries(family.keys.map((key: string, at: number) => [word(key), keys[at] ?? '']));
}

function underscored(text: string): string {
  return text.replaceAll(/[-.]/g, '_');
}
