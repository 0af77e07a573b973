import type { AddressInfo } from 'node:net';
import { waitFor } from '@levada/connect-runtime-core/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { WebSocketServer } from 'ws';
import { type PriceService, startPriceService } from './price-service.ts';

let feed: WebSocketServer;
let service: PriceService;
const get = async (path: string): Promise<{ readonly status: number; readonly body: unknown }> => {
  const response = await fetch(service.url + path);
  return { status: response.status, body: await response.json() };
};

beforeEach(async () => {
  feed = new WebSocketServer({ host: '127.0.0.1', port: 0 });
  await waitFor(() => feed.address() !== null);
  feed.on('connection', (socket) => socket.send('{"symbol":"ABC","price":101.5}'));
  service = await startPriceService(`ws://127.0.0.1:${(feed.address() as AddressInfo).port}/`);
});
afterEach(async () => {
  await service.close();
  for (const client of feed.clients) client.terminate();
  await new Promise((resolve) => feed.close(resolve));
});

describe('price service', () => {
  it('answers the prices of the feed, and is ready', async () => {
    await waitFor(async () => Object.keys((await get('/prices')).body as object).length > 0);
    expect(await get('/prices')).toEqual({ status: 200, body: { ABC: 101.5 } });
    expect(await get('/ready')).toEqual({ status: 200, body: { status: 'up' } });
    expect((await get('/status')).body).toMatchObject({ MessagesReceived: 1, IsConnected: true });
  });

  it('continues after messages that are not prices', async () => {
    await waitFor(() => feed.clients.size === 1);
    for (const client of feed.clients) {
      for (const text of ['hello', 'null', '[1]', '{"symbol":1}', '{"symbol":"__proto__","price":1}'])
        client.send(text);
      client.send('{"symbol":"DEF","price":7}');
    }
    await waitFor(async () => Object.hasOwn((await get('/prices')).body as object, 'DEF'));
    expect(await get('/ready')).toEqual({ status: 200, body: { status: 'up' } });
  });

  it('is not ready while the feed is away, and keeps its prices', async () => {
    await waitFor(async () => (await get('/ready')).status === 200);
    feed.close(); // or it is connected again after a second
    for (const client of feed.clients) client.terminate();
    await waitFor(async () => (await get('/ready')).status === 503);
    expect((await get('/ready')).body).toMatchObject({ status: 'degraded' });
    expect((await get('/prices')).status).toBe(200);
  });

  it('lets go of the feed when it is closed', async () => {
    await waitFor(() => feed.clients.size === 1);
    await service.close();
    await waitFor(() => feed.clients.size === 0);
    await expect(fetch(service.url)).rejects.toThrow('fetch failed');
  });
});
