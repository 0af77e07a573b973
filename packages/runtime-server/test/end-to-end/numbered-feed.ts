import type { AddressInfo } from 'node:net';
import { waitFor } from '@levada/connect-runtime-core/testing';
import { type WebSocket, WebSocketServer } from 'ws';

/** One connection of a client, from the server's side. */
export interface FeedConnection {
  readonly path: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** Texts that the client sent. */
  readonly received: readonly string[];
  /** How the client closed it; undefined while it is open. */
  readonly closed: { readonly code: number; readonly reason: string } | undefined;
}

/** A WebSocket server whose messages are numbered, over all its connections. */
export interface NumberedFeed {
  readonly url: string;
  /** Every connection there ever was, in order. */
  readonly connections: readonly FeedConnection[];
  /** Connections that were open at once, at most. */
  readonly mostAtOnce: number;
  /** Messages that were sent. */
  readonly sent: number;
  /** Waits for the connection with this number, from 1. */
  connection(number: number): Promise<FeedConnection>;
  /** Waits until the connection with this number is closed; resolves with how. */
  closeOf(number: number): Promise<{ readonly code: number; readonly reason: string }>;
  /** Sends further messages over the connection that is open. Throws when there is none. */
  send(count: number): void;
  /** Sends at this rate from now on, as long as a connection is open. Returns what ends it. */
  sendSteadily(perSecond: number): () => void;
  close(): Promise<void>;
}

/** Text of a message: its number, and as much more as makes lengths differ and UTF-8 matter. */
export function numberedMessage(number: number): string {
  return `{"n":${number},"text":"${'é☃😀 quote \\" '.repeat(number % 7)}"}`;
}

/** The first messages, in order. */
export function numberedMessages(count: number): readonly string[] {
  return Array.from({ length: count }, (_, i) => numberedMessage(i));
}

/** A feed with messages of its own text. */
export interface FeedOptions {
  readonly message?: (number: number) => string;
  /** Handshakes are answered with 401 while this says so. */
  readonly refuses?: () => boolean;
}

/** Starts a feed on a free port of 127.0.0.1. */
export async function startNumberedFeed(options: FeedOptions = {}): Promise<NumberedFeed> {
  const { refuses = () => false } = options;
  const server = new WebSocketServer({
    port: 0,
    host: '127.0.0.1',
    verifyClient: (_info, done) => done(!refuses(), 401),
  });
  await new Promise((resolve) => server.once('listening', resolve));
  return new Feed(server, options.message ?? numberedMessage);
}

const PACE_MS = 5;

class Feed implements NumberedFeed {
  readonly url: string;
  readonly connections: FeedConnection[] = [];
  mostAtOnce = 0;
  sent = 0;
  readonly #server: WebSocketServer;
  readonly #message: (number: number) => string;
  readonly #timers = new Set<NodeJS.Timeout>();

  constructor(server: WebSocketServer, message: (number: number) => string) {
    this.#server = server;
    this.#message = message;
    this.url = `ws://127.0.0.1:${(server.address() as AddressInfo).port}/feed`;
    server.on('connection', (socket, request) => this.#accept(socket, request.url ?? '', request.headers));
  }

  connection(number: number): Promise<FeedConnection> {
    return waitFor(() => this.connections[number - 1], {
      timeoutMs: 30_000,
      what: () => `connection ${number}; there were ${this.connections.length}`,
    });
  }

  async closeOf(number: number): Promise<{ readonly code: number; readonly reason: string }> {
    const connection = await this.connection(number);
    return await waitFor(() => connection.closed, {
      timeoutMs: 30_000,
      what: `connection ${number} is still open`,
    });
  }

  send(count: number): void {
    const [socket] = this.#server.clients;
    if (socket === undefined) throw new Error('no client is connected to the feed');
    for (let i = 0; i < count; i += 1) {
      socket.send(this.#message(this.sent));
      this.sent += 1;
    }
  }

  sendSteadily(perSecond: number): () => void {
    const start = performance.now();
    let done = 0;
    const timer = setInterval(() => {
      const due = Math.floor(((performance.now() - start) * perSecond) / 1000);
      if (this.#server.clients.size > 0) this.send(due - done);
      done = due;
    }, PACE_MS);
    this.#timers.add(timer);
    return () => clearInterval(timer);
  }

  async close(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer);
    for (const socket of this.#server.clients) socket.terminate();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #accept(socket: WebSocket, path: string, headers: FeedConnection['headers']): void {
    const received: string[] = [];
    const connection = { path, headers, received, closed: undefined as FeedConnection['closed'] };
    this.connections.push(connection);
    this.mostAtOnce = Math.max(this.mostAtOnce, this.#server.clients.size);
    socket.on('message', (data) => received.push((data as Buffer).toString()));
    socket.on('error', () => undefined);
    socket.on('close', (code, reason) => {
      connection.closed = { code, reason: String(reason) };
    });
  }
}
