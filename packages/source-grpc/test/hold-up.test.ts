import { createManualClock, waitFor } from '@levada/connect-runtime-core/testing';
import { eventBytes, eventJson } from '@levada/test-peers/grpc';
import { frameTypes, resetFrame } from '@levada/test-peers/http2';
import { describe, expect, it } from 'vitest';
import { grpcSourceConnector } from '../src/connector.ts';
import { fieldsOf, runTask } from './feed.ts';
import { answerWith, rawServer, roundTrip, sendFrames } from './raw-feed.ts';
import type { RawPeer } from './raw-http2-server.ts';
import { drain, type RunningTask, testConfig, texts } from './running-task.ts';

const payloads = (from: number, count: number): string[] =>
  Array.from({ length: count }, (_, i) => `m${from + i}`);
const bytesOf = (names: readonly string[]): Uint8Array[] => names.map((payload) => eventBytes({ payload }));
const jsons = (names: readonly string[]): string[] => names.map((payload) => eventJson({ payload }));

/** Nothing but what is tested runs by the clock. */
const quiet = { 'grpc.keepalive.time.ms': '0' };
const small = { ...quiet, 'grpc.message.queue.size': '10' };

/** A task on a server that answers each call with so many messages at once, held up by a clock that stands still. */
async function flooded(count: number, raw: Record<string, string> = quiet) {
  const clock = createManualClock();
  const messages = bytesOf(payloads(0, count));
  const calls: { readonly peer: RawPeer; readonly streamId: number }[] = [];
  const server = await rawServer({
    onCall: (peer, streamId) => {
      calls.push({ peer, streamId });
      answerWith(peer, streamId, messages);
    },
  });
  const running = await runTask(server.port, { raw, clock });
  await waitFor(() => running.metrics.read('QueueSize') >= running.metrics.read('QueueCapacity'));
  const send = (names: readonly string[]): void => {
    const call = calls.at(-1);
    if (call !== undefined) sendFrames(call.peer, call.streamId, bytesOf(names));
  };
  return { running, clock, server, send, calls };
}

const received = ({ metrics }: RunningTask, count: number): Promise<unknown> =>
  waitFor(() => metrics.read('MessagesReceived') === count, {
    what: () => `${metrics.read('MessagesReceived')} of ${count} messages`,
  });

describe('a flood with the default configuration', () => {
  it('loses nothing while the log acknowledges something within each half minute', async () => {
    const count = 25_000;
    const { running, clock } = await flooded(count);
    const { task, metrics, take } = running;
    expect(metrics.snapshot()).toMatchObject({ QueueSize: 10_000, IsHeldUp: true });
    const records = await take(1);
    for (let times = 0; times < 5; times += 1) {
      await clock.advance(29_000);
      task.committed(records.slice(-1));
    }
    for (let polls = 0; records.length < count; polls += 1) {
      if (polls < 5) await clock.advance(29_000);
      records.push(...(await take(1)));
    }
    expect(texts(records)).toEqual(jsons(payloads(0, count)));
    expect(metrics.snapshot()).toMatchObject({ MessagesDropped: 0, SequenceGaps: 0, IsHeldUp: false });
    expect(metrics.read('HeldUpMillis')).toBeGreaterThanOrEqual(145_000);
    expect(running.logger.withEvent('queue_grace_over')).toHaveLength(0);
  });
});

describe('a log that acknowledges nothing', () => {
  it('has messages dropped after the grace, which is logged once, until it takes something again', async () => {
    const { running, clock, send } = await flooded(5000, small);
    const { metrics, take } = running;
    await clock.advance(29_999);
    expect(metrics.snapshot()).toMatchObject({ MessagesReceived: 10, QueueSize: 10, IsHeldUp: true });
    expect(running.task.connection()).toMatchObject({ state: 'connected', heldUpMs: 29_999 });
    await clock.advance(1);
    await received(running, 5000);
    await running.logged('queue_full');
    await clock.advance(60_000);
    expect(metrics.snapshot()).toMatchObject({
      DroppedQueueFull: 4990,
      QueueSize: 10,
      UnaccountedCount: 0,
      IsHeldUp: false,
      HeldUpMillis: 30_000,
    });
    expect(fieldsOf(running, 'queue_grace_over')).toEqual([
      { event: 'queue_grace_over', grace_ms: 30_000, queue_size: 10, queue_capacity: 10 },
    ]);

    // What comes after that is lost no more, and the server is held up again when the queue is full.
    expect(texts(await take(10))).toEqual(jsons(payloads(0, 10)));
    send(payloads(5000, 1000));
    await waitFor(() => metrics.read('IsHeldUp') === 1);
    expect(metrics.read('QueueSize')).toBe(10);
    expect(texts(await take(1000))).toEqual(jsons(payloads(5000, 1000)));
    expect(metrics.read('MessagesDropped')).toBe(4990);
    expect(fieldsOf(running, 'queue_grace_over')).toHaveLength(1);
    expect(fieldsOf(running, 'sequence_gap')).toMatchObject([{ expected: 11, received: 5001 }]);
  });

  it('has nothing dropped when the grace becomes longer meanwhile', async () => {
    const { running, clock, server } = await flooded(100, small);
    await clock.advance(29_000);
    const longer = { ...small, 'grpc.queue.full.grace.ms': '60000' };
    await running.task.reconfigure(grpcSourceConnector.config.parse(testConfig(server.port, longer)));
    await clock.advance(50_000);
    expect(running.metrics.snapshot()).toMatchObject({ MessagesReceived: 10, IsHeldUp: true });
    expect(texts(await running.take(100))).toEqual(jsons(payloads(0, 100)));
  });
});

describe('a server that is held up', () => {
  it('is pinged all the same, and its answers count', async () => {
    const keepalive = { 'grpc.keepalive.time.ms': '500', 'grpc.keepalive.timeout.ms': '400' };
    const block = { 'grpc.queue.full.policy': 'block', 'grpc.message.queue.size': '10' };
    const { running, clock, server } = await flooded(100, { ...keepalive, ...block });
    const peer = await server.peer(0);
    const pings = (): number =>
      peer.frames.filter(({ type, flags }) => type === frameTypes.ping && flags === 0).length;
    for (let sent = 1; sent <= 4; sent += 1) {
      // What was written before has been read, the answer to the last ping included. It counts as heard at the next look.
      await roundTrip(peer);
      await clock.advance(550);
      await waitFor(() => pings() === sent);
    }
    await roundTrip(peer);
    expect(running.logger.withEvent('connection_closed')).toHaveLength(0);
    expect(texts(await running.take(100))).toEqual(jsons(payloads(0, 100)));
  });

  it.each([
    [
      'closed the connection',
      (peer: RawPeer) => peer.socket.end(),
      'UNAVAILABLE',
      /closed by the server|lost/,
    ],
    ['broke the connection', (peer: RawPeer) => peer.socket.resetAndDestroy(), 'UNAVAILABLE', /lost|closed/],
    [
      'reset the stream',
      (peer: RawPeer, id: number) => peer.write(resetFrame(id, 11)),
      'RESOURCE_EXHAUSTED',
      /ENHANCE_YOUR_CALM|RESOURCE_EXHAUSTED/,
    ],
  ])('is shown at once when it %s, and what it had sent is still read', async (_, leave, code, message) => {
    const { running, clock, calls } = await flooded(100, small);
    const { logger, logged, task, metrics, take } = running;
    const [call] = calls;
    if (call === undefined) throw new Error('no call');
    await roundTrip(call.peer);
    await clock.advance(12_000);
    leave(call.peer, call.streamId);
    await logged('held_up_connection_ended');
    expect(fieldsOf(running, 'held_up_connection_ended')).toEqual([
      {
        event: 'held_up_connection_ended',
        held_up_ms: 12_000,
        error_message: expect.stringMatching(message),
      },
    ]);
    expect(task.connection().lastError).toMatch(message);
    expect(metrics.snapshot()).toMatchObject({ MessagesReceived: 10, IsHeldUp: true });

    expect(texts(await take(100))).toEqual(jsons(payloads(0, 100)));
    await logged('connection_closed');
    expect(fieldsOf(running, 'connection_closed')[0]).toMatchObject({ status_code: code });
    expect(logger.withEvent('held_up_connection_ended')).toHaveLength(1);
    expect(metrics.read('MessagesDropped')).toBe(0);
  });

  it('lets a task stop, which hands out what is queued', async () => {
    const { running, clock, server } = await flooded(5000, small);
    await running.task.stop();
    expect(running.task.connection().state).toBe('closed');
    expect(texts(await drain(running.task))).toEqual(jsons(payloads(0, 10)));
    expect(running.metrics.snapshot()).toMatchObject({ MessagesDropped: 0, IsHeldUp: false });
    expect(clock.pending).toBe(0);
    await waitFor(() => server.peers[0]?.socket.destroyed);
  });
});
