import { MetricGroup, type MetricTable } from '@levada/connect-runtime-core';
import { dropCauses, sourceMetrics } from '@levada/connect-runtime-core/source-kit';
import { describe, expect, it } from 'vitest';
import { metricObjectText } from '../rest/worker-routes.ts';
import { addConnectorSeries } from './exposition.ts';
import { FamilyCollector, prometheusText } from './prometheus-text.ts';
import { addStateSeries } from './state-series.ts';

describe('prometheusText', () => {
  it('escapes labels and help', () => {
    const text = prometheusText([
      { name: 'a', type: 'gauge', help: 'x\ny\\z', samples: [{ labels: { c: 'q"\\\n' }, value: 1.5 }] },
    ]);
    expect(text).toBe('# HELP a x\\ny\\\\z\n# TYPE a gauge\na{c="q\\"\\\\\\n"} 1.5\n');
  });

  it('writes what is not finite in its own words', () => {
    const samples = [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY].map((value) => ({
      labels: {},
      value,
    }));
    expect(prometheusText([{ name: 'a', type: 'gauge', help: '', samples }])).toContain(
      'a NaN\na +Inf\na -Inf\n',
    );
  });
});

describe('addConnectorSeries', () => {
  it('shows every series of the table before anything happened', () => {
    const to = new FamilyCollector();
    addConnectorSeries(to, { connector: 'a' }, new MetricGroup<MetricTable>(sourceMetrics));
    const shown = new Set(to.families().map(({ name }) => name));
    const declared = Object.values(sourceMetrics).flatMap((row) =>
      'series' in row ? [row.series.name] : [],
    );
    expect(shown).toEqual(new Set(declared));
  });

  it('keeps one family over several connectors and causes, counters typed as such', () => {
    const to = new FamilyCollector();
    for (const connector of ['a', 'b'])
      addConnectorSeries(to, { connector }, new MetricGroup<MetricTable>(sourceMetrics));
    const dropped = to.families().filter(({ name }) => name === 'connect_source_messages_dropped_total');
    expect(dropped).toHaveLength(1);
    expect(dropped[0]).toMatchObject({ type: 'counter' });
    expect(dropped[0]?.samples).toHaveLength(2 * dropCauses.length);
  });

  it('leaves out a series whose name Prometheus cannot read', () => {
    const table = { Bad: { kind: 'gauge', unit: 'count', help: '', series: { name: 'a b\n' } } } as const;
    const to = new FamilyCollector();
    addConnectorSeries(to, {}, new MetricGroup<MetricTable>(table));
    expect(to.families()).toEqual([]);
  });

  it('scales to base units and leaves out what is not there yet', () => {
    const table = {
      Age: {
        kind: 'gauge',
        unit: 'milliseconds',
        help: 'age',
        initial: -1,
        series: { name: 'age_seconds', scale: 0.001, absentAt: -1 },
      },
    } as const;
    const group = new MetricGroup(table);
    const before = new FamilyCollector();
    addConnectorSeries(before, {}, group as unknown as MetricGroup);
    expect(before.families()).toEqual([]);
    group.set('Age', 1500);
    const after = new FamilyCollector();
    addConnectorSeries(after, {}, group as unknown as MetricGroup);
    expect(after.families()[0]?.samples[0]?.value).toBe(1.5);
  });
});

describe('addStateSeries', () => {
  it('shows every state at 0 or 1, and the present one as a label', () => {
    const to = new FamilyCollector();
    const at = { workerId: 'w', generation: 0 };
    addStateSeries(to, 'X', {
      name: 'a',
      type: 'source',
      connector: { state: 'RUNNING', ...at },
      tasks: [{ id: 0, state: 'FAILED', ...at }],
    });
    const text = prometheusText(to.families());
    expect(text).toContain('connect_connector_state{connector="a",plugin="X",state="RUNNING"} 1\n');
    expect(text).toContain('connect_connector_state{connector="a",plugin="X",state="FAILED"} 0\n');
    expect(text).toContain('connect_task_state{connector="a",task="0",plugin="X",state="FAILED"} 1\n');
    expect(text).toContain('kafka_connect_connector_status{connector="a",status="running"} 1\n');
    expect(text).toContain('kafka_connect_connector_task_status{connector="a",task="0",status="failed"} 1\n');
    expect(text).toContain('kafka_connect_worker_connector_failed_task_count{connector="a"} 1\n');
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
