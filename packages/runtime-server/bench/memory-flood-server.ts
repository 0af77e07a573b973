// A server that floods one client with messages of 64 KiB while its parent wants it, in its own process, and sends nothing else.
// Argument: `grpc` or `websocket`. Prints its port; the parent writes `flood` or `quiet` to its standard input.
import { createServer as createHttpServer } from 'node:http';
import { createServer as createHttp2Server, type ServerHttp2Stream } from 'node:http2';
import type { AddressInfo, Server } from 'node:net';
import { createInterface } from 'node:readline';
import { WebSocket, WebSocketServer } from 'ws';

const BYTES = 64 * 1024;
/** What may wait in this process for the kernel. */
const AHEAD_BYTES = 1024 * 1024;

/** Sends one message; false when no more may be sent before `onRoom`. */
type Send = () => boolean;

let flooding = false;
const senders = new Set<Send>();

function fill(send: Send): void {
  while (flooding && send());
}

/** A `teststream.StreamEvent` with nothing but its payload, field 4, after the prefix of gRPC. */
function grpcMessage(): Buffer {
  const field = Buffer.from([0x22, 0x80 | (BYTES & 0x7f), 0x80 | ((BYTES >> 7) & 0x7f), BYTES >> 14]);
  const head = Buffer.alloc(5);
  head.writeUInt32BE(field.length + BYTES, 1);
  return Buffer.concat([head, field, Buffer.alloc(BYTES, 'x')]);
}

function floodCall(stream: ServerHttp2Stream): void {
  const message = grpcMessage();
  const send = (): boolean => !stream.destroyed && stream.write(message);
  stream.respond({ 'content-type': 'application/grpc' });
  stream.on('error', () => undefined).on('drain', () => fill(send));
  stream.on('close', () => senders.delete(send));
  senders.add(send);
  fill(send);
}

function floodSocket(socket: WebSocket): void {
  const message = Buffer.alloc(BYTES, 'x');
  const send = (): boolean => {
    if (socket.readyState !== WebSocket.OPEN) return false;
    socket.send(message, { binary: false }, () => {
      if (socket.bufferedAmount < AHEAD_BYTES) fill(send);
    });
    return socket.bufferedAmount < AHEAD_BYTES;
  };
  socket.on('error', () => undefined).on('close', () => senders.delete(send));
  senders.add(send);
  fill(send);
}

function listen(server: Server): void {
  server.listen(0, '127.0.0.1', () => process.stdout.write(`${(server.address() as AddressInfo).port}\n`));
}

if (process.argv[2] === 'grpc') {
  const server = createHttp2Server();
  server.on('stream', floodCall).on('sessionError', () => undefined);
  listen(server as unknown as Server);
} else {
  const server = new WebSocketServer({ noServer: true, perMessageDeflate: false });
  const http = createHttpServer();
  http.on('upgrade', (request, socket, head) => server.handleUpgrade(request, socket, head, floodSocket));
  listen(http);
}
const input = createInterface({ input: process.stdin });
input.on('line', (line) => {
  flooding = line === 'flood';
  for (const send of senders) fill(send);
});
input.on('close', () => process.exit());
