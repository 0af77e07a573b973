import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { useServer } from 'graphql-ws/use/ws';
import { Server as SocketIoServer } from 'socket.io';
import { WebSocketServer } from 'ws';

/** A server of a protocol over WebSocket, on loopback. It sends the prices 1, 2 and 3 to who logs in with the token `s3cret`. */
export interface FeedServer {
  readonly url: string;
  /** What it noticed of its client, beside the login. */
  readonly noticed: readonly string[];
  close(): Promise<void>;
}

const TOKEN = 's3cret';
const prices = [1, 2, 3];
const load = createRequire(import.meta.url);
// Not imported: its ES module would be another one than that of graphql-ws.
const { buildSchema } = load('graphql') as typeof import('graphql');

async function listen(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `ws://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function closed(server: Server): Promise<void> {
  server.closeAllConnections();
  if (server.listening) await new Promise((resolve) => server.close(resolve));
}

/** The server of graphql-ws. Its subscription ends after the prices, so that the first connection is not the last. */
export async function startGraphqlServer(): Promise<FeedServer> {
  const http = createServer();
  const wss = new WebSocketServer({ server: http, path: '/graphql' });
  const noticed: string[] = [];
  const price = async function* () {
    for (const value of prices) yield { price: { symbol: 'EURUSD', value } };
  };
  const running = useServer(
    {
      schema: buildSchema(
        'type Query { a: Int } type Price { symbol: String value: Int } type Subscription { price: Price }',
      ),
      roots: { subscription: { price } },
      onConnect: ({ connectionParams, extra }) => {
        extra.socket.on('message', (data: Buffer) => {
          const { type } = JSON.parse(data.toString()) as { type: string };
          if (type === 'pong') noticed.push('pong');
        });
        extra.socket.send('{"type":"ping"}');
        return connectionParams?.['token'] === TOKEN;
      },
    },
    wss,
  );
  return {
    url: `${await listen(http)}/graphql`,
    noticed,
    close: async () => {
      await running.dispose();
      await closed(http);
    },
  };
}

/** What is used of stomp-broker-js, which has no types. */
interface StompBroker {
  on(event: string, listener: (...all: unknown[]) => void): void;
  send(topic: string, headers: object, body: string): void;
  addMiddleware(command: string, handle: (socket: unknown, args: Json, next: () => unknown) => unknown): void;
}

type Json = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** A STOMP broker that sends heart-beats, too. */
export async function startStompServer(): Promise<FeedServer> {
  const http = createServer();
  const Broker = load('stomp-broker-js') as new (options: object) => StompBroker;
  const broker = new Broker({ server: http, path: '/stomp', heartbeat: [20, 20] });
  const noticed: string[] = [];
  broker.addMiddleware('connect', (_, { headers }, next) => headers?.['passcode'] === TOKEN && next());
  broker.on('subscribe', (subscription) => {
    const { topic } = subscription as { topic: string };
    noticed.push(topic);
    for (const price of prices) broker.send(topic, {}, `{"price":${price}}`);
  });
  return { url: `${await listen(http)}/stomp`, noticed, close: () => closed(http) };
}

/** The server of Socket.IO, which pings often. */
export async function startSocketIoServer(): Promise<FeedServer> {
  const http = createServer();
  const server = new SocketIoServer(http, { pingInterval: 20, pingTimeout: 5000 });
  const noticed: string[] = [];
  server.use((socket, next) =>
    next(socket.handshake.auth['token'] === TOKEN ? undefined : new Error('wrong token')),
  );
  server.on('connection', (socket) => {
    socket.conn.on('heartbeat', () => noticed.push('pong'));
    socket.on('subscribe', (channel: string) => {
      noticed.push(channel);
      for (const price of prices) socket.emit('price', { price });
    });
  });
  return {
    url: `${await listen(http)}/socket.io/?EIO=4&transport=websocket`,
    noticed,
    close: async () => {
      await server.close();
      await closed(http);
    },
  };
}

/**
 * A server of Phoenix channels, by the documentation of version 2.0.0 of their messages: the real one needs Elixir. The tests
 * show that the client of Phoenix itself joins it.
 */
export async function startPhoenixServer(): Promise<FeedServer> {
  const http = createServer();
  const wss = new WebSocketServer({ server: http, path: '/socket/websocket' });
  const noticed: string[] = [];
  wss.on('connection', (socket) => {
    const send = (...message: unknown[]): void => socket.send(JSON.stringify(message));
    socket.on('message', (data: Buffer) => {
      const [joinRef, ref, topic, event, payload] = JSON.parse(data.toString()) as [
        string | null,
        string,
        string,
        string,
        Readonly<Record<string, unknown>>,
      ];
      noticed.push(`${topic} ${event}`);
      const ok = topic === 'phoenix' || payload['token'] === TOKEN;
      send(joinRef, ref, topic, 'phx_reply', { status: ok ? 'ok' : 'error', response: {} });
      if (event !== 'phx_join' || !ok) return;
      for (const price of prices) send(null, null, topic, 'price', { price });
    });
  });
  return {
    url: `${await listen(http)}/socket/websocket?vsn=2.0.0`,
    noticed,
    close: async () => {
      for (const client of wss.clients) client.terminate();
      await closed(http);
    },
  };
}

/** The feed of the first example: a challenge, a login, pings of both sides, and a number that is left out at first. */
export async function startNumberedFeed(): Promise<FeedServer> {
  const http = createServer();
  const wss = new WebSocketServer({ server: http });
  const noticed: string[] = [];
  wss.on('connection', (socket) => {
    const send = (message: object): void => socket.send(JSON.stringify(message));
    const answers: Readonly<Record<string, (message: Readonly<Record<string, unknown>>) => void>> = {
      hello: () => send({ event: 'challenge', nonce: 'n1' }),
      login: ({ token, nonce }) =>
        send(token === TOKEN && nonce === 'n1' ? { event: 'login', expires_in: 3600 } : { event: 'error' }),
      subscribe: () => {
        send({ event: 'subscribed' });
        send({ event: 'ping', id: 7 });
        for (const seq of [1, 2, 4]) send({ seq });
      },
      replay: ({ from, to }) => {
        for (let seq = Number(from); seq <= Number(to); seq += 1) send({ seq });
      },
      ping: () => send({ event: 'pong' }),
      pong: ({ id }) => noticed.push(`pong ${String(id)}`),
    };
    socket.on('message', (data: Buffer) => {
      const message = JSON.parse(data.toString()) as { readonly op: string };
      answers[message.op]?.(message as never);
    });
  });
  return {
    url: await listen(http),
    noticed,
    close: async () => {
      for (const client of wss.clients) client.terminate();
      await closed(http);
    },
  };
}
