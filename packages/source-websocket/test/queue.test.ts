import { waitFor } from '@levada/connect-runtime-core/testing';
import { afterEach, describe, expect, it } from 'vitest';
import { type RunningTask, startTask, texts } from './running-task.ts';
import {
  type Accepted,
  type SocketServer,
  startRawServer,
  startSocketServer,
  upgradeAnswer,
} from './socket-server.ts';
import { frame, opcode } from './wire-frames.ts';

let server: SocketServer | undefined;
let running: RunningTask | undefined;
afterEach(async () => {
  await running?.task.stop();
  await server?.close();
});

async function feed(send: (accepted: Accepted) => void, raw: Record<string, string>): Promise<RunningTask> {
  server = await startSocketServer(send);
  running = await startTask({ 'websocket.url': server.url, ...raw });
  return running;
}

/** Received = Produced + Dropped + Queued + InFlight, with nothing produced here: taken stands for in flight. */
function unaccounted({ metrics }: RunningTask, taken: number): number {
  return metrics.read('UnaccountedCount') - taken;
}

/** A full queue drops at once. */
const atOnce = { 'websocket.queue.full.grace.ms': '0' };

describe('a full queue', () => {
  it('drops the newest, counts it, says so once a second and loses nothing else', async () => {
    const sent = Array.from({ length: 50 }, (_, i) => `m${i}`);
    const task = await feed(
      ({ socket }) => {
        for (const text of sent) socket.send(text);
      },
      { ...atOnce, 'websocket.message.queue.size': '10' },
    );
    const { metrics, logger, events, take } = task;
    await waitFor(() => metrics.read('MessagesReceived') === 50);
    expect(metrics.read('DroppedQueueFull')).toBe(40);
    expect(metrics.read('QueueUtilizationPercent')).toBe(100);
    expect(metrics.read('DropRate')).toBe(80);
    expect(unaccounted(task, 0)).toBe(0);
    expect(texts(await take(10))).toEqual(sent.slice(0, 10));
    expect(unaccounted(task, 10)).toBe(0);
    expect(logger.withEvent('message_dropped')[0]).toMatchObject({
      level: 'warn',
      fields: { reason: 'queue_full', queue_capacity: 10 },
    });
    const dropped = events.flatMap((event) => (event.type === 'dropped' ? [event.count] : []));
    expect(dropped.reduce((sum, count) => sum + count, 0)).toBe(40);
    expect(logger.withEvent('queue_high_utilization')).toHaveLength(1);
  });

  it('drops by bytes as well', async () => {
    const task = await feed(
      ({ socket }) => {
        for (let i = 0; i < 5; i += 1) socket.send('x'.repeat(400));
      },
      { ...atOnce, 'websocket.message.queue.bytes': '1000', 'websocket.max.message.size': '1000' },
    );
    const { metrics } = task;
    await waitFor(() => metrics.read('MessagesReceived') === 5);
    expect(metrics.read('DroppedQueueBytes')).toBe(3);
    expect(metrics.read('QueueBytes')).toBe(800);
    expect(unaccounted(task, 0)).toBe(0);
  });

  it('hands out at most 4 MiB in one batch', async () => {
    const { task, metrics } = await feed(
      ({ socket }) => {
        for (let i = 0; i < 6; i += 1) socket.send('x'.repeat(1024 * 1024));
      },
      { 'websocket.max.message.size': String(1024 * 1024) },
    );
    await waitFor(() => metrics.read('MessagesReceived') === 6);
    expect((await task.poll()).length).toBe(4);
    expect((await task.poll()).length).toBe(2);
  });

  it('works with a queue of one message', async () => {
    const { take, metrics } = await feed(({ socket }) => socket.send('a'), {
      ...atOnce,
      'websocket.message.queue.size': '1',
    });
    expect(texts(await take(1))).toEqual(['a']);
    server?.accepted[0]?.socket.send('b');
    expect(texts(await take(1))).toEqual(['b']);
    expect(metrics.read('MessagesDropped')).toBe(0);
  });

  it('holds the server up under the policy block, and drops nothing', async () => {
    const count = 60_000;
    const text = 'x'.repeat(100);
    const { take, metrics } = await feed(
      ({ socket }) => {
        for (let i = 0; i < count; i += 1) socket.send(`${i} ${text}`);
      },
      { 'websocket.message.queue.size': '100', 'websocket.queue.full.policy': 'block' },
    );
    await waitFor(() => metrics.read('QueueSize') >= 100);
    // Whatever the socket had read is there; what the server sent is far more.
    expect(metrics.read('QueueSize')).toBeLessThan(5000);
    const records = await take(count);
    expect(records).toHaveLength(count);
    expect(texts(records.slice(-1))).toEqual([`${count - 1} ${text}`]);
    expect(metrics.read('MessagesDropped')).toBe(0);
    expect(metrics.read('QueueCapacity')).toBe(100);
  });

  it('stops under the policy block while the server is held up', async () => {
    const { task, metrics } = await feed(
      ({ socket }) => {
        for (let i = 0; i < 50_000; i += 1) socket.send('x'.repeat(100));
      },
      { 'websocket.message.queue.size': '10', 'websocket.queue.full.policy': 'block' },
    );
    await waitFor(() => metrics.read('QueueSize') >= 10);
    await task.stop();
    expect(task.connection().state).toBe('closed');
  });

  it('drops nothing under the policy block when the server floods a connection that is being closed', async () => {
    const raw = await startRawServer((socket, head) => {
      socket.write(upgradeAnswer(head));
      // The close frame of the client.
      socket.once('data', () => socket.write(Buffer.alloc(300_000, frame(opcode.text, 'x'))));
    });
    const policy = { 'websocket.message.queue.size': '10', 'websocket.queue.full.policy': 'block' };
    // A connection is cut when it is closing for a second: again if this process stood still for so long.
    await waitFor(
      async () => {
        running = await startTask({ 'websocket.url': raw.url, ...policy });
        await running.logged('websocket_opened');
        await running.task.stop();
        expect(running.metrics.read('MessagesDropped')).toBe(0);
        return running.metrics.read('MessagesReceived') > 10;
      },
      { timeoutMs: 20_000, what: 'messages while the connection was being closed' },
    );
    await raw.close();
  });
});
