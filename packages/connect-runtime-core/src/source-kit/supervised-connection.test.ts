import { describe, expect, it } from 'vitest';
import type { SourceEvent } from '../contract/source-event.ts';
import { ConnectorError } from '../diagnostics/connector-error.ts';
import { eventLog } from '../diagnostics/log-event.ts';
import { MetricGroup } from '../diagnostics/metric-group.ts';
import { connectionMetrics, sourceMetrics } from '../diagnostics/source-metrics.ts';
import { createManualClock } from '../testing/manual-clock.ts';
import { createRecordingLogger } from '../testing/recording-logger.ts';
import { connectionEvents, healthEvents } from './source-events.ts';
import type { ReconnectPolicy } from './supervise.ts';
import { type ConnectionAttempt, SupervisedConnection } from './supervised-connection.ts';

const gone = new ConnectorError('connection_lost', 'gone');

interface Dialled {
  readonly attempt: ConnectionAttempt;
  readonly end: (error?: Error) => void;
}

/** A connection whose attempts the test plays. */
function setup(changes: Partial<ReconnectPolicy> = {}) {
  const clock = createManualClock();
  const logger = createRecordingLogger();
  const metrics = new MetricGroup({ ...sourceMetrics, ...connectionMetrics });
  const hard = new AbortController();
  const emitted: SourceEvent[] = [];
  const dialled: Dialled[] = [];
  const calls: string[] = [];
  const connection = new SupervisedConnection({
    context: { clock, signal: hard.signal, emit: (event) => emitted.push(event) },
    metrics,
    log: eventLog({ ...connectionEvents, ...healthEvents }, logger, clock),
    queue: { size: 0, bytes: 0 },
    capacity: () => 10,
    lastMessageAt: () => undefined,
    policy: () => ({ enabled: true, intervalMs: 1000, maxMs: 1000, maxAttempts: -1, ...changes }),
    refresh: async () => void calls.push('refresh'),
    connect: (attempt) =>
      new Promise((resolve, reject) => {
        const end = (error?: Error): void => (error === undefined ? resolve() : reject(error));
        dialled.push({ attempt, end });
        attempt.signal.addEventListener('abort', () => resolve(), { once: true });
      }),
    terminate: () => calls.push('terminate'),
    attemptFields: () => ({ server: 's:1' }),
    onEnded: ({ error }) => calls.push(`ended: ${error.message}`),
    onOver: (failure) => calls.push(`over: ${failure?.code ?? 'no failure'}`),
  });
  const latest = (): Dialled => dialled.at(-1) as Dialled;
  return { clock, logger, metrics, hard, emitted, dialled, calls, connection, latest };
}

describe('SupervisedConnection', () => {
  it('counts, logs and emits what it does to connect again', async () => {
    const { clock, logger, metrics, emitted, calls, connection, latest } = setup();
    connection.start();
    latest().attempt.connected('peer', (id) => calls.push(`session ${id === connection.sessionId}`));
    expect(connection.snapshot().state).toBe('connected');
    latest().end(gone);
    await clock.advance(0);
    expect(connection.snapshot()).toMatchObject({ state: 'backing-off', lastError: 'gone', attempt: 1 });
    await clock.advance(1000);
    expect(metrics.read('TotalReconnects')).toBe(1);
    expect(logger.withEvent('reconnect_scheduled')[0]?.fields).toMatchObject({
      attempt: 1,
      backoff_ms: 1000,
    });
    expect(logger.withEvent('reconnect_executing')[0]?.fields).toMatchObject({ attempt: 1, server: 's:1' });
    expect(emitted.map(({ type }) => type)).toEqual(['connected', 'session', 'disconnected', 'reconnecting']);
    expect(calls).toEqual(['session true', 'ended: gone', 'refresh']);
  });

  it('forgets the last error when a connection is up', async () => {
    const { clock, connection, latest } = setup();
    connection.start();
    latest().end(gone);
    await clock.advance(1000);
    expect(connection.snapshot().lastError).toBe('gone');
    latest().attempt.connected('peer', () => undefined);
    expect(connection.snapshot().lastError).toBeUndefined();
  });

  it('does not say that a connection ended which was never made', async () => {
    const { clock, emitted, connection, latest } = setup();
    connection.start();
    latest().end(gone);
    await clock.advance(0);
    expect(emitted.map(({ type }) => type)).toEqual(['reconnecting']);
  });

  it('is healthy after 30 seconds, or after the reconnect interval with a message', async () => {
    const { clock, metrics, connection, latest } = setup();
    connection.start();
    const { attempt } = latest();
    expect(attempt.isHealthy).toBe(false);
    attempt.connected('peer', () => undefined);
    await clock.advance(29_999);
    expect(attempt.isHealthy).toBe(false);
    await clock.advance(1);
    expect(attempt.isHealthy).toBe(true);
    latest().end(gone);
    await clock.advance(1000);
    const next = latest().attempt;
    next.connected('peer', () => undefined);
    metrics.counter('MessagesReceived').value += 1;
    await clock.advance(1000);
    expect(next.isHealthy).toBe(false);
    await clock.advance(1);
    expect(next.isHealthy).toBe(true);
    expect(next.received).toBe(1);
  });

  it.each<[string, Partial<ReconnectPolicy>, string, object]>([
    ['reconnecting is disabled', { enabled: false }, 'reconnect_skipped', { reason: 'disabled' }],
    [
      'the attempts are exhausted',
      { maxAttempts: 0 },
      'reconnect_failed',
      { reason: 'max_attempts_reached', max_attempts: 0 },
    ],
  ])('logs why it gives up when %s', async (_, policy, event, fields) => {
    const { clock, logger, calls, connection, latest } = setup(policy);
    connection.start();
    latest().end(gone);
    await clock.advance(0);
    expect(logger.withEvent(event)[0]?.fields).toMatchObject(fields);
    expect(calls.at(-1)).toMatch(/^over: reconnect_/);
    expect(logger.withEvent('task_metrics')).toHaveLength(1);
  });

  it('gives up with the code of a permanent failure', async () => {
    const { clock, logger, connection, latest } = setup();
    connection.start();
    latest().end(new ConnectorError('config_invalid', 'no such method'));
    await clock.advance(0);
    expect(logger.withEvent('reconnect_failed')[0]?.fields).toMatchObject({
      reason: 'config_invalid',
      error_message: 'no such method',
    });
  });

  it('ends the connection and freezes its gauges when it is stopped, and makes no other', async () => {
    const { metrics, calls, dialled, connection, latest } = setup();
    connection.start();
    latest().attempt.connected('peer', () => undefined);
    expect(metrics.read('IsConnected')).toBe(1);
    await connection.stop();
    await connection.stop();
    expect(metrics.read('IsConnected')).toBe(0);
    expect(calls).toEqual(['over: no failure']);
    expect(dialled).toHaveLength(1);
  });

  it('ends without a failure when the peer has nothing more', async () => {
    const { clock, calls, dialled, connection, latest } = setup();
    connection.start();
    latest().attempt.complete();
    latest().end(gone);
    await clock.advance(10_000);
    expect(calls).toEqual(['over: no failure']);
    expect(dialled).toHaveLength(1);
  });

  it('cuts the connection when the signal of the task aborts, also when that was before the start', async () => {
    const running = setup();
    running.connection.start();
    running.hard.abort();
    await running.clock.advance(0);
    expect(running.calls).toEqual(['terminate', 'over: no failure']);
    const late = setup();
    late.hard.abort();
    late.connection.start();
    await late.clock.advance(0);
    expect(late.calls).toEqual(['terminate', 'over: no failure']);
  });
});
