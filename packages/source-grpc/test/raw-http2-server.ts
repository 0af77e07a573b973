import { type AddressInfo, createServer, type Socket } from 'node:net';
import { waitFor } from '@levada/connect-runtime-core/testing';

/** Types of frames (RFC 9113, section 6). */
export const frameTypes = {
  data: 0,
  headers: 1,
  reset: 3,
  settings: 4,
  ping: 6,
  goaway: 7,
  windowUpdate: 8,
} as const;

/** A frame that a client sent. */
export interface Frame {
  readonly type: number;
  readonly flags: number;
  readonly streamId: number;
  readonly payload: Buffer;
}

/** One connection that a raw server accepted. */
export interface RawPeer {
  readonly socket: Socket;
  /** What the client sent after its preface. */
  readonly frames: readonly Frame[];
  /** Writes frames, or whatever bytes. */
  readonly write: (...frames: readonly Uint8Array[]) => void;
  /** The first frame of that type, waited for. */
  readonly frame: (type: keyof typeof frameTypes) => Promise<Frame>;
}

/** What a raw server does. What it is not told to do, nobody does. */
export interface RawServerScript {
  /** The connection is there. Default: the server's SETTINGS are sent. */
  readonly onConnection?: (peer: RawPeer) => void;
  /** Headers of a request arrived. */
  readonly onCall?: (peer: RawPeer, streamId: number) => void;
  /** Any frame of the client arrived, after its preface. Default: SETTINGS and PING are acknowledged. */
  readonly onFrame?: (peer: RawPeer, frame: Frame) => void;
}

/** A TCP server on loopback that writes HTTP/2 frames by script, legal or not. */
export interface RawHttp2Server {
  readonly port: number;
  readonly peers: readonly RawPeer[];
  /** The n-th connection, from 0, waited for. */
  readonly peer: (index: number) => Promise<RawPeer>;
  readonly close: () => Promise<void>;
}

const PREFACE_BYTES = 24;
const HEADER_BYTES = 9;
const ACK = 1;
const END_STREAM = 1;
const END_HEADERS = 4;

/** Starts one on a port of its own. */
export async function startRawHttp2Server(script: RawServerScript): Promise<RawHttp2Server> {
  const peers: RawPeer[] = [];
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.setNoDelay();
    const frames: Frame[] = [];
    const peer: RawPeer = {
      socket,
      frames,
      write: (...written) => void (socket.writable && socket.write(Buffer.concat(written))),
      frame: (type) => waitFor(() => frames.find((frame) => frame.type === frameTypes[type])),
    };
    peers.push(peer);
    socket.on(
      'data',
      frameReader((frame) => {
        frames.push(frame);
        (script.onFrame ?? acknowledge)(peer, frame);
        if (frame.type === frameTypes.headers) script.onCall?.(peer, frame.streamId);
      }),
    );
    (script.onConnection ?? sendSettings)(peer);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    peers,
    peer: (index) => waitFor(() => peers[index]),
    close: async () => {
      for (const { socket } of peers) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function sendSettings(peer: RawPeer): void {
  peer.write(settingsFrame());
}

/** Acknowledges SETTINGS and PING, as every server does. */
export function acknowledge(peer: RawPeer, { type, flags, payload }: Frame): void {
  if ((flags & ACK) !== 0) return;
  if (type === frameTypes.settings) peer.write(frameOf('settings', { flags: ACK }));
  if (type === frameTypes.ping) peer.write(frameOf('ping', { flags: ACK, payload }));
}

function frameReader(onFrame: (frame: Frame) => void): (chunk: Buffer) => void {
  let rest = Buffer.alloc(0);
  let skip = PREFACE_BYTES;
  return (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    if (rest.length < skip) return;
    rest = rest.subarray(skip);
    skip = 0;
    while (rest.length >= HEADER_BYTES && rest.length >= HEADER_BYTES + rest.readUIntBE(0, 3)) {
      const end = HEADER_BYTES + rest.readUIntBE(0, 3);
      onFrame({
        type: rest.readUInt8(3),
        flags: rest.readUInt8(4),
        streamId: rest.readUInt32BE(5),
        payload: rest.subarray(HEADER_BYTES, end),
      });
      rest = rest.subarray(end);
    }
  };
}

/** Any frame by numbers, also one that announces another length than it has. */
export function rawFrame(frame: {
  readonly type: number;
  readonly flags: number;
  readonly streamId: number;
  readonly payload?: Uint8Array;
  readonly length?: number;
}): Buffer {
  const { type, flags, streamId, payload = Buffer.alloc(0), length = payload.length } = frame;
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUIntBE(length, 0, 3);
  header[3] = type;
  header[4] = flags;
  header.writeUInt32BE(streamId, 5);
  return Buffer.concat([header, payload]);
}

/** A frame of a known type. */
export function frameOf(
  type: keyof typeof frameTypes,
  options: { readonly flags?: number; readonly streamId?: number; readonly payload?: Uint8Array },
): Buffer {
  const { flags = 0, streamId = 0 } = options;
  return rawFrame({ ...options, type: frameTypes[type], flags, streamId });
}

/** SETTINGS with these values by identifier. */
export function settingsFrame(values: Readonly<Record<number, number>> = {}): Buffer {
  const payload = Object.entries(values).map(([id, value]) => {
    const entry = Buffer.alloc(6);
    entry.writeUInt16BE(Number(id), 0);
    entry.writeUInt32BE(value, 2);
    return entry;
  });
  return frameOf('settings', { payload: Buffer.concat(payload) });
}

/** HEADERS in one frame. Names and values are written as they are, byte by byte. */
export function headersFrame(
  streamId: number,
  fields: Readonly<Record<string, string>>,
  options: { readonly end?: boolean } = {},
): Buffer {
  const payload = Buffer.concat(Object.entries(fields).map(([name, value]) => literal(name, value)));
  const flags = END_HEADERS | (options.end === true ? END_STREAM : 0);
  return frameOf('headers', { flags, streamId, payload });
}

/** The headers that a gRPC answer begins with. */
export function answerFrame(streamId: number, fields: Readonly<Record<string, string>> = {}): Buffer {
  return headersFrame(streamId, { ':status': '200', 'content-type': 'application/grpc', ...fields });
}

/** The trailers that a call ends with. */
export function trailersFrame(streamId: number, fields: Readonly<Record<string, string>>): Buffer {
  return headersFrame(streamId, fields, { end: true });
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
export function resetFrame(streamId: number, code: number): Buffer {
  return frameOf('reset', { streamId, payload: uint32(code) });
}

/** GOAWAY. */
export function goawayFrame(code: number, debug = '', lastStreamId = 0x7fffffff): Buffer {
  return frameOf('goaway', {
    payload: Buffer.concat([uint32(lastStreamId), uint32(code), Buffer.from(debug)]),
  });
}

/** A message with its gRPC prefix. */
export function prefixed(payload: Uint8Array | string, flag = 0): Buffer {
  const bytes = Buffer.from(payload);
  return Buffer.concat([Buffer.from([flag]), uint32(bytes.length), bytes]);
}

/** Literal header field without indexing, without Huffman coding (RFC 7541, section 6.2.2). */
function literal(name: string, value: string): Buffer {
  return Buffer.concat([Buffer.from([0]), hpackString(name), hpackString(value)]);
}

function hpackString(text: string): Buffer {
  const bytes = Buffer.from(text, 'latin1');
  return Buffer.concat([hpackLength(bytes.length), bytes]);
}

function hpackLength(length: number): Buffer {
  if (length < 127) return Buffer.from([length]);
  const bytes = [127];
  let rest = length - 127;
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push(128 | (rest % 128));
  return Buffer.from([...bytes, rest]);
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}
