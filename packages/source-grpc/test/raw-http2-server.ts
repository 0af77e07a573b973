import { type AddressInfo, createServer, type Socket } from 'node:net';
import { waitFor } from '@levada/connect-runtime-core/testing';
import {
  ACK,
  type Frame,
  type FrameType,
  frameOf,
  frameReader,
  frameTypes,
  headersFrame,
  PREFACE,
  settingsFrame,
} from '@levada/test-peers/http2';

/** One connection that a raw server accepted. */
export interface RawPeer {
  readonly socket: Socket;
  /** What the client sent after its preface. */
  readonly frames: readonly Frame[];
  /** Writes frames, or whatever bytes. */
  readonly write: (...frames: readonly Uint8Array[]) => void;
  /** The first frame of that type, waited for. */
  readonly frame: (type: FrameType) => Promise<Frame>;
}

/** What a raw server does. It sends nothing on its own. */
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
      }, PREFACE.length),
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

/** The headers that a gRPC answer begins with. */
export function answerFrame(streamId: number, fields: Readonly<Record<string, string>> = {}): Buffer {
  return headersFrame(streamId, { ':status': '200', 'content-type': 'application/grpc', ...fields });
}

/** The trailers that a call ends with. */
export function trailersFrame(streamId: number, fields: Readonly<Record<string, string>>): Buffer {
  return headersFrame(streamId, fields, { end: true });
}
