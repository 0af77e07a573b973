import type { Clock } from '@levada/connect-runtime-core';
import { createManualClock, waitFor } from '@levada/connect-runtime-core/testing';
import { eventBytes, eventJson } from '@levada/test-peers/grpc';
import { describe, expect, it } from 'vitest';
import { feed, fieldsOf, runTask } from './feed.ts';
import { answerWith, rawServer, sendFrames } from './raw-feed.ts';
import { texts } from './running-task.ts';

const message = eventBytes({ payload: 'm' });
const idle = { 'grpc.stream.idle.timeout.ms': '4000', 'grpc.keepalive.time.ms': '0' };

describe('a stream without messages', () => {
  it('stays for hours when there is no limit, and the age of the last message grows', async () => {
    const clock = createManualClock();
    const running = await feed((call) => call.send(message), {
      clock,
      raw: { 'grpc.keepalive.time.ms': '0' },
    });
    await running.take(1);
    await clock.advance(6 * 3_600_000);
    expect(running.metrics.snapshot()).toMatchObject({
      IsConnected: true,
      MillisSinceLastMessage: 6 * 3_600_000,
    });
    expect(running.logger.withEvent('connection_closed')).toHaveLength(0);
  });

  it('is given up after the time that is configured, counted from the last message', async () => {
    const clock = createManualClock();
    const running = await feed((call) => call.send(message), { clock, raw: idle });
    await running.take(1);
    await clock.advance(3000);
    (await running.server.call(0)).send(message);
    await running.take(1);
    await clock.advance(3999);
    expect(running.logger.withEvent('stream_idle')).toHaveLength(0);
    await clock.advance(1);
    await running.logged('connection_closed');
    const server = `127.0.0.1:${running.server.port}`;
    expect(running.logger.withEvent('stream_idle')).toEqual([
      expect.objectContaining({ level: 'warn', fields: { event: 'stream_idle', server, idle_ms: 4000 } }),
    ]);
    expect(fieldsOf(running, 'connection_closed')[0]).toMatchObject({
      error_code: 'connection_lost',
      error_message: `${server}: 1 CANCELLED: no message for too long`,
    });
    await waitFor(() => running.server.open().length === 0);
    await running.logged('reconnect_scheduled');
  });

  it('is given up although there never was one', async () => {
    const clock = createManualClock();
    const running = await feed(() => undefined, { clock, raw: idle });
    await running.logged('streaming_started');
    await clock.advance(4000);
    expect(fieldsOf(running, 'stream_idle')[0]).toMatchObject({ idle_ms: 4000 });
  });

  it('is kept while it is this side that does not read, and for the same time after', async () => {
    const clock = createManualClock();
    const raw = { ...idle, 'grpc.queue.full.policy': 'block', 'grpc.message.queue.size': '1' };
    const running = await feed((call) => call.send(message), { clock, raw });
    await waitFor(() => running.metrics.read('QueueSize') === 1);
    await clock.advance(62_000);
    expect(running.logger.withEvent('stream_idle')).toHaveLength(0);
    await running.take(1);
    await clock.advance(3999);
    expect(running.logger.withEvent('stream_idle')).toHaveLength(0);
    await clock.advance(1);
    expect(fieldsOf(running, 'stream_idle')[0]).toMatchObject({ idle_ms: 4000 });
  });

  it('is not given up because this process stood still while one arrived', async () => {
    const manual = createManualClock();
    const due: (() => void)[] = [];
    // Timers are run by hand, without the turn of the event loop that the manual clock gives before each.
    const clock: Clock = {
      ...manual,
      monotonic: () => (due.length > 0 ? 4000 : 0) + manual.monotonic(),
      after: (ms, callback) => {
        if (ms === 4000) due.push(callback);
        return manual.after(ms, callback);
      },
    };
    const server = await rawServer({ onCall: (peer, streamId) => answerWith(peer, streamId, []) });
    const running = await runTask(server.port, { raw: idle, context: { clock } });
    await running.logged('streaming_started');
    const peer = await server.peer(0);
    const { streamId } = await peer.frame('headers');
    sendFrames(peer, streamId, [message]);
    due[0]?.();
    expect(texts(await running.take(1))).toEqual([eventJson({ payload: 'm' })]);
    expect(running.logger.withEvent('stream_idle')).toHaveLength(0);
  });
});

describe('a server that accepts and says nothing', () => {
  it('is given up after the connection timeout, and was never a connection', async () => {
    const clock = createManualClock();
    const server = await rawServer({ onConnection: () => undefined, onFrame: () => undefined });
    const running = await runTask(server.port, { clock, raw: { 'grpc.connection.timeout.ms': '3000' } });
    await server.peer(0);
    await clock.advance(2999);
    expect(running.logger.withEvent('connection_failed')).toHaveLength(0);
    expect(running.task.connection()).toEqual({ state: 'connecting' });
    await clock.advance(1);
    await running.logged('reconnect_scheduled');
    expect(fieldsOf(running, 'connection_failed')[0]?.['error_message']).toBe(
      `cannot connect to 127.0.0.1:${server.port}: no answer within 3000 ms, waiting for HTTP/2 settings`,
    );
    expect(running.metrics.read('IsConnected')).toBe(0);
  });

  it('keeps a connection to a server that does not answer the call', async () => {
    const clock = createManualClock();
    const server = await rawServer({});
    const raw = { 'grpc.connection.timeout.ms': '3000', 'grpc.keepalive.time.ms': '0' };
    const running = await runTask(server.port, { clock, raw });
    await running.logged('streaming_started');
    await clock.advance(3_600_000);
    expect(running.task.connection()).toEqual({ state: 'connected' });
  });
});

describe('a connection that dies silently', () => {
  it('is given up when a ping is not answered, and made again', async () => {
    const clock = createManualClock();
    const server = await rawServer({
      // Answers no ping.
      onFrame: () => undefined,
      onCall: (peer, streamId) => answerWith(peer, streamId, [message]),
    });
    const running = await runTask(server.port, { clock });
    await running.take(1);
    for (let ms = 0; ms < 43_000; ms += 1000) await clock.advance(1000);
    await running.logged('connection_closed');
    expect(fieldsOf(running, 'connection_closed')[0]).toMatchObject({
      status_code: 'UNAVAILABLE',
      error_message: expect.stringContaining('keepalive ping had no answer within 10000 ms'),
    });
    // It had lived and brought a message, so the attempts are counted from the start.
    await running.logged('reconnect_scheduled');
    expect(fieldsOf(running, 'reconnect_scheduled')[0]).toMatchObject({ attempt: 1 });
  });

  it('is given up after the times that are configured', async () => {
    const clock = createManualClock();
    const server = await rawServer({ onFrame: () => undefined });
    const raw = { 'grpc.keepalive.time.ms': '1000', 'grpc.keepalive.timeout.ms': '300' };
    const running = await runTask(server.port, { clock, raw });
    await running.logged('streaming_started');
    for (let ms = 0; ms < 1500; ms += 100) await clock.advance(100);
    await running.logged('connection_closed');
    expect(fieldsOf(running, 'connection_closed')[0]).toMatchObject({
      error_message: expect.stringContaining('keepalive ping had no answer within 300 ms'),
    });
  });
});
