import type { RawConfig } from '@levada/connect-runtime-core';
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

const login = {
  'websocket.ping.interval.ms': '0',
  'websocket.handshake.1.message': '{"login":"{{secret:token}}"}',
  'websocket.handshake.1.reply.match': '/expires',
  'websocket.renewal.message': '{"renew":"{{secret:token}}"}',
  'websocket.renewal.expires.pointer': '/expires',
  'websocket.renewal.reply.match': '/renewed',
  'websocket.renewal.reject.match': '/error',
};

/** A task on a manual clock whose secret has another value each time that it is asked for. */
async function renewing(raw: RawConfig, answer: (count: number) => string | undefined) {
  const clock = createManualClock();
  server = await startSocketServer(({ socket, received }) => {
    socket.on('message', () => {
      const text = answer(received.length);
      if (text !== undefined) socket.send(text);
    });
  });
  let asked = 0;
  const config = { 'websocket.url': server.url, 'platform.topic': 'prices', ...raw };
  const resolveConfig = async () => {
    asked += 1;
    return { ...config, 'websocket.reconnect.interval.ms': '1', 'websocket.secret.token': `t${asked}` };
  };
  running = await startTask({ ...config, 'websocket.secret.token': 't0' }, { clock, resolveConfig });
  await waitFor(
    () =>
      (server?.accepted[0]?.received.length ?? 0) > 0 || raw['websocket.handshake.1.message'] === undefined,
  );
  return { clock, received: () => server?.accepted[0]?.received };
}

describe('a session', () => {
  it('is renewed before it expires, with secrets that are resolved again', async () => {
    const { clock, received } = await renewing(login, (count) =>
      count === 1 ? '{"expires":300}' : '{"renewed":true}',
    );
    await running?.logged('handshake_completed');
    await clock.advance(239_999);
    expect(received()).toHaveLength(1);
    await clock.advance(1);
    await waitFor(() => received()?.length === 2);
    await running?.logged('session_renewed');
    expect(running?.logger.withEvent('session_renewed')[0]?.fields).toMatchObject({ next_ms: 240_000 });
    await clock.advance(240_000);
    await running?.logged('session_renewed', 2);
    expect(received()).toEqual(['{"login":"t0"}', '{"renew":"t1"}', '{"renew":"t2"}']);
    expect(running?.metrics.read('MessagesReceived')).toBe(0);
  });

  it('is renewed after half of its time when the lead is longer', async () => {
    const { clock } = await renewing(login, (count) => (count === 1 ? '{"expires":20}' : '{"renewed":true}'));
    await running?.logged('handshake_completed');
    await clock.advance(10_000);
    await running?.logged('session_renewed');
    expect(running?.logger.withEvent('session_renewed')[0]?.fields).toMatchObject({ next_ms: 10_000 });
  });

  it('is renewed at the interval when no reply says more', async () => {
    const raw = { 'websocket.renewal.message': 'renew', 'websocket.renewal.interval.ms': '100' };
    const { clock, received } = await renewing(raw, () => undefined);
    await running?.logged('websocket_opened');
    await clock.advance(100);
    await waitFor(() => received()?.length === 1);
    expect(received()).toEqual(['renew']);
  });

  it.each([
    ['matched', '{"error":1}', 0],
    ['no_reply', undefined, 10_050],
  ])('that cannot be renewed begins again on another connection: %s', async (reason, text, ms) => {
    const { clock } = await renewing(login, (count) => (count === 1 ? '{"expires":300}' : text));
    await running?.logged('handshake_completed');
    await clock.advance(240_000);
    await waitFor(() => server?.accepted[0]?.received.length === 2);
    await clock.advance(ms);
    await running?.logged('session_renewal_failed');
    expect(running?.logger.withEvent('session_renewal_failed')[0]?.fields).toMatchObject({ reason });
    await running?.logged('reconnect_scheduled');
    await clock.advance(10);
    await waitFor(() => server?.accepted[1]?.received[0] === '{"login":"t2"}');
  });

  it('without a message of renewal begins again on another connection, and that is no failure', async () => {
    const { clock } = await renewing({ 'websocket.renewal.interval.ms': '60000' }, () => undefined);
    await running?.logged('websocket_opened');
    await clock.advance(60_000);
    await running?.logged('reconnect_scheduled');
    await clock.advance(10);
    await server?.connection(1);
    expect(running?.logger.withEvent('session_expiring')).toHaveLength(1);
    expect(running?.logger.withEvent('websocket_failure')).toEqual([]);
  });

  it('whose replies do not say when it expires is not renewed, and that is logged', async () => {
    await renewing(login, () => '{"expires":"soon"}');
    await running?.logged('session_expiry_unknown');
    expect(running?.logger.withEvent('session_renewed')).toEqual([]);
  });
});
