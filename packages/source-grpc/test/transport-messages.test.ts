import { deflateSync, gzipSync } from 'node:zlib';
import { waitFor } from '@levada/connect-runtime-core/testing';
import { type StreamServer, startStreamServer } from '@levada/test-peers/grpc';
import { dataFrame, type Frame, frameTypes, prefixed, settingsFrame } from '@levada/test-peers/http2';
import { afterEach, describe, expect, it } from 'vitest';
import type { GrpcStatus } from '../src/model/grpc-status.ts';
import type { CallOptions, Channel } from '../src/transport/channel.ts';
import { openChannel } from '../src/transport/open-channel.ts';
import {
  answerFrame,
  type RawHttp2Server,
  type RawPeer,
  startRawHttp2Server,
  trailersFrame,
} from './raw-http2-server.ts';
import { channelOptions, type RecordedCall, startCall } from './transport-call.ts';

const MIB = 1024 * 1024;
const path = '/teststream.TestStreamService/StreamEvents';

let raw: RawHttp2Server | undefined;
let server: StreamServer | undefined;
let channel: Channel | undefined;

afterEach(async () => {
  await channel?.close();
  await raw?.close();
  await server?.close();
  channel = undefined;
  raw = undefined;
  server = undefined;
});

interface Answer {
  readonly call: RecordedCall;
  readonly status: GrpcStatus;
}

/** What a call comes to whose answer is these bytes in DATA frames of at most `frameBytes`, and the status OK. */
async function answered(
  body: Uint8Array,
  options: {
    readonly headers?: Readonly<Record<string, string>>;
    readonly frameBytes?: number;
    /** Without trailers: the call stays open. */
    readonly open?: boolean;
    readonly call?: Partial<CallOptions>;
  } = {},
): Promise<Answer> {
  const { headers = {}, frameBytes = 16_384, open = false, call: changes = {} } = options;
  raw = await startRawHttp2Server({
    onCall: (peer, id) => {
      const frames = [answerFrame(id, headers)];
      for (let at = 0; at < body.length; at += frameBytes) {
        frames.push(dataFrame(id, body.subarray(at, at + frameBytes)));
      }
      if (!open) frames.push(trailersFrame(id, { 'grpc-status': '0' }));
      peer.write(...frames);
    },
  });
  channel = await openChannel(channelOptions(raw.port));
  const call = startCall(channel, changes);
  return { call, status: await call.ended };
}

describe('messages', () => {
  it('receives messages of 4 MiB from a gRPC server, and reports one byte more as oversized', async () => {
    const sizes = [4 * MIB, 4 * MIB + 1, 3, 4 * MIB];
    server = await startStreamServer({
      options: { 'grpc.max_send_message_length': -1 },
      onCall: (call) => {
        call.send(...sizes.map((size, index) => Buffer.alloc(size, index + 1)));
        call.end();
      },
    });
    channel = await openChannel(channelOptions(server.port));
    const call = startCall(channel, { path });
    expect(await call.ended).toEqual({ code: 'OK', message: 'OK', source: 'server' });
    expect(call.messages.map(({ length }) => length)).toEqual([4 * MIB, 3, 4 * MIB]);
    expect(call.messages.every((message) => message.every((byte) => byte === message[0]))).toBe(true);
    expect(call.oversized).toEqual([4 * MIB + 1]);
  });

  it('split over frames of one byte arrive', async () => {
    const body = Buffer.concat(['one', '', 'three'].map((text) => prefixed(text)));
    const { call, status } = await answered(body, { frameBytes: 1 });
    expect(status.code).toBe('OK');
    expect(call.texts()).toEqual(['one', '', 'three']);
  });

  it('receives messages of 64 KiB split over frames of one byte', async () => {
    const { call } = await answered(prefixed(Buffer.alloc(65_000, 'x')), { frameBytes: 1 });
    expect(call.texts()).toEqual(['x'.repeat(65_000)]);
  });

  it('arrive by the ten thousand in few frames', async () => {
    const texts = Array.from({ length: 10_000 }, (_, index) => String(index));
    const body = Buffer.concat(texts.map((text) => prefixed(text)));
    const { call } = await answered(body.subarray(0, 60_000));
    expect(call.texts()).toEqual(texts.slice(0, call.messages.length));
    expect(call.messages.length).toBeGreaterThan(6000);
  });

  it.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
  ])('in %s are decompressed, and those without the flag are not', async (encoding, compress) => {
    const body = Buffer.concat([
      prefixed(compress('one'), { flag: 1 }),
      prefixed('two'),
      prefixed(compress(''), { flag: 1 }),
    ]);
    const { call, status } = await answered(body, { headers: { 'grpc-encoding': encoding } });
    expect(status.code).toBe('OK');
    expect(call.texts()).toEqual(['one', 'two', '']);
  });

  it('reports messages that inflate above the limit as oversized, and continues the call', async () => {
    const bomb = gzipSync(Buffer.alloc(50 * MIB));
    const body = Buffer.concat([prefixed(bomb, { flag: 1 }), prefixed('next')]);
    const { call, status } = await answered(body, { headers: { 'grpc-encoding': 'gzip' } });
    expect(status.code).toBe('OK');
    expect(call.oversized).toEqual([4 * MIB + 1]);
    expect(call.texts()).toEqual(['next']);
  });

  it.each([
    ['flagged without an encoding', prefixed(gzipSync('x'), { flag: 1 }), {}, 'INTERNAL'],
    ['in an unknown encoding', prefixed('x', { flag: 1 }), { 'grpc-encoding': 'zstd' }, 'UNIMPLEMENTED'],
    ['that are no gzip', prefixed('garbage', { flag: 1 }), { 'grpc-encoding': 'gzip' }, 'INTERNAL'],
    ['in gzip of no bytes', prefixed('', { flag: 1 }), { 'grpc-encoding': 'gzip' }, 'INTERNAL'],
    ['with a flag of 7', prefixed('x', { flag: 7 }), {}, 'INTERNAL'],
    ['of 4 GiB', Buffer.from([0, 255, 255, 255, 255, 1, 2, 3]), {}, 'RESOURCE_EXHAUSTED'],
    ['that are text', Buffer.from('404 page not found'), {}, 'RESOURCE_EXHAUSTED'],
  ])('%s end the call, after those before', async (_name, broken, headers, code) => {
    const body = Buffer.concat([prefixed('before'), broken, prefixed('after')]);
    const { call, status } = await answered(body, { headers, open: true });
    expect(status).toMatchObject({ code, source: 'local' });
    expect(call.texts()).toEqual(['before']);
    const peer = await raw?.peer(0);
    expect((await peer?.frame('reset'))?.payload.readUInt32BE()).toBe(8);
  });

  it('keeps earlier messages valid when others follow', async () => {
    const body = Buffer.concat(Array.from({ length: 3000 }, (_, index) => prefixed(`message ${index}`)));
    const { call } = await answered(body, { frameBytes: 1000 });
    expect(call.texts()).toEqual(Array.from({ length: 3000 }, (_, index) => `message ${index}`));
  });
});

/** The frame that ends the client's half of its call, or all of it. */
function endOfRequest(peer: RawPeer): Frame | undefined {
  return peer.frames.find(
    ({ type, flags }) => type === frameTypes.reset || (type === frameTypes.data && flags === 1),
  );
}

describe('a request', () => {
  it('brings its metadata and its message', async () => {
    server = await startStreamServer({ onCall: (call) => call.end() });
    channel = await openChannel(channelOptions(server.port, { authority: 'feed.example' }));
    const call = startCall(channel, {
      path,
      metadata: [
        ['authorization', 'Bearer a,b:c'],
        ['repeated', 'one'],
        ['repeated', 'two'],
        ['trace-bin', Buffer.from([0, 255, 10, 13])],
        ['te', 'gzip'],
        ['user-agent', 'mine'],
      ],
    });
    await call.ended;
    const seen = (await server.call(0)).metadata;
    expect((await server.call(0)).request.toString()).toBe('request');
    expect(seen.get('authorization')).toEqual(['Bearer a,b:c']);
    expect(seen.get('repeated').join()).toMatch(/^one, ?two$/);
    expect(seen.get('trace-bin')).toEqual([Buffer.from([0, 255, 10, 13])]);
    expect(seen.get('user-agent')[0]).toMatch(/^levada-grpc\//);
  });

  it('is compressed when that is asked for', async () => {
    server = await startStreamServer({ onCall: (call) => call.end() });
    channel = await openChannel(channelOptions(server.port));
    const call = startCall(channel, { path, compression: 'gzip' });
    expect(await call.ended).toMatchObject({ code: 'OK' });
    expect((await server.call(0)).request.toString()).toBe('request');
  });

  it('may have several messages, and ends when it is said', async () => {
    raw = await startRawHttp2Server({});
    channel = await openChannel(channelOptions(raw.port));
    const call = channel.call({
      path,
      metadata: [],
      maxMessageBytes: MIB,
      compression: 'identity',
      onMessage: () => undefined,
      onOversized: () => undefined,
    });
    call.send(Buffer.from('one'));
    const peer = await raw.peer(0);
    expect((await peer.frame('data')).flags & 1).toBe(0);
    call.send(Buffer.from('two'));
    call.half();
    call.send(Buffer.from('too late'));
    peer.write(answerFrame(1), trailersFrame(1, { 'grpc-status': '0' }));
    expect(await call.ended).toMatchObject({ code: 'OK' });
    await waitFor(() => endOfRequest(peer));
    const body = Buffer.concat(peer.frames.filter(({ type }) => type === 0).map(({ payload }) => payload));
    expect(body).toEqual(Buffer.concat([prefixed('one'), prefixed('two')]));
  });

  it('gives up a request that was not ended when the server ends the call', async () => {
    raw = await startRawHttp2Server({
      onCall: (peer, id) => peer.write(answerFrame(id), trailersFrame(id, { 'grpc-status': '0' })),
    });
    channel = await openChannel(channelOptions(raw.port));
    const call = channel.call({
      path,
      metadata: [],
      maxMessageBytes: MIB,
      compression: 'identity',
      onMessage: () => undefined,
      onOversized: () => undefined,
    });
    expect(await call.ended).toMatchObject({ code: 'OK', source: 'server' });
    const peer = await raw.peer(0);
    expect(await waitFor(() => endOfRequest(peer))).toBeDefined();
  });

  it('gives up a request that was not sent when the server ends the call', async () => {
    raw = await startRawHttp2Server({
      onConnection: (peer) => peer.write(settingsFrame({ 4: 0 })), // no window for requests
      onCall: (peer, id) => peer.write(answerFrame(id), trailersFrame(id, { 'grpc-status': '7' })),
    });
    channel = await openChannel(channelOptions(raw.port));
    expect(await startCall(channel).ended).toMatchObject({ code: 'PERMISSION_DENIED', source: 'server' });
    expect((await (await raw.peer(0)).frame('reset')).payload.readUInt32BE()).toBe(8);
  });

  it('does not send a request with metadata that is not printable ASCII, and does not quote the value', async () => {
    server = await startStreamServer();
    channel = await openChannel(channelOptions(server.port));
    const call = startCall(channel, { path, metadata: [['token', 'secret\n']] });
    expect(await call.ended).toMatchObject({
      code: 'INTERNAL',
      message: 'metadata "token" is no printable ASCII text',
      source: 'local',
    });
    expect(server.calls).toEqual([]);
  });

  it('does not send a request whose metadata is too long', async () => {
    server = await startStreamServer();
    channel = await openChannel(channelOptions(server.port));
    const call = startCall(channel, { path, metadata: [['long', 'x'.repeat(200_000)]] });
    expect(await call.ended).toMatchObject({
      code: 'INTERNAL',
      message: 'metadata of 200036 bytes, expected at most 61440',
      source: 'local',
    });
  });
});
