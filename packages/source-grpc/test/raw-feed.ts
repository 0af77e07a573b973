import { randomBytes } from 'node:crypto';
import { waitFor } from '@levada/connect-runtime-core/testing';
import { dataFrame, frameOf, frameTypes, prefixed } from '@levada/test-peers/http2';
import { onTestFinished } from 'vitest';
import {
  answerFrame,
  type RawHttp2Server,
  type RawPeer,
  type RawServerScript,
  startRawHttp2Server,
} from './raw-http2-server.ts';

const FRAME_BYTES = 16_384;

/** A server of frames by script that ends with the test. */
export async function rawServer(script: RawServerScript): Promise<RawHttp2Server> {
  const server = await startRawHttp2Server(script);
  onTestFinished(() => server.close());
  return server;
}

/** Writes the beginning of an answer and messages, many in one frame: faster than any receiver. */
export function answerWith(peer: RawPeer, streamId: number, messages: readonly Uint8Array[]): void {
  peer.write(answerFrame(streamId));
  sendFrames(peer, streamId, messages);
}

/** Writes messages, many in one frame. */
export function sendFrames(peer: RawPeer, streamId: number, messages: readonly Uint8Array[]): void {
  const bytes = Buffer.concat(messages.map((message) => prefixed(message)));
  for (let at = 0; at < bytes.length; at += FRAME_BYTES)
    peer.write(dataFrame(streamId, bytes.subarray(at, at + FRAME_BYTES)));
}

/** What was written to a connection is in the receiver's hands, and what that wrote before is here: a ping was answered. */
export async function roundTrip(peer: RawPeer): Promise<void> {
  const payload = randomBytes(8);
  peer.write(frameOf('ping', { payload }));
  await waitFor(() =>
    peer.frames.some(({ type, payload: got }) => type === frameTypes.ping && payload.equals(got)),
  );
}
