import { createManualClock, waitFor } from '@levada/connect-runtime-core/testing';
import { dataFrame, frameOf, headersFrame, prefixed, settingsFrame } from '@levada/test-peers/http2';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { openGrpcJsChannel } from '../src/grpc-js/grpc-js-channel.ts';
import type { GrpcStatus } from '../src/model/grpc-status.ts';
import type { Channel } from '../src/transport/channel.ts';
import { openChannel } from '../src/transport/open-channel.ts';
import {
  answerFrame,
  type RawHttp2Server,
  type RawPeer,
  startRawHttp2Server,
  trailersFrame,
} from './raw-http2-server.ts';
import { channelOptions, type RecordedCall, startCall } from './transport-call.ts';

let server: RawHttp2Server | undefined;
let channel: Channel | undefined;

afterEach(async () => {
  await channel?.close();
  await server?.close();
  channel = undefined;
  server = undefined;
});

/** A call that the server treats like this. */
async function callTo(answer: (peer: RawPeer, streamId: number) => void): Promise<RecordedCall> {
  server = await startRawHttp2Server({ onCall: answer });
  channel = await openChannel(channelOptions(server.port));
  return startCall(channel);
}

/** The status of a call that the server treats like this. */
async function statusOf(answer: (peer: RawPeer, streamId: number) => void): Promise<GrpcStatus> {
  return (await callTo(answer)).ended;
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

describe('a server that breaks HTTP/2 ends as a status', () => {
  const broken: readonly (readonly [name: string, bytes: readonly Buffer[]])[] = [
    ['garbage', [Buffer.alloc(10_000, 'garbage')]],
    ['a frame above the limit', [frameOf('data', { length: 0xffffff, streamId: 1 })]],
    ['DATA before headers', [dataFrame(1, prefixed('x'))]],
    ['DATA on stream 0', [dataFrame(0, prefixed('x'))]],
    ['DATA on a stream that was not opened', [answerFrame(1), dataFrame(99, prefixed('x'))]],
    ['HEADERS on stream 0', [answerFrame(0)]],
    [
      'headers that are no HPACK',
      [frameOf('headers', { flags: 4, streamId: 1, payload: Buffer.alloc(64, 0xff) })],
    ],
    ['headers with a name in capitals', [headersFrame(1, { ':status': '200', Upper: 'x' })]],
    ['headers without a status', [headersFrame(1, { 'content-type': 'application/grpc' })]],
    ['headers with a status that is none', [headersFrame(1, { ':status': 'abc' })]],
    ['headers with a request', [headersFrame(1, { ':status': '200', ':path': '/' })]],
    [
      'a pushed stream',
      [frameOf('pushPromise', { flags: 4, streamId: 1, payload: Buffer.from([0, 0, 0, 2, 0x82]) })],
    ],
    [
      'CONTINUATION without headers',
      [frameOf('continuation', { flags: 4, streamId: 1, payload: Buffer.from([0x88]) })],
    ],
    ['SETTINGS with a window above the limit', [settingsFrame({ 4: 0x80000000 })]],
    ['SETTINGS with a frame size below the limit', [settingsFrame({ 5: 1 })]],
    ['SETTINGS of 7 bytes', [frameOf('settings', { payload: Buffer.alloc(7) })]],
    ['PING of 3 bytes', [frameOf('ping', { payload: Buffer.alloc(3) })]],
    ['WINDOW_UPDATE of nothing', [frameOf('windowUpdate', { payload: uint32(0) })]],
    [
      'WINDOW_UPDATE above the limit',
      [
        frameOf('windowUpdate', { payload: uint32(0x7fffffff) }),
        frameOf('windowUpdate', { payload: uint32(0x7fffffff) }),
      ],
    ],
    ['RST_STREAM on a stream that was not opened', [frameOf('reset', { streamId: 99, payload: uint32(2) })]],
    ['RST_STREAM of 1 byte', [frameOf('reset', { streamId: 1, payload: Buffer.alloc(1) })]],
    ['GOAWAY of 3 bytes', [frameOf('goaway', { payload: Buffer.alloc(3) })]],
    [
      'a content-length that is not kept',
      [answerFrame(1, { 'content-length': '3' }), dataFrame(1, prefixed('x'), { end: true })],
    ],
    [
      'padding longer than its frame',
      [answerFrame(1), frameOf('data', { flags: 8, streamId: 1, payload: Buffer.from([200, 0]) })],
    ],
    ['trailers that do not end the stream', [answerFrame(1), headersFrame(1, { 'grpc-status': '0' })]],
  ];

  it.each(broken)('ends the call as INTERNAL after %s', async (_name, bytes) => {
    const status = await statusOf((peer) => peer.write(...bytes));
    expect(status).toMatchObject({ source: 'local', code: 'INTERNAL' });
    expect(status.message).not.toBe('');
  });

  it('ends with the status of the server when DATA comes after the end of the stream', async () => {
    const call = await callTo((peer, id) => {
      peer.write(answerFrame(id), trailersFrame(id, { 'grpc-status': '0' }), dataFrame(id, prefixed('late')));
    });
    expect(await call.ended).toMatchObject({ source: 'server', code: 'OK' });
    expect(call.messages).toEqual([]);
  });
});

describe('a server that sends too much', () => {
  it('names the limit when one header is too long', async () => {
    const status = await statusOf((peer, id) => {
      peer.write(...inFrames(id, Buffer.concat([answerFrame(id).subarray(9), longHeader(65_500)])));
    });
    expect(status).toEqual({
      code: 'RESOURCE_EXHAUSTED',
      message: 'the response headers exceed the limit of 256 fields or 65536 bytes: 3 fields, 65635 bytes',
      source: 'local',
      exhausted: 'headers_too_large',
    });
  });

  it('reports a header value that HTTP/2 refuses', async () => {
    const status = await statusOf((peer, id) => {
      peer.write(...inFrames(id, Buffer.concat([answerFrame(id).subarray(9), longHeader(100_000)])));
    });
    expect(status.message).toBe(
      'HTTP/2 violated by the server: Protocol error, or sent a header value above 64 KiB',
    );
  });

  it.each([255, 900, 12_000])(
    'of %d headers names the limit, and leaves the process alive',
    async (count) => {
      const status = await statusOf((peer, id) => {
        peer.write(...inFrames(id, answerFrame(id, headerLines(count)).subarray(9)));
      });
      expect(status).toMatchObject({ code: 'RESOURCE_EXHAUSTED', source: 'local' });
      const limit = 'the response headers exceed the limit of 256 fields or 65536 bytes';
      expect(status.message).toMatch(`${limit}: ${count + 2} fields, `);
    },
  );

  it('names the limit when the trailers are too long', async () => {
    const status = await statusOf((peer, id) => {
      peer.write(answerFrame(id), trailersFrame(id, { ...headerLines(300), 'grpc-status': '0' }));
    });
    expect(status).toMatchObject({ code: 'RESOURCE_EXHAUSTED', source: 'local' });
    expect(status.message).toMatch(
      /^the response headers exceed the limit of 256 fields or 65536 bytes: 303/,
    );
  });

  it('names the limit when headers come in too many frames', async () => {
    const status = await statusOf((peer, id) => {
      peer.write(...inFrames(id, answerFrame(id, headerLines(50_000)).subarray(9)));
    });
    expect(status).toMatchObject({ code: 'RESOURCE_EXHAUSTED', source: 'local' });
    expect(status.message).toMatch(/^the response headers exceed the limit of .*: Too many CONTINUATION/);
  });

  it('CONTINUATION ends as a status', async () => {
    const status = await statusOf((peer, id) => {
      const piece = frameOf('continuation', { streamId: id, payload: Buffer.from([0x88]) });
      peer.write(
        frameOf('headers', { flags: 0, streamId: id }),
        ...Array.from({ length: 5000 }, () => piece),
      );
    });
    expect(status).toMatchObject({ source: 'local' });
  });

  it.each([
    ['SETTINGS', settingsFrame({ 3: 100 })],
    ['PING', frameOf('ping', { payload: Buffer.alloc(8) })],
    ['WINDOW_UPDATE', frameOf('windowUpdate', { payload: uint32(1) })],
    ['empty DATA', dataFrame(1, Buffer.alloc(0))],
    ['unknown frames', frameOf(200, { flags: 255, streamId: 1, payload: Buffer.alloc(10) })],
  ])('100,000 of %s is read on or ends as a status', async (_name, frame) => {
    const flood = Buffer.concat(Array.from({ length: 1000 }, () => frame));
    const call = await callTo((peer, id) => {
      peer.write(answerFrame(id));
      for (let index = 0; index < 100; index += 1) peer.write(flood);
      peer.write(dataFrame(id, prefixed('after')), trailersFrame(id, { 'grpc-status': '0' }));
    });
    const status = await call.ended;
    const outcome = { code: status.code, source: status.source, texts: call.texts() };
    expect([
      { code: 'OK', source: 'server', texts: ['after'] },
      { code: 'INTERNAL', source: 'local', texts: [] },
    ]).toContainEqual(outcome);
  });

  it('may send some 1xx responses before the answer', async () => {
    const early = headersFrame(1, { ':status': '103', link: '</style.css>' });
    const call = await callTo((peer, id) => {
      peer.write(...Array.from({ length: 20 }, () => early), answerFrame(id));
      peer.write(dataFrame(id, prefixed('after')), trailersFrame(id, { 'grpc-status': '0' }));
    });
    expect(await call.ended).toMatchObject({ code: 'OK', source: 'server' });
    expect(call.texts()).toEqual(['after']);
  });

  it('ends the call of a server that floods PINGs and never reads', async () => {
    const ping = Buffer.concat(
      Array.from({ length: 1000 }, () => frameOf('ping', { payload: Buffer.alloc(8) })),
    );
    const call = await callTo((peer, id) => {
      peer.socket.pause();
      peer.write(answerFrame(id));
      for (let index = 0; index < 300; index += 1) peer.write(ping);
      peer.write(dataFrame(id, prefixed('after')), trailersFrame(id, { 'grpc-status': '0' }));
    });
    expect(await call.ended).toMatchObject({ source: 'local', code: 'INTERNAL' });
  });
});

/** `openChannel` of each transport. */
const transports: readonly (readonly [name: string, open: typeof openChannel])[] = [
  ['node:http2', openChannel],
  ['grpc-js', (options) => openGrpcJsChannel(options, {}, {})],
];

describe.each(transports)('a server that sends 1xx responses without end to %s', (_name, open) => {
  it.each([
    ['many small ones', {}, /: 257 fields, \d+ bytes in 257 informational responses$/],
    ['a few long ones', { x: 'a'.repeat(15_000) }, /: 10 fields, \d+ bytes in 5 informational responses$/],
  ])('loses its connection after %s', async (_which, fields, said) => {
    const one = headersFrame(1, { ':status': '103', ...fields });
    server = await startRawHttp2Server({
      onCall: (peer) => {
        const send = (): void => {
          while (peer.socket.writable && peer.socket.write(one));
        };
        peer.socket.on('drain', send);
        send();
      },
    });
    channel = await open(channelOptions(server.port));
    const status = await startCall(channel).ended;
    expect(status).toMatchObject({ code: 'RESOURCE_EXHAUSTED', exhausted: 'headers_too_large' });
    expect(status.message).toMatch(said);
    const { socket } = await server.peer(0);
    await waitFor(() => socket.destroyed);
  });
});

describe('a server that dawdles', () => {
  it('can be left while it drips its headers', async () => {
    const call = await callTo((peer, id) => {
      peer.write(frameOf('headers', { flags: 0, streamId: id, payload: Buffer.from([0x88]) }));
    });
    await (await server?.peer(0))?.frame('headers');
    call.cancel();
    expect(await call.ended).toMatchObject({ code: 'CANCELLED' });
  });

  it('waits one second for the body of an answer that is not gRPC', async () => {
    const clock = createManualClock();
    server = await startRawHttp2Server({
      onCall: (peer, id) => {
        peer.write(headersFrame(id, { ':status': '502' }), dataFrame(id, Buffer.from('bad gate')));
      },
    });
    channel = await openChannel(channelOptions(server.port, { clock }));
    const call = startCall(channel);
    await waitFor(() => clock.pending === 1);
    let over = false;
    void call.ended.then(() => {
      over = true;
    });
    await clock.advance(999);
    expect(over).toBe(false);
    await clock.advance(1);
    expect(await call.ended).toMatchObject({ code: 'UNAVAILABLE', source: 'http' });
    expect((await call.ended).message).toMatch(/: "bad gate"$/);
  });
});

describe('whatever a server sends', () => {
  it('a call ends, at the latest when it is cancelled, and nothing else happens', async () => {
    const bytes = fc.uint8Array({ maxLength: 40 }).map((payload) => Buffer.from(payload));
    const legal = fc.oneof(
      bytes.map((payload) => dataFrame(1, payload)),
      bytes.map((payload) => dataFrame(1, prefixed(payload))),
      fc.constant(answerFrame(1)),
      fc.constant(trailersFrame(1, { 'grpc-status': '3' })),
      fc.integer({ min: 0, max: 14 }).map((code) => frameOf('reset', { streamId: 1, payload: uint32(code) })),
    );
    const illegal = fc.oneof(
      bytes,
      fc
        .record({
          type: fc.nat(10),
          flags: fc.constantFrom(0, 1, 4, 5, 8, 32, 255),
          streamId: fc.constantFrom(0, 1, 2, 3),
          payload: bytes,
        })
        .map(({ type, ...options }) => frameOf(type, options)),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof({ arbitrary: legal, weight: 4 }, illegal), { maxLength: 12 }),
        fc.boolean(),
        async (frames, close) => {
          const call = await callTo((peer) => {
            peer.write(...frames);
            if (close) peer.socket.end();
          });
          const peer = await server?.peer(0);
          if (!close) {
            await peer?.frame('data');
            await new Promise((resolve) => setImmediate(resolve));
            call.cancel();
          }
          const status = await call.ended;
          const delivered = call.messages.length;
          await channel?.close();
          await server?.close();
          expect(status.code).toBeTypeOf('string');
          expect(call.messages).toHaveLength(delivered);
        },
      ),
      { numRuns: 150 },
    );
  });
});

/** Fields "x-0: 1", "x-1: 1" and so on. */
function headerLines(count: number): Readonly<Record<string, string>> {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`x-${index}`, '1']));
}

/** Headers in as many frames as they need. */
function inFrames(streamId: number, payload: Buffer): Buffer[] {
  const frames: Buffer[] = [];
  for (let at = 0; at < payload.length; at += 16_384) {
    const last = at + 16_384 >= payload.length;
    const piece = { flags: last ? 4 : 0, streamId, payload: payload.subarray(at, at + 16_384) };
    frames.push(frameOf(at === 0 ? 'headers' : 'continuation', piece));
  }
  return frames;
}

/** A header field of that length: "x: aaa...". */
function longHeader(length: number): Buffer {
  return headersFrame(1, { x: 'a'.repeat(length) }).subarray(9);
}
