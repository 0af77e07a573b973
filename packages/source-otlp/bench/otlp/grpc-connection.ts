// The client's half of HTTP/2 (RFC 9113), as little of it as unary calls take: sending must cost less than any server's work.
import { connect } from 'node:net';
import {
  ACK,
  dataFrame,
  END_HEADERS,
  END_STREAM,
  type Frame,
  frameOf,
  frameReader,
  frameTypes,
  HEAD_BYTES,
  headerBlock,
  PREFACE,
  STREAM_ID_AT,
  windowFrame,
} from '@levada/test-peers/http2-frames';
import type { ClientConnection, ConnectionOptions } from './client-connection.ts';

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
  onEnd,
}: ConnectionOptions): void {
  const { pieces, bytes } = callOf(services[request.signal], request.body);
  const whole = Buffer.concat(pieces);
  const startsAt = (pieces[0]?.length ?? 0) + HEAD_BYTES + PREFIX + startTimeAt;
  const waiting: (bigint | undefined)[] = [];
  const answered = new Set<number>();
  let stream = 1;
  let window = FIRST_WINDOW;
  let unanswered = 0;

  const socket = connect({ port, host: '127.0.0.1', noDelay: true }, () => onReady(connection));
  const connection: ClientConnection = {
    send: (startTime) => {
      unanswered += 1;
      waiting.push(startTime);
      sendWaiting();
    },
  };
  const read = frameReader(handle);
  socket.on('error', () => process.exit());
  socket.on('close', () => {
    if (unanswered > 0) throw new Error('the server ended a connection instead of answering');
    onEnd(connection);
  });
  socket.write(opening());
  socket.on('data', (chunk) => {
    // What is sent in answer to several frames goes out in one piece.
    socket.cork();
    read(chunk);
    socket.uncork();
  });

  function handle({ type, flags, streamId, payload }: Frame): void {
    if (type === frameTypes.goaway && payload.readUInt32BE(4) === 0 && unanswered === 0) {
      socket.destroy();
      return;
    }
    if (type === frameTypes.goaway)
      throw new Error(`the server goes away with code ${payload.readUInt32BE(4)}`);
    if (type === frameTypes.reset) throw new Error('the server reset a call');
    const asks = (flags & ACK) === 0;
    if (type === frameTypes.settings && asks) socket.write(frameOf('settings', { flags: ACK }));
    else if (type === frameTypes.ping && asks) socket.write(frameOf('ping', { flags: ACK, payload }));
    else if (type === frameTypes.windowUpdate && streamId === 0) {
      window += payload.readUInt32BE(0);
      sendWaiting();
    } else if (type === frameTypes.data) answered.add(streamId);
    if ((type === frameTypes.headers || type === frameTypes.data) && (flags & END_STREAM) !== 0) {
      unanswered -= 1;
      // A refusal is headers alone.
      onAnswer(connection, answered.delete(streamId));
    }
  }

  function sendWaiting(): void {
    while (waiting.length > 0 && window >= bytes) {
      const call = Buffer.from(whole);
      const startTime = waiting.shift();
      if (startTime !== undefined) call.writeBigUInt64LE(startTime, startsAt);
      let at = 0;
      for (const piece of pieces) {
        call.writeUInt32BE(stream, at + STREAM_ID_AT);
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
  return Buffer.concat([PREFACE, frameOf('settings'), windowFrame(0, 2 ** 30)]);
}

/** The frames of one call; the stream's number is to be written into each. */
function callOf(service: string, body: Buffer): { readonly pieces: readonly Buffer[]; bytes: number } {
  const message = Buffer.concat([Buffer.alloc(PREFIX), body]);
  message.writeUInt32BE(body.length, 1);
  const count = Math.ceil(message.length / MAX_FRAME);
  const data = Array.from({ length: count }, (_, index) => {
    const piece = message.subarray(index * MAX_FRAME, (index + 1) * MAX_FRAME);
    return dataFrame(0, piece, { end: index === count - 1 });
  });
  return {
    pieces: [frameOf('headers', { flags: END_HEADERS, payload: headersOf(service) }), ...data],
    bytes: message.length,
  };
}

/** `:method: POST` and `:scheme: http` from the static table, the rest as literals. */
function headersOf(service: string): Buffer {
  const literals = headerBlock({
    ':path': `/opentelemetry.proto.collector.${service}/Export`,
    ':authority': '127.0.0.1',
    'content-type': 'application/grpc',
    te: 'trailers',
    'user-agent': 'OTel-OTLP-Exporter-JavaScript/0.301.0',
  });
  return Buffer.concat([Buffer.of(0x83, 0x86), literals]);
}
