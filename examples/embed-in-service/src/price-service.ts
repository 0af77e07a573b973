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
  const source = websocketSource({ url: feedUrl, topic: 'prices', reconnect: { intervalMs: 1000 } });

  const reading = (async () => {
    for await (const record of source) {
      const price = priceOf(String(record.value));
      if (price !== undefined) prices.set(price.symbol, price.price);
    }
  })();
  // A feed that failed permanently is reported by /ready; the service continues with the prices it has.
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

/** A feed also sends greetings and acknowledgements: what is no price is left out. */
function priceOf(text: string): Price | undefined {
  try {
    const message = JSON.parse(text) as Partial<Price> | null;
    const { symbol, price } = message ?? {};
    return typeof symbol === 'string' && typeof price === 'number' ? { symbol, price } : undefined;
  } catch {
    return undefined;
  }
}

function answer(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
