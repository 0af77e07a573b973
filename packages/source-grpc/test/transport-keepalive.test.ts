import { createManualClock, type ManualClock, waitFor } from '@levada/connect-runtime-core/testing';
import { dataFrame, frameTypes, goawayFrame, prefixed } from '@levada/test-peers/http2';
import { afterEach, describe, expect, it } from 'vitest';
import type { Channel } from '../src/transport/channel.ts';
import { openChannel } from '../src/transport/open-channel.ts';
import { roundTrip } from './raw-feed.ts';
import {
  acknowledge,
  answerFrame,
  type RawHttp2Server,
  type RawPeer,
  startRawHttp2Server,
} from './raw-http2-server.ts';
import { channelOptions, startCall } from './transport-call.ts';

let server: RawHttp2Server | undefined;
let channel: Channel | undefined;

afterEach(async () => {
  await channel?.close();
  await server?.close();
  channel = undefined;
  server = undefined;
});

/** Pings of the client, without its answers to ours. */
const pings = (peer: RawPeer): number =>
  peer.frames.filter(({ type, flags }) => type === frameTypes.ping && flags === 0).length;
const keepalive = { keepaliveTimeMs: 30_000, keepaliveTimeoutMs: 10_000 };

/** Lets the client send its next ping. The clock stands still while anything is on its way: the time for an answer must not pass. */
async function nextPing(peer: RawPeer, clock: ManualClock): Promise<void> {
  const before = pings(peer);
  await roundTrip(peer);
  // What was read so far counts as heard at the first look, a tenth of the time later.
  await clock.advance(33_000);
  await waitFor(() => pings(peer) > before);
}

describe('keepalive', () => {
  it('pings an idle connection, with and without calls, and keeps it when the server answers', async () => {
    const clock = createManualClock();
    server = await startRawHttp2Server({});
    channel = await openChannel(channelOptions(server.port, { ...keepalive, clock }));
    const peer = await server.peer(0);
    await nextPing(peer, clock);
    const call = startCall(channel);
    await peer.frame('headers');
    await nextPing(peer, clock);
    expect(pings(peer)).toBe(2);
    expect(clock.monotonic()).toBeGreaterThanOrEqual(60_000);
    call.cancel();
    expect(await call.ended).toMatchObject({ code: 'CANCELLED' });
  });

  it('gives up a server that does not answer', async () => {
    const clock = createManualClock();
    server = await startRawHttp2Server({
      onFrame: (peer, frame) => {
        if (frame.type === frameTypes.settings) acknowledge(peer, frame);
      },
    });
    channel = await openChannel(channelOptions(server.port, { ...keepalive, clock }));
    const call = startCall(channel);
    const peer = await server.peer(0);
    await nextPing(peer, clock);
    await clock.advance(10_000);
    expect(await call.ended).toEqual({
      code: 'UNAVAILABLE',
      message: 'keepalive ping had no answer within 10000 ms',
      source: 'local',
    });
    await waitFor(() => peer.socket.destroyed || peer.socket.readableEnded);
    expect(await startCall(channel).ended).toMatchObject({ code: 'UNAVAILABLE' });
    await channel.close();
    expect(clock.pending).toBe(0);
  });

  it('sends nothing when it is off', async () => {
    const clock = createManualClock();
    server = await startRawHttp2Server({});
    channel = await openChannel(channelOptions(server.port, { ...keepalive, keepaliveTimeMs: 0, clock }));
    expect(clock.pending).toBe(0);
  });

  it('sends nothing while messages flow', async () => {
    const clock = createManualClock();
    server = await startRawHttp2Server({
      onCall: (peer, id) => peer.write(answerFrame(id)),
    });
    channel = await openChannel(channelOptions(server.port, { ...keepalive, clock }));
    const call = startCall(channel);
    const peer = await server.peer(0);
    await peer.frame('headers');
    for (let count = 1; count <= 20; count += 1) {
      peer.write(dataFrame(1, prefixed('tick')));
      await waitFor(() => call.messages.length === count);
      await clock.advance(10_000);
    }
    expect(pings(peer)).toBe(0);
  });

  it('reports that pings were too frequent for the server', async () => {
    const clock = createManualClock();
    server = await startRawHttp2Server({
      onFrame: (peer, frame) => {
        acknowledge(peer, frame);
        if (frame.type === frameTypes.ping && frame.flags === 0) {
          peer.write(goawayFrame(11, 'too_many_pings'));
          peer.socket.end();
        }
      },
    });
    channel = await openChannel(channelOptions(server.port, { ...keepalive, clock }));
    const call = startCall(channel);
    const peer = await server.peer(0);
    await nextPing(peer, clock);
    expect(await call.ended).toMatchObject({ code: 'RESOURCE_EXHAUSTED', exhausted: 'too_many_pings' });
  });
});
