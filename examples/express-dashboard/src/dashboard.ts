import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import type { SourceRecord } from '@levada/connect-runtime-core';
import { websocketSource } from '@levada/source-websocket';
import express, { type Response } from 'express';

/** Serves a page that shows the prices of a feed as they come, and `/status`. */
export async function startDashboard(feed: string | URL, port = 0) {
  const source = websocketSource({ url: feed, topic: 'prices', reconnect: { intervalMs: 1000 } });
  const latest = new Map<string, ReturnType<typeof priceOf>>();
  const browsers = new Set<Response>();
  const send = (event: string, data: unknown, to: Iterable<Response> = browsers): void => {
    for (const browser of to) {
      browser.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
      // Too slow to keep up: it connects again by itself, and begins with the latest prices.
      if (browser.writableLength > 1_000_000) browser.destroy();
    }
  };

  const read = async (): Promise<void> => {
    for await (const { value } of source.decode(priceOf, { onInvalid: 'skip' })) {
      latest.set(value.symbol, value);
      send('price', value);
    }
  };
  const report = (): void => send('health', source.health());
  source.on('connected', report).on('disconnected', report);
  const reading = read().catch((error: unknown) => send('health', { status: 'down', reason: String(error) }));

  const app = express();
  app.use(express.static(fileURLToPath(new URL('../public', import.meta.url))));
  app.get('/status', (_, response) => void response.json({ ...source.health(), ...source.status() }));
  app.get('/events', (_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
    send('health', source.health(), [response]);
    for (const price of latest.values()) send('price', price, [response]);
    browsers.add(response.on('close', () => browsers.delete(response)));
  });
  const server = app.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`),
    close: async (): Promise<void> => {
      await Promise.all([source.close({ timeoutMs: 2000 }), reading]);
      for (const browser of browsers) browser.end();
      server.close();
      await once(server, 'close');
    },
  };
}

/** A feed also sends greetings and acknowledgements: what is no price is skipped. */
function priceOf({ value }: SourceRecord) {
  const { symbol, price } = JSON.parse(String(value)) as Record<string, unknown>;
  if (typeof symbol !== 'string' || typeof price !== 'number') throw new Error('not a price');
  return { symbol, price };
}
