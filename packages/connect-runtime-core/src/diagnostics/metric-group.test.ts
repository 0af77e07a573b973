import { describe, expect, it } from 'vitest';
import type { MetricTable } from './metric-def.ts';
import { MetricGroup } from './metric-group.ts';
import { connectionMetrics, dropAttribute, dropCauses, sourceMetrics } from './source-metrics.ts';

const table = {
  Seen: { kind: 'counter', unit: 'count', help: 'Seen' },
  Up: { kind: 'gauge', unit: 'boolean', help: 'Up' },
  Age: { kind: 'gauge', unit: 'milliseconds', help: 'Age', initial: -1 },
  Twice: { kind: 'derived', unit: 'count', help: 'Seen twice', from: (read) => read('Seen') * 2 },
} as const satisfies MetricTable;

describe('MetricGroup', () => {
  it('begins with zero, or with what the row says', () => {
    expect(new MetricGroup(table).snapshot()).toEqual({ Seen: 0, Up: false, Age: -1, Twice: 0 });
  });

  it('shows every row in the order of the table', () => {
    expect(Object.keys(new MetricGroup(table).snapshot())).toEqual(['Seen', 'Up', 'Age', 'Twice']);
  });

  it('shows a counter that was kept and counted', () => {
    const group = new MetricGroup(table);
    const seen = group.counter('Seen');
    seen.value += 3;
    expect(group.counter('Seen')).toBe(seen);
    expect(group.snapshot()).toMatchObject({ Seen: 3, Twice: 6 });
  });

  it('reads an observed gauge each time, and a set one as it was set', () => {
    const group = new MetricGroup(table);
    let age = 5;
    group.observe('Age', () => age);
    age = 7;
    expect(group.read('Age')).toBe(7);
    group.set('Age', 9);
    age = 11;
    expect(group.read('Age')).toBe(9);
  });

  it('reads NaN where the function for a value throws, and shows all the others', () => {
    const group = new MetricGroup(table);
    group.observe('Age', () => {
      throw new Error('no age');
    });
    expect(group.snapshot()).toEqual({ Seen: 0, Up: false, Age: Number.NaN, Twice: 0 });
  });

  it('shows booleans as booleans, and reads them as numbers', () => {
    const group = new MetricGroup(table);
    group.set('Up', 1);
    expect([group.snapshot()['Up'], group.read('Up')]).toEqual([true, 1]);
  });

  it('refuses names that its table lacks, or has as another kind', () => {
    const group: MetricGroup = new MetricGroup<MetricTable>(table);
    const problem = 'is not in the table, or of another kind';
    expect(() => group.counter('Sene')).toThrow(`metric "Sene" ${problem}`);
    expect(() => group.counter('Age')).toThrow(`metric "Age" ${problem}`);
    expect(() => group.set('Seen', 1)).toThrow(`metric "Seen" ${problem}`);
    expect(() => group.observe('Twice', () => 1)).toThrow(`metric "Twice" ${problem}`);
    expect(() => group.read('__proto__')).toThrow(`metric "__proto__" ${problem}`);
    expect([group.hasCounter('Seen'), group.hasCounter('Age'), group.hasCounter('toString')]).toEqual([
      true,
      false,
      false,
    ]);
  });
});

describe('a metric group with parts', () => {
  const whole = () =>
    new MetricGroup({ ...table, Size: { kind: 'gauge', unit: 'count', help: 'Size' } } as const);

  it('shows the sum of what its parts have counted, and derives from that', () => {
    const group = whole();
    group.counter('Seen').value = 1;
    group.part(0).counter('Seen').value += 10;
    group.part(3).counter('Seen').value += 100;
    expect(group.snapshot()).toMatchObject({ Seen: 111, Twice: 222 });
    expect(group.part(3).snapshot()).toMatchObject({ Seen: 100, Twice: 200 });
  });

  it('shows the sum of gauges that are counts, and of others the least', () => {
    const group = whole();
    for (const [task, size] of [3, 4].entries()) {
      group.part(task).observe('Size', () => size);
      group.part(task).set('Up', 1);
      group.part(task).set('Age', 10 * size);
    }
    expect(group.snapshot()).toMatchObject({ Size: 7, Up: true, Age: 30 });
    group.part(1).set('Up', 0);
    group.part(0).set('Age', -1);
    expect(group.snapshot()).toMatchObject({ Size: 7, Up: false, Age: 40 });
  });

  it('begins as one without', () => {
    const group = whole();
    group.part(0);
    expect(group.snapshot()).toEqual(whole().snapshot());
  });

  it('keeps what parts have counted that are no more, and nothing else of them', () => {
    const group = whole();
    group.part(0).counter('Seen').value = 1;
    group.part(1).counter('Seen').value = 2;
    group.part(1).set('Size', 5);
    group.keepParts([0]);
    expect(group.snapshot()).toMatchObject({ Seen: 3, Size: 0 });
    expect(group.part(1).read('Seen')).toBe(0);
    expect(group.read('Seen')).toBe(3);
  });
});

describe('the metrics of every source', () => {
  it('sum drops over all causes', () => {
    const group = new MetricGroup(sourceMetrics);
    for (const [index, cause] of dropCauses.entries())
      group.counter(dropAttribute(cause)).value = 10 ** index;
    expect(group.read('MessagesDropped')).toBe(11_111_111_111);
  });

  it('follow the formulas of the seeds', () => {
    const group = new MetricGroup(sourceMetrics);
    group.counter('MessagesReceived').value = 200;
    group.counter('RecordsProduced').value = 120;
    group.counter('DroppedQueueFull').value = 30;
    group.set('QueueSize', 40);
    group.set('QueueCapacity', 160);
    group.set('InFlightCount', 10);
    expect(group.snapshot()).toMatchObject({
      MessagesDropped: 30,
      LagCount: 80,
      BacklogCount: 50,
      DropRate: 15,
      QueueUtilizationPercent: 25,
      UnaccountedCount: 0,
    });
  });

  it('show as lag what waits for the log, and not what was dropped', () => {
    const group = new MetricGroup(sourceMetrics);
    group.counter('MessagesReceived').value = 9000;
    group.counter('RecordsProduced').value = 6;
    group.counter('DroppedQueueFull').value = 8994;
    expect(group.snapshot()).toMatchObject({ LagCount: 8994, BacklogCount: 0, UnaccountedCount: 0 });
    expect(sourceMetrics.BacklogCount.series.name).toBe('connect_source_lag_messages');
    expect(sourceMetrics.LagCount).not.toHaveProperty('series');
  });

  it('are zero, not NaN, before anything happens', () => {
    const group = new MetricGroup({ ...sourceMetrics, ...connectionMetrics });
    const { MillisSinceLastMessage, IsConnected, ...others } = group.snapshot();
    expect([MillisSinceLastMessage, IsConnected]).toEqual([-1, false]);
    expect(new Set(Object.values(others))).toEqual(new Set([0]));
  });

  it('have one series per name and labels', () => {
    const rows = Object.values({ ...sourceMetrics, ...connectionMetrics });
    const series = rows.flatMap((row) => ('series' in row ? [JSON.stringify(row.series)] : []));
    expect(new Set(series).size).toBe(series.length);
  });
});
