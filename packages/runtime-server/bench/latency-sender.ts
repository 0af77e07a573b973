// Sends a number of messages per second, evenly, each of about 200 bytes with "T:" and 16 digits, its clock in microseconds: to
// the client of a gRPC or WebSocket server, or as OTLP/HTTP requests of one span. Prints its port, or "ready".
// Arguments: grpc | websocket | otlp, messages per second, and for otlp the port of the receiver.
import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { createServer as createHttp2Server, type ServerHttp2Stream } from 'node:http2';
import { type AddressInfo, createConnection, type Server, type Socket } from 'node:net';
import process from 'node:process';
import { setInterval } from 'node:timers/promises';
import { type WebSocket, WebSocketServer } from 'ws';

const PAYLOAD_BYTES = 200;
const CONNECTIONS = 32;
const DIGITS = 16;

const [kind = '', rate = '', target = ''] = process.argv.slice(2);

function payload(): Buffer {
  const bytes = Buffer.alloc(PAYLOAD_BYTES, 'x');
  bytes.write('T:');
  return bytes;
}

const clock = (): string => String(process.hrtime.bigint() / 1000n).padStart(DIGITS, '0');

/** A message with the present time. `prefix` is what the protocol puts before the text. */
function stamped(prefix: Buffer): Buffer {
  const bytes = Buffer.concat([prefix, text]);
  bytes.write(clock(), prefix.length + 2, 'latin1');
  return bytes;
}

const text = payload();

/** Sends messages as they become due, several when the timer was late, each with the time at which it was sent. */
async function sendEvenly(send: () => void): Promise<void> {
  const start = performance.now();
  let sent = 0;
  for await (const _ of setInterval(1)) {
    for (const due = ((performance.now() - start) * Number(rate)) / 1000; sent < due; sent += 1) send();
  }
}

function listen(server: Server): void {
  server.listen(0, '127.0.0.1', () => process.stdout.write(`${(server.address() as AddressInfo).port}\n`));
}

function lengthOf(field: number, bytes: number): Buffer {
  const tag = (field << 3) | 2;
  return bytes < 0x80 ? Buffer.of(tag, bytes) : Buffer.of(tag, 0x80 | (bytes & 0x7f), bytes >> 7);
}

/** The frame and the fields around the payload of a `teststream.StreamEvent`. */
function grpcPrefix(): Buffer {
  const field = lengthOf(4, PAYLOAD_BYTES);
  const head = Buffer.alloc(5);
  head.writeUInt32BE(field.length + PAYLOAD_BYTES, 1);
  return Buffer.concat([head, field]);
}

function serveGrpc(): void {
  const server = createHttp2Server();
  const prefix = grpcPrefix();
  server.on('stream', (stream: ServerHttp2Stream) => {
    stream.respond({ 'content-type': 'application/grpc' });
    stream.on('error', () => process.exit());
    void sendEvenly(() => stream.write(stamped(prefix)));
  });
  listen(server as unknown as Server);
}

function serveWebSocket(): void {
  const webSockets = new WebSocketServer({ noServer: true, perMessageDeflate: false });
  const none = Buffer.alloc(0);
  const onOpen = (client: WebSocket): void => {
    client.on('error', () => process.exit());
    void sendEvenly(() => client.send(stamped(none), { binary: false }));
  };
  const http = createHttpServer();
  http.on('upgrade', (request, socket, head) => {
    (socket as Socket).setNoDelay();
    webSockets.handleUpgrade(request, socket, head, onOpen);
  });
  listen(http);
}

/** Head and fields around the name of the one span of an `ExportTraceServiceRequest`. */
function otlpPrefix(): Buffer {
  let body = Buffer.concat([
    Buffer.concat([lengthOf(1, 16), Buffer.alloc(16, 1), lengthOf(2, 8), Buffer.alloc(8, 2)]),
    lengthOf(5, PAYLOAD_BYTES),
  ]);
  for (const field of [2, 2, 1]) body = Buffer.concat([lengthOf(field, body.length + PAYLOAD_BYTES), body]);
  const head = [
    'POST /v1/traces HTTP/1.1',
    'host: 127.0.0.1',
    'content-type: application/x-protobuf',
    `content-length: ${body.length + PAYLOAD_BYTES}`,
  ];
  return Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), body]);
}

/** Each connection has one request under way; what is due while all are busy is sent by the first that is free. */
async function sendOtlp(): Promise<void> {
  const prefix = otlpPrefix();
  const free: Socket[] = [];
  let due = 0;
  const send = (): void => {
    for (; due > 0; due -= 1) {
      const socket = free.pop();
      if (socket === undefined) return;
      socket.write(stamped(prefix));
    }
  };
  for (let i = 0; i < CONNECTIONS; i += 1) {
    const socket = createConnection({ host: '127.0.0.1', port: Number(target), noDelay: true });
    await once(socket, 'connect');
    socket.on('error', () => process.exit());
    // An answer is small enough to come in one piece.
    socket.on('data', (answer) => {
      if (!answer.includes(' 200 OK')) process.stderr.write(answer);
      free.push(socket);
      send();
    });
    free.push(socket);
  }
  process.stdout.write('ready\n');
  await sendEvenly(() => {
    due += 1;
    send();
  });
}

if (kind === 'grpc') serveGrpc();
else if (kind === 'websocket') serveWebSocket();
else await sendOtlp();
