import { createManualClock } from '@levada/connect-runtime-core/testing';
import { describe, expect, it } from 'vitest';
import { GroupMetrics } from './group-metrics.ts';

describe('metrics of a group', () => {
  it('measure a rebalance from the first request to the carried out assignment', async () => {
    const clock = createManualClock();
    const group = new GroupMetrics({ now: () => clock.monotonic(), windowMs: 30_000, samples: 2 });
    expect(group.observed).toBe(false);
    expect(group.msSinceRebalance).toBe(Number.POSITIVE_INFINITY);
    group.carriedOut();
    expect(group.rebalances.total).toBe(0);

    group.observe({ kind: 'rebalance-started' });
    expect(group.rebalancing).toBe(true);
    await clock.advance(40);
    group.observe({ kind: 'join', ms: 40, protocol: 'sessioned' });
    group.observe({ kind: 'rebalance-started' });
    group.observe({ kind: 'sync', ms: 5 });
    await clock.advance(60);
    group.carriedOut();
    await clock.advance(1_000);
    expect(group).toMatchObject({ rebalancing: false, protocol: 'SESSIONED', msSinceRebalance: 1_000 });
    expect(group.rebalances).toMatchObject({ total: 1, averageMs: 100, maxMs: 100 });
    expect(group.joins).toMatchObject({ total: 1, maxMs: 40 });
  });

  it('count a rebalance that fails, and forget how long it took', () => {
    const clock = createManualClock();
    const group = new GroupMetrics({ now: () => clock.monotonic(), windowMs: 30_000, samples: 2 });
    group.observe({ kind: 'rebalance-started' });
    group.observe({ kind: 'rebalance-failed' });
    group.observe({ kind: 'rebalance-failed' });
    expect(group).toMatchObject({ failedRebalances: 1, rebalancing: false });
    expect(group.failedRebalancesPerSecond).toBeCloseTo(1 / 30);
    expect(group.rebalances.total).toBe(0);
    expect(group.msSinceHeartbeat).toBeNaN();
  });
});
