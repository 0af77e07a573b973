import { waitFor } from '@levada/connect-runtime-core/testing';
import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import { websocketSource } from '../src/index.ts';
import { type SocketServer, startRawServer, startSocketServer } from './socket-server.ts';

let server: SocketServer | undefined;
afterEach(() => server?.close());

describe('in a service', () => {
  it('a URL in the place of the options is answered with what they are', () => {
    const url = 'ws://feed.example' as unknown as { url: string; topic: string };
    expect(() => websocketSource(url)).toThrow(
      /^options must be an object, such as \{ url: \.\.\., topic: \.\.\. \}, got string$/,
    );
  });

  it('a source is iterated, gives text, and leaving the loop closes the connection', async () => {
    server = await startSocketServer(({ socket }) => {
      for (let i = 0; i < 3; i += 1) socket.send(`{"i":${i}}`);
    });
    const url = new URL(server.url);
    const source = websocketSource({ url, topic: 'prices', headers: { 'X-A': 'b' } });
    const values: unknown[] = [];
    for await (const record of source) {
      values.push(record.value);
      if (values.length === 3) break;
    }
    expect(values).toEqual(['{"i":0}', '{"i":1}', '{"i":2}']);
    expect(source.status()).toMatchObject({ MessagesReceived: 3, IsConnected: false, QueueSize: 0 });
    expect(server.accepted[0]?.request.headers['x-a']).toBe('b');
  });

  it('loses nothing while the loop is busy elsewhere', async () => {
    const sent = Array.from({ length: 3000 }, (_, i) => `${i} ${'x'.repeat(100)}`);
    server = await startSocketServer(({ socket }) => {
      for (const text of sent) socket.send(text);
    });
    const source = websocketSource({ url: server.url, topic: 'prices', queueSize: 100 });
    const values: unknown[] = [];
    for await (const record of source) {
      if (values.length === 0) await waitFor(() => source.status().QueueSize >= 100);
      values.push(record.value);
      if (values.length + source.status().MessagesDropped === sent.length) break;
    }
    expect(values).toEqual(sent);
  });

  it('reports what is dropped when that is asked for, with one event and one warning of the process', async () => {
    server = await startSocketServer(({ socket }) => {
      for (let i = 0; i < 1000; i += 1) socket.send(String(i));
    });
    const warnings: unknown[] = [];
    const onWarning = (warning: Error & { code?: string }): void => {
      if (warning.code === 'LEVADA_RECORDS_DROPPED') warnings.push(warning.message);
    };
    process.on('warning', onWarning);
    onTestFinished(() => void process.off('warning', onWarning));
    const drops = { queueSize: 10, overflow: 'drop_newest', overflowGraceMs: 0 } as const;
    const source = websocketSource({ url: server.url, topic: 'prices', name: 'feed', ...drops });
    let dropped = 0;
    source.on('dropped', ({ cause, count }) => {
      if (cause === 'queue_full') dropped += count;
    });
    for await (const _ of source) {
      await waitFor(() => source.status().MessagesReceived === 1000);
      break;
    }
    expect(dropped).toBe(source.status().DroppedQueueFull);
    expect(dropped).toBeGreaterThan(0);
    expect(warnings).toEqual([expect.stringMatching(/^source "feed" dropped \d+ records? \(queue_full\); /)]);
  });

  it('a loop that is aborted gets what was received, then ends', async () => {
    server = await startSocketServer(({ socket }) => {
      for (let i = 0; i < 5; i += 1) socket.send(String(i));
    });
    const abort = new AbortController();
    const source = websocketSource({ url: server.url, topic: 'prices', signal: abort.signal });
    const values: unknown[] = [];
    for await (const record of source) {
      values.push(record.value);
      if (source.status().MessagesReceived === 5) abort.abort();
    }
    expect(values).toEqual(['0', '1', '2', '3', '4']);
    expect(source.status()).toMatchObject({ RecordsProduced: 5, UnaccountedCount: 0 });
  });

  it('waiting to be ready ends with the close, whatever the server does', async () => {
    const silent = await startRawServer(() => undefined);
    const source = websocketSource({ url: silent.url, topic: 'prices' });
    const ready = source.ready();
    await waitFor(() => silent.heard[0]?.includes('\r\n\r\n'));
    await source.close();
    await expect(ready).rejects.toMatchObject({ code: 'closed' });
    await waitFor(() => silent.sockets[0]?.destroyed);
    await silent.close();
  });

  it('asks functions for token and headers before each connection', async () => {
    server = await startSocketServer(({ socket }) => {
      socket.send('x');
      socket.close();
    });
    let asked = 0;
    const source = websocketSource({
      url: server.url,
      topic: 'prices',
      reconnect: { intervalMs: 1 },
      token: async () => {
        asked += 1;
        return `t${asked}`;
      },
      headers: () => ({ 'X-Asked': String(asked) }),
    });
    let records = 0;
    for await (const _ of source) {
      records += 1;
      if (records === 2) break;
    }
    const sent = server.accepted.slice(0, 2).map(({ request }) => request.headers.authorization);
    expect(sent).toEqual(['Bearer t1', 'Bearer t2']);
  });

  it('fails when a function among the options fails at the start or gives something else', async () => {
    const options = { url: 'ws://127.0.0.1:1', topic: 'prices' };
    const failing = websocketSource({ ...options, token: () => Promise.reject(new Error('no vault')) });
    await expect(failing.ready()).rejects.toThrow('the function in token failed: no vault');
    const wrong = websocketSource({ ...options, token: (() => 4711) as unknown as () => string });
    await expect(wrong.ready()).rejects.toThrow(/^token must be a string or a function, got number$/);
    const misplaced = { ...options, queueSize: () => 5 } as unknown as typeof options;
    expect(() => websocketSource(misplaced)).toThrow('queueSize must be a number, got function');
  });

  it('wrong options are reported all at once, with the nearest known name', () => {
    const options = { url: 'http://x', topic: 'a b', queSize: 3 };
    expect(() => websocketSource(options)).toThrow(
      expect.objectContaining({
        code: 'config_invalid',
        message: expect.stringMatching(/queueSize[\s\S]*ws:\/\/ or wss:\/\/[\s\S]*topic may/),
      }),
    );
  });

  it.each([
    [{ overflowGraceMs: 5000 }, "overflow: 'drop_newest' is required with overflowGraceMs"],
    [{ subscription: { ackMatch: 'ok' } }, 'subscription.message is required with subscription.ackMatch'],
    [
      { subscription: { rejectMatch: 'no' } },
      'subscription.message is required with subscription.rejectMatch',
    ],
    [
      { subscription: { ackTimeoutMs: 5 } },
      'subscription.message is required with subscription.ackTimeoutMs',
    ],
    [{ heartbeat: { intervalMs: 5000 } }, 'heartbeat.send is required with heartbeat.intervalMs'],
    [{ heartbeat: { send: 'x', timeoutMs: 5 } }, 'heartbeat.expect is required with heartbeat.timeoutMs'],
    [{ renewal: { leadMs: 5000 } }, 'renewal.expiresPointer is required with renewal.leadMs'],
    [{ renewal: { timeoutMs: 5000 } }, 'renewal.expect is required with renewal.timeoutMs'],
    [{ sequence: { replayLimit: 5 } }, 'sequence.replay is required with sequence.replayLimit'],
    [{ ping: { intervalMs: 0, timeoutMs: 5 } }, 'ping.intervalMs is required with ping.timeoutMs'],
    [{ tls: { verify: false } }, 'url with wss:// is required with tls.verify'],
  ] as const)('refuses an option that has no effect without another: %j', (options, message) => {
    const create = (more: object) => () => websocketSource({ url: 'ws://h', topic: 't', ...more });
    expect(create(options)).toThrow(expect.objectContaining({ code: 'config_invalid', message }));
  });

  it('says of one that needs another only what is wrong with that', () => {
    const options = { url: 'ws://h', topic: 't', overflow: 5 as never, overflowGraceMs: 5000 };
    expect(() => websocketSource(options)).toThrow(/^overflow must be [^\n]*$/);
  });

  it('takes those options together with what they need', () => {
    const source = websocketSource({
      url: 'WSS://h',
      topic: 't',
      overflow: 'drop_newest',
      overflowGraceMs: 5000,
      subscription: { message: 'x', ackMatch: 'ok', rejectMatch: 'no', ackTimeoutMs: 5 },
      heartbeat: { send: 'x', intervalMs: 5000, expect: 'y', timeoutMs: 5 },
      renewal: { send: 'x', intervalMs: 5000, expect: 'y', timeoutMs: 5 },
      sequence: { pointer: '/n', replay: 'x', replayLimit: 5 },
      ping: { timeoutMs: 5 },
      tls: { servername: 'h' },
    });
    expect(source.name).toBe('WebSocketSourceConnector');
    // A configuration of a worker may be used as it is.
    const raw = { 'websocket.url': 'ws://h', 'platform.topic': 't', 'websocket.heartbeat.interval.ms': '5' };
    expect(() => websocketSource.fromConfig(raw)).not.toThrow();
  });

  it('takes the configuration of REST as well', async () => {
    server = await startSocketServer(({ socket }) => socket.send('x'));
    const raw = { 'websocket.url': server.url, 'kafka.topic': 'prices', 'tasks.max': '1' };
    await using source = websocketSource.fromConfig(raw);
    for await (const record of source) {
      expect(record).toMatchObject({ topic: 'prices', value: 'x' });
      break;
    }
  });
});
