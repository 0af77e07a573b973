import type { RawConfig, SourceRecord } from '@levada/connect-runtime-core';
import { createManualClock, waitFor } from '@levada/connect-runtime-core/testing';
import { eventBytes, eventJson, type ServerCall } from '@levada/test-peers/grpc';
import { dataFrame } from '@levada/test-peers/http2';
import { describe, expect, it } from 'vitest';
import { grpcSourceConnector } from '../src/connector.ts';
import { type Feed, feed, fieldsOf, runTask } from './feed.ts';
import { answerWith, rawServer, roundTrip } from './raw-feed.ts';
import { answerFrame } from './raw-http2-server.ts';
import { drain, testConfig, texts } from './running-task.ts';

const sent = (payload: string): Uint8Array => eventBytes({ payload });
const payloads = (count: number): string[] => Array.from({ length: count }, (_, i) => `m${i}`);
const jsons = (wanted: readonly string[]): string[] => wanted.map((payload) => eventJson({ payload }));

async function feedOf(messages: readonly Uint8Array[], raw: RawConfig = {}): Promise<Feed> {
  return feed((call) => call.send(...messages), { raw });
}

async function received(running: Feed, count: number): Promise<void> {
  await waitFor(() => running.metrics.read('MessagesReceived') === count, {
    what: () => `${running.metrics.read('MessagesReceived')} of ${count} messages`,
  });
}

const numbersOf = (records: readonly SourceRecord[]): unknown[] =>
  records.map(({ sourceOffset }) => sourceOffset?.['sequence']);

const reconfigured = (running: Feed, raw: RawConfig): Promise<void> =>
  running.task.reconfigure(grpcSourceConnector.config.parse(testConfig(running.server.port, raw)));

/** A full queue drops at once. */
const atOnce = { 'grpc.queue.full.grace.ms': '0' };

describe('a full queue that drops at once', () => {
  it('drops the newest, counts it, says so and loses nothing else', async () => {
    const names = payloads(50);
    const running = await feedOf(names.map(sent), { ...atOnce, 'grpc.message.queue.size': '10' });
    await received(running, 50);
    const { metrics } = running;
    expect(metrics.snapshot()).toMatchObject({
      MessagesDropped: 40,
      DroppedQueueFull: 40,
      QueueSize: 10,
      QueueUtilizationPercent: 100,
      DropRate: 80,
      UnaccountedCount: 0,
    });
    expect(texts(await running.take(10))).toEqual(jsons(names.slice(0, 10)));
    expect(metrics.read('QueueSize')).toBe(0);
    expect(running.logger.withEvent('queue_full')[0]).toMatchObject({
      level: 'warn',
      message: 'Queue full, dropping message',
      fields: { reason: 'queue_full', queue_size: 10, queue_capacity: 10 },
    });
    const dropped = running.events.flatMap((event) => (event.type === 'dropped' ? [event.count] : []));
    expect(dropped.reduce((sum, count) => sum + count, 0)).toBe(40);
  });

  it('logs a full queue at most once a second, with the number of suppressed lines', async () => {
    const clock = createManualClock();
    const raw = { ...atOnce, 'grpc.message.queue.size': '1' };
    const running = await feed(() => undefined, { raw, clock });
    const call = await running.server.call(0);
    const drop = async (count: number): Promise<void> => {
      call.send(sent('m'));
      await received(running, count);
      await new Promise((resolve) => setImmediate(resolve));
    };
    for (let i = 1; i <= 6; i += 1) await drop(i);
    expect(fieldsOf(running, 'queue_full')).toHaveLength(1);
    await clock.advance(1000);
    await drop(7);
    expect(fieldsOf(running, 'queue_full')).toEqual([
      expect.objectContaining({ count: 1, messages_dropped_total: 1 }),
      expect.objectContaining({ suppressed: 4, messages_dropped_total: 6 }),
    ]);
  });

  it('is one of too many bytes as well', async () => {
    const message = sent('x'.repeat(398)); // 401 bytes
    const raw = {
      ...atOnce,
      'grpc.message.queue.bytes': '1000',
      'grpc.max.inbound.message.size': '1000',
    };
    const running = await feedOf(Array(5).fill(message), raw);
    await received(running, 5);
    expect(running.metrics.snapshot()).toMatchObject({
      DroppedQueueBytes: 3,
      DroppedQueueFull: 0,
      QueueBytes: 2 * message.length,
      UnaccountedCount: 0,
    });
    expect(fieldsOf(running, 'queue_full')[0]).toMatchObject({ reason: 'queue_bytes' });
  });

  it('works with a queue of one message', async () => {
    const running = await feedOf([sent('a')], { ...atOnce, 'grpc.message.queue.size': '1' });
    expect(texts(await running.take(1))).toEqual(jsons(['a']));
    (await running.server.call(0)).send(sent('b'));
    expect(texts(await running.take(1))).toEqual(jsons(['b']));
    expect(running.metrics.read('MessagesDropped')).toBe(0);
  });
});

describe('a queue that holds the server up', () => {
  const block = { 'grpc.queue.full.policy': 'block', 'grpc.message.queue.size': '10' };

  it('loses nothing of 50,000 messages of a fast server with a slow consumer, and never holds more than it may', async () => {
    const names = payloads(50_000);
    const { port } = await rawServer({
      onCall: (peer, streamId) => answerWith(peer, streamId, names.map(sent)),
    });
    const { take, metrics } = await runTask(port, { raw: block });
    await waitFor(() => metrics.read('QueueSize') === 10);
    const records = await take(10);
    let most = 10;
    while (records.length < names.length) {
      most = Math.max(most, metrics.read('QueueSize'));
      records.push(...(await take(1)));
    }
    expect(most).toBe(10);
    expect(texts(records)).toEqual(jsons(names));
    expect(metrics.snapshot()).toMatchObject({
      MessagesReceived: names.length,
      MessagesDropped: 0,
      SequenceGaps: 0,
      QueueCapacity: 10,
    });
  });

  it('does so by bytes, too, and takes a message as large as all of them', async () => {
    const raw = {
      ...block,
      'grpc.message.queue.size': '10000',
      'grpc.message.queue.bytes': '5000',
      'grpc.max.inbound.message.size': '5000',
    };
    const names = Array.from({ length: 300 }, (_, i) => String(i % 10).repeat((i * 331) % 4900));
    const { port } = await rawServer({
      onCall: (peer, streamId) => answerWith(peer, streamId, names.map(sent)),
    });
    const { take, metrics } = await runTask(port, { raw });
    const records: SourceRecord[] = [];
    let most = 0;
    while (records.length < names.length) {
      records.push(...(await take(1)));
      most = Math.max(most, metrics.read('QueueBytes'));
    }
    expect(most).toBeGreaterThanOrEqual(5000);
    expect(most).toBeLessThan(10_000);
    expect(texts(records)).toEqual(jsons(names));
    expect(metrics.read('MessagesDropped')).toBe(0);
  });

  it('loses nothing when the server ends the stream meanwhile', async () => {
    const names = payloads(5000);
    const running = await feed(
      (call, index) => {
        if (index === 0) call.send(...names.map(sent));
        if (index === 0) call.end('UNAVAILABLE');
      },
      { raw: block },
    );
    expect(texts(await running.take(names.length))).toEqual(jsons(names));
    await running.logged('connection_closed');
    expect(fieldsOf(running, 'connection_closed')[0]).toMatchObject({ messages_received: 5000 });
  });

  it('is held up from the first message of a new connection when it is full already', async () => {
    const names = (connection: number): string[] =>
      payloads(connection === 0 ? 10 : 20_000).map((name) => `${connection}${name}`);
    const server = await rawServer({
      onCall: (peer, streamId) => answerWith(peer, streamId, names(server.peers.length - 1).map(sent)),
    });
    const running = await runTask(server.port, { raw: block });
    await waitFor(() => running.metrics.read('QueueSize') === 10);
    server.peers[0]?.socket.destroy();
    await running.logged('session_initialized', 2);
    // What the server sent on the second connection arrives without anybody taking it.
    const peer = await server.peer(1);
    await peer.frame('headers');
    await roundTrip(peer);
    expect(running.metrics.read('MessagesReceived')).toBe(10);
    expect(texts(await running.take(20_010))).toEqual(jsons([...names(0), ...names(1)]));
    expect(running.metrics.read('MessagesDropped')).toBe(0);
    expect(running.metrics.read('SequenceGaps')).toBe(0);
  });

  it('can be stopped meanwhile', async () => {
    const server = await rawServer({
      onCall: (peer, streamId) => answerWith(peer, streamId, payloads(50_000).map(sent)),
    });
    const running = await runTask(server.port, { raw: block });
    await waitFor(() => running.metrics.read('QueueSize') === 10);
    await running.task.stop();
    expect(running.task.connection().state).toBe('closed');
    expect(texts(await drain(running.task))).toEqual(jsons(payloads(10)));
    await waitFor(() => server.peers[0]?.socket.destroyed);
  });
});

describe('a message above the limit', () => {
  it('skips, counts and logs a message above the limit, and continues the stream in the same session', async () => {
    const limit = { 'grpc.max.inbound.message.size': '1000' };
    const exact = sent('x'.repeat(997));
    expect(exact.length).toBe(1000);
    const over = [sent('y'.repeat(998)), sent('z'.repeat(100_000))];
    const running = await feedOf([sent('a'), ...over, exact, sent('b')], limit);
    const records = await running.take(3);
    expect(texts(records)).toEqual(jsons(['a', 'x'.repeat(997), 'b']));
    expect(numbersOf(records)).toEqual([1, 4, 5]);
    expect(new Set(records.map(({ sourceOffset }) => sourceOffset?.['sessionId'])).size).toBe(1);
    expect(running.metrics.snapshot()).toMatchObject({
      MessagesReceived: 5,
      DroppedMessageTooLarge: 2,
      SequenceGaps: 2,
      TotalReconnects: 0,
    });
    expect(running.logger.withEvent('message_too_large')[0]).toMatchObject({
      level: 'warn',
      fields: { max_bytes: 1000, message_bytes: expect.any(Number) },
    });
    expect(fieldsOf(running, 'sequence_gap')[0]).toMatchObject({ expected: 2, received: 4, missing: 2 });
  });

  it('ends the stream when a message claims to have four gigabytes, logs the limit, and continues with the next stream', async () => {
    const server = await rawServer({
      onCall: (peer, streamId) => {
        if (server.peers.length > 1) answerWith(peer, streamId, [sent('b')]);
        else peer.write(answerFrame(streamId), dataFrame(streamId, Buffer.from([0, 0xff, 0xff, 0xff, 0xff])));
      },
    });
    const running = await runTask(server.port);
    expect(texts(await running.take(1))).toEqual(jsons(['b']));
    expect(fieldsOf(running, 'connection_closed')[0]).toMatchObject({
      status_code: 'RESOURCE_EXHAUSTED',
      error_code: 'message_too_large',
      error_message: expect.stringContaining('grpc.max.inbound.message.size is 4194304'),
    });
  });
});

describe('a change of configuration', () => {
  it('applies a new queue size on the next connection', async () => {
    const running = await feed(() => undefined, { raw: { ...atOnce, 'grpc.message.queue.size': '3' } });
    const flood = (call: ServerCall): void => call.send(...payloads(20).map(sent));
    await reconfigured(running, { ...atOnce, 'grpc.message.queue.size': '5' });
    flood(await running.server.call(0));
    await received(running, 20);
    expect(running.metrics.snapshot()).toMatchObject({ QueueSize: 3, QueueCapacity: 3 });
    await running.take(3);
    (await running.server.call(0)).end();
    flood(await running.server.call(1));
    await received(running, 40);
    expect(running.metrics.snapshot()).toMatchObject({ QueueSize: 5, QueueCapacity: 5, UnaccountedCount: 3 });
  });

  it('keeps queued messages when the queue becomes smaller', async () => {
    const running = await feed((call) => call.send(...payloads(5).map(sent)), {
      raw: { ...atOnce, 'grpc.message.queue.size': '5' },
    });
    await received(running, 5);
    await reconfigured(running, { ...atOnce, 'grpc.message.queue.size': '2' });
    (await running.server.call(0)).end();
    await received(running, 10);
    expect(texts(await running.take(5))).toEqual(jsons(payloads(5)));
    expect(running.metrics.read('QueueCapacity')).toBe(2);
  });

  it('applies a new topic at once, to messages received after the change', async () => {
    const running = await feedOf([sent('a'), sent('b')]);
    await received(running, 2);
    await reconfigured(running, { 'platform.topic': 'elsewhere' });
    (await running.server.call(0)).send(sent('c'));
    await received(running, 3);
    const records = await running.take(3);
    expect(records.map(({ topic }) => topic)).toEqual(['events', 'events', 'elsewhere']);
    expect(running.server.calls).toHaveLength(1);
  });
});
