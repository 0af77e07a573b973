// The client's half of HTTP/2 (RFC 9113), as little of it as unary calls take: sending must cost less than any server's work.
import { connect } from 'node:net';
import type { ClientConnection, ConnectionOptions } from './client-connection.ts';
import { type Frame, frame, frameHead, frameOf, literal } from './http2-frames.ts';

const MAX_FRAME = 16_384;
const FIRST_WINDOW = 65_535;
const PREFIX = 5;

const services = {
  traces: 'trace.v1.TraceService',
  metrics: 'metrics.v1.MetricsService',
  logs: 'logs.v1.LogsService',
} as const;

/** Any number of calls at once, as far as the server's window allows. */
export function openGrpcConnection({
  port,
  request,
  startTimeAt,
  onReady,
  onAnswer,
}: ConnectionOptions): void {
  const { pieces, bytes } = callOf(services[request.signal], request.body);
  const whole = Buffer.concat(pieces);
  const startsAt = (pieces[0]?.length ?? 0) + frameHead.bytes + PREFIX + startTimeAt;
  const waiting: (bigint | undefined)[] = [];
  const answered = new Set<number>();
  let stream = 1;
  let window = FIRST_WINDOW;
  let rest: Buffer = Buffer.alloc(0);

  const socket = connect({ port, host: '127.0.0.1', noDelay: true }, () => onReady(connection));
  const connection: ClientConnection = {
    send: (startTime) => {
      waiting.push(startTime);
      sendWaiting();
    },
  };
  socket.on('error', () => process.exit());
  socket.write(opening());
  socket.on('data', (chunk) => {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    // What is sent in answer to several frames goes out in one piece.
    socket.cork();
    for (let next = frameHead.read(rest, 0); next !== undefined; next = frameHead.read(rest, 0)) {
      rest = rest.subarray(next.end);
      handle(next);
    }
    socket.uncork();
  });

  function handle({ type, flags, id, payload }: Frame): void {
    if (type === frame.goAway) throw new Error(`the server goes away with code ${payload.readUInt32BE(4)}`);
    if (type === frame.reset) throw new Error('the server reset a call');
    const asks = (flags & frame.ack) === 0;
    if (type === frame.settings && asks) socket.write(frameOf(frame.settings, frame.ack, Buffer.alloc(0)));
    else if (type === frame.ping && asks) socket.write(frameOf(frame.ping, frame.ack, payload));
    else if (type === frame.windowUpdate && id === 0) {
      window += payload.readUInt32BE(0);
      sendWaiting();
    } else if (type === frame.data) answered.add(id);
    if ((type === frame.headers || type === frame.data) && (flags & frame.endStream) !== 0)
      // A refusal is headers alone.
      onAnswer(connection, answered.delete(id));
  }

  function sendWaiting(): void {
    while (waiting.length > 0 && window >= bytes) {
      const call = Buffer.from(whole);
      const startTime = waiting.shift();
      if (startTime !== undefined) call.writeBigUInt64LE(startTime, startsAt);
      let at = 0;
      for (const piece of pieces) {
        call.writeUInt32BE(stream, at + frameHead.idAt);
        at += piece.length;
      }
      stream += 2;
      window -= bytes;
      socket.write(call);
    }
  }
}

/** Preface, settings, and a window for all answers at once: they are small. */
function opening(): Buffer {
  const wide = Buffer.alloc(4);
  wide.writeUInt32BE(2 ** 30);
  return Buffer.concat([
    Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
    frameOf(frame.settings, 0, Buffer.alloc(0)),
    frameOf(frame.windowUpdate, 0, wide),
  ]);
}

/** The frames of one call; the stream's number is to be written into each. */
function callOf(service: string, body: Buffer): { readonly pieces: readonly Buffer[]; bytes: number } {
  const message = Buffer.concat([Buffer.alloc(PREFIX), body]);
  message.writeUInt32BE(body.length, 1);
  const count = Math.ceil(message.length / MAX_FRAME);
  const data = Array.from({ length: count }, (_, index) => {
    const piece = message.subarray(index * MAX_FRAME, (index + 1) * MAX_FRAME);
    return frameOf(frame.data, index === count - 1 ? frame.endStream : 0, piece);
  });
  return {
    pieces: [frameOf(frame.headers, frame.endHeaders, headersOf(service)), ...data],
    bytes: message.length,
  };
}

/** `:method: POST` and `:scheme: http` from the static table, the rest as literals. */
function headersOf(service: string): Buffer {
  return Buffer.concat([
    Buffer.from([0x83, 0x86]),
    literal(':path', `/opentelemetry.proto.collector.${service}/Export`),
    literal(':authority', '127.0.0.1'),
    literal('content-type', 'application/grpc'),
    literal('te', 'trailers'),
    literal('user-agent', 'OTel-OTLP-Exporter-JavaScript/0.301.0'),
  ]);
}
