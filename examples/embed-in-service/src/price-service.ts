import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { websocketSource } from '@levada/source-websocket';

/** A running service. */
export interface PriceService {
  readonly url: string;
  /** Closes feed and server. Always resolves. */
  close(): Promise<void>;
}

/** What the feed sends. */
interface Price {
  readonly symbol: string;
  readonly price: number;
}

/** A service that answers the latest price of each symbol of a WebSocket feed: `/prices`, `/ready`, `/status`. */
export async function startPriceService(feedUrl: string, port = 0): Promise<PriceService> {
  const prices = new Map<string, number>();
  const source = websocketSource({ url: feedUrl, topic: 'prices', reconnectIntervalMs: 1000 });

  const reading = (async () => {
    for await (const record of source) {
      const { symbol, price } = JSON.parse(String(record.value)) as Price;
      prices.set(symbol, price);
    }
  })();
  // A feed that failed for good shows in /ready; the service goes on with the prices it has.
  reading.catch(() => undefined);

  const server = createServer((request, response) => {
    if (request.url === '/prices') answer(response, 200, Object.fromEntries(prices));
    else if (request.url === '/status') answer(response, 200, source.status());
    else if (request.url === '/ready') {
      const health = source.health();
      answer(response, health.status === 'up' ? 200 : 503, health);
    } else answer(response, 404, { error: 'not found' });
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      await source.close({ timeoutMs: 2000 });
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function answer(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
