import { createManualClock, waitFor } from '@levada/connect-runtime-core/testing';
import { afterEach, describe, expect, it } from 'vitest';
import { drain, type RunningTask, startTask, texts } from './running-task.ts';
import { type Accepted, type SocketServer, startSocketServer } from './socket-server.ts';

let server: SocketServer | undefined;
let running: RunningTask | undefined;
afterEach(async () => {
  await running?.task.stop();
  await server?.close();
});

async function serve(onConnection: (accepted: Accepted, index: number) => void): Promise<string> {
  server = await startSocketServer(onConnection);
  return server.url;
}

describe('reconnecting', () => {
  it.each([
    [1000, 5000],
    [1001, 5000],
    [1011, 5000],
    [4000, 5000],
    [1008, 20_000],
    [1012, 20_000],
    [1013, 20_000],
  ])('after a close with code %i begins after %i ms, give or take jitter', async (code, wait) => {
    const clock = createManualClock();
    const url = await serve(({ socket }, index) =>
      index === 0 ? socket.close(code, 'why') : socket.send('again'),
    );
    running = await startTask({ 'websocket.url': url, 'websocket.reconnect.interval.ms': '5000' }, { clock });
    await running.logged('reconnect_scheduled');
    const delay = Number(running.logger.withEvent('reconnect_scheduled')[0]?.fields['backoff_ms']);
    expect(delay).toBeGreaterThanOrEqual(wait);
    expect(delay).toBeLessThanOrEqual(wait * 1.25);
    // The close frame was answered, not left to a timeout.
    await waitFor(() => server?.accepted[0]?.closed?.code === code);
    expect(running.logger.withEvent('websocket_closed')[0]?.fields).toMatchObject({ code, reason: 'why' });
    await clock.advance(delay);
    expect(texts(await running.take(1))).toEqual(['again']);
  });

  it('loses and repeats nothing received when the connection is cut', async () => {
    const url = await serve(({ socket }, index) => {
      socket.send(`a${index}`);
      socket.send(`b${index}`, () => index < 3 && socket.terminate());
    });
    running = await startTask({ 'websocket.url': url });
    const got = texts(await running.take(8));
    expect(got).toEqual(['a0', 'b0', 'a1', 'b1', 'a2', 'b2', 'a3', 'b3']);
  });

  it('never has two connections at once', async () => {
    let open = 0;
    let most = 0;
    const url = await serve(({ socket }, index) => {
      open += 1;
      most = Math.max(most, open);
      socket.on('close', () => {
        open -= 1;
      });
      socket.send('m');
      if (index < 5) setImmediate(() => socket.close(1000));
    });
    running = await startTask({ 'websocket.url': url });
    await running.take(6);
    expect(most).toBe(1);
  });

  it('goes ever slower while the server greets and closes at once, up to the maximum', async () => {
    const clock = createManualClock();
    const url = await serve(({ socket }) => {
      socket.send('hello');
      socket.close(1000);
    });
    const config = {
      'websocket.reconnect.interval.ms': '1000',
      'websocket.reconnect.backoff.max.ms': '8000',
    };
    running = await startTask({ 'websocket.url': url, ...config }, { clock });
    const delays: number[] = [];
    for (let attempt = 1; attempt <= 6; attempt += 1) {
      await running.logged('reconnect_scheduled', attempt);
      delays.push(Number(running.logger.withEvent('reconnect_scheduled').at(-1)?.fields['backoff_ms']));
      await clock.advance(8000);
    }
    const steps = [1000, 2000, 4000, 8000, 8000, 8000];
    expect(
      delays.every((delay, i) => delay >= (steps[i] ?? 0) && delay <= Math.min(8000, (steps[i] ?? 0) * 1.25)),
    ).toBe(true);
  });

  it('starts from the interval again after a connection that lived and brought something', async () => {
    const clock = createManualClock();
    const url = await serve(({ socket }, index) => (index < 3 ? socket.close(1000) : socket.send('m')));
    running = await startTask({ 'websocket.url': url, 'websocket.reconnect.interval.ms': '1000' }, { clock });
    for (let attempt = 1; attempt <= 3; attempt += 1) {
      await running.logged('reconnect_scheduled', attempt);
      await clock.advance(1000 * 2 ** (attempt - 1) * 1.25);
    }
    await running.take(1);
    await clock.advance(2000);
    server?.accepted[3]?.socket.close(1000);
    await running.logged('reconnect_scheduled', 4);
    expect(running.logger.withEvent('reconnect_scheduled').map((line) => line.fields['attempt'])).toEqual([
      1, 2, 3, 1,
    ]);
  });

  it('has a new session for each connection', async () => {
    const url = await serve(({ socket }, index) => {
      socket.send('m');
      if (index === 0) socket.close(1000);
    });
    running = await startTask({ 'websocket.url': url });
    await running.take(2);
    const sessions = running.logger.withEvent('session_initialized').map((line) => line.fields['session_id']);
    expect(new Set(sessions).size).toBe(2);
    expect(running.events.map((event) => event.type)).toEqual([
      'connected',
      'session',
      'disconnected',
      'reconnecting',
      'connected',
      'session',
    ]);
  });

  it('fails the task with reconnecting disabled, after everything received was handed out', async () => {
    const url = await serve(({ socket }) => {
      socket.send('last');
      socket.close(1000, 'bye');
    });
    running = await startTask({ 'websocket.url': url, 'websocket.reconnect.enabled': 'false' });
    await running.logged('reconnect_skipped');
    expect(texts(await running.take(1))).toEqual(['last']);
    await expect(running.task.poll()).rejects.toMatchObject({ code: 'reconnect_disabled' });
  });

  it('fails the task when reconnect attempts are exhausted', async () => {
    const url = await serve(({ socket }) => socket.close(1000));
    running = await startTask({ 'websocket.url': url, 'websocket.reconnect.max.attempts': '2' });
    await expect(running.task.poll()).rejects.toMatchObject({
      code: 'reconnect_exhausted',
      retriable: false,
    });
    expect(server?.accepted).toHaveLength(3);
    expect(running.metrics.read('TotalReconnects')).toBe(2);
    expect(running.logger.withEvent('reconnect_failed')[0]?.fields).toMatchObject({
      reason: 'max_attempts_reached',
      max_attempts: 2,
    });
  });

  it('is not tried after a close code that was named as fatal', async () => {
    const url = await serve(({ socket }) => socket.close(4401, 'key revoked'));
    running = await startTask({ 'websocket.url': url, 'websocket.close.codes.fail': '1008, 4400-4499' });
    await expect(running.task.poll()).rejects.toThrow(
      'server closed the connection with code 4401: key revoked',
    );
    expect(server?.accepted).toHaveLength(1);
  });

  it('waits for no time-out when it is stopped during a back-off', async () => {
    const clock = createManualClock();
    const url = await serve(({ socket }) => socket.close(1000));
    running = await startTask({ 'websocket.url': url, 'websocket.reconnect.interval.ms': '5000' }, { clock });
    await running.logged('reconnect_scheduled');
    expect(running.task.connection()).toMatchObject({ state: 'backing-off', attempt: 1 });
    await running.task.stop();
    expect(await drain(running.task)).toEqual([]);
    expect(clock.pending).toBe(0);
  });
});

describe('liveness', () => {
  const slow = { 'websocket.ping.interval.ms': '30000', 'websocket.ping.timeout.ms': '10000' };

  it('gives up a connection that does not answer a ping', async () => {
    const clock = createManualClock();
    server = await startSocketServer(() => undefined, { autoPong: false });
    running = await startTask({ 'websocket.url': server.url, ...slow }, { clock });
    await running.logged('websocket_opened');
    await clock.advance(40_049);
    expect(running.logger.withEvent('websocket_failure')).toHaveLength(0);
    await clock.advance(1);
    await running.logged('websocket_failure');
    expect(running.logger.withEvent('websocket_failure')[0]?.fields['error_message']).toBe(
      'nothing arrived within 10000 ms after a ping',
    );
  });

  it('keeps a connection that answers, however long it is silent', async () => {
    const clock = createManualClock();
    let pings = 0;
    const url = await serve(({ socket }) => {
      socket.on('ping', () => {
        pings += 1;
      });
    });
    running = await startTask({ 'websocket.url': url, ...slow }, { clock });
    await running.logged('websocket_opened');
    for (let round = 1; round <= 5; round += 1) {
      await clock.advance(20_000);
      await clock.advance(10_000);
      await waitFor(() => pings === round);
      await pongArrived(server);
    }
    expect(running.logger.withEvent('websocket_failure')).toHaveLength(0);
  });

  it('pings at its interval, however much longer the timeout is', async () => {
    let pings = 0;
    const url = await serve(({ socket }) => {
      socket.on('ping', () => {
        pings += 1;
      });
    });
    const often = { 'websocket.ping.interval.ms': '5', 'websocket.ping.timeout.ms': '3600000' };
    running = await startTask({ 'websocket.url': url, ...often });
    await waitFor(() => pings >= 4, { what: '4 pings' });
    expect(server?.accepted).toHaveLength(1);
  });

  it('gives up a connection that only pings, when an idle timeout is set', async () => {
    const clock = createManualClock();
    const url = await serve(({ socket }) => socket.send('one'));
    const idle = { 'websocket.idle.timeout.ms': '4000', 'websocket.ping.interval.ms': '0' };
    running = await startTask({ 'websocket.url': url, ...idle }, { clock });
    await running.take(1);
    await clock.advance(3000);
    server?.accepted[0]?.socket.send('two');
    await running.take(1);
    await clock.advance(4049);
    expect(running.logger.withEvent('websocket_failure')).toHaveLength(0);
    await clock.advance(1);
    await running.logged('websocket_failure');
    expect(running.logger.withEvent('websocket_failure')[0]?.fields['error_message']).toBe(
      'no message within 4000 ms',
    );
  });

  it('does not give up a connection because this process stood still', async () => {
    const clock = createManualClock();
    const url = await serve(() => undefined);
    const idle = { 'websocket.idle.timeout.ms': '4000', 'websocket.ping.interval.ms': '0' };
    running = await startTask({ 'websocket.url': url, ...idle }, { clock });
    await running.logged('websocket_opened');
    // The timer is due, and only then what arrived before is read.
    await clock.advance(4000);
    server?.accepted[0]?.socket.send('arrived meanwhile');
    expect(texts(await running.take(1))).toEqual(['arrived meanwhile']);
    await clock.advance(3999);
    expect(running.logger.withEvent('websocket_failure')).toHaveLength(0);
  });

  it('writes a health line every 30 seconds even when nothing flows', async () => {
    const clock = createManualClock();
    const url = await serve(() => undefined);
    running = await startTask({ 'websocket.url': url, 'websocket.ping.interval.ms': '0' }, { clock });
    await running.logged('websocket_opened');
    await clock.advance(60_000);
    const lines = running.logger.withEvent('task_metrics');
    expect(lines.map((line) => line.fields)).toMatchObject([
      { connected: true, status: 'HEALTHY', millis_since_last_message: -1 },
      { connected: true, status: 'HEALTHY' },
    ]);
  });
});

/** The pong of a ping is on its way in the same turn: a round trip of our own comes after it. */
async function pongArrived(from: SocketServer | undefined): Promise<void> {
  const socket = from?.accepted[0]?.socket;
  await new Promise<void>((resolve) => {
    socket?.once('pong', () => resolve());
    socket?.ping();
  });
}
