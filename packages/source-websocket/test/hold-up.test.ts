import { createManualClock, type ManualClock, waitFor } from '@levada/connect-runtime-core/testing';
import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import { webSocketSourceConnector } from '../src/connector.ts';
import { drain, type RunningTask, startTask, texts } from './running-task.ts';
import {
  type Accepted,
  type SocketServer,
  startRawServer,
  startSocketServer,
  upgradeAnswer,
} from './socket-server.ts';
import { frame, opcode } from './wire-frames.ts';

/** Nothing but what is tested runs by the clock. */
const quiet = { 'websocket.ping.interval.ms': '0' };
const small = { ...quiet, 'websocket.message.queue.size': '10' };
const block = { ...small, 'websocket.queue.full.policy': 'block' };

const filler = ' '.repeat(200);
const messages = (from: number, count: number): string[] =>
  Array.from({ length: count }, (_, i) => `${from + i}${filler}`);

let server: SocketServer | undefined;
let running: RunningTask | undefined;
afterEach(async () => {
  running?.abort();
  await running?.task.stop();
  await server?.close();
});

function send({ socket }: Accepted, texts: readonly string[]): void {
  for (const text of texts) socket.send(text);
}

interface Flooded {
  readonly clock: ManualClock;
  readonly server: SocketServer;
  readonly running: RunningTask;
}

/** A task on a server that floods each connection, held up by a clock that stands still. */
async function flooded(count: number, raw: Record<string, string> = quiet): Promise<Flooded> {
  const clock = createManualClock();
  server = await startSocketServer((accepted) => send(accepted, messages(0, count)));
  running = await startTask({ 'websocket.url': server.url, ...raw }, { clock });
  const { metrics } = running;
  await waitFor(() => metrics.read('IsHeldUp') === 1);
  return { clock, server, running };
}

const received = ({ metrics }: RunningTask, count: number): Promise<unknown> =>
  waitFor(() => metrics.read('MessagesReceived') === count, {
    what: () => `${metrics.read('MessagesReceived')} of ${count} messages`,
  });

describe('a flood with the default configuration', () => {
  it('loses nothing while the log acknowledges something within each half minute', async () => {
    const count = 25_000;
    const { running, clock } = await flooded(count);
    const { task, metrics, take, logger } = running;
    expect(metrics.read('QueueSize')).toBeGreaterThanOrEqual(10_000);
    // One chunk beyond what was configured, and no more.
    expect(metrics.read('QueueSize')).toBeLessThan(11_000);
    const records = await take(1);
    for (let times = 0; times < 5; times += 1) {
      await clock.advance(29_000);
      task.committed();
    }
    for (let polls = 0; records.length < count; polls += 1) {
      if (polls < 5) await clock.advance(29_000);
      records.push(...(await take(1)));
    }
    expect(texts(records)).toEqual(messages(0, count));
    expect(metrics.snapshot()).toMatchObject({ MessagesDropped: 0, IsHeldUp: false });
    expect(metrics.read('HeldUpMillis')).toBeGreaterThanOrEqual(145_000);
    expect(logger.withEvent('queue_grace_over')).toHaveLength(0);
  });
});

describe('a log that acknowledges nothing', () => {
  it('has messages dropped after the grace, which is logged once, until it takes something again', async () => {
    const { running, clock, server } = await flooded(20_000, small);
    const { metrics, logger, take } = running;
    const queued = metrics.read('QueueSize');
    await clock.advance(29_999);
    expect(metrics.snapshot()).toMatchObject({ MessagesReceived: queued, IsHeldUp: true });
    expect(running.task.connection()).toMatchObject({ state: 'connected', heldUpMs: 29_999 });
    await clock.advance(1);
    await received(running, 20_000);
    await running.logged('message_dropped');
    await clock.advance(60_000);
    expect(metrics.snapshot()).toMatchObject({
      DroppedQueueFull: 20_000 - queued,
      QueueSize: queued,
      UnaccountedCount: 0,
      IsHeldUp: false,
      HeldUpMillis: 30_000,
    });
    expect(logger.withEvent('queue_grace_over').map(({ fields }) => fields)).toEqual([
      { event: 'queue_grace_over', grace_ms: 30_000, queue_size: queued, queue_capacity: 10 },
    ]);

    // What comes after that is lost no more, and the server is held up again when the queue is full.
    expect(texts(await take(queued))).toEqual(messages(0, queued));
    send(await server.connection(0), messages(20_000, 5000));
    await waitFor(() => metrics.read('IsHeldUp') === 1);
    expect(texts(await take(5000))).toEqual(messages(20_000, 5000));
    expect(metrics.read('MessagesDropped')).toBe(20_000 - queued);
    expect(logger.withEvent('queue_grace_over')).toHaveLength(1);
  });

  it('has nothing dropped when the grace becomes longer meanwhile', async () => {
    const { running, clock, server } = await flooded(2000, small);
    await clock.advance(29_000);
    const longer = { ...small, 'websocket.queue.full.grace.ms': '60000' };
    const raw = { 'websocket.url': server.url, 'platform.topic': 'prices', ...longer };
    await running.task.reconfigure(webSocketSourceConnector.config.parse(raw));
    await clock.advance(50_000);
    expect(running.metrics.read('IsHeldUp')).toBe(1);
    expect(texts(await running.take(2000))).toEqual(messages(0, 2000));
    expect(running.metrics.read('MessagesDropped')).toBe(0);
  });
});

describe('a server that is held up', () => {
  it('is not given up because its answers cannot be read', async () => {
    const clock = createManualClock();
    const heartbeat = {
      'websocket.heartbeat.message': 'beat',
      'websocket.heartbeat.interval.ms': '1000',
      'websocket.heartbeat.reply.match': '=alive',
      'websocket.heartbeat.timeout.ms': '700',
      'websocket.ping.interval.ms': '1000',
      'websocket.ping.timeout.ms': '700',
      'websocket.idle.timeout.ms': '5000',
    };
    server = await startSocketServer((accepted) => {
      accepted.socket.on('message', () => accepted.socket.send('alive'));
      send(accepted, messages(0, 2000));
    });
    running = await startTask({ 'websocket.url': server.url, ...block, ...heartbeat }, { clock });
    const { metrics, logger, take } = running;
    await waitFor(() => metrics.read('IsHeldUp') === 1);
    await clock.advance(100_000);
    const { received } = await server.connection(0);
    await waitFor(() => received.length >= 100);
    expect(texts(await take(2000))).toEqual(messages(0, 2000));
    await waitFor(() => metrics.read('ControlMessages') >= 100);
    expect(logger.withEvent('heartbeat_missed')).toHaveLength(0);
    expect(server.accepted).toHaveLength(1);
  });

  it('is not read on a new connection either, and its acknowledgement counts when it is', async () => {
    const clock = createManualClock();
    const subscription = {
      'websocket.subscription.message': 'subscribe',
      'websocket.subscription.ack.match': 'subscribed',
      'websocket.subscription.ack.timeout.ms': '3000',
      'websocket.reconnect.interval.ms': '5000',
    };
    const sent = ['subscribed', ...messages(0, 1000)];
    const raw = await startRawServer((socket, head, index) => {
      const texts = index === 0 ? sent.slice(0, 10) : sent;
      const frames = texts.map((text) => frame(opcode.text, text));
      // In one write, so that the end arrives with the message that fills the queue.
      const end = index === 0 ? [frame(opcode.close, '')] : [];
      socket.write(Buffer.concat([upgradeAnswer(head), ...frames, ...end]));
    });
    onTestFinished(() => raw.close());
    running = await startTask({ 'websocket.url': raw.url, ...block, ...subscription }, { clock });
    const { metrics, logger, take, logged } = running;
    await logged('websocket_closed');
    await waitFor(async () => {
      await clock.advance(100);
      return logger.withEvent('subscription_sent').length === 2;
    });
    // Not for the seconds between the connections.
    expect(metrics.read('HeldUpMillis')).toBeLessThan(1000);
    await clock.advance(60_000);
    expect(metrics.read('HeldUpMillis')).toBeGreaterThanOrEqual(60_000);
    expect(metrics.read('MessagesReceived')).toBe(10);
    expect(texts(await take(1011))).toEqual([...sent.slice(0, 10), ...sent]);
    await clock.advance(60_000);
    expect(logger.withEvent('subscription_rejected')).toHaveLength(0);
  });

  it('is left for another connection when its session expires, though its answer is not read', async () => {
    const renewal = { 'websocket.renewal.interval.ms': '5000' };
    const { running, clock, server } = await flooded(5000, { ...block, ...renewal });
    await clock.advance(5000);
    expect(running.logger.withEvent('session_expiring')).toHaveLength(1);
    await waitFor(async () => {
      await clock.advance(1);
      return server.accepted.length === 2;
    });
    expect(running.metrics.read('MessagesDropped')).toBe(0);
  });

  it('is shown with the time of the hold when it closed the connection meanwhile', async () => {
    const { running, clock, server } = await flooded(2000, small);
    const { metrics, logged, logger, take } = running;
    await clock.advance(12_000);
    (await server.connection(0)).socket.close(1008, 'slow consumer');
    expect(texts(await take(2000))).toEqual(messages(0, 2000));
    await logged('held_up_connection_ended');
    const [ended] = logger.withEvent('held_up_connection_ended');
    expect(ended?.fields).toMatchObject({ error_message: expect.stringContaining('slow consumer') });
    expect(ended?.fields['held_up_ms']).toBeGreaterThanOrEqual(12_000);
    expect(running.task.connection().lastError).toContain('slow consumer');
    expect(metrics.read('MessagesDropped')).toBe(0);
  });

  it('is shown during the hold when its connection breaks', async () => {
    const { running, clock, server } = await flooded(2000, {
      ...small,
      'websocket.ping.interval.ms': '5000',
    });
    (await server.connection(0)).socket.terminate();
    await waitFor(async () => {
      await clock.advance(5000);
      return running.logger.withEvent('held_up_connection_ended').length === 1;
    });
    expect(running.metrics.read('IsHeldUp')).toBe(0);
    expect(running.metrics.read('MessagesDropped')).toBe(0);
  });

  it('is not shown as held up when no hold lasted for a second', async () => {
    const { running, clock, server } = await flooded(2000, small);
    await clock.advance(900);
    expect(texts(await running.take(2000))).toEqual(messages(0, 2000));
    (await server.connection(0)).socket.close(1000);
    await running.logged('reconnect_scheduled');
    expect(running.logger.withEvent('held_up_connection_ended')).toHaveLength(0);
  });

  it('lets a task stop, which hands out what is queued', async () => {
    const { running, clock } = await flooded(5000, small);
    const { task, metrics } = running;
    await task.stop();
    expect(task.connection().state).toBe('closed');
    const records = await drain(task);
    expect(texts(records)).toEqual(messages(0, metrics.read('MessagesReceived')));
    expect(metrics.snapshot()).toMatchObject({ MessagesDropped: 0, IsHeldUp: false });
    expect(clock.pending).toBe(0);
  });
});
