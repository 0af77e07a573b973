import { describe, expect, it } from 'vitest';
import type { ConnectionState } from '../contract/connection-state.ts';
import type { MetricTable } from '../diagnostics/metric-def.ts';
import { MetricGroup } from '../diagnostics/metric-group.ts';
import { connectionMetrics, sourceMetrics } from '../diagnostics/source-metrics.ts';
import { createManualClock } from '../testing/manual-clock.ts';
import { connectionSnapshot, freezeGauges, observeGauges } from './connection-gauges.ts';
import { BoundedQueue } from './queue/bounded-queue.ts';

const ownMetrics = { Gaps: { kind: 'counter', unit: 'count', help: 'Gaps' } } as const satisfies MetricTable;

function setUp() {
  const clock = createManualClock();
  const queue = new BoundedQueue<string>({ capacity: 5 });
  const now: { state: ConnectionState; lastMessageAt: number | undefined; capacity: number } = {
    state: { kind: 'disconnected' },
    lastMessageAt: undefined,
    capacity: 4,
  };
  const sources = {
    clock,
    queue,
    capacity: () => now.capacity,
    state: () => now.state,
    lastMessageAt: () => now.lastMessageAt,
  };
  return {
    clock,
    queue,
    now,
    sources,
    metrics: new MetricGroup({ ...sourceMetrics, ...connectionMetrics, ...ownMetrics }),
  };
}

describe('the gauges of a connection', () => {
  it('follow queue and connection', async () => {
    const { clock, queue, now, sources, metrics } = setUp();
    observeGauges(metrics, sources);
    expect(metrics.snapshot()).toMatchObject({
      QueueSize: 0,
      QueueCapacity: 4,
      IsConnected: false,
      UptimeMillis: 0,
      MillisSinceLastMessage: -1,
    });
    now.state = { kind: 'connected', since: clock.monotonic() };
    await clock.advance(1000);
    now.lastMessageAt = clock.monotonic();
    queue.offer('abc', 3);
    now.capacity = 2;
    await clock.advance(500);
    expect(metrics.snapshot()).toMatchObject({
      QueueSize: 1,
      QueueBytes: 3,
      QueueCapacity: 2,
      QueueUtilizationPercent: 50,
      IsConnected: true,
      UptimeMillis: 1500,
      MillisSinceLastMessage: 500,
    });
  });

  it('say that there is none once they are frozen, while the queue is emptied', async () => {
    const { clock, queue, now, sources, metrics } = setUp();
    observeGauges(metrics, sources);
    queue.offer('abc', 3);
    now.state = { kind: 'connected', since: clock.monotonic() };
    await clock.advance(10);
    freezeGauges(metrics);
    expect(metrics.snapshot()).toMatchObject({ IsConnected: false, UptimeMillis: 0, QueueSize: 1 });
    await queue.take(1);
    expect(metrics.read('QueueSize')).toBe(0);
  });
});

describe('what people are shown of a connection', () => {
  it('is its state alone at first', () => {
    expect(connectionSnapshot(setUp().sources, undefined)).toEqual({ state: 'disconnected' });
  });

  it('is the attempt under way, from the first that repeats one', () => {
    const { now, sources } = setUp();
    now.state = { kind: 'connecting', attempt: 0 };
    expect(connectionSnapshot(sources, undefined)).toEqual({ state: 'connecting' });
    now.state = { kind: 'connecting', attempt: 2 };
    expect(connectionSnapshot(sources, 'refused')).toEqual({
      state: 'connecting',
      attempt: 2,
      lastError: 'refused',
    });
  });

  it('is how long ago the last message came, and when the next attempt is', async () => {
    const { clock, now, sources } = setUp();
    now.lastMessageAt = clock.monotonic();
    now.state = { kind: 'backing-off', attempt: 3, until: clock.monotonic() + 5000 };
    await clock.advance(2000);
    expect(connectionSnapshot(sources, 'gone')).toEqual({
      state: 'backing-off',
      lastMessageAgeMs: 2000,
      lastError: 'gone',
      attempt: 3,
      nextTryInMs: 3000,
    });
    await clock.advance(4000);
    expect(connectionSnapshot(sources, 'gone').nextTryInMs).toBe(0);
  });
});
