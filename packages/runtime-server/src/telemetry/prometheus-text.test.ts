import { MetricGroup, type MetricTable } from '@levada/connect-runtime-core';
import { dropCauses, sourceMetrics } from '@levada/connect-runtime-core/source-kit';
import { connectFamilies, type MeasuredConnector } from '@levada/connect-worker';
import { describe, expect, it } from 'vitest';
import { metricObjectText } from '../rest/worker-routes.ts';
import { connectSeries, seriesNames, seriesOf } from './connect-series.ts';
import { labelText, prometheusText, type SeriesFamily, type TextFormat } from './prometheus-text.ts';
import { sourceSeries, stateSeries } from './source-series.ts';

function textOf(families: Iterable<SeriesFamily>, format: TextFormat = 'prometheus'): string {
  return [...prometheusText(families, format)].join('');
}

function gauge(name: string, ...values: readonly number[]): SeriesFamily {
  return { name, type: 'gauge', help: 'x\ny\\z "q"', samples: () => values.map((value) => [{}, value]) };
}

function connector(name: string, table: MetricTable, group = new MetricGroup(table)): MeasuredConnector {
  return { name, className: 'x.XConnector', status: undefined, tasks: [], group };
}

describe('prometheusText', () => {
  it('escapes labels and help', () => {
    expect(labelText({ c: 'q"\\\n' })).toBe('{c="q\\"\\\\\\n"}');
    expect(textOf([gauge('a', 1.5)])).toBe('# HELP a x\\ny\\\\z "q"\n# TYPE a gauge\na 1.5\n');
  });

  it('writes what is not finite in its own words', () => {
    const values = [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    expect(textOf([gauge('a', ...values)])).toContain('a NaN\na +Inf\na -Inf\n');
  });

  it('leaves out a family without samples', () => {
    expect(textOf([gauge('a')])).toBe('');
  });

  it('writes OpenMetrics: counters named without their ending, escaped quotes in help, an end', () => {
    const counter: SeriesFamily = { ...gauge('b_total', 3), type: 'counter' };
    expect(textOf([gauge('a', 1), counter], 'openmetrics')).toBe(
      '# TYPE a gauge\n# HELP a x\\ny\\\\z \\"q\\"\na 1\n' +
        '# TYPE b counter\n# HELP b x\\ny\\\\z \\"q\\"\nb_total 3\n# EOF\n',
    );
  });

  it('hands a long text on in parts', () => {
    const many = gauge('a', ...Array.from({ length: 50_000 }, (_, at) => at));
    const parts = [...prometheusText([many], 'prometheus')];
    expect(parts.length).toBeGreaterThan(3);
    expect(Math.max(...parts.map(({ length }) => length))).toBeLessThan(70_000);
    expect(parts.join('').split('\n')).toHaveLength(50_003);
  });
});

describe('series of a connector', () => {
  it('are all there before anything happened', () => {
    const shown = [...sourceSeries([connector('a', sourceMetrics)])].map(({ name }) => name);
    const declared = Object.values(sourceMetrics).flatMap((row) =>
      'series' in row ? [row.series.name] : [],
    );
    expect(new Set(shown)).toEqual(new Set(declared));
  });

  it('are one family over several connectors, tables and causes, counters typed as such', () => {
    const other: MetricTable = { ...sourceMetrics };
    const families = [...sourceSeries([connector('a', sourceMetrics), connector('b', other)])];
    const dropped = families.filter(({ name }) => name === 'connect_source_messages_dropped_total');
    expect(dropped).toMatchObject([{ type: 'counter' }]);
    expect([...(dropped[0]?.samples() ?? [])]).toHaveLength(2 * dropCauses.length);
  });

  it('leave out a name that Prometheus cannot read', () => {
    const table = { Bad: { kind: 'gauge', unit: 'count', help: '', series: { name: 'a b\n' } } } as const;
    expect([...sourceSeries([connector('a', table)])]).toEqual([]);
  });

  it('are scaled to base units, and absent while there is nothing yet', () => {
    const table = {
      Age: {
        kind: 'gauge',
        unit: 'milliseconds',
        help: 'age',
        initial: -1,
        series: { name: 'age_seconds', scale: 0.001, absentAt: -1 },
      },
    } as const satisfies MetricTable;
    const group = new MetricGroup<MetricTable>(table);
    const families = (): string => textOf(sourceSeries([connector('a', table, group)]));
    expect(families()).toBe('');
    group.set('Age', 1500);
    expect(families()).toContain('age_seconds{connector="a",plugin="XConnector"} 1.5\n');
  });
});

describe('state series', () => {
  it('show every state at 0 or 1', () => {
    const at = { workerId: 'w', generation: 0 };
    const measured: MeasuredConnector = {
      ...connector('a', {}),
      status: { state: 'RUNNING', ...at },
      tasks: [{ id: 0, state: 'FAILED', ...at }],
    };
    const text = textOf(stateSeries([measured]));
    expect(text).toContain('connect_connector_state{connector="a",plugin="XConnector",state="RUNNING"} 1\n');
    expect(text).toContain('connect_connector_state{connector="a",plugin="XConnector",state="FAILED"} 0\n');
    expect(text).toContain(
      'connect_task_state{connector="a",task="0",plugin="XConnector",state="FAILED"} 1\n',
    );
  });
});

describe('series of Connect', () => {
  const families = Object.values(connectFamilies);

  it('have names as the rules of Strimzi form them', () => {
    const name = (type: string, attribute: string): string => {
      const family = families.find((one) => one.type === type && attribute in one.attributes);
      return family === undefined ? '' : seriesOf(family, attribute, 'strimzi').name;
    };
    expect(name('connect-worker-metrics', 'task-startup-failure-total')).toBe(
      'kafka_connect_worker_task_startup_failure_total',
    );
    expect(name('connect-worker-metrics', 'connector-failed-task-count')).toBe(
      'kafka_connect_worker_connector_failed_task_count',
    );
    expect(name('connector-metrics', 'status')).toBe('kafka_connect_connector_status');
    expect(name('connector-metrics', 'connector-class')).toBe('kafka_connect_connector_connector_class');
    expect(name('connector-task-metrics', 'running-ratio')).toBe(
      'kafka_connect_connector_task_running_ratio',
    );
    expect(name('source-task-metrics', 'source-record-poll-rate')).toBe(
      'kafka_connect_source_task_source_record_poll_rate',
    );
    expect(name('task-error-metrics', 'total-errors-logged')).toBe(
      'kafka_connect_task_error_total_errors_logged',
    );
    expect(name('connect-worker-rebalance-metrics', 'leader-name')).toBe(
      'kafka_connect_worker_rebalance_leader_name',
    );
    expect(name('connect-coordinator-metrics', 'assigned-tasks')).toBe(
      'kafka_connect_coordinator_assigned_tasks',
    );
    expect(name('app-info', 'start-time-ms')).toBe('kafka_connect_start_time_seconds');
  });

  it('are named as the JMX exporter names them without rules, and without those that are text', () => {
    const family = connectFamilies.task;
    const values: Readonly<Record<string, number | string>> = { status: 'running', 'running-ratio': 0.5 };
    const object = { family, keys: ['a', '0'], read: (name: string) => values[name] ?? Number.NaN };
    expect(textOf(connectSeries([object], 'jmx_exporter'))).toBe(
      '# HELP kafka_connect_connector_task_metrics_running_ratio Share of its life that the task has been running, from 0 to 1\n' +
        '# TYPE kafka_connect_connector_task_metrics_running_ratio untyped\n' +
        'kafka_connect_connector_task_metrics_running_ratio{connector="a",task="0"} 0.5\n',
    );
    expect(textOf(connectSeries([object], 'strimzi'))).toContain(
      'kafka_connect_connector_task_status{connector="a",task="0",status="running"} 1\n',
    );
    const { worker, coordinator } = connectFamilies;
    expect(seriesOf(worker, 'connector-count', 'jmx_exporter').name).toBe(
      'kafka_connect_connect_worker_metrics_connector_count',
    );
    const heartbeats = { family: coordinator, keys: ['c'], read: () => 1 };
    expect(textOf(connectSeries([heartbeats], 'jmx_exporter'))).toContain(
      'kafka_connect_connect_coordinator_metrics_heartbeat{client_id="c"} 1\n',
    );
    expect(seriesOf(worker, 'task-startup-failure-total', 'jmx_exporter').name).toBe(
      'kafka_connect_connect_worker_metrics_task_startup_failure',
    );
    for (const ending of ['info', 'bucket', 'created', 'info-total'])
      expect(seriesOf(worker, `task-${ending}`, 'jmx_exporter').name).toBe(
        'kafka_connect_connect_worker_metrics_task',
      );
  });

  it.each(seriesNames)('never have one name twice, also without the ending of counters (%s)', (names) => {
    const all = families.flatMap((family) =>
      Object.keys(family.attributes).map((attribute) => seriesOf(family, attribute, names)),
    );
    const bare = all.map(({ name, type }) => (type === 'counter' ? name.replace(/_total$/, '') : name));
    expect(new Set(bare).size).toBe(bare.length);
  });
});

describe('metricObjectText', () => {
  it('quotes only values that need it, as JMX does', () => {
    const keys = { name: 'my-source', url: 'ws://h:1/x' };
    expect(metricObjectText({ domain: 'io.vendor', type: 'T', keys })).toBe(
      'io.vendor:type=T,name=my-source,url="ws://h:1/x"',
    );
  });
});
