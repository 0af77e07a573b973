import { isConnectorError } from '@levada/connect-runtime-core';
import { createManualClock, waitFor } from '@levada/connect-runtime-core/testing';
import { afterEach, describe, expect, it } from 'vitest';
import { websocketSource } from '../src/index.ts';
import { type RunningTask, startTask, texts } from './running-task.ts';
import { type Accepted, type SocketServer, startSocketServer } from './socket-server.ts';

let server: SocketServer | undefined;
let running: RunningTask | undefined;
afterEach(async () => {
  await running?.task.stop();
  await server?.close();
  running = undefined;
});

type Json = Readonly<Record<string, unknown>>;

/** A server that answers each JSON message by `answer`; what it returns is sent, objects as JSON. */
async function answering(answer: (message: Json, accepted: Accepted) => readonly (Json | string)[]) {
  server = await startSocketServer((accepted) => {
    accepted.socket.on('message', (data: Buffer) => {
      for (const one of answer(JSON.parse(data.toString()) as Json, accepted)) send(accepted, one);
    });
  });
  return server;
}

function send({ socket }: Accepted, message: Json | string): void {
  socket.send(typeof message === 'string' ? message : JSON.stringify(message));
}

/** A server that wants a login by a challenge before it takes subscriptions. */
const withLogin = () =>
  answering((message) => {
    if (message['op'] === 'hello') return [{ event: 'challenge', nonce: 'n-"1"', size: 3 }];
    if (message['op'] === 'login')
      return [{ event: 'login', ok: message['key'] === 's3cret' && message['size'] === 3 }];
    return [{ event: 'subscribed' }, 'data'];
  });

const login = {
  'websocket.secret.key': 's3cret',
  'websocket.handshake.1.message': '{"op":"hello"}',
  'websocket.handshake.1.reply.match': '/event=challenge',
  'websocket.handshake.2.message':
    '{"op":"login","key":"{{secret:key}}","signed":"<{{reply:/nonce}}>","size":"{{reply.1:/size}}"}',
  'websocket.handshake.2.reply.match': '/ok=true',
  'websocket.handshake.2.reject.match': '/ok=false',
  'websocket.subscription.message': '{"op":"subscribe"}',
};

describe('the handshake of a session', () => {
  it('sends each message after the reply to the one before, then the subscription, and keeps replies from the records', async () => {
    const { url } = await withLogin();
    running = await startTask({ 'websocket.url': url, ...login });
    expect(texts(await running.take(2))).toEqual(['{"event":"subscribed"}', 'data']);
    expect(server?.accepted[0]?.received).toEqual([
      '{"op":"hello"}',
      '{"op":"login","key":"s3cret","signed":"<n-\\"1\\">","size":3}',
      '{"op":"subscribe"}',
    ]);
    expect(running.metrics.read('MessagesReceived')).toBe(2);
    expect(running.metrics.read('ControlMessages')).toBe(2);
    expect(running.logger.withEvent('handshake_completed')[0]?.fields).toMatchObject({ steps: 2 });
  });

  it('is a list of objects in a service, and secrets may be asked for before each connection', async () => {
    const { url } = await withLogin();
    let asked = 0;
    const source = websocketSource({
      url,
      topic: 'prices',
      secrets: () => {
        asked += 1;
        return { key: 's3cret' };
      },
      handshake: [
        { send: { op: 'hello' }, expect: '/event=challenge' },
        {
          send: { op: 'login', key: '{{secret:key}}', size: '{{reply:/size}}' },
          expect: '/ok=true',
          reject: '/ok=false',
        },
      ],
      subscription: { message: { op: 'subscribe' } },
      control: [{ match: '/event=subscribed' }],
    });
    for await (const record of source) {
      expect(record.value).toBe('data');
      break;
    }
    expect(asked).toBe(1);
    expect(source.status()).toMatchObject({ ControlMessages: 3, UnaccountedCount: 0 });
  });

  it('names what is wrong with a step where its user wrote it', () => {
    const wrong = {
      url: 'ws://127.0.0.1:1',
      topic: 'prices',
      secrets: { key: 'x' },
      handshake: [
        { send: '{{reply:/a}}' },
        { send: '{{secret:kez}}', reject: 'no' },
        { expect: '/a~b', timeoutMs: 0 },
        { sent: 'x' },
      ],
    };
    expect(thrownBy(() => websocketSource(wrong as never))).toEqual([
      'handshake[3].sent is not an option, did you mean handshake[3].send?',
      'handshake[0].send cannot hold {{reply:/a}}, only {{secret:key}}, {{time.ms}}, {{time.s}}, {{count}}',
      'handshake[1].send cannot hold {{secret:kez}}, only {{secret:key}}, {{time.ms}}, {{time.s}}, {{count}}',
      'handshake[2].expect must be a JSON pointer (RFC 6901), such as /customer/id, got "/a~b"',
      'handshake[1].expect is required with handshake[1].reject',
      'handshake[2].timeoutMs must be at least 1, got 0',
    ]);
  });
});

describe('a handshake that fails', () => {
  const never = { 'websocket.reconnect.enabled': 'false' };

  it.each([
    ['matched', { event: 'login', ok: false }, 'step 2 of the handshake failed (matched)'],
    ['no_value', { event: 'challenge' }, 'step 2 of the handshake failed (no_value: {{reply:/nonce}})'],
  ])('ends the connection, and nothing after it is sent: %s', async (reason, reply, message) => {
    const { url } = await answering((sent) => [
      sent['op'] === 'hello' && reason !== 'no_value' ? { event: 'challenge', nonce: 'n', size: 3 } : reply,
    ]);
    running = await startTask({ 'websocket.url': url, ...login, ...never });
    await expect(running.take(1)).rejects.toThrow(message);
    expect(running.logger.withEvent('handshake_rejected')[0]?.fields).toMatchObject({ step: 2, reason });
    expect(running.events).not.toContainEqual(expect.objectContaining({ type: 'connected' }));
    expect(server?.accepted[0]?.received.join()).not.toContain('subscribe');
  });

  it('is one without a reply in time', async () => {
    const clock = createManualClock();
    const { url } = await answering(() => []);
    running = await startTask({ 'websocket.url': url, ...login, ...never }, { clock });
    await waitFor(() => server?.accepted[0]?.received.length === 1);
    await clock.advance(10_050);
    await expect(running.take(1)).rejects.toThrow('step 1 of the handshake failed (no_reply)');
    expect(clock.pending).toBe(0);
  });

  it('is one that the server ends, and secrets that the server repeats are not logged', async () => {
    const { url } = await answering((sent, { socket }) => {
      if (sent['op'] === 'hello') return [{ event: 'challenge', nonce: 'a nonce of some length', size: 3 }];
      socket.close(4401, `no ${String(sent['signed'])} with ${String(sent['key'])}`);
      return [];
    });
    running = await startTask({ 'websocket.url': url, ...login, ...never });
    await expect(running.take(1)).rejects.toThrow('code 4401: no <***> with ***');
    expect(running.logger.withEvent('handshake_rejected')[0]?.fields).toEqual(
      expect.objectContaining({
        step: 2,
        reason: 'closed',
        close_code: 4401,
        close_reason: 'no <***> with ***',
      }),
    );
    expect(running.logger.withEvent('subscription_rejected')).toEqual([]);
  });

  it('is none when the task stops meanwhile: nothing more is sent, and no timer is left', async () => {
    const clock = createManualClock();
    const { url } = await answering(() => []);
    running = await startTask({ 'websocket.url': url, ...login }, { clock });
    await waitFor(() => server?.accepted[0]?.received.length === 1);
    await running.task.stop();
    await waitFor(() => server?.accepted[0]?.closed);
    expect(server?.accepted[0]?.closed?.code).toBe(1001);
    expect(running.logger.withEvent('handshake_rejected')).toEqual([]);
    expect(clock.pending).toBe(0);
  });

  it('is tried again on another connection, with the whole handshake', async () => {
    const { url } = await answering((sent, { received, socket }) => {
      if (sent['op'] === 'hello') return [{ event: 'challenge', nonce: 'n', size: 3 }];
      if (server?.accepted.length === 1) socket.close(1011);
      return received.length === 2 ? [{ event: 'login', ok: true }] : ['data'];
    });
    running = await startTask({ 'websocket.url': url, ...login });
    expect(texts(await running.take(1))).toEqual(['data']);
    expect(server?.accepted[1]?.received).toHaveLength(3);
  });
});

describe('control messages', () => {
  it('are answered and counted, and are no records', async () => {
    const { url } = await answering((sent) => (sent['pong'] === 7 ? ['data'] : []));
    running = await startTask({
      'websocket.url': url,
      'websocket.control.1.match': '/ping',
      'websocket.control.1.reply': '{"pong":"{{message:/ping}}","n":"{{count}}"}',
      'websocket.control.2.match': '^#',
    });
    const accepted = await server?.connection(0);
    accepted?.socket.send('# comment');
    accepted?.socket.send('{"ping":7}');
    expect(texts(await running.take(1))).toEqual(['data']);
    expect(accepted?.received).toEqual(['{"pong":7,"n":1}']);
    expect(running.metrics.read('ControlMessages')).toBe(2);
    expect(running.metrics.read('UnaccountedCount')).toBe(1 - running.metrics.read('RecordsProduced'));
  });

  it('may be the acknowledgement of the subscription', async () => {
    const clock = createManualClock();
    const { url } = await answering(() => [{ event: 'subscribed' }, 'data']);
    const raw = {
      'websocket.subscription.message': '{}',
      'websocket.subscription.ack.match': '/event=subscribed',
      'websocket.control.1.match': '/event=subscribed',
    };
    running = await startTask({ 'websocket.url': url, ...raw }, { clock });
    expect(texts(await running.take(1))).toEqual(['data']);
    await clock.advance(11_000);
    expect(running.logger.withEvent('subscription_rejected')).toEqual([]);
    expect(running.metrics.read('ControlMessages')).toBe(1);
  });

  it('that lack a value for the answer stay unanswered, and that is logged', async () => {
    const { url } = await answering(() => []);
    running = await startTask({
      'websocket.url': url,
      'websocket.control.1.match': '/ping',
      'websocket.control.1.reply': '{"pong":"{{message:/ping/id}}"}',
    });
    (await server?.connection(0))?.socket.send('{"ping":7}');
    await running.logged('control_unanswered');
    expect(running.logger.withEvent('control_unanswered')[0]?.fields).toMatchObject({
      rule: 1,
      missing: '{{message:/ping/id}}',
    });
  });
});

describe('a server that asks and does not read', () => {
  it('loses its connection before the answers need much memory', async () => {
    server = await startSocketServer(({ socket, request }) => {
      request.socket.pause();
      for (let ping = 0; ping < 20_000; ping += 1) socket.send('ping');
    });
    running = await startTask({
      'websocket.url': server.url,
      'websocket.reconnect.enabled': 'false',
      'websocket.control.1.match': '=ping',
      'websocket.control.1.reply': 'pong'.repeat(500),
    });
    await expect(running.take(1)).rejects.toThrow('does not read what is sent to it');
  });
});

describe('a control message that asks for another connection', () => {
  it('ends the present one, after it was answered', async () => {
    server = await startSocketServer(({ socket }, index) => socket.send(index === 0 ? 'bye' : 'data'));
    running = await startTask({
      'websocket.url': server.url,
      'websocket.control.1.match': '=bye',
      'websocket.control.1.reply': 'bye, too',
      'websocket.control.1.reconnect': 'true',
    });
    expect(texts(await running.take(1))).toEqual(['data']);
    expect(server.accepted[0]).toMatchObject({ received: ['bye, too'], closed: { code: 1000 } });
  });
});

describe('heartbeats', () => {
  const heartbeat = {
    'websocket.ping.interval.ms': '0',
    'websocket.heartbeat.message': 'beat',
    'websocket.heartbeat.interval.ms': '1000',
    'websocket.heartbeat.reply.match': '=alive',
    'websocket.heartbeat.timeout.ms': '700',
  };

  it('are sent at the interval, and a connection without a reply is given up', async () => {
    const clock = createManualClock();
    server = await startSocketServer(({ socket }, index) => {
      let beats = 0;
      socket.on('message', () => {
        beats += 1;
        if (beats === 1 || index === 1) socket.send('alive');
      });
    });
    running = await startTask({ 'websocket.url': server.url, ...heartbeat }, { clock });
    await running.logged('websocket_opened');
    await clock.advance(1000);
    await waitFor(() => running?.metrics.read('ControlMessages') === 1);
    await clock.advance(1000);
    await waitFor(() => server?.accepted[0]?.received.length === 2);
    await clock.advance(750);
    await waitFor(() => running?.logger.withEvent('heartbeat_missed').length === 1);
    await waitFor(() => running?.logger.withEvent('reconnect_scheduled').length === 1);
    await clock.advance(10);
    expect(await server.connection(1)).toBeDefined();
    expect(running.metrics.read('MessagesReceived')).toBe(0);
  });
});

function thrownBy(make: () => unknown): readonly string[] {
  try {
    make();
  } catch (thrown) {
    if (isConnectorError(thrown)) return thrown.issues.map(({ message }) => message);
  }
  throw new Error('nothing was thrown');
}
