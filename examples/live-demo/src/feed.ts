import { createServer, type Server } from 'node:http';
import { type WebSocket, WebSocketServer } from 'ws';

/** A running price feed. */
export interface Feed {
  /** Endpoint for WebSocket clients. */
  readonly url: string;
  /** Base URL of its two switches: `POST <controlUrl>/stop` and `POST <controlUrl>/start`. */
  readonly controlUrl: string;
  /** Ends all connections and the server. */
  close(): Promise<void>;
}

/** How a feed is to run. */
export interface FeedOptions {
  /** Address to listen on; loopback by default. */
  readonly host?: string;
  /** Port wanted; another free one is taken when it is in use. */
  readonly port: number;
  readonly messagesPerSecond: number;
}

const SYMBOLS = ['ACME', 'GLOBEX', 'INITECH', 'UMBRELLA'];
/** WebSocket close code for a server that goes away for a while. */
const GOING_AWAY = 1001;

/** A WebSocket server that sends prices, and that can be switched off and on to watch a client reconnect. */
export async function startFeed(options: FeedOptions): Promise<Feed> {
  let open = true;
  const sockets = new WebSocketServer({ noServer: true });
  const server = createServer((request, response) => {
    const wanted = request.method === 'POST' ? request.url : undefined;
    if (wanted !== '/stop' && wanted !== '/start') {
      response.writeHead(404).end('POST /stop or /start\n');
      return;
    }
    open = wanted === '/start';
    if (!open) for (const socket of sockets.clients) socket.close(GOING_AWAY, 'feed stopped');
    response.end(open ? 'the feed is on\n' : 'the feed is off\n');
  });
  server.on('upgrade', (request, socket, head) => {
    if (open) sockets.handleUpgrade(request, socket, head, (client) => sockets.emit('connection', client));
    else socket.end('HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\n\r\n');
  });
  const { host = '127.0.0.1' } = options;
  const port = await listen(server, { host, port: options.port });
  const ticker = setInterval(() => broadcast(sockets.clients), 1000 / options.messagesPerSecond);
  return {
    url: `ws://${host}:${port}/prices`,
    controlUrl: `http://${host}:${port}`,
    close: async () => {
      clearInterval(ticker);
      for (const socket of sockets.clients) socket.terminate();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The port wanted, or any free one when it is taken. Answers the port. */
async function listen(
  server: Server,
  wanted: { readonly host: string; readonly port: number },
): Promise<number> {
  const attempt = (port: number) =>
    new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, wanted.host, () => {
        server.off('error', reject);
        resolve();
      });
    });
  await attempt(wanted.port).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EADDRINUSE') throw error;
    return attempt(0);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the feed has no port');
  return address.port;
}

function broadcast(clients: Iterable<WebSocket>): void {
  const symbol = SYMBOLS[Math.floor(Math.random() * SYMBOLS.length)];
  const price = (100 + Math.random() * 10).toFixed(2);
  const text = JSON.stringify({ symbol, price: Number(price), at: new Date().toISOString() });
  for (const client of clients) client.send(text);
}
