import { createManualClock, waitFor } from '@levada/connect-runtime-core/testing';
import { eventBytes } from '@levada/test-peers/grpc';
import { describe, expect, it } from 'vitest';
import { grpcSourceConnector } from '../src/connector.ts';
import { feed, fieldsOf } from './feed.ts';
import { testConfig } from './running-task.ts';

const message = eventBytes({ payload: 'm' });

describe('metrics', () => {
  it('have every attribute of the product definition from the start', async () => {
    const running = await feed(() => undefined, { clock: createManualClock() });
    expect(running.metrics.snapshot()).toMatchObject({
      MessagesReceived: 0,
      MessagesDropped: 0,
      RecordsProduced: 0,
      QueueSize: 0,
      QueueCapacity: 10_000,
      QueueUtilizationPercent: 0,
      IsConnected: false,
      MillisSinceLastMessage: -1,
      UptimeMillis: 0,
      TotalReconnects: 0,
      LagCount: 0,
      DropRate: 0,
      SequenceGaps: 0,
      DeadLetters: 0,
      PermanentErrors: 0,
      UnaccountedCount: 0,
    });
  });

  it('follow the connection and the messages', async () => {
    const clock = createManualClock();
    const running = await feed((call) => call.send(message, message), { clock });
    const { metrics, task } = running;
    await waitFor(() => metrics.read('MessagesReceived') === 2);
    await clock.advance(1500);
    expect(metrics.snapshot()).toMatchObject({
      IsConnected: true,
      MillisSinceLastMessage: 1500,
      UptimeMillis: 1500,
      QueueSize: 2,
      QueueBytes: 2 * message.length,
      QueueUtilizationPercent: 0.02,
      LagCount: 2,
      UnaccountedCount: 0,
    });
    expect(task.connection()).toEqual({ state: 'connected', lastMessageAgeMs: 1500 });
    await running.take(2);
    expect(metrics.snapshot()).toMatchObject({ QueueSize: 0, QueueBytes: 0, QueueUtilizationPercent: 0 });
    running.server.kill();
    await running.logged('reconnect_scheduled');
    expect(metrics.snapshot()).toMatchObject({ IsConnected: false, UptimeMillis: 0, TotalReconnects: 0 });
    await running.server.listen();
    await clock.advance(2);
    await running.logged('streaming_started', 2);
    await clock.advance(500);
    expect(metrics.snapshot()).toMatchObject({ IsConnected: true, UptimeMillis: 500, TotalReconnects: 1 });
    await task.stop();
    expect(metrics.snapshot()).toMatchObject({ IsConnected: false, UptimeMillis: 0, TotalReconnects: 1 });
    expect(task.connection().state).toBe('closed');
  });

  it('accounts for every message, whatever its outcome', async () => {
    const broken = Buffer.from([0x0a, 0x7f]);
    const long = eventBytes({ payload: 'x'.repeat(1000) });
    const running = await feed(
      (call) => call.send(message, broken, long, message, message, message, message),
      {
        raw: {
          'grpc.message.queue.size': '4',
          'grpc.max.inbound.message.size': '500',
          'grpc.queue.full.grace.ms': '0',
        },
      },
    );
    const { metrics } = running;
    await waitFor(() => metrics.read('MessagesReceived') === 7);
    expect(metrics.read('UnaccountedCount')).toBe(0);
    const records = await running.take(3);
    // Handed over and not yet counted by the runtime.
    expect(metrics.read('UnaccountedCount')).toBe(records.length);
    expect(metrics.snapshot()).toMatchObject({
      DroppedMessageTooLarge: 1,
      DroppedQueueFull: 2,
      DroppedConversionError: 1,
      MessagesDropped: 4,
      QueueSize: 0,
    });
    expect(metrics.read('DropRate')).toBeCloseTo((4 / 7) * 100);
  });

  it('logs the health status in task_metrics every 30 seconds', async () => {
    const clock = createManualClock();
    const running = await feed((call, index) => index === 0 && call.send(...Array(20).fill(message)), {
      clock,
      raw: {
        'grpc.message.queue.size': '10',
        'grpc.queue.full.grace.ms': '0',
        'grpc.keepalive.time.ms': '0',
      },
    });
    await waitFor(() => running.metrics.read('MessagesReceived') === 20);
    await clock.advance(60_000);
    await running.take(10);
    await clock.advance(30_000);
    running.server.kill();
    await running.logged('reconnect_scheduled');
    await clock.advance(30_000);
    const [session] = fieldsOf(running, 'session_initialized');
    expect(fieldsOf(running, 'task_metrics')).toMatchObject([
      { status: 'DROPPING_MESSAGES', session_id: session?.['session_id'] },
      { status: 'HIGH_QUEUE_UTILIZATION' },
      { status: 'NO_RECENT_MESSAGES' },
      { status: 'DISCONNECTED', session_id: session?.['session_id'] },
    ]);
  });

  it('belong to an object named by connector and server', () => {
    const name = (raw: Record<string, string>) =>
      grpcSourceConnector.objectName?.('prices', testConfig(9090, raw));
    expect(name({})).toEqual({
      domain: 'io.vendor.connect.grpc',
      type: 'GrpcConnector',
      keys: { name: 'prices', server: '127.0.0.1:9090' },
    });
    const long = 'a-very-long-name-of-a-host.somewhere-far-away.example.org';
    expect(name({ 'grpc.server.host': `${long}*,=` })?.keys['server']).toBe(long.slice(0, 50));
    expect(name({ 'grpc.server.host': '[::1]' })?.keys['server']).toBe('_::1_:9090');
  });
});
