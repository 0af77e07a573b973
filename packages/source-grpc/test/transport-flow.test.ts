import { waitFor } from '@levada/connect-runtime-core/testing';
import { dataFrame, type Frame, frameTypes, prefixed, resetFrame } from '@levada/test-peers/http2';
import { afterEach, describe, expect, it } from 'vitest';
import type { Channel } from '../src/transport/channel.ts';
import { openChannel } from '../src/transport/open-channel.ts';
import {
  acknowledge,
  answerFrame,
  type RawHttp2Server,
  type RawPeer,
  startRawHttp2Server,
  trailersFrame,
} from './raw-http2-server.ts';
import { channelOptions, startCall } from './transport-call.ts';

const MIB = 1024 * 1024;
const WINDOW = 4 * MIB;

let server: RawHttp2Server | undefined;
let channel: Channel | undefined;

afterEach(async () => {
  await channel?.close();
  await server?.close();
  channel = undefined;
  server = undefined;
});

/** A server that sends numbered messages as fast as the client's windows let it. */
class FastSender {
  /** Messages that were written. */
  sent = 0;
  readonly #messageBytes: number;
  readonly #perFrame: number;
  #streamWindow = 65_535;
  #connectionWindow = 65_535;
  #peer: RawPeer | undefined;

  constructor({ messageBytes, perFrame }: { readonly messageBytes: number; readonly perFrame: number }) {
    this.#messageBytes = messageBytes;
    this.#perFrame = perFrame;
  }

  /** Bytes that were written to the stream. */
  get bytes(): number {
    return this.sent * (this.#messageBytes + 5);
  }

  readonly onFrame = (peer: RawPeer, frame: Frame): void => {
    acknowledge(peer, frame);
    if (frame.type === frameTypes.settings && frame.flags === 0) this.#streamWindow = initialWindow(frame);
    if (frame.type === frameTypes.windowUpdate) {
      const more = frame.payload.readUInt32BE();
      if (frame.streamId === 0) this.#connectionWindow += more;
      else this.#streamWindow += more;
    }
    this.#pump();
  };

  readonly onCall = (peer: RawPeer, streamId: number): void => {
    this.#peer = peer;
    peer.write(answerFrame(streamId));
    peer.socket.on('drain', () => this.#pump());
    this.#pump();
  };

  #pump(): void {
    const peer = this.#peer;
    const frameBytes = this.#perFrame * (this.#messageBytes + 5);
    while (
      peer !== undefined &&
      !peer.socket.writableNeedDrain &&
      Math.min(this.#streamWindow, this.#connectionWindow) >= frameBytes
    ) {
      this.#streamWindow -= frameBytes;
      this.#connectionWindow -= frameBytes;
      peer.write(dataFrame(1, this.#frame()));
    }
  }

  #frame(): Buffer {
    const messages = Array.from({ length: this.#perFrame }, () => {
      const message = Buffer.alloc(this.#messageBytes);
      message.writeUInt32BE(this.sent);
      this.sent += 1;
      return prefixed(message);
    });
    return Buffer.concat(messages);
  }
}

function initialWindow({ payload }: Frame): number {
  for (let at = 0; at < payload.length; at += 6) {
    if (payload.readUInt16BE(at) === 4) return payload.readUInt32BE(at + 2);
  }
  return 65_535;
}

/** The number that is there when it has stopped growing. */
async function settled(value: () => number): Promise<number> {
  for (let last = -1; ; last = value()) {
    await new Promise((resolve) => setTimeout(resolve, 50));
    if (value() === last) return last;
  }
}

describe('pause', () => {
  it('holds the server up, and loses nothing', async () => {
    const sender = new FastSender({ messageBytes: 1000, perFrame: 8 });
    server = await startRawHttp2Server(sender);
    channel = await openChannel(channelOptions(server.port));
    // Far enough apart that nothing of what was held is left.
    const stops = [1000, 10_000, 20_000, 30_000];
    let received = 0;
    let inOrder = true;
    const call = startCall(channel, {
      onMessage: (message) => {
        inOrder &&= Buffer.from(message).readUInt32BE() === received;
        received += 1;
        if (stops.includes(received)) call.pause();
      },
    });
    for (const stop of stops.slice(0, -1)) {
      await waitFor(() => received === stop);
      const ahead = (): number => sender.bytes - stop * 1005;
      await waitFor(() => ahead() > WINDOW / 2);
      expect(await settled(ahead)).toBeLessThanOrEqual(WINDOW);
      expect(received).toBe(stop);
      call.resume();
    }
    await waitFor(() => received === stops.at(-1));
    expect(inOrder).toBe(true);
  });

  it('delivers nothing until resume, and everything afterwards, when the server ends the call meanwhile', async () => {
    const body = Buffer.concat(['one', 'two', 'three'].map((text) => prefixed(text)));
    server = await startRawHttp2Server({
      onCall: (peer, id) => {
        peer.write(answerFrame(id), dataFrame(id, body), dataFrame(id, prefixed('four')));
        peer.write(trailersFrame(id, { 'grpc-status': '5' }));
      },
    });
    channel = await openChannel(channelOptions(server.port));
    const texts: string[] = [];
    let over = false;
    const call = startCall(channel, {
      onMessage: (message) => {
        texts.push(Buffer.from(message).toString());
        call.pause();
      },
    });
    void call.ended.then(() => {
      over = true;
    });
    for (const count of [1, 2, 3, 4]) {
      await waitFor(() => texts.length === count);
      await new Promise((resolve) => setImmediate(resolve));
      expect([texts.length, over]).toEqual([count, count === 4]);
      call.resume();
    }
    expect(texts).toEqual(['one', 'two', 'three', 'four']);
    expect(await call.ended).toMatchObject({ code: 'NOT_FOUND', source: 'server' });
  });

  it.each([
    ['resets the stream', (peer: RawPeer) => peer.write(resetFrame(1, 2)), 'INTERNAL'],
    ['resets the connection', (peer: RawPeer) => void peer.socket.resetAndDestroy(), 'UNAVAILABLE'],
    ['closes the connection', (peer: RawPeer) => void peer.socket.end(), 'UNAVAILABLE'],
  ])('keeps what arrived when the server %s', async (_name, end, code) => {
    server = await startRawHttp2Server({
      onCall: (peer, id) => peer.write(answerFrame(id), dataFrame(id, prefixed('one'))),
    });
    channel = await openChannel(channelOptions(server.port));
    const texts: string[] = [];
    const call = startCall(channel, {
      onMessage: (message) => {
        texts.push(Buffer.from(message).toString());
        call.pause();
      },
    });
    const peer = await server.peer(0);
    await waitFor(() => texts.length === 1);
    peer.write(dataFrame(1, prefixed('two')), pingFrame());
    await peer.frame('ping'); // the client has read so far
    end(peer);
    const next = startCall(channel);
    if (code === 'UNAVAILABLE') await next.ended;
    else next.cancel();
    expect(texts).toEqual(['one']);
    call.resume();
    expect(await call.ended).toMatchObject({ code, source: 'local' });
    expect(texts).toEqual(['one', 'two']);
  });

  it('holds back the answer when paused before it', async () => {
    server = await startRawHttp2Server({
      onCall: (peer, id) => {
        peer.write(answerFrame(id), dataFrame(id, prefixed('one')));
        peer.write(trailersFrame(id, { 'grpc-status': '0' }), pingFrame());
      },
    });
    channel = await openChannel(channelOptions(server.port));
    const call = startCall(channel);
    call.pause();
    await (await server.peer(0)).frame('ping');
    expect(call.messages).toEqual([]);
    call.resume();
    expect(await call.ended).toMatchObject({ code: 'OK' });
    expect(call.texts()).toEqual(['one']);
  });

  it('and resume out of the same message change nothing', async () => {
    const texts = Array.from({ length: 100 }, (_, index) => String(index));
    server = await startRawHttp2Server({
      onCall: (peer, id) => {
        peer.write(answerFrame(id), dataFrame(id, Buffer.concat(texts.map((text) => prefixed(text)))));
        peer.write(trailersFrame(id, { 'grpc-status': '0' }));
      },
    });
    channel = await openChannel(channelOptions(server.port));
    const received: string[] = [];
    const call = startCall(channel, {
      onMessage: (message) => {
        received.push(Buffer.from(message).toString());
        call.pause();
        call.resume();
      },
    });
    expect(await call.ended).toMatchObject({ code: 'OK' });
    expect(received).toEqual(texts);
  });

  it.each([
    ['cancel', (call: { cancel(): void }) => call.cancel()],
    ['close', () => void channel?.close()],
  ])('does not hold up %s', async (_name, end) => {
    server = await startRawHttp2Server({
      onCall: (peer, id) => peer.write(answerFrame(id), dataFrame(id, prefixed('one'))),
    });
    channel = await openChannel(channelOptions(server.port));
    const call = startCall(channel);
    call.pause();
    await (await server.peer(0)).frame('data');
    end(call);
    expect(await call.ended).toMatchObject({ code: 'CANCELLED' });
    call.resume();
    expect(call.messages).toEqual([]);
  });

  it('does not hold up other calls when one is paused', async () => {
    const sender = new FastSender({ messageBytes: 1000, perFrame: 8 });
    server = await startRawHttp2Server({
      onFrame: sender.onFrame,
      onCall: (peer, id) => {
        if (id === 1) sender.onCall(peer, id);
        else peer.write(answerFrame(id), dataFrame(id, prefixed('other')));
      },
    });
    channel = await openChannel(channelOptions(server.port));
    const paused = startCall(channel);
    paused.pause();
    await settled(() => sender.bytes);
    const other = startCall(channel);
    await waitFor(() => other.messages.length === 1);
    expect(paused.messages).toEqual([]);
  });
});

function pingFrame(): Buffer {
  const frame = Buffer.alloc(17);
  frame[2] = 8;
  frame[3] = frameTypes.ping;
  return frame;
}
