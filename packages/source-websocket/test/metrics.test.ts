import { createManualClock, waitFor } from '@levada/connect-runtime-core/testing';
import { afterEach, describe, expect, it } from 'vitest';
import { type RunningTask, startTask } from './running-task.ts';
import { type SocketServer, startSocketServer } from './socket-server.ts';

let server: SocketServer | undefined;
let running: RunningTask | undefined;
afterEach(async () => {
  await running?.task.stop();
  await server?.close();
});

describe('metrics', () => {
  it('have every attribute of the documentation from the start', async () => {
    const clock = createManualClock();
    server = await startSocketServer();
    running = await startTask({ 'websocket.url': server.url }, { clock });
    expect(running.metrics.snapshot()).toMatchObject({
      MessagesReceived: 0,
      MessagesDropped: 0,
      RecordsProduced: 0,
      QueueSize: 0,
      QueueCapacity: 10000,
      QueueUtilizationPercent: 0,
      LagCount: 0,
      DropRate: 0,
      IsConnected: false,
      MillisSinceLastMessage: -1,
      UptimeMillis: 0,
      TotalReconnects: 0,
    });
  });

  it('follow the connection and the messages', async () => {
    const clock = createManualClock();
    server = await startSocketServer(({ socket }) => socket.send('m'));
    running = await startTask({ 'websocket.url': server.url }, { clock });
    const { metrics, task } = running;
    await waitFor(() => metrics.read('MessagesReceived') === 1);
    await clock.advance(1500);
    expect(metrics.snapshot()).toMatchObject({
      IsConnected: true,
      MillisSinceLastMessage: 1500,
      UptimeMillis: 1500,
      QueueSize: 1,
      QueueBytes: 1,
      LagCount: 1,
    });
    expect(task.connection()).toEqual({ state: 'connected', lastMessageAgeMs: 1500 });
    await running.take(1);
    expect(metrics.read('QueueSize')).toBe(0);
    await task.stop();
    expect(metrics.snapshot()).toMatchObject({ IsConnected: false, UptimeMillis: 0, MessagesReceived: 1 });
    expect(task.connection()).toEqual({ state: 'closed', lastMessageAgeMs: 1500 });
  });

  it('make the health line say what is wrong', async () => {
    const clock = createManualClock();
    server = await startSocketServer(({ socket }) => {
      for (let i = 0; i < 20; i += 1) socket.send('m');
    });
    const quiet = {
      'websocket.ping.interval.ms': '0',
      'websocket.message.queue.size': '10',
      'websocket.queue.full.grace.ms': '0',
    };
    running = await startTask({ 'websocket.url': server.url, ...quiet }, { clock });
    const { metrics, logger } = running;
    await waitFor(() => metrics.read('MessagesReceived') === 20);
    await clock.advance(60_000);
    await running.take(10);
    await clock.advance(60_000);
    await server.close();
    await running.logged('reconnect_scheduled');
    await clock.advance(30_000);
    expect(logger.withEvent('task_metrics').map((line) => line.fields['status'])).toEqual([
      'DROPPING_MESSAGES',
      'HIGH_QUEUE_UTILIZATION',
      'NO_RECENT_MESSAGES',
      'NO_RECENT_MESSAGES',
      'DISCONNECTED',
    ]);
  });
});
