import { createManualClock, waitFor } from '@levada/connect-runtime-core/testing';
import { dataFrame, frameTypes, goawayFrame, prefixed } from '@levada/test-peers/http2';
import { afterEach, describe, expect, it } from 'vitest';
import type { Channel } from '../src/transport/channel.ts';
import { openChannel } from '../src/transport/open-channel.ts';
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

const pings = (peer: RawPeer): number => peer.frames.filter(({ type }) => type === frameTypes.ping).length;
const keepalive = { keepaliveTimeMs: 30_000, keepaliveTimeoutMs: 10_000 };

describe('keepalive', () => {
  it('pings an idle connection, with and without calls, and keeps it when the server answers', async () => {
    const clock = createManualClock();
    server = await startRawHttp2Server({});
    channel = await openChannel(channelOptions(server.port, { ...keepalive, clock }));
    const peer = await server.peer(0);
    // The acknowledgement of our settings is a read, too.
    await waitFor(() => peer.frames.some(({ type, flags }) => type === frameTypes.settings && flags === 1));
    await waitFor(async () => {
      await clock.advance(1000);
      return pings(peer) === 1;
    });
    const call = startCall(channel);
    await peer.frame('headers');
    await waitFor(async () => {
      await clock.advance(1000);
      return pings(peer) === 2;
    });
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
    await waitFor(async () => {
      await clock.advance(1000);
      return pings(peer) === 1;
    });
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
        if (frame.type === frameTypes.ping) {
          peer.write(goawayFrame(11, 'too_many_pings'));
          peer.socket.end();
        }
      },
    });
    channel = await openChannel(channelOptions(server.port, { ...keepalive, clock }));
    const call = startCall(channel);
    const peer = await server.peer(0);
    await waitFor(async () => {
      await clock.advance(1000);
      return pings(peer) === 1;
    });
    expect(await call.ended).toMatchObject({ code: 'RESOURCE_EXHAUSTED', exhausted: 'too_many_pings' });
  });
});
