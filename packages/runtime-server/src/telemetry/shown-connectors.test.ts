import { MetricGroup, type MetricTable } from '@levada/connect-runtime-core';
import { connectionMetrics, sourceMetrics } from '@levada/connect-runtime-core/source-kit';
import { connectFamilies, type MeasuredConnector } from '@levada/connect-worker';
import { describe, expect, it } from 'vitest';
import { isInShard, type SeriesLimit, shownConnectors } from './shown-connectors.ts';

const table: MetricTable = { ...sourceMetrics, ...connectionMetrics };

interface Made {
  readonly state?: 'RUNNING' | 'FAILED';
  readonly connected?: boolean;
  readonly dropped?: number;
}

function connector(name: string, { state = 'RUNNING', connected = true, dropped = 0 }: Made = {}) {
  const group = new MetricGroup<MetricTable>(table);
  group.set('IsConnected', Number(connected));
  group.counter('DroppedQueueFull').value = dropped;
  const at = { workerId: 'w', generation: 0 };
  const status = { state: 'RUNNING', ...at } as const;
  return {
    name,
    className: 'x.X',
    status,
    tasks: [{ id: 0, state, ...at }],
    group,
  } satisfies MeasuredConnector;
}

const noObjects = { objectsOf: () => [] };

function limit(maxSeries: number, isWanted: SeriesLimit['isWanted'] = () => true): SeriesLimit {
  return { maxSeries, names: 'strimzi', isWanted };
}

/** Series of one connector. */
const each = shownConnectors([connector('a')], noObjects, limit(0)).leftOut.series;

function names(connectors: readonly MeasuredConnector[], maxSeries: number): string {
  return shownConnectors(connectors, noObjects, limit(maxSeries))
    .connectors.map(({ name }) => name)
    .join();
}

describe('the connectors of a text', () => {
  it('are all of them, as long as their series fit', () => {
    const all = [connector('b'), connector('a', { state: 'FAILED' })];
    const { connectors, leftOut } = shownConnectors(all, noObjects, limit(2 * each));
    expect(connectors).toEqual(all);
    expect(leftOut).toEqual({ connectors: 0, series: 0 });
  });

  it('are first those that failed, then those with trouble now, then before, then by name', () => {
    const all = [
      connector('healthy-2'),
      connector('healthy-1'),
      connector('dropped', { dropped: 1 }),
      connector('disconnected', { connected: false }),
      connector('failed', { state: 'FAILED' }),
    ];
    expect(names(all, each)).toBe('failed');
    expect(names(all, 2 * each)).toBe('disconnected,failed');
    expect(names(all, 3 * each)).toBe('dropped,disconnected,failed');
    expect(names(all, 5 * each - 1)).toBe('healthy-1,dropped,disconnected,failed');
    const { leftOut } = shownConnectors(all, noObjects, limit(3 * each));
    expect(leftOut).toEqual({ connectors: 2, series: 2 * each });
  });

  it('include one whose offsets cannot be committed', () => {
    const failing = { family: connectFamilies.task, keys: ['b', '0'], read: () => 0.5 };
    const metrics = { objectsOf: ({ name }: MeasuredConnector) => (name === 'b' ? [failing] : []) };
    const own = each + Object.keys(connectFamilies.task.attributes).length;
    const { connectors } = shownConnectors([connector('a'), connector('b')], metrics, limit(own));
    expect(connectors.map(({ name }) => name)).toEqual(['b']);
  });

  it('are more when fewer series of each are wanted', () => {
    const all = Array.from({ length: 10 }, (_, at) => connector(`c-${at}`));
    const isWanted = (name: string): boolean => name === 'connect_source_connected';
    expect(shownConnectors(all, noObjects, limit(10, isWanted)).connectors).toHaveLength(10);
    expect(shownConnectors(all, noObjects, limit(9, isWanted)).leftOut).toEqual({ connectors: 1, series: 1 });
  });

  it('are each in one of several shards', () => {
    const all = Array.from({ length: 1000 }, (_, at) => `connector-${at}`);
    const shards = [1, 2, 3, 4].map((at) => all.filter(isInShard({ at, of: 4 })));
    expect(shards.flat().toSorted()).toEqual(all.toSorted());
    for (const { length } of shards) expect(Math.abs(length - 250)).toBeLessThan(60);
  });
});
