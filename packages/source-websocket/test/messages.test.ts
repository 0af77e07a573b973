import { stringSchema } from '@levada/connect-runtime-core';
import { createManualClock, waitFor } from '@levada/connect-runtime-core/testing';
import { afterEach, describe, expect, it } from 'vitest';
import { webSocketConfig } from '../src/config/config.ts';
import { WebSocketTask } from '../src/task.ts';
import { drain, type RunningTask, startTask, texts } from './running-task.ts';
import {
  type Accepted,
  type SocketServer,
  startRawServer,
  startSocketServer,
  upgradeAnswer,
} from './socket-server.ts';

let server: SocketServer | undefined;
let running: RunningTask | undefined;
afterEach(async () => {
  await running?.task.stop();
  await server?.close();
});

async function feed(
  send: (accepted: Accepted) => void,
  raw: Record<string, string> = {},
): Promise<RunningTask> {
  server = await startSocketServer(send);
  running = await startTask({ 'websocket.url': server.url, ...raw });
  return running;
}

describe('messages', () => {
  it('become records without key, offset and partition, with the time of receipt', async () => {
    const before = Date.now();
    const { take } = await feed(({ socket }) => socket.send('{"price":1}'));
    const [record] = await take(1);
    expect(record).toMatchObject({
      topic: 'prices',
      key: null,
      keySchema: null,
      valueSchema: stringSchema,
      sourcePartition: null,
      sourceOffset: null,
      partition: null,
      headers: [],
    });
    expect(Buffer.from(record?.value as Uint8Array).toString()).toBe('{"price":1}');
    expect(record?.timestamp).toBeGreaterThanOrEqual(before);
    expect(record?.timestamp).toBeLessThanOrEqual(Date.now());
  });

  it.each([
    ['empty text', ''],
    ['a NUL', 'a\u0000b'],
    ['a byte order mark', '\ufeffx'],
    ['a line separator', 'a\u2028b\rc'],
    ['characters beyond the basic plane', '😀 ü 漢'],
    ['brackets that a parser would choke on', '['.repeat(100_000)],
    ['10 KB', 'x'.repeat(10_240)],
  ])('are passed on byte for byte: %s', async (_, text) => {
    const { take } = await feed(({ socket }) => socket.send(text));
    expect(texts(await take(1))).toEqual([text]);
  });

  it('passes on messages of 10 MB completely', async () => {
    const text = 'y'.repeat(10 * 1024 * 1024);
    const { take } = await feed(({ socket }) => socket.send(text));
    expect(texts(await take(1))[0] === text).toBe(true);
  });

  it('receives a burst of 10,000 messages once and in order', async () => {
    const sent = Array.from({ length: 10_000 }, (_, i) => `m${i}`);
    const { take, metrics } = await feed(({ socket }) => {
      for (const text of sent) socket.send(text);
    });
    expect(texts(await take(sent.length))).toEqual(sent);
    expect(metrics.read('MessagesReceived')).toBe(10_000);
    expect(metrics.read('MessagesDropped')).toBe(0);
  });

  it('receives compressed messages when compression is on', async () => {
    server = await startSocketServer(({ socket }) => socket.send('z'.repeat(5000)), {
      perMessageDeflate: { threshold: 0 },
    });
    running = await startTask({ 'websocket.url': server.url, 'websocket.compression': 'true' });
    expect(texts(await running.take(1))).toEqual(['z'.repeat(5000)]);
    expect(server.accepted[0]?.socket.extensions).toBe('permessage-deflate');
  });

  it('ends the connection when a message inflates beyond the limit', async () => {
    server = await startSocketServer(
      ({ socket }, index) =>
        socket.send(index === 0 ? Buffer.alloc(16 * 1024 * 1024, 'b').toString() : 'small'),
      { perMessageDeflate: { threshold: 0 } },
    );
    const raw = { 'websocket.compression': 'true', 'websocket.max.message.size': '100000' };
    running = await startTask({ 'websocket.url': server.url, ...raw });
    expect(texts(await running.take(1))).toEqual(['small']);
    expect(running.logger.withEvent('websocket_failure')[0]?.fields['error_message']).toMatch(
      /^message above the limit /,
    );
  });

  it('are not asked to be compressed by default', async () => {
    const { take } = await feed(({ socket }) => socket.send('a'));
    await take(1);
    expect(server?.accepted[0]?.request.headers['sec-websocket-extensions']).toBeUndefined();
  });

  it('drops binary messages by default, counts them, and logs them once a minute', async () => {
    const { take, metrics, logger, events } = await feed(({ socket }) => {
      socket.send(Buffer.from([1]));
      socket.send(Buffer.from([2]));
      socket.send('text');
    });
    expect(texts(await take(1))).toEqual(['text']);
    expect(metrics.read('MessagesReceived')).toBe(3);
    expect(metrics.read('DroppedUnsupportedFrame')).toBe(2);
    expect(metrics.read('MessagesDropped')).toBe(2);
    expect(logger.withEvent('unsupported_frame')).toHaveLength(1);
    expect(events).toContainEqual(expect.objectContaining({ type: 'dropped', cause: 'unsupported_frame' }));
  });

  it.each([
    ['base64', 'string', Buffer.from('AP8='), undefined],
    ['bytes', 'bytes', Buffer.from([0, 255]), undefined],
  ])('that are binary become %s', async (mode, type, value) => {
    const { take } = await feed(({ socket }) => socket.send(Buffer.from([0, 255])), {
      'websocket.binary.mode': mode,
    });
    const [record] = await take(1);
    expect(record?.valueSchema?.type).toBe(type);
    expect(Buffer.from(record?.value as Uint8Array)).toEqual(value);
  });

  it('drops and counts binary messages that are not UTF-8 in mode utf8', async () => {
    const { take, metrics } = await feed(
      ({ socket }) => {
        socket.send(Buffer.from([0xff]));
        socket.send(Buffer.from('ü'));
      },
      { 'websocket.binary.mode': 'utf8' },
    );
    expect(texts(await take(1))).toEqual(['ü']);
    expect(metrics.read('DroppedConversionError')).toBe(1);
  });

  it('received after a change of the topic go to the new one, those before to the old', async () => {
    const { task, take, metrics } = await feed(({ socket }) => socket.send('old'));
    await waitFor(() => metrics.read('MessagesReceived') === 1);
    const raw = { 'websocket.url': server?.url ?? '', 'platform.topic': 'later' };
    await task.reconfigure(webSocketConfig.parse(raw));
    server?.accepted[0]?.socket.send('new');
    const records = await take(2);
    expect(records.map((record) => record.topic)).toEqual(['prices', 'later']);
    expect(server?.accepted).toHaveLength(1);
  });
});

describe('stop', () => {
  it('hands out what is queued, then nothing', async () => {
    const { task, metrics } = await feed(({ socket }) => {
      for (let i = 0; i < 5000; i += 1) socket.send(`m${i}`);
    });
    await waitFor(() => metrics.read('MessagesReceived') === 5000);
    await task.stop();
    expect(metrics.read('QueueSize')).toBe(5000);
    expect(texts(await drain(task))).toHaveLength(5000);
    expect(metrics.read('QueueSize')).toBe(0);
    expect(await task.poll()).toEqual([]);
  });

  it('closes with code 1001 and waits for the answer', async () => {
    const { task } = await feed(() => undefined);
    const accepted = await server?.connection(0);
    await running?.logged('websocket_opened');
    await task.stop();
    await waitFor(() => accepted?.closed);
    expect(accepted?.closed).toEqual({ code: 1001, reason: 'connector stops' });
  });

  it('wakes a waiting poll, twice is harmless, and before start too', async () => {
    const { task } = await feed(() => undefined);
    const polled = task.poll();
    await Promise.all([task.stop(), task.stop()]);
    expect(await polled).toEqual([]);
    const fresh = new WebSocketTask();
    await fresh.stop();
    expect(await fresh.poll()).toEqual([]);
    expect(fresh.connection()).toEqual({ state: 'disconnected' });
  });

  it('right after start leaves no connection open', async () => {
    const { task } = await feed(() => undefined);
    await task.stop();
    expect(await task.poll()).toEqual([]);
    await waitFor(() => server?.accepted.every((accepted) => accepted.closed !== undefined));
  });

  it('during the handshake cuts the connection at once', async () => {
    const raw = await startRawServer(() => undefined);
    running = await startTask({ 'websocket.url': raw.url });
    await waitFor(() => raw.heard[0]?.includes('\r\n\r\n'));
    await running.task.stop();
    expect(await drain(running.task)).toEqual([]);
    await waitFor(() => raw.sockets[0]?.destroyed);
    expect(raw.sockets).toHaveLength(1);
    await raw.close();
  });

  it('is not held up by a server that never answers the close', async () => {
    const raw = await startRawServer((socket, head) => socket.write(upgradeAnswer(head)));
    running = await startTask({ 'websocket.url': raw.url });
    await running.logged('websocket_opened');
    await running.task.stop();
    expect(running.task.connection().state).toBe('closed');
    await raw.close();
  });

  it('cuts the connection and leaves no timer after the hard-stop signal', async () => {
    const clock = createManualClock();
    server = await startSocketServer();
    running = await startTask({ 'websocket.url': server.url }, { clock });
    await running.logged('websocket_opened');
    running.abort();
    expect(await running.task.poll()).toEqual([]);
    await running.task.stop();
    expect(clock.pending).toBe(0);
    await waitFor(() => server?.accepted[0]?.closed?.code === 1006);
  });
});
