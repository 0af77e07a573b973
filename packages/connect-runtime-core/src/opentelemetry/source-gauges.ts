import type { BatchObservableCallback, Meter, Observable } from '@opentelemetry/api';
import type { MetricDef, MetricSeries } from '../diagnostics/metric-def.ts';
import type { SourceInfo } from '../library/source-channels.ts';

interface Row {
  readonly attribute: string;
  readonly series: MetricSeries;
  readonly observable: Observable;
}

/** Last parts of Prometheus names, which there say kind and unit, and the unit that is said apart here. */
const suffixes: readonly (readonly [suffix: string, unit: string])[] = [
  ['_total', ''],
  ['_seconds', 's'],
  ['_bytes', 'By'],
  ['_ratio', '1'],
  ['_percent', '%'],
];

/**
 * Observes the rows of a source's table that have a series, under its name: `connect_source_queue_size` is `connect.source.queue_size`,
 * and `connect_source_last_message_age_seconds` is `connect.source.last_message_age` in `s`, which Prometheus shows under the names of a
 * worker again. Nothing is done before something collects. The function returned ends that after one more collection, so that
 * the last values are seen. A source whose name another one has at that time is `name-2`.
 */
export function observeSource(source: SourceInfo, meter: Meter, known: Observables): () => void {
  const label = known.take(source.name);
  const rows = Object.entries(source.metrics).flatMap(([attribute, row]) => {
    const { series } = row;
    return series === undefined ? [] : [{ attribute, series, observable: known.of(meter, row, series) }];
  });
  const observables = rows.map(({ observable }) => observable);
  let ended = false;
  const observe: BatchObservableCallback = (result) => {
    const status = source.status();
    for (const row of rows) {
      const value = sample(row, status);
      if (value !== undefined)
        result.observe(row.observable, value, { connector: label, ...row.series.labels });
    }
    if (ended) meter.removeBatchObservableCallback(observe, observables);
  };
  meter.addBatchObservableCallback(observe, observables);
  return () => {
    ended = true;
    known.giveBack(label);
  };
}

function sample({ attribute, series }: Row, status: ReturnType<SourceInfo['status']>): number | undefined {
  const value = Number(status[attribute]);
  if (Number.isNaN(value) || value === series.absentAt) return undefined;
  return value * (series.scale ?? 1);
}

/**
 * Instruments by meter and name. Sources whose tables describe the same series in other words share the instrument of the first one: an
 * SDK would make a second one of it, and warn.
 */
export class Observables {
  readonly #labels = new Set<string>();
  readonly #byMeter = new WeakMap<Meter, Map<string, Observable>>();

  /** The name itself, or with a number where it is taken: two sources must not write one series. */
  take(name: string): string {
    let label = name;
    for (let number = 2; this.#labels.has(label); number += 1) label = `${name}-${number}`;
    this.#labels.add(label);
    return label;
  }

  giveBack(label: string): void {
    this.#labels.delete(label);
  }

  of(meter: Meter, row: MetricDef, { name }: MetricSeries): Observable {
    const known = this.#byMeter.get(meter) ?? new Map<string, Observable>();
    this.#byMeter.set(meter, known);
    const observable = known.get(name) ?? observableOf(meter, row, name);
    known.set(name, observable);
    return observable;
  }
}

function observableOf(meter: Meter, row: MetricDef, name: string): Observable {
  const [suffix = '', unit = ''] = suffixes.find(([end]) => name.endsWith(end)) ?? [];
  const plain = name.slice(0, name.length - suffix.length).replace(/^connect_source_/, 'connect.source.');
  const options = { description: row.help, unit };
  return suffix === '_total'
    ? meter.createObservableCounter(plain, options)
    : meter.createObservableGauge(plain, options);
}
