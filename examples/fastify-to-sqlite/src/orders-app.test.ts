import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { waitFor } from '@levada/connect-runtime-core/testing';
import {
  messageBytes,
  messageJson,
  type StreamServer,
  startStreamServer,
  testDescriptor,
} from '@levada/test-peers/grpc';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Feed, ordersApp } from './orders-app.ts';

let folder: string;
let file: string;
let server: StreamServer;
let feed: Feed;

const EVENTS = 2000;

/** Answers each call with the two thousand events after the one that it names. */
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'levada-orders-'));
  file = join(folder, 'orders.db');
  server = await startStreamServer({
    service: 'teststream.RichService',
    method: 'Watch',
    onCall: (call) => {
      const { afterId = 'e0' } = messageJson('teststream.WatchRequest', call.request) as { afterId?: string };
      const after = Number(afterId.slice(1));
      for (let n = after + 1; n <= after + EVENTS; n += 1)
        call.send(messageBytes('teststream.RichEvent', { eventId: `e${n}` }));
    },
  });
  await writeFile(join(folder, 'shop.binpb'), testDescriptor());
  feed = {
    host: '127.0.0.1',
    port: server.port,
    service: 'teststream.RichService',
    method: 'Watch',
    descriptor: join(folder, 'shop.binpb'),
    resume: { field: 'after_id', from: '/eventId' },
    reconnect: { intervalMs: 10 },
  };
});
afterEach(async () => {
  await server.close();
  await rm(folder, { recursive: true });
});

type App = ReturnType<typeof ordersApp>;

const ids = async (app: App, after = 0): Promise<readonly string[]> => {
  const orders = (await app.inject(`/orders?after=${after}`)).json<{ id: number; eventId: string }[]>();
  return orders.map(({ id, eventId }) => `${id} ${eventId}`);
};

const lastId = (): number => {
  using database = new DatabaseSync(file);
  return Number(database.prepare('SELECT max(id) AS id FROM orders').get()?.['id']);
};

const numbered = (from: number): readonly string[] =>
  Array.from({ length: 100 }, (_, index) => `${from + index} e${from + index}`);

describe('orders in a table', () => {
  it('are there once, in order, over restarts', async () => {
    for (const from of [1, 2001, 4001]) {
      const app = ordersApp(feed, file, false);
      await waitFor(async () => (await ids(app, from + EVENTS - 2)).length > 0);
      expect(await ids(app, from - 1)).toEqual(numbered(from));
      await app.close();
    }
  });

  it('are there once after a process was killed in the middle', async () => {
    const program = `import { ordersApp } from '${new URL('orders-app.ts', import.meta.url).href}';
      const app = ordersApp(${JSON.stringify(feed)}, ${JSON.stringify(file)}, false);
      console.log(await app.listen({ port: 0 }));`;
    const child = spawn(process.execPath, ['--input-type=module', '--eval', program]);
    const [url] = await once(child.stdout, 'data');
    await waitFor(async () => {
      const answer = await fetch(`${String(url).trim()}/orders`);
      return ((await answer.json()) as unknown[]).length > 0;
    });
    child.kill('SIGKILL');
    await once(child, 'exit');
    const killedAt = lastId();

    const app = ordersApp(feed, file, false);
    await waitFor(async () => (await ids(app, killedAt + EVENTS - 1)).length > 0);
    await app.close();
    using database = new DatabaseSync(file);
    const different = "SELECT count(*) AS n FROM orders WHERE json_extract(body, '$.eventId') <> 'e' || id";
    expect(database.prepare(different).get()).toEqual({ n: 0 });
  });

  it('are ready while the feed is there', async () => {
    const app = ordersApp(feed, file, false);
    await waitFor(async () => (await app.inject('/ready')).statusCode === 200);
    server.kill();
    await waitFor(async () => (await app.inject('/ready')).statusCode === 503);
    expect((await app.inject('/ready')).json()).toMatchObject({ status: 'degraded' });
    await app.close();
  });
});
