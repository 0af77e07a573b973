import type { RawConfig } from '@levada/connect-runtime-core';
import { createManualClock, waitFor } from '@levada/connect-runtime-core/testing';
import { eventBytes, eventJson, type ServerCall, type StreamServer } from '@levada/test-peers/grpc';
import { headersFrame } from '@levada/test-peers/http2';
import { describe, expect, it } from 'vitest';
import { grpcSourceConnector } from '../src/connector.ts';
import { delaysOf, type Feed, feed, fieldsOf, runTask, serve } from './feed.ts';
import { rawServer } from './raw-feed.ts';
import { drain, testConfig, texts } from './running-task.ts';

const message = eventBytes({ payload: 'm' });

const policy = (intervalMs: number, maxMs: number, maxAttempts = -1): RawConfig => ({
  'grpc.reconnect.interval.ms': String(intervalMs),
  'grpc.reconnect.backoff.max.ms': String(maxMs),
  'grpc.reconnect.max.attempts': String(maxAttempts),
});

/** A feed whose clock is moved by hand. */
async function timed(onCall: (call: ServerCall, index: number) => void, raw: RawConfig) {
  const clock = createManualClock();
  return { clock, ...(await feed(onCall, { raw, clock })) };
}

/** Lets so many attempts be scheduled, each after the delay of the one before. */
async function letRetry({ clock, ...running }: Awaited<ReturnType<typeof timed>>, attempts: number) {
  for (let attempt = 1; attempt <= attempts; attempt += 1) {
    await running.logged('reconnect_scheduled', attempt);
    if (attempt < attempts) await clock.advance(delaysOf(running).at(-1) ?? 0);
  }
}

const attemptsOf = (running: Feed): readonly unknown[] =>
  fieldsOf(running, 'reconnect_scheduled').map(({ attempt }) => attempt);

describe('reconnecting', () => {
  it('waits 1, 2, 4 times the interval and so on, up to the maximum, with a quarter of jitter that stays below it', async () => {
    const running = await timed((call) => call.end('UNAVAILABLE'), policy(1000, 10_000));
    await letRetry(running, 7);
    for (const [index, low] of [1000, 2000, 4000, 8000, 10_000, 10_000, 10_000].entries()) {
      const delay = delaysOf(running)[index] ?? 0;
      expect(delay).toBeGreaterThanOrEqual(low);
      expect(delay).toBeLessThanOrEqual(Math.min(low * 1.25, 10_000));
    }
    expect(attemptsOf(running)).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect(running.metrics.read('TotalReconnects')).toBe(6);
    expect(running.server.calls).toHaveLength(7);
  });

  it('waits 30 seconds after a stream with more headers than are accepted', async () => {
    const early = headersFrame(1, { ':status': '103' });
    const server = await rawServer({
      onCall: (peer) => peer.write(...Array.from({ length: 300 }, () => early)),
    });
    const clock = createManualClock();
    const running = await runTask(server.port, { raw: policy(1000, 60_000), clock });
    await running.logged('reconnect_scheduled', 1);
    expect(delaysOf(running)).toEqual([30_000]);
  });

  it('begins from the interval again after a connection that outlived it and brought a message', async () => {
    const running = await timed((call, index) => index < 3 && call.end('UNAVAILABLE'), policy(1000, 60_000));
    await letRetry(running, 3);
    await running.clock.advance(delaysOf(running).at(-1) ?? 0);
    const call = await running.server.call(3);
    call.send(message);
    await running.take(1);
    await running.clock.advance(1001);
    call.end('UNAVAILABLE');
    await running.logged('reconnect_scheduled', 4);
    expect(attemptsOf(running)).toEqual([1, 2, 3, 1]);
  });

  it('begins from the interval again after 30 seconds of a silent stream, and not before', async () => {
    const quiet = { ...policy(1000, 60_000), 'grpc.keepalive.time.ms': '0' };
    const running = await timed((call, index) => index === 0 && call.end('UNAVAILABLE'), quiet);
    for (const [index, lived] of [29_999, 30_000].entries()) {
      await running.logged('reconnect_scheduled', index + 1);
      await running.clock.advance(delaysOf(running).at(-1) ?? 0);
      const call = await running.server.call(index + 1);
      await running.logged('streaming_started', index + 2);
      await running.clock.advance(lived);
      call.end('UNAVAILABLE');
    }
    await running.logged('reconnect_scheduled', 3);
    expect(attemptsOf(running)).toEqual([1, 2, 1]);
  });

  it('gets rarer while the server greets and ends with OK at once', async () => {
    const running = await timed(
      (call) => {
        call.send(message);
        call.end();
      },
      policy(1000, 8000),
    );
    await letRetry(running, 5);
    expect(attemptsOf(running)).toEqual([1, 2, 3, 4, 5]);
    expect(fieldsOf(running, 'stream_completed')[0]).toMatchObject({ completion_policy: 'reconnect' });
    expect(running.logger.withEvent('connection_closed')).toHaveLength(5);
  });

  it('fails the task when the attempts are exhausted, after what was received is handed out', async () => {
    const running = await timed(
      (call, index) => {
        if (index === 0) call.send(message);
        call.end('UNAVAILABLE', 'closing');
      },
      policy(1000, 8000, 2),
    );
    await letRetry(running, 2);
    await running.clock.advance(8000);
    await running.logged('reconnect_failed');
    expect(running.metrics.read('QueueSize')).toBe(1);
    expect(texts(await running.take(1))).toEqual([eventJson({ payload: 'm' })]);
    const text = `reconnect attempts exhausted (2): 127.0.0.1:${running.server.port}: 14 UNAVAILABLE: closing`;
    await expect(running.task.poll()).rejects.toMatchObject({
      code: 'reconnect_exhausted',
      retriable: false,
      message: text,
    });
    // The attempt that was refused is none.
    expect(running.metrics.read('TotalReconnects')).toBe(2);
    expect(running.server.calls).toHaveLength(3);
    expect(fieldsOf(running, 'reconnect_failed')).toEqual([
      expect.objectContaining({ reason: 'max_attempts_reached', max_attempts: 2, error_message: text }),
    ]);
    expect(running.task.connection()).toMatchObject({ state: 'closed', lastError: text });
  });

  it('is not tried at all with 0 attempts', async () => {
    const running = await timed((call) => call.end(), policy(1000, 8000, 0));
    await expect(running.task.poll()).rejects.toThrow('reconnect attempts exhausted (0)');
    expect(running.server.calls).toHaveLength(1);
    expect(running.metrics.read('TotalReconnects')).toBe(0);
  });

  it('fails the task with reconnecting disabled when the connection ends or is never made', async () => {
    const raw = { 'grpc.reconnect.enabled': 'false' };
    const running = await timed((call) => call.end('UNAVAILABLE', 'bye'), raw);
    await expect(running.task.poll()).rejects.toMatchObject({
      code: 'reconnect_disabled',
      message: expect.stringContaining('14 UNAVAILABLE: bye'),
    });
    const { server } = running;
    await server.close();
    const unreachable = await runTask(server.port, { raw });
    await expect(unreachable.task.poll()).rejects.toThrow('reconnecting is disabled');
    expect(unreachable.metrics.read('IsConnected')).toBe(0);
  });

  it('reports an unreachable server as connection_failed, and stays disconnected', async () => {
    const clock = createManualClock();
    const { server } = await feed(() => undefined);
    await server.close();
    const running = await runTask(server.port, { raw: policy(1000, 8000), clock });
    await running.logged('reconnect_scheduled');
    expect(running.logger.withEvent('connection_failed')[0]).toMatchObject({
      level: 'error',
      fields: {
        server: `127.0.0.1:${server.port}`,
        status_code: 'UNAVAILABLE',
        error_code: 'connection_failed',
        error_message: expect.stringContaining('ECONNREFUSED'),
      },
    });
    expect(running.logger.withEvent('streaming_started')).toHaveLength(0);
    expect(running.metrics.snapshot()).toMatchObject({ IsConnected: false, UptimeMillis: 0 });
    expect(running.task.connection()).toEqual({
      state: 'backing-off',
      attempt: 1,
      nextTryInMs: delaysOf(running)[0],
      lastError: expect.stringContaining('ECONNREFUSED'),
    });
    expect(running.events.map(({ type }) => type)).toEqual(['reconnecting']);
  });

  it('never has two calls at once, and repeats nothing', async () => {
    let most = 0;
    const server: StreamServer = await serve((call, index) => {
      most = Math.max(most, server.open().length);
      call.send(eventBytes({ payload: `a${index}` }), eventBytes({ payload: `b${index}` }));
      if (index < 5) call.end(index % 2 === 0 ? 'ABORTED' : undefined);
    });
    const running = await runTask(server.port);
    const payloads = Array.from({ length: 6 }, (_, i) => [`a${i}`, `b${i}`]).flat();
    expect(texts(await running.take(12))).toEqual(payloads.map((payload) => eventJson({ payload })));
    expect(most).toBe(1);
  });

  it('takes a changed interval and number of attempts at once, in the same task', async () => {
    const running = await timed((call) => call.end('UNAVAILABLE'), policy(1000, 60_000));
    await running.logged('reconnect_scheduled');
    const config = testConfig(running.server.port, policy(7000, 60_000, 2));
    await running.task.reconfigure(grpcSourceConnector.config.parse(config));
    await running.clock.advance(delaysOf(running)[0] ?? 0);
    await running.logged('reconnect_scheduled', 2);
    expect(delaysOf(running)[1]).toBeGreaterThanOrEqual(14_000);
    await running.clock.advance(delaysOf(running)[1] ?? 0);
    await expect(running.task.poll()).rejects.toThrow('reconnect attempts exhausted (2)');
  });
});

describe('a server that is killed and comes back', () => {
  it('20 times under load: a session each time, no number twice, gaps are what was dropped', async () => {
    let sending = true;
    const flood = (call: ServerCall): void => {
      if (!sending || call.cancelled()) return;
      call.send(...Array.from({ length: 50 }, () => message));
      setImmediate(() => flood(call));
    };
    const running = await feed(flood, {
      raw: { 'grpc.message.queue.size': '500', 'grpc.queue.full.grace.ms': '50' },
    });
    const { server, metrics } = running;
    const numbers: number[] = [];
    const polling = (async () => {
      for (let polled = await running.task.poll(); polled.length > 0; polled = await running.task.poll()) {
        numbers.push(...polled.map(({ sourceOffset }) => Number(sourceOffset?.['sequence'])));
        // A log so slow that something is dropped between any two polls.
        const dropped = metrics.read('MessagesDropped');
        await waitFor(() => !sending || metrics.read('MessagesDropped') > dropped, { timeoutMs: 20_000 });
      }
    })();
    for (let kill = 1; kill <= 20; kill += 1) {
      const before = metrics.read('MessagesReceived');
      await waitFor(() => metrics.read('MessagesReceived') > before + 100 * (kill % 7));
      server.kill();
      await running.logged('reconnect_scheduled', kill);
      await server.listen();
      await running.logged('session_initialized', kill + 1);
    }
    sending = false;
    await running.task.stop();
    await polling;
    expect(numbers.every((number, i) => i === 0 || number > (numbers[i - 1] ?? 0))).toBe(true);
    const received = metrics.read('MessagesReceived');
    const dropped = metrics.read('MessagesDropped');
    expect(numbers.length).toBe(received - dropped);
    expect(dropped).toBeGreaterThan(0);
    expect(metrics.read('SequenceGaps')).toBe(dropped);
    expect(metrics.read('UnaccountedCount')).toBe(numbers.length);
    const sessions = fieldsOf(running, 'session_initialized').map((fields) => fields['session_id']);
    expect(new Set(sessions).size).toBe(21);
    expect(fieldsOf(running, 'connection_closed')).toHaveLength(21);
  });
});

describe('the end of the stream with OK', () => {
  it('ends the task by the policy stop, when everything was handed out', async () => {
    const running = await feed(
      (call) => {
        call.send(message, message);
        call.end();
      },
      { raw: { 'grpc.completion.policy': 'stop' } },
    );
    await running.logged('connection_closed');
    expect(running.task.completed()).toBe(true);
    expect(await drain(running.task)).toHaveLength(2);
    expect(await running.task.poll()).toEqual([]);
    expect(running.server.calls).toHaveLength(1);
    expect(running.task.connection().state).toBe('closed');
  });

  it('reconnects after statuses other than OK with the completion policy stop', async () => {
    const running = await feed((call, index) => call.end(index === 0 ? 'ABORTED' : undefined), {
      raw: { 'grpc.completion.policy': 'stop' },
    });
    expect(await drain(running.task)).toEqual([]);
    expect(running.server.calls).toHaveLength(2);
    expect(running.task.completed()).toBe(true);
  });

  it('fails the task by the policy fail, after everything was handed out', async () => {
    const running = await feed(
      (call) => {
        call.send(message);
        call.end();
      },
      { raw: { 'grpc.completion.policy': 'fail' } },
    );
    expect(await running.take(1)).toHaveLength(1);
    await expect(running.task.poll()).rejects.toMatchObject({
      code: 'connection_lost',
      retriable: false,
      message: `127.0.0.1:${running.server.port}: the server ended the stream`,
    });
    expect(running.task.completed()).toBe(false);
  });
});
