import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { waitFor } from '@levada/connect-runtime-core/testing';
import { type ServerOptions, type WebSocket, WebSocketServer } from 'ws';

/** One connection that a server accepted. */
export interface Accepted {
  readonly socket: WebSocket;
  readonly request: IncomingMessage;
  /** What the client sent, as text. */
  readonly received: string[];
  /** Close code and reason that the client sent. */
  closed: { readonly code: number; readonly reason: string } | undefined;
}

/** A real WebSocket server on loopback that remembers what happened. */
export interface SocketServer {
  readonly url: string;
  readonly port: number;
  readonly accepted: readonly Accepted[];
  /** The n-th connection, from 0, as soon as there is one. */
  connection(index: number): Promise<Accepted>;
  close(): Promise<void>;
}

/** Starts one. `onConnection` runs in the same turn as the handshake. */
export async function startSocketServer(
  onConnection: (accepted: Accepted, index: number) => void = () => undefined,
  options: ServerOptions = {},
): Promise<SocketServer> {
  const wss = new WebSocketServer({ port: 0, host: '127.0.0.1', ...options });
  const accepted: Accepted[] = [];
  wss.on('connection', (socket, request) => {
    const entry: Accepted = { socket, request, received: [], closed: undefined };
    socket.on('message', (data: Buffer) => entry.received.push(data.toString()));
    socket.on('close', (code, reason) => {
      entry.closed = { code, reason: reason.toString() };
    });
    socket.on('error', () => undefined);
    accepted.push(entry);
    onConnection(entry, accepted.length - 1);
  });
  await waitFor(() => wss.address() !== null);
  const { port } = wss.address() as AddressInfo;
  return {
    url: `ws://127.0.0.1:${port}/`,
    port,
    accepted,
    connection: (index) => waitFor(() => accepted[index], { what: `connection ${index}` }),
    close: async () => {
      for (const client of wss.clients) client.terminate();
      await new Promise((resolve) => wss.close(resolve));
    },
  };
}

/** A server that writes scripted bytes. */
export interface RawServer {
  readonly url: string;
  readonly port: number;
  readonly sockets: readonly Socket[];
  /** Everything that each client sent, headers included. */
  readonly heard: readonly string[];
  close(): Promise<void>;
}

/** Starts a TCP server that hands each request head to `respond`; what `respond` does not do is not done. */
export async function startRawServer(
  respond: (socket: Socket, head: string, index: number) => void,
): Promise<RawServer> {
  const sockets: Socket[] = [];
  const heard: string[] = [];
  const server: Server = createServer((socket) => {
    const index = sockets.push(socket) - 1;
    heard[index] = '';
    let answered = false;
    socket.on('error', () => undefined);
    socket.on('data', (chunk) => {
      heard[index] += chunk.toString('latin1');
      const end = (heard[index] ?? '').indexOf('\r\n\r\n');
      if (answered || end < 0) return;
      answered = true;
      respond(socket, (heard[index] ?? '').slice(0, end), index);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `ws://127.0.0.1:${port}/`,
    port,
    sockets,
    heard,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The 101 answer to a request head, with more header lines if need be. */
export function upgradeAnswer(head: string, more: readonly string[] = []): Buffer {
  const key = /^sec-websocket-key: (.+)$/im.exec(head)?.[1]?.trim() ?? '';
  const accept = createHash('sha1').update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64');
  const lines = [
    'HTTP/1.1 101 Switching Protocols',
    'Upgrade: websocket',
    'Connection: Upgrade',
    `Sec-WebSocket-Accept: ${accept}`,
    ...more,
  ];
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n`);
}
