import { isConnectorError } from '@levada/connect-runtime-core';
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
    expect(running.logger.withEvent('handshake_completed')[0]?.fields).toMatchObject({ messages: 2 });
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
      'handshake[3].sent is not an option, did you mean handshake[].send?',
      'handshake[0].send: There is no {{reply:/a}} here, only {{secret:key}}, {{time.ms}}, {{time.s}}, {{count}}',
      'handshake[1].send: There is no {{secret:kez}} here, only {{secret:key}}, {{time.ms}}, {{time.s}}, {{count}}',
      'handshake[2].expect must be a JSON pointer (RFC 6901), such as /customer/id, got "/a~b"',
      'handshake[1].expect is required with handshake[1].reject',
      'handshake[2].timeoutMs must be at least 1, got 0',
    ]);
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
