import { describe, expect, it } from 'vitest';
import { eventLog } from '../diagnostics/log-event.ts';
import type { MetricTable } from '../diagnostics/metric-def.ts';
import { MetricGroup } from '../diagnostics/metric-group.ts';
import { connectionMetrics, sourceMetrics } from '../diagnostics/source-metrics.ts';
import { createManualClock } from '../testing/manual-clock.ts';
import { createRecordingLogger } from '../testing/recording-logger.ts';
import { HealthLine } from './health-line.ts';
import { healthEvents } from './source-events.ts';

const ownMetrics = { Gaps: { kind: 'counter', unit: 'count', help: 'Gaps' } } as const satisfies MetricTable;

function setUp() {
  const clock = createManualClock();
  const logger = createRecordingLogger();
  const metrics = new MetricGroup({ ...sourceMetrics, ...connectionMetrics, ...ownMetrics });
  const log = eventLog(healthEvents, logger, clock);
  let sessionId: string | undefined;
  const line = new HealthLine({ metrics, clock, log, sessionId: () => sessionId });
  const session = (id: string): void => {
    sessionId = id;
  };
  return {
    clock,
    metrics,
    line,
    session,
    lines: () => logger.withEvent('task_metrics').map((one) => one.fields),
  };
}

/** The status of a line that is written with these values. */
async function statusWith(gauges: Readonly<Record<string, number>>): Promise<unknown> {
  const { clock, metrics, line, lines } = setUp();
  line.start();
  for (const [name, value] of Object.entries(gauges)) metrics.set(name as 'IsConnected', value);
  await clock.advance(30_000);
  line.stop();
  return lines()[0]?.['status'];
}

describe('the health line', () => {
  it('is written every 30 seconds and once at the end, with the numbers and the session', async () => {
    const { clock, metrics, line, session, lines } = setUp();
    line.start();
    await clock.advance(29_999);
    expect(lines()).toEqual([]);
    await clock.advance(1);
    session('s-1');
    metrics.set('IsConnected', 1);
    metrics.set('QueueSize', 1);
    metrics.set('QueueCapacity', 3);
    metrics.counter('MessagesReceived').value = 7;
    line.stop();
    line.stop();
    await clock.advance(60_000);
    expect(lines()).toHaveLength(2);
    expect(lines()[0]).toMatchObject({ connected: false, session_id: null, status: 'DISCONNECTED' });
    expect(lines()[1]).toEqual({
      event: 'task_metrics',
      connected: true,
      messages_received: 7,
      messages_dropped: 0,
      records_produced: 0,
      queue_size: 1,
      queue_capacity: 3,
      queue_utilization_percent: 33.33,
      lag_count: 7,
      millis_since_last_message: -1,
      reconnect_attempts: 0,
      session_id: 's-1',
      status: 'HEALTHY',
    });
  });

  it('says what is wrong', async () => {
    const up = { IsConnected: 1 };
    expect(await statusWith({})).toBe('DISCONNECTED');
    expect(await statusWith(up)).toBe('HEALTHY');
    expect(await statusWith({ ...up, QueueSize: 8, QueueCapacity: 10 })).toBe('HEALTHY');
    expect(await statusWith({ ...up, QueueSize: 9, QueueCapacity: 10, InFlightCount: 5000 })).toBe(
      'HIGH_QUEUE_UTILIZATION',
    );
    expect(await statusWith({ ...up, InFlightCount: 1000 })).toBe('HEALTHY');
    expect(await statusWith({ ...up, InFlightCount: 1001, MillisSinceLastMessage: 70_000 })).toBe('HIGH_LAG');
    expect(await statusWith({ ...up, MillisSinceLastMessage: 60_001 })).toBe('NO_RECENT_MESSAGES');
  });

  it('speaks of drops since the line before only', async () => {
    const { clock, metrics, line, lines } = setUp();
    metrics.set('IsConnected', 1);
    const dropped = metrics.counter('DroppedQueueFull');
    dropped.value = 10;
    line.start();
    await clock.advance(30_000);
    dropped.value = 11;
    await clock.advance(60_000);
    line.stop();
    expect(lines().map((one) => one['status'])).toEqual([
      'HEALTHY',
      'DROPPING_MESSAGES',
      'HEALTHY',
      'HEALTHY',
    ]);
  });
});
