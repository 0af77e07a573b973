// The server's half of HTTP/2 (RFC 9113), as little of it as one endless answer to one call needs, so that sending costs less
// than any receiver's work. It believes what the client says.
import type { Socket } from 'node:net';

const PREFACE_BYTES = 24;
export const FRAME_HEAD = 9;
const DEFAULT_WINDOW = 65_535;
const INITIAL_WINDOW_SIZE = 4;
const frame = { data: 0, headers: 1, settings: 4, ping: 6, windowUpdate: 8 } as const;
const END_STREAM = 1;
const ACK = 1;

/** `:status: 200` from the static table, and `content-type: application/grpc` as a literal with an indexed name. */
const RESPONSE = Buffer.concat([
  Buffer.from([0x88, 0x0f, 0x10, 'application/grpc'.length]),
  Buffer.from('application/grpc'),
]);

/** What there is to send to, once the client has sent its request. */
export interface OpenStream {
  readonly id: number;
  /** Bytes of DATA that may be sent now: the smaller of the stream's window and the connection's. */
  readonly window: () => number;
  /** Writes frames that hold this many bytes of DATA. */
  readonly write: (frames: Buffer, dataBytes: number) => void;
}

/** Serves one connection. `onStream` is called when a request is complete, `onRoom` whenever there may be room again. */
export function serveHttp2(
  socket: Socket,
  { onStream, onRoom }: { onStream: (stream: OpenStream) => void; onRoom: () => void },
): void {
  let rest: Buffer = Buffer.alloc(0);
  let prefaceLeft = PREFACE_BYTES;
  let initial = DEFAULT_WINDOW;
  let connection = DEFAULT_WINDOW;
  let stream = DEFAULT_WINDOW;
  socket.write(frameOf(frame.settings, 0, 0, Buffer.alloc(0)));
  socket.on('drain', onRoom);
  socket.on('data', (chunk) => {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    if (prefaceLeft > 0) {
      const skipped = Math.min(prefaceLeft, rest.length);
      prefaceLeft -= skipped;
      rest = rest.subarray(skipped);
    }
    while (rest.length >= FRAME_HEAD && rest.length >= FRAME_HEAD + rest.readUIntBE(0, 3)) {
      const end = FRAME_HEAD + rest.readUIntBE(0, 3);
      handle(rest.subarray(0, end));
      rest = rest.subarray(end);
    }
  });

  function handle(bytes: Buffer): void {
    const [type, flags, id] = [bytes[3], bytes[4] ?? 0, bytes.readUInt32BE(5)];
    const payload = bytes.subarray(FRAME_HEAD);
    if (type === frame.settings && (flags & ACK) === 0) settings(payload);
    else if (type === frame.ping && (flags & ACK) === 0) socket.write(frameOf(frame.ping, ACK, 0, payload));
    else if (type === frame.windowUpdate) widen(id, payload.readUInt32BE(0));
    else if ((type === frame.headers || type === frame.data) && (flags & END_STREAM) !== 0) open(id);
  }

  function settings(payload: Buffer): void {
    for (let at = 0; at < payload.length; at += 6) {
      if (payload.readUInt16BE(at) !== INITIAL_WINDOW_SIZE) continue;
      const value = payload.readUInt32BE(at + 2);
      stream += value - initial;
      initial = value;
    }
    socket.write(frameOf(frame.settings, ACK, 0, Buffer.alloc(0)));
    onRoom();
  }

  function widen(id: number, bytes: number): void {
    if (id === 0) connection += bytes;
    else stream += bytes;
    onRoom();
  }

  function open(id: number): void {
    socket.write(frameOf(frame.headers, 4, id, RESPONSE));
    onStream({
      id,
      window: () => Math.min(connection, stream),
      write: (frames, dataBytes) => {
        connection -= dataBytes;
        stream -= dataBytes;
        socket.write(frames);
      },
    });
  }
}

/** One DATA frame. */
export function dataFrame(stream: number, payload: Buffer): Buffer {
  return frameOf(frame.data, 0, stream, payload);
}

function frameOf(type: number, flags: number, stream: number, payload: Buffer): Buffer {
  const head = Buffer.alloc(FRAME_HEAD);
  head.writeUIntBE(payload.length, 0, 3);
  head[3] = type;
  head[4] = flags;
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
}
