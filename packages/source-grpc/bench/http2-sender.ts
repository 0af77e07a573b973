// The server's half of HTTP/2 (RFC 9113), as little of it as one endless answer to one call needs, so that sending costs less
// than any receiver's work. It believes what the client says.
import type { Socket } from 'node:net';
import {
  ACK,
  END_HEADERS,
  END_STREAM,
  type Frame,
  frameOf,
  frameReader,
  frameTypes,
  PREFACE,
} from '@levada/test-peers/http2-frames';

const DEFAULT_WINDOW = 65_535;
const INITIAL_WINDOW_SIZE = 4;

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
  let initial = DEFAULT_WINDOW;
  let connection = DEFAULT_WINDOW;
  let stream = DEFAULT_WINDOW;
  socket.write(frameOf('settings'));
  socket.on('drain', onRoom);
  socket.on('data', frameReader(handle, PREFACE.length));

  function handle({ type, flags, streamId, payload }: Frame): void {
    const asks = (flags & ACK) === 0;
    if (type === frameTypes.settings && asks) settings(payload);
    else if (type === frameTypes.ping && asks) socket.write(frameOf('ping', { flags: ACK, payload }));
    else if (type === frameTypes.windowUpdate) widen(streamId, payload.readUInt32BE(0));
    else if ((type === frameTypes.headers || type === frameTypes.data) && (flags & END_STREAM) !== 0)
      open(streamId);
  }

  function settings(payload: Buffer): void {
    for (let at = 0; at < payload.length; at += 6) {
      if (payload.readUInt16BE(at) !== INITIAL_WINDOW_SIZE) continue;
      const value = payload.readUInt32BE(at + 2);
      stream += value - initial;
      initial = value;
    }
    socket.write(frameOf('settings', { flags: ACK }));
    onRoom();
  }

  function widen(id: number, bytes: number): void {
    if (id === 0) connection += bytes;
    else stream += bytes;
    onRoom();
  }

  function open(id: number): void {
    socket.write(frameOf('headers', { flags: END_HEADERS, streamId: id, payload: RESPONSE }));
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
