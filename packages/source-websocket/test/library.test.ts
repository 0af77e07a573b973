import { afterEach, describe, expect, it } from 'vitest';
import { websocketSource } from '../src/index.ts';
import { type SocketServer, startSocketServer } from './socket-server.ts';

let server: SocketServer | undefined;
afterEach(() => server?.close());

describe('in a service', () => {
  it('a source is iterated, gives text, and leaving the loop closes the connection', async () => {
    server = await startSocketServer(({ socket }) => {
      for (let i = 0; i < 3; i += 1) socket.send(`{"i":${i}}`);
    });
    const source = websocketSource({ url: server.url, topic: 'prices', headers: { 'X-A': 'b' } });
    const values: unknown[] = [];
    for await (const record of source) {
      values.push(record.value);
      if (values.length === 3) break;
    }
    expect(values).toEqual(['{"i":0}', '{"i":1}', '{"i":2}']);
    expect(source.status()).toMatchObject({ MessagesReceived: 3, IsConnected: false, QueueSize: 0 });
    expect(server.accepted[0]?.request.headers['x-a']).toBe('b');
  });

  it('wrong options are told all at once, with the nearest known name', () => {
    const options = { url: 'http://x', topic: 'a b', queSize: 3 };
    expect(() => websocketSource(options)).toThrow(
      expect.objectContaining({
        code: 'config_invalid',
        message: expect.stringMatching(/queueSize[\s\S]*ws:\/\/ or wss:\/\/[\s\S]*Topic name/),
      }),
    );
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
