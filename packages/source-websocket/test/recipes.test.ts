import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { runInThisContext } from 'node:vm';
import type { RawConfig } from '@levada/connect-runtime-core';
import { waitFor } from '@levada/connect-runtime-core/testing';
import { afterEach, describe, expect, it } from 'vitest';
import { type WebSocketOptions, webSocketSourceConnector, websocketSource } from '../src/index.ts';
import {
  type FeedServer,
  startGraphqlServer,
  startNumberedFeed,
  startPhoenixServer,
  startSocketIoServer,
  startStompServer,
} from './feed-servers.ts';

const guide = readFileSync(new URL('../../../docs/guides/websocket-feeds.md', import.meta.url), 'utf8');

/** The two examples of a section of the guide. The options are evaluated as they are written. */
function recipe(title: string) {
  const section = guide.split(/^## /m).find((text) => text.startsWith(title)) ?? '';
  const [, code = ''] = /```ts\n[\s\S]*?websocketSource\((\{[\s\S]*?\n\})\);/.exec(section) ?? [];
  const [, json = '{}'] = /```json\n([\s\S]*?)```/.exec(section) ?? [];
  return {
    options: runInThisContext(`(${code})`, { filename: 'websocket-feeds.md' }) as WebSocketOptions,
    config: JSON.parse(json) as RawConfig,
  };
}

/** What differs between the two on purpose: where secrets come from. */
function withoutSecrets(config: RawConfig): RawConfig {
  return Object.fromEntries(Object.entries(config).filter(([key]) => !key.startsWith('websocket.secret.')));
}

let server: FeedServer | undefined;
afterEach(() => server?.close());

const secrets = { token: 's3cret', password: 's3cret' };

/** Values of the first records of a recipe, read until there were this many control messages, too. */
async function read(title: string, { records: count, control }: { records: number; control: number }) {
  const { options } = recipe(title);
  const values: string[] = [];
  const fast = { reconnect: { intervalMs: 1 }, heartbeat: { ...options.heartbeat, intervalMs: 10 } };
  const hurried = options.heartbeat === undefined ? { reconnect: fast.reconnect } : fast;
  const source = websocketSource({ ...options, ...hurried, url: server?.url ?? '', secrets });
  for await (const record of source) {
    values.push(String(record.value));
    if (values.length < count) continue;
    await waitFor(() => Number(source.status()['ControlMessages']) >= control);
    break;
  }
  return values;
}

describe('the recipes of the guide', () => {
  it.each(['A feed with everything', 'GraphQL', 'STOMP', 'Phoenix channels', 'Socket.IO'])(
    'are the same as options and as configuration of REST: %s',
    (title) => {
      const { options, config } = recipe(title);
      const { secrets: _, ...others } = options;
      expect(webSocketSourceConnector.config.fromOptions(others as never)).toEqual(withoutSecrets(config));
    },
  );

  it('read a feed with everything', async () => {
    server = await startNumberedFeed();
    const values = await read('A feed with everything', { records: 4, control: 5 });
    expect(values).toEqual([1, 2, 4, 3].map((seq) => `{"seq":${seq}}`));
    expect(server.noticed).toEqual(['pong 7']);
  });

  it('read a subscription of GraphQL, again when it ended', async () => {
    server = await startGraphqlServer();
    const next = (value: number) =>
      JSON.stringify({ id: '1', type: 'next', payload: { data: { price: { symbol: 'EURUSD', value } } } });
    expect(await read('GraphQL', { records: 5, control: 5 })).toEqual([1, 2, 3, 1, 2].map(next));
    expect(server.noticed).toContain('pong');
  });

  it('read a destination of STOMP', async () => {
    server = await startStompServer();
    const bodies = (await read('STOMP', { records: 3, control: 1 })).map((frame) =>
      frame.slice(frame.indexOf('\n\n') + 2, -1),
    );
    expect(bodies).toEqual(['{"price":1}', '{"price":2}', '{"price":3}']);
    expect(server.noticed).toEqual(['/topic/prices']);
  });

  it('read a channel of Phoenix', async () => {
    server = await startPhoenixServer();
    const price = (value: number) => JSON.stringify([null, null, 'room:prices', 'price', { price: value }]);
    expect(await read('Phoenix channels', { records: 3, control: 2 })).toEqual([1, 2, 3].map(price));
    expect(server.noticed).toContain('phoenix heartbeat');
  });

  it('read events of Socket.IO, and answer its pings', async () => {
    server = await startSocketIoServer();
    expect(await read('Socket.IO', { records: 3, control: 4 })).toEqual(
      [1, 2, 3].map((price) => `42["price",{"price":${price}}]`),
    );
    expect(server.noticed).toEqual(expect.arrayContaining(['prices', 'pong']));
  });
});

/** What is used of the client of Phoenix, which has no types. */
interface PhoenixClient {
  readonly Socket: new (
    url: string,
  ) => {
    connect(): void;
    disconnect(done: () => void): void;
    channel(topic: string, payload: object): PhoenixChannel;
  };
}

interface PhoenixChannel {
  on(event: string, listener: (payload: { readonly price: number }) => void): void;
  join(): { receive(status: string, listener: () => void): void };
}

describe('the server of Phoenix channels of these tests', () => {
  it('is joined by the client of Phoenix itself', async () => {
    server = await startPhoenixServer();
    const { Socket } = createRequire(import.meta.url)('phoenix') as PhoenixClient;
    const client = new Socket(server.url.replace(/\/websocket.*/, ''));
    client.connect();
    const channel = client.channel('room:prices', { token: 's3cret' });
    const received: number[] = [];
    channel.on('price', ({ price }) => received.push(price));
    await new Promise<void>((joined) => channel.join().receive('ok', joined));
    await waitFor(() => received.length === 3);
    await new Promise<void>((closed) => client.disconnect(closed));
    expect(received).toEqual([1, 2, 3]);
  });
});
