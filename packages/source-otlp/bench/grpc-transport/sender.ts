// Sends prebuilt unary calls to a server of gRPC: the client's half of HTTP/2 (RFC 9113), as little of it as that needs, so that
// sending costs less than any server's work. Arguments: port, bytes of the message, connections, calls in flight on each, and how
// the message is sent.
import { connect, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import {
  ACK,
  dataFrame,
  END_HEADERS,
  END_STREAM,
  type Frame,
  frameOf,
  frameReader,
  frameTypes,
  headerBlock,
  PREFACE,
  STREAM_ID_AT,
  windowFrame,
} from '@levada/test-peers/http2-frames';

const MAX_FRAME = 16_384;

const [, , port, bytes, connections, inFlight, encoding] = process.argv;
const plain = Buffer.from(Array.from({ length: Number(bytes) }, (_, at) => (at * 31 + (at >> 5)) & 0x7f));
const body = encoding === 'gzip' ? gzipSync(plain) : plain;
const message = Buffer.concat([Buffer.of(encoding === 'gzip' ? 1 : 0, 0, 0, 0, 0), body]);
message.writeUInt32BE(body.length, 1);

/** `:method: POST` and `:scheme: http` from the static table, the rest as literals. */
const requestHead = Buffer.concat([
  Buffer.of(0x83, 0x86),
  headerBlock({
    ':path': '/opentelemetry.proto.collector.trace.v1.TraceService/Export',
    ':authority': '127.0.0.1',
    'content-type': 'application/grpc',
    te: 'trailers',
    'grpc-encoding': encoding ?? 'identity',
    'user-agent': 'OTel-OTLP-Exporter-JavaScript/0.301.0',
  }),
]);

/** The frames of one call; the stream's number is written into each. */
const pieces: readonly Buffer[] = [
  frameOf('headers', { flags: END_HEADERS, payload: requestHead }),
  ...Array.from({ length: Math.ceil(message.length / MAX_FRAME) }, (_, index) => {
    const piece = message.subarray(index * MAX_FRAME, (index + 1) * MAX_FRAME);
    return dataFrame(0, piece, { end: (index + 1) * MAX_FRAME >= message.length });
  }),
];
const call = Buffer.concat(pieces);

for (let count = 0; count < Number(connections); count += 1) generate(connect(Number(port), '127.0.0.1'));
process.stdin.on('end', () => process.exit()).resume();

function generate(socket: Socket): void {
  let stream = 1;
  let open = 0;
  let window = 65_535;
  const read = frameReader(handle);
  socket.setNoDelay();
  socket.on('error', () => process.exit());
  // Answers are small: a window for all of them at once.
  socket.write(Buffer.concat([PREFACE, frameOf('settings'), windowFrame(0, 2 ** 30)]));
  socket.on('data', (chunk) => {
    read(chunk);
    send();
  });

  function handle({ type, flags, streamId, payload }: Frame): void {
    const asks = (flags & ACK) === 0;
    if (type === frameTypes.settings && asks) socket.write(frameOf('settings', { flags: ACK }));
    else if (type === frameTypes.ping && asks) socket.write(frameOf('ping', { flags: ACK, payload }));
    else if (type === frameTypes.windowUpdate && streamId === 0) window += payload.readUInt32BE(0);
    else if ((type === frameTypes.headers || type === frameTypes.data) && (flags & END_STREAM) !== 0)
      open -= 1;
  }

  function send(): void {
    const calls: Buffer[] = [];
    while (open < Number(inFlight) && window >= message.length) {
      calls.push(numbered(stream));
      stream += 2;
      open += 1;
      window -= message.length;
    }
    if (calls.length > 0) socket.write(Buffer.concat(calls));
  }
}

function numbered(stream: number): Buffer {
  const copy = Buffer.from(call);
  let at = 0;
  for (const piece of pieces) {
    copy.writeUInt32BE(stream, at + STREAM_ID_AT);
    at += piece.length;
  }
  return copy;
}
