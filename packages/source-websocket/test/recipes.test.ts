import { readFileSync } from 'node:fs';
import { createRequire, stripTypeScriptTypes } from 'node:module';
import { runInThisContext } from 'node:vm';
import type { RawConfig, SourceHandle } from '@levada/connect-runtime-core';
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
  const [, code = ''] = /```ts\n([\s\S]*?)```/.exec(section) ?? [];
  const [, options = ''] = /websocketSource\((\{[\s\S]*?\n\})\);/.exec(code) ?? [];
  const [, json = '{}'] = /```json\n([\s\S]*?)```/.exec(section) ?? [];
  return {
    program: stripTypeScriptTypes(code).replace(/^import .*$/m, ''),
    options: runInThisContext(`(${options})`, { filename: 'websocket-feeds.md' }) as WebSocketOptions,
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

type Program = (
  make: (options: WebSocketOptions) => SourceHandle,
  shown: { readonly log: (...values: readonly unknown[]) => void },
) => Promise<void>;

/**
 * What the program of a recipe shows of its first records. It runs as it is written, against the server of this test, with short
 * intervals, and ends when there were this many control messages, too.
 */
async function read(title: string, { records, control }: { records: number; control: number }) {
  const code = `(async (websocketSource, console) => {${recipe(title).program}})`;
  const program = runInThisContext(code, { filename: 'websocket-feeds.md' }) as Program;
  const shown: unknown[][] = [];
  let source: SourceHandle | undefined;
  const make = (options: WebSocketOptions): SourceHandle => {
    const { heartbeat } = options;
    const hurried = heartbeat === undefined ? {} : { heartbeat: { ...heartbeat, intervalMs: 10 } };
    const own = { url: server?.url ?? '', secrets, reconnect: { intervalMs: 1 } };
    source = websocketSource({ ...options, ...own, ...hurried });
    return source;
  };
  const enough = async (): Promise<void> => {
    await waitFor(() => Number(source?.status()['ControlMessages']) >= control);
    await source?.close();
  };
  let ended: Promise<void> | undefined;
  const log = (...values: readonly unknown[]): void => {
    shown.push([...values]);
    if (shown.length >= records) ended ??= enough();
  };
  await program(make, { log });
  await ended;
  return shown.slice(0, records);
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
    const shown = await read('A feed with everything', { records: 4, control: 5 });
    expect(shown).toEqual([[1], [2], [4], [3]]);
    expect(server.noticed).toEqual(['pong 7']);
  });

  it('read a subscription of GraphQL, again when it ended', async () => {
    server = await startGraphqlServer();
    const shown = await read('GraphQL', { records: 5, control: 5 });
    expect(shown).toEqual([1, 2, 3, 1, 2].map((value) => [{ price: { symbol: 'EURUSD', value } }]));
    expect(server.noticed).toContain('pong');
  });

  it('read a destination of STOMP', async () => {
    server = await startStompServer();
    const shown = await read('STOMP', { records: 3, control: 1 });
    expect(shown).toEqual([['{"price":1}'], ['{"price":2}'], ['{"price":3}']]);
    expect(server.noticed).toEqual(['/topic/prices']);
  });

  it('read a channel of Phoenix', async () => {
    server = await startPhoenixServer();
    const shown = await read('Phoenix channels', { records: 3, control: 2 });
    expect(shown).toEqual([[{ price: 1 }], [{ price: 2 }], [{ price: 3 }]]);
    expect(server.noticed).toContain('phoenix heartbeat');
  });

  it('read events of Socket.IO, and answer its pings', async () => {
    server = await startSocketIoServer();
    const shown = await read('Socket.IO', { records: 3, control: 4 });
    expect(shown).toEqual([1, 2, 3].map((price) => ['price', { price }]));
    expect(server.noticed).toEqual(expect.arrayContaining(['prices', 'pong']));
  });
});

describe('a wrong token', () => {
  it.each([
    ['GraphQL', startGraphqlServer, 'server closed the connection with code 4403: Forbidden'],
    ['STOMP', startStompServer, 'step 1 of the handshake failed (matched)'],
    ['Phoenix channels', startPhoenixServer, 'step 1 of the handshake failed (matched)'],
    ['Socket.IO', startSocketIoServer, 'step 2 of the handshake failed (matched)'],
  ])(
    'is refused by the server, and that is what the source fails with: %s',
    async (title, start, message) => {
      server = await start();
      const wrong = { token: 'wrong', password: 'wrong' };
      const options = { ...recipe(title).options, url: server.url, secrets: wrong, reconnect: false };
      await expect(websocketSource(options).ready()).rejects.toThrow(message);
    },
  );
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
