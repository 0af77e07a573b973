import { connect as connectNet, type Socket } from 'node:net';
import { type ConnectionOptions, connect as connectTls } from 'node:tls';
import { waitFor } from '@levada/connect-runtime-core/testing';
import { onTestFinished } from 'vitest';
import {
  END_HEADERS,
  type Frame,
  type FrameType,
  frameOf,
  frameReader,
  frameTypes,
  headerBlock,
  PREFACE,
} from './http2-frames.ts';

/** A client that writes HTTP/2 frames, legal or not. */
export interface RawClient {
  readonly socket: Socket;
  /** What the server sent, in order. */
  readonly frames: readonly Frame[];
  readonly closed: () => boolean;
  readonly write: (...frames: readonly Uint8Array[]) => void;
  /** The first frame of that type, of that stream if one is named, waited for. */
  readonly frame: (type: FrameType, streamId?: number) => Promise<Frame>;
  /** The frames of that type so far. */
  readonly of: (type: FrameType) => readonly Frame[];
}

/** Connects; what the client sends first is for the caller to write. */
export function rawClient(port: number, tls?: ConnectionOptions): RawClient {
  const socket =
    tls === undefined ? connectNet(port, '127.0.0.1') : connectTls({ port, host: '127.0.0.1', ...tls });
  const frames: Frame[] = [];
  let closed = false;
  socket.on('error', () => undefined);
  socket.on('close', () => {
    closed = true;
  });
  socket.on(
    'data',
    frameReader((frame) => frames.push(frame)),
  );
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
export const opening: Buffer = Buffer.concat([PREFACE, frameOf('settings')]);

/** The headers of an export over OTLP/gRPC. */
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
