import { connect as connectNet, type Socket } from 'node:net';
import { type ConnectionOptions, connect as connectTls } from 'node:tls';
import { waitFor } from '@levada/connect-runtime-core/testing';
import { onTestFinished } from 'vitest';

/** Types of frames (RFC 9113, section 6). */
export const frameTypes = {
  data: 0,
  headers: 1,
  priority: 2,
  reset: 3,
  settings: 4,
  ping: 6,
  goaway: 7,
  windowUpdate: 8,
  continuation: 9,
} as const;

/** A frame that the server sent. */
export interface Frame {
  readonly type: number;
  readonly flags: number;
  readonly streamId: number;
  readonly payload: Buffer;
}

/** A client that writes HTTP/2 frames, legal or not. */
export interface RawClient {
  readonly socket: Socket;
  /** What the server sent, in order. */
  readonly frames: readonly Frame[];
  readonly closed: () => boolean;
  readonly write: (...frames: readonly Uint8Array[]) => void;
  /** The first frame of that type, of that stream if one is named, waited for. */
  readonly frame: (type: keyof typeof frameTypes, streamId?: number) => Promise<Frame>;
  /** The frames of that type so far. */
  readonly of: (type: keyof typeof frameTypes) => readonly Frame[];
}

const PREFACE = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');
const HEAD_BYTES = 9;
export const END_STREAM = 1;
export const END_HEADERS = 4;
export const ACK = 1;

/** Connects; what the client sends first is for the caller to write. */
export function rawClient(port: number, tls?: ConnectionOptions): RawClient {
  const socket =
    tls === undefined ? connectNet(port, '127.0.0.1') : connectTls({ port, host: '127.0.0.1', ...tls });
  const frames: Frame[] = [];
  let closed = false;
  let rest = Buffer.alloc(0);
  socket.on('error', () => undefined);
  socket.on('close', () => {
    closed = true;
  });
  socket.on('data', (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    while (rest.length >= HEAD_BYTES && rest.length >= HEAD_BYTES + rest.readUIntBE(0, 3)) {
      const end = HEAD_BYTES + rest.readUIntBE(0, 3);
      frames.push({
        type: rest.readUInt8(3),
        flags: rest.readUInt8(4),
        streamId: rest.readUInt32BE(5),
        payload: rest.subarray(HEAD_BYTES, end),
      });
      rest = rest.subarray(end);
    }
  });
  onTestFinished(() => void socket.destroy());
  const of: RawClient['of'] = (type) => frames.filter((frame) => frame.type === frameTypes[type]);
  return {
    socket,
    frames,
    of,
    closed: () => closed,
    write: (...written) => void (socket.writable && socket.write(Buffer.concat(written))),
    frame: (type, streamId) =>
      waitFor(() => of(type).find((frame) => streamId === undefined || frame.streamId === streamId), {
        what: () => `a frame "${type}" among ${JSON.stringify(frames.map((frame) => frame.type))}`,
      }),
  };
}

/** What a client begins with: the preface and empty settings. */
export const opening: Buffer = Buffer.concat([PREFACE, frameOf('settings', {})]);

/** A frame. `length`: what it says about itself. */
export function frameOf(
  type: keyof typeof frameTypes,
  options: {
    readonly flags?: number;
    readonly streamId?: number;
    readonly payload?: Uint8Array;
    readonly length?: number;
  },
): Buffer {
  const { flags = 0, streamId = 0, payload = Buffer.alloc(0), length = payload.length } = options;
  const head = Buffer.alloc(HEAD_BYTES);
  head.writeUIntBE(length, 0, 3);
  head[3] = frameTypes[type];
  head[4] = flags;
  head.writeUInt32BE(streamId, 5);
  return Buffer.concat([head, payload]);
}

/** The headers of an export. */
export function exportHeaders(
  streamId: number,
  more: Readonly<Record<string, string>> = {},
  flags: number = END_HEADERS,
): Buffer {
  const fields = {
    ':method': 'POST',
    ':scheme': 'http',
    ':path': '/opentelemetry.proto.collector.trace.v1.TraceService/Export',
    ':authority': '127.0.0.1',
    'content-type': 'application/grpc',
    te: 'trailers',
    ...more,
  };
  return frameOf('headers', { flags, streamId, payload: headerBlock(fields) });
}

/** Literal fields without indexing, without Huffman coding (RFC 7541, section 6.2.2); all texts are short. */
export function headerBlock(fields: Readonly<Record<string, string>>): Buffer {
  const parts = Object.entries(fields).map(([name, value]) =>
    Buffer.concat([
      Buffer.from([0, name.length]),
      Buffer.from(name),
      Buffer.from([value.length]),
      Buffer.from(value),
    ]),
  );
  return Buffer.concat(parts);
}

/** DATA. */
export function dataFrame(
  streamId: number,
  payload: Uint8Array,
  options: { readonly end?: boolean } = {},
): Buffer {
  return frameOf('data', { flags: options.end === true ? END_STREAM : 0, streamId, payload });
}

/** RST_STREAM. */
export function resetFrame(streamId: number, code = 8): Buffer {
  const payload = Buffer.alloc(4);
  payload.writeUInt32BE(code);
  return frameOf('reset', { streamId, payload });
}

/** A message with its gRPC prefix; `length`: what it says about itself. */
export function prefixed(
  payload: Uint8Array,
  { flag = 0, length = payload.length }: { readonly flag?: number; readonly length?: number } = {},
): Buffer {
  const prefix = Buffer.alloc(5);
  prefix[0] = flag;
  prefix.writeUInt32BE(length, 1);
  return Buffer.concat([prefix, payload]);
}
