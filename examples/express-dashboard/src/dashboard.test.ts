import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { waitFor } from '@levada/connect-runtime-core/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { WebSocketServer } from 'ws';
import { startDashboard } from './dashboard.ts';

let feed: WebSocketServer;
let dashboard: Awaited<ReturnType<typeof startDashboard>>;

beforeEach(async () => {
  feed = new WebSocketServer({ host: '127.0.0.1', port: 0 });
  await once(feed, 'listening');
  feed.on('connection', (socket) => socket.send('{"symbol":"ABC","price":101.5}'));
  dashboard = await startDashboard(`ws://127.0.0.1:${(feed.address() as AddressInfo).port}/`);
});
afterEach(async () => {
  await dashboard.close();
  for (const client of feed.clients) client.terminate();
  await new Promise((resolve) => feed.close(resolve));
});

const publish = (text: string): void => {
  for (const client of feed.clients) client.send(text);
};

/** Text that a browser has received since it connected. */
async function browser(): Promise<{ readonly received: () => string; readonly ended: Promise<void> }> {
  const { body } = await fetch(new URL('events', dashboard.url));
  let text = '';
  const read = async (): Promise<void> => {
    for await (const chunk of (body ?? new ReadableStream()).pipeThrough(new TextDecoderStream())) {
      text += chunk;
    }
  };
  return { received: () => text, ended: read() };
}

describe('the dashboard', () => {
  it('sends each browser the latest prices, and then every new one', async () => {
    const first = await browser();
    await waitFor(() => first.received().includes('"price":101.5'));
    publish('{"symbol":"DEF","price":7}');
    await waitFor(() => first.received().includes('event: price\ndata: {"symbol":"DEF","price":7}\n\n'));
    const second = await browser();
    await waitFor(() => second.received().includes('"DEF"'));
    expect(second.received()).toContain('event: health\ndata: {"status":"up"}');
    expect(second.received()).toContain('"ABC"');
  });

  it('continues after messages that are not prices', async () => {
    const { received } = await browser();
    await waitFor(() => feed.clients.size === 1);
    for (const text of ['hello', 'null', '[1]', '{"symbol":1}']) publish(text);
    publish('{"symbol":"DEF","price":8}');
    await waitFor(() => received().includes('"DEF"'));
    expect(received().match(/event: price/g)).toHaveLength(2);
  });

  it('shows on page and status that the feed is away', async () => {
    const { received } = await browser();
    await waitFor(() => received().includes('"ABC"'));
    feed.close(); // or it is connected again after a second
    for (const client of feed.clients) client.terminate();
    await waitFor(() => received().includes('"degraded"'));
    const status = await fetch(new URL('status', dashboard.url)).then((answer) => answer.json());
    expect(status).toMatchObject({ status: 'degraded', MessagesReceived: 1, IsConnected: false });
    expect(await fetch(dashboard.url).then((answer) => answer.text())).toContain("new EventSource('events')");
  });

  it('ends the streams of browsers when it closes', async () => {
    const { ended } = await browser();
    await dashboard.close();
    await ended;
    await expect(fetch(dashboard.url)).rejects.toThrow('fetch failed');
  });
});
