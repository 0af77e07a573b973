import { createServer } from 'node:net';
import { waitFor } from '@levada/connect-runtime-core/testing';
import {
  ACK,
  dataFrame,
  END_HEADERS,
  END_STREAM,
  exportHeaders,
  frameOf,
  headerBlock,
  opening,
  type RawClient,
  rawClient,
  resetFrame,
} from '@levada/test-peers/http2';
import { describe, expect, it, onTestFinished } from 'vitest';
import { headerBlock as encoded } from '../src/http2/hpack/header-block.ts';
import { HpackDecoder } from '../src/http2/hpack/hpack-decoder.ts';
import type { RequestHeaders } from '../src/http2/session/request-headers.ts';
import { ServerSession } from '../src/http2/session/server-session.ts';

const PADDED = 8;
const PRIORITY = 0x20;
const fields = {
  ':method': 'POST',
  ':scheme': 'http',
  ':path': '/a',
  ':authority': 'b',
  'content-type': 'application/grpc',
};

interface Request {
  readonly headers: RequestHeaders;
  body: Buffer;
  end: 'open' | 'ended' | 'closed';
}

/** A session that answers each whole request with a body of so many bytes, and a client of it. */
async function session({ answerBytes = 5 } = {}): Promise<{ requests: Request[]; client: RawClient }> {
  const requests: Request[] = [];
  const limits = {
    maxStreams: 128,
    maxHeaderBytes: 16_384,
    streamWindowBytes: 100_000,
    connectionWindowBytes: 200_000,
    keptHeaders: new Set(['grpc-timeout']),
    includedHeaders: new Set<string>(),
  };
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    const created = new ServerSession(socket, {
      limits,
      host: {
        onRequest: (stream, headers) => {
          const request: Request = { headers, body: Buffer.alloc(0), end: 'open' };
          requests.push(request);
          stream.listener = {
            onBytes: (chunk) => {
              request.body = Buffer.concat([request.body, chunk]);
            },
            onEnd: () => {
              request.end = 'ended';
              stream.begin(encoded({ ':status': '200' }));
              stream.send(Buffer.alloc(answerBytes, 'a'));
              stream.end(encoded({ 'grpc-status': '0' }));
            },
            onClosed: () => {
              if (request.end === 'open') request.end = 'closed';
            },
            sweep: () => undefined,
            drain: () => undefined,
          };
        },
        onRareFrame: () => true,
        onReset: () => true,
        onSettings: () => undefined,
        onForeign: () => undefined,
        onDone: () => undefined,
      },
    });
    onTestFinished(() => created.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return { requests, client: rawClient((server.address() as { port: number }).port) };
}

const settings = (id: number, value: number): Buffer => {
  const payload = Buffer.alloc(6);
  payload.writeUInt16BE(id);
  payload.writeUInt32BE(value, 2);
  return frameOf('settings', { payload });
};
const windowUpdate = (streamId: number, bytes: number): Buffer => {
  const payload = Buffer.alloc(4);
  payload.writeUInt32BE(bytes);
  return frameOf('windowUpdate', { streamId, payload });
};
const headers = (streamId: number, more: Record<string, string> = {}, flags = END_HEADERS): Buffer =>
  frameOf('headers', { streamId, flags, payload: headerBlock({ ...fields, ...more }) });
const received = (client: RawClient): number =>
  client.of('data').reduce((sum, { payload }) => sum + payload.length, 0);
const isAnswered = (client: RawClient): boolean =>
  client.of('headers').some(({ flags }) => (flags & END_STREAM) !== 0);

describe('a session of HTTP/2', () => {
  it('a session begins with its settings, and acknowledges those of the client', async () => {
    const { client } = await session();
    client.write(opening);
    await waitFor(() => client.of('settings').length === 2);
    const [own, ack] = client.of('settings');
    expect(own?.payload.toString('hex')).toBe('000300000080' + '0004000186a0' + '000600004000');
    expect(ack).toMatchObject({ flags: ACK, payload: Buffer.alloc(0) });
    expect((await client.frame('windowUpdate')).payload.readUInt32BE(0)).toBe(200_000 - 65_535);
  });

  it('a session answers with headers, body and trailers', async () => {
    const { client, requests } = await session();
    client.write(
      opening,
      headers(1),
      dataFrame(1, Buffer.from('ab')),
      dataFrame(1, Buffer.from('c'), { end: true }),
    );
    await waitFor(() => isAnswered(client));
    const answer = client.frames.filter(({ streamId }) => streamId === 1);
    const decoder = new HpackDecoder(1000);
    const found: string[] = [];
    for (const { type, payload } of answer) {
      if (type === 0) found.push(payload.toString());
      else decoder.decode(payload, (name, value) => found.push(`${name}: ${value}`));
    }
    expect(found).toEqual([':status: 200', 'aaaaa', 'grpc-status: 0']);
    expect(requests[0]).toMatchObject({ body: Buffer.from('abc'), end: 'ended' });
    expect(requests[0]?.headers).toMatchObject({ method: 'POST', path: '/a', authority: 'b' });
  });

  it('a session sends no more than the window of the stream allows, and the rest when it grows', async () => {
    const { client } = await session({ answerBytes: 50_000 });
    client.write(opening, settings(4, 10), headers(1, {}, END_HEADERS | END_STREAM));
    await waitFor(() => received(client) === 10);
    client.write(windowUpdate(1, 20_000));
    await waitFor(() => received(client) === 20_010);
    client.write(settings(4, 0));
    client.write(windowUpdate(1, 9));
    client.write(frameOf('ping', { payload: Buffer.alloc(8) }));
    await client.frame('ping');
    expect(received(client)).toBe(20_010);
    expect(isAnswered(client)).toBe(false);
    client.write(windowUpdate(1, 40_000));
    await waitFor(() => isAnswered(client));
    expect(received(client)).toBe(50_000);
    expect(Math.max(...client.of('data').map(({ payload }) => payload.length))).toBeLessThanOrEqual(16_384);
  });

  it('a session heeds the last of several windows in one frame of settings', async () => {
    const { client } = await session({ answerBytes: 50_000 });
    client.write(opening, settings(4, 0), headers(1, {}, END_HEADERS | END_STREAM));
    await client.frame('headers', 1);
    const several = Buffer.concat([settings(4, 20_000).subarray(9), settings(4, 10).subarray(9)]);
    client.write(frameOf('settings', { payload: several }), frameOf('ping', { payload: Buffer.alloc(8) }));
    await client.frame('ping');
    expect(received(client)).toBe(10);
  });

  it('a session sends no more than the window of the connection allows, and the rest when it grows', async () => {
    const { client } = await session({ answerBytes: 50_000 });
    client.write(opening, headers(1, {}, END_HEADERS | END_STREAM), headers(3, {}, END_HEADERS | END_STREAM));
    await waitFor(() => received(client) === 65_535);
    client.write(windowUpdate(0, 100_000));
    await waitFor(() => received(client) === 100_000);
    expect(new Set(client.of('data').map(({ streamId }) => streamId))).toEqual(new Set([1, 3]));
  });

  it('a session lets the client send more as soon as half of a window is used', async () => {
    const { client, requests } = await session();
    client.write(opening, headers(1));
    for (let sent = 0; sent < 60; sent += 1) {
      client.write(dataFrame(1, Buffer.alloc(10_000, 'x')));
      await waitFor(() => requests[0]?.body.length === (sent + 1) * 10_000);
    }
    const granted = (streamId: number): number =>
      client
        .of('windowUpdate')
        .filter((frame) => frame.streamId === streamId)
        .reduce((sum, { payload }) => sum + payload.readUInt32BE(0), 0);
    expect(granted(1)).toBeGreaterThanOrEqual(540_000);
    expect(granted(0)).toBeGreaterThanOrEqual(500_000);
    client.write(dataFrame(1, Buffer.alloc(0), { end: true }));
    await waitFor(() => isAnswered(client));
  });

  it('a session reads frames that are padded, have a priority, or are continued', async () => {
    const { client, requests } = await session();
    const block = headerBlock({ ...fields, 'grpc-timeout': '1S' });
    const first = Buffer.concat([Buffer.of(3), Buffer.alloc(5), block.subarray(0, 10), Buffer.alloc(3)]);
    client.write(
      opening,
      frameOf('headers', { streamId: 1, flags: PADDED | PRIORITY, payload: first }),
      frameOf('continuation', { streamId: 1, payload: block.subarray(10, 20) }),
      frameOf('continuation', { streamId: 1, flags: END_HEADERS, payload: block.subarray(20) }),
      frameOf('data', { streamId: 1, flags: PADDED, payload: Buffer.from('\x04abc\0\0\0\0', 'latin1') }),
      frameOf('data', { streamId: 1, flags: PADDED | END_STREAM, payload: Buffer.from('\x01\0', 'latin1') }),
    );
    await waitFor(() => isAnswered(client));
    expect(requests).toMatchObject([{ body: Buffer.from('abc') }]);
    expect(requests[0]?.headers.kept.get('grpc-timeout')).toBe('1S');
  });

  it('a session reads the same from pieces of any length', async () => {
    const { client, requests } = await session();
    client.socket.setNoDelay();
    const sent = Buffer.concat([
      opening,
      headers(1),
      frameOf('data', { streamId: 1, flags: PADDED, payload: Buffer.from('\x02abc\0\0', 'latin1') }),
      frameOf('ping', { payload: Buffer.alloc(8) }),
      dataFrame(1, Buffer.from('def'), { end: true }),
    ]);
    for (const byte of sent) {
      client.write(Buffer.of(byte));
      await new Promise((resolve) => setImmediate(resolve));
    }
    await waitFor(() => isAnswered(client));
    expect(requests).toMatchObject([{ body: Buffer.from('abcdef'), end: 'ended' }]);
    expect(client.of('ping').length).toBe(1);
  });

  it.each([
    ['a name in capitals', { 'X-A': 'b' }],
    ['a name that is empty', { '': 'b' }],
    ['a header of a connection', { connection: 'close' }],
    ['another te than trailers', { te: 'gzip' }],
    ['a line break in a value', { 'x-a': 'b\r\nc: d' }],
    ['an unknown pseudo-header', { ':other': 'a' }],
    ['a pseudo-header after other headers', { 'x-a': 'b', ':protocol': 'c' }],
    ['no path', { ':path': '' }],
    ['a length that is no number', { 'content-length': '5x' }],
  ])('a session resets a request with %s, and serves the next one', async (_what, more) => {
    const { client, requests } = await session();
    client.write(opening, headers(1, more), headers(3, {}, END_HEADERS | END_STREAM));
    expect((await client.frame('reset', 1)).payload.readUInt32BE(0)).toBe(1);
    await waitFor(() => isAnswered(client));
    expect(requests.length).toBe(1);
  });

  it.each([
    ['longer', 'abcd'],
    ['shorter', 'ab'],
  ])('a session resets a request whose body is %s than it announced', async (_what, body) => {
    const { client, requests } = await session();
    client.write(
      opening,
      headers(1, { 'content-length': '3' }),
      dataFrame(1, Buffer.from(body), { end: true }),
    );
    expect((await client.frame('reset', 1)).payload.readUInt32BE(0)).toBe(1);
    expect(requests[0]?.end).toBe('closed');
  });

  it('a session ignores late frames of streams that either side reset, and of no others', async () => {
    const { client } = await session();
    client.write(opening, headers(1, { te: 'gzip' }), dataFrame(1, Buffer.from('late')));
    await client.frame('reset', 1);
    client.write(headers(3), resetFrame(3), dataFrame(3, Buffer.from('late')));
    expect((await client.frame('reset', 3)).payload.readUInt32BE(0)).toBe(5);
    client.write(headers(5, {}, END_HEADERS | END_STREAM));
    await waitFor(() => isAnswered(client));
    client.write(headers(5, {}, END_HEADERS | END_STREAM));
    expect((await client.frame('goaway')).payload.readUInt32BE(4)).toBe(5);
  });

  it.each([
    ['no settings first', frameOf('ping', { payload: Buffer.alloc(8) }), 1],
    ['settings of a stream', frameOf('settings', { streamId: 1 }), 1],
    ['settings of a strange length', frameOf('settings', { payload: Buffer.alloc(5) }), 6],
    ['an acknowledgement with settings', frameOf('settings', { flags: ACK, payload: Buffer.alloc(6) }), 1],
    ['frames that are too short', settings(5, 100), 1],
    ['a window that is too large', settings(4, 2 ** 31), 3],
    ['a push setting of 2', settings(2, 2), 1],
  ])('a session ends for %s', async (_what, frame, code) => {
    const { client } = await session();
    client.write(opening.subarray(0, 24), frame);
    expect((await client.frame('goaway')).payload.readUInt32BE(4)).toBe(code);
    await waitFor(client.closed);
  });

  it.each([
    ['a ping of 7 bytes', frameOf('ping', { payload: Buffer.alloc(7) }), 6],
    ['a ping of a stream', frameOf('ping', { streamId: 1, payload: Buffer.alloc(8) }), 1],
    ['a push', Buffer.from('000004' + '05' + '04' + '00000001' + '00000002', 'hex'), 1],
    ['data of a stream that is not open', dataFrame(7, Buffer.from('a')), 1],
    ['data of the connection', dataFrame(0, Buffer.from('a')), 1],
    ['a reset of a stream that is not open', resetFrame(7), 1],
    ['a window update of 0', windowUpdate(0, 0), 1],
    [
      'windows above 2^31 - 1',
      Buffer.concat([windowUpdate(0, 2 ** 31 - 1), windowUpdate(0, 2 ** 31 - 1)]),
      3,
    ],
    ['a request of the server', exportHeaders(2), 1],
    [
      'more padding than bytes',
      frameOf('headers', { streamId: 1, flags: END_HEADERS | PADDED, payload: Buffer.of(9, 0) }),
      1,
    ],
    ['a continuation of nothing', frameOf('continuation', { streamId: 1 }), 1],
    [
      'a header block that is interrupted',
      Buffer.concat([headers(1, {}, 0), frameOf('ping', { payload: Buffer.alloc(8) })]),
      1,
    ],
    [
      'headers that are no HPACK',
      frameOf('headers', { streamId: 1, flags: END_HEADERS, payload: Buffer.of(0x80) }),
      9,
    ],
    ['a frame of 16385 bytes', frameOf('ping', { length: 16_385 }), 6],
    [
      'headers in seventeen frames',
      Buffer.concat([
        headers(1, {}, 0),
        ...Array.from({ length: 16 }, () => frameOf('continuation', { streamId: 1 })),
      ]),
      11,
    ],
  ])('a session ends for %s', async (_what, frame, code) => {
    const { client } = await session();
    client.write(opening, frame);
    expect((await client.frame('goaway')).payload.readUInt32BE(4)).toBe(code);
    await waitFor(client.closed);
  });

  it('a session ignores unknown and obsolete frames', async () => {
    const { client } = await session();
    const unknown = Buffer.from('000003' + 'f0' + 'ff' + '00000001' + '616263', 'hex');
    client.write(opening, unknown, frameOf('priority', { streamId: 9, payload: Buffer.alloc(5) }));
    client.write(frameOf('goaway', { payload: Buffer.alloc(8) }), headers(1, {}, END_HEADERS | END_STREAM));
    await waitFor(() => isAnswered(client));
    expect(client.of('goaway')).toEqual([]);
  });
});
