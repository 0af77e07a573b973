// Sends prebuilt unary calls to a server of gRPC: the client's half of HTTP/2 (RFC 9113), as little of it as that needs, so that
// sending costs less than any server's work. Arguments: port, bytes of the message, connections, calls in flight on each, and how
// the message is sent.
import { connect, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';

const FRAME_HEAD = 9;
const MAX_FRAME = 16_384;
const frame = { data: 0, headers: 1, settings: 4, ping: 6, windowUpdate: 8 } as const;
const END_STREAM = 1;
const END_HEADERS = 4;
const ACK = 1;

const [, , port, bytes, connections, inFlight, encoding] = process.argv;
const plain = Buffer.from(Array.from({ length: Number(bytes) }, (_, at) => (at * 31 + (at >> 5)) & 0x7f));
const body = encoding === 'gzip' ? gzipSync(plain) : plain;
const message = Buffer.concat([Buffer.of(encoding === 'gzip' ? 1 : 0, 0, 0, 0, 0), body]);
message.writeUInt32BE(body.length, 1);

/** `:method: POST` and `:scheme: http` from the static table, the rest as literals. */
const requestHead = Buffer.concat([
  Buffer.from([0x83, 0x86]),
  literal(':path', '/opentelemetry.proto.collector.trace.v1.TraceService/Export'),
  literal(':authority', '127.0.0.1'),
  literal('content-type', 'application/grpc'),
  literal('te', 'trailers'),
  literal('grpc-encoding', encoding ?? 'identity'),
  literal('user-agent', 'OTel-OTLP-Exporter-JavaScript/0.301.0'),
]);

/** The frames of one call; the stream's number is written into each. */
const pieces: readonly Buffer[] = [
  frameOf(frame.headers, END_HEADERS, requestHead),
  ...Array.from({ length: Math.ceil(message.length / MAX_FRAME) }, (_, index) => {
    const piece = message.subarray(index * MAX_FRAME, (index + 1) * MAX_FRAME);
    return frameOf(frame.data, (index + 1) * MAX_FRAME >= message.length ? END_STREAM : 0, piece);
  }),
];
const call = Buffer.concat(pieces);

for (let count = 0; count < Number(connections); count += 1) generate(connect(Number(port), '127.0.0.1'));
process.stdin.on('end', () => process.exit()).resume();

function generate(socket: Socket): void {
  let stream = 1;
  let open = 0;
  let window = 65_535;
  let rest: Buffer = Buffer.alloc(0);
  socket.setNoDelay();
  socket.on('error', () => process.exit());
  socket.write(
    Buffer.concat([
      Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
      frameOf(frame.settings, 0, Buffer.alloc(0)),
    ]),
  );
  // Answers are small: a window for all of them at once.
  const wide = Buffer.alloc(4);
  wide.writeUInt32BE(2 ** 30);
  socket.write(frameOf(frame.windowUpdate, 0, wide));
  socket.on('data', (chunk) => {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    let at = 0;
    while (rest.length >= at + FRAME_HEAD && rest.length >= at + FRAME_HEAD + rest.readUIntBE(at, 3)) {
      const end = at + FRAME_HEAD + rest.readUIntBE(at, 3);
      handle(rest, at, end);
      at = end;
    }
    rest = rest.subarray(at);
    send();
  });

  function handle(from: Buffer, at: number, end: number): void {
    const [type, flags, id] = [from[at + 3], from[at + 4] ?? 0, from.readUInt32BE(at + 5)];
    const payload = from.subarray(at + FRAME_HEAD, end);
    if (type === frame.settings && (flags & ACK) === 0)
      socket.write(frameOf(frame.settings, ACK, Buffer.alloc(0)));
    else if (type === frame.ping && (flags & ACK) === 0) socket.write(frameOf(frame.ping, ACK, payload));
    else if (type === frame.windowUpdate && id === 0) window += payload.readUInt32BE(0);
    else if ((type === frame.headers || type === frame.data) && (flags & END_STREAM) !== 0) open -= 1;
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
    copy.writeUInt32BE(stream, at + 5);
    at += piece.length;
  }
  return copy;
}

function frameOf(type: number, flags: number, payload: Buffer): Buffer {
  const head = Buffer.alloc(FRAME_HEAD);
  head.writeUIntBE(payload.length, 0, 3);
  head[3] = type;
  head[4] = flags;
  return Buffer.concat([head, payload]);
}

/** Literal header field without indexing (RFC 7541, section 6.2.2); all texts are short. */
function literal(name: string, value: string): Buffer {
  return Buffer.concat([
    Buffer.from([0, name.length]),
    Buffer.from(name),
    Buffer.from([value.length]),
    Buffer.from(value),
  ]);
}
