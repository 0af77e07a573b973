import { afterEach, describe, expect, it } from 'vitest';
import type { Channel } from '../src/transport/channel.ts';
import type { GrpcStatus } from '../src/transport/grpc-status.ts';
import { openChannel } from '../src/transport/open-channel.ts';
import {
  answerFrame,
  dataFrame,
  frameOf,
  goawayFrame,
  headersFrame,
  prefixed,
  type RawHttp2Server,
  type RawPeer,
  resetFrame,
  startRawHttp2Server,
  trailersFrame,
} from './raw-http2-server.ts';
import { channelOptions, startCall } from './transport-call.ts';

let server: RawHttp2Server | undefined;
let channel: Channel | undefined;

afterEach(async () => {
  await channel?.close();
  await server?.close();
  server = undefined;
  channel = undefined;
});

interface Ended {
  readonly status: GrpcStatus;
  readonly texts: readonly string[];
}

/** How a call ends, and what it delivered, when the server answers it so. */
async function ending(answer: (peer: RawPeer, streamId: number) => void): Promise<Ended> {
  server = await startRawHttp2Server({ onCall: answer });
  channel = await openChannel(channelOptions(server.port));
  const call = startCall(channel);
  const status = await call.ended;
  return { status, texts: call.texts() };
}

describe('trailers', () => {
  it('give the status and the decoded message', async () => {
    const { status, texts } = await ending((peer, id) => {
      peer.write(answerFrame(id), dataFrame(id, prefixed('one')));
      peer.write(trailersFrame(id, { 'grpc-status': '8', 'grpc-message': 'caf%C3%A9 100%25' }));
    });
    expect(status).toEqual({ code: 'RESOURCE_EXHAUSTED', message: 'café 100%', source: 'server' });
    expect(texts).toEqual(['one']);
  });

  it('may be all of the answer', async () => {
    const { status } = await ending((peer, id) => {
      const fields = { ':status': '200', 'content-type': 'application/grpc', 'grpc-status': '12' };
      peer.write(headersFrame(id, { ...fields, 'grpc-message': 'unknown method' }, { end: true }));
    });
    expect(status).toEqual({ code: 'UNIMPLEMENTED', message: 'unknown method', source: 'server' });
  });

  it.each([
    ['abc', 'UNKNOWN', 'grpc-status "abc"'],
    ['17', 'UNKNOWN', 'grpc-status "17"'],
    ['-1', 'UNKNOWN', 'grpc-status "-1"'],
    ['', 'UNKNOWN', 'grpc-status ""'],
    ['9'.repeat(400), 'UNKNOWN', `grpc-status "${'9'.repeat(32)}"`],
  ])('with the status "%s" mean %s', async (value, code, message) => {
    const { status } = await ending((peer, id) => {
      peer.write(answerFrame(id), trailersFrame(id, { 'grpc-status': value }));
    });
    expect(status).toEqual({ code, message, source: 'server' });
  });

  it('without a status mean UNKNOWN', async () => {
    const { status } = await ending((peer, id) => {
      peer.write(answerFrame(id), trailersFrame(id, { 'x-other': '1' }));
    });
    expect(status).toMatchObject({ code: 'UNKNOWN', source: 'local' });
  });

  it('that never come mean UNKNOWN, after everything was delivered', async () => {
    const { status, texts } = await ending((peer, id) => {
      peer.write(answerFrame(id), dataFrame(id, prefixed('one'), { end: true }));
    });
    expect(status).toMatchObject({ code: 'UNKNOWN', message: 'the call ended without grpc-status' });
    expect(texts).toEqual(['one']);
  });

  it('keep 1 KiB of a long message, whatever it holds', async () => {
    const { status } = await ending((peer, id) => {
      const message = `%0d%0a%1b[31m${'x'.repeat(10_000)}`;
      peer.write(answerFrame(id), trailersFrame(id, { 'grpc-status': '2', 'grpc-message': message }));
    });
    expect(status.message).toBe(`\r\n\u001b[31m${'x'.repeat(1024 - 7)}...`);
  });

  it('with details that are no base64 give their status all the same', async () => {
    const { status } = await ending((peer, id) => {
      const trailers = { 'grpc-status': '5', 'grpc-status-details-bin': '!!garbage' };
      peer.write(answerFrame(id), trailersFrame(id, trailers));
    });
    expect(status).toEqual({ code: 'NOT_FOUND', message: '', source: 'server' });
  });

  it('count when the server resets the stream after them', async () => {
    const { status } = await ending((peer, id) => {
      peer.write(answerFrame(id), trailersFrame(id, { 'grpc-status': '0' }), resetFrame(id, 8));
    });
    expect(status).toEqual({ code: 'OK', message: '', source: 'server' });
  });

  it('with the status OK within a message mean INTERNAL', async () => {
    const { status } = await ending((peer, id) => {
      peer.write(answerFrame(id), dataFrame(id, prefixed('truncated').subarray(0, 7)));
      peer.write(trailersFrame(id, { 'grpc-status': '0' }));
    });
    expect(status).toMatchObject({ code: 'INTERNAL', message: 'the call ended within a message' });
  });

  it('with an error within a message keep the error', async () => {
    const { status } = await ending((peer, id) => {
      peer.write(answerFrame(id), dataFrame(id, prefixed('truncated').subarray(0, 3)));
      peer.write(trailersFrame(id, { 'grpc-status': '13', 'grpc-message': 'broken' }));
    });
    expect(status).toEqual({ code: 'INTERNAL', message: 'broken', source: 'server' });
  });
});

describe('an answer that is no gRPC', () => {
  it.each([
    [400, 'INTERNAL'],
    [401, 'UNAUTHENTICATED'],
    [403, 'PERMISSION_DENIED'],
    [404, 'UNIMPLEMENTED'],
    [429, 'UNAVAILABLE'],
    [502, 'UNAVAILABLE'],
    [503, 'UNAVAILABLE'],
    [504, 'UNAVAILABLE'],
    [500, 'UNKNOWN'],
    [200, 'UNKNOWN'],
  ])('with HTTP %d means %s, and its text is told', async (code, name) => {
    const { status, texts } = await ending((peer, id) => {
      peer.write(headersFrame(id, { ':status': String(code), 'content-type': 'text/html' }));
      peer.write(dataFrame(id, Buffer.from('<h1>page "not" found</h1>\n'), { end: true }));
    });
    expect(status).toEqual({
      code: name,
      message: `HTTP ${code} with content-type "text/html", expected HTTP 200 with "application/grpc": "<h1>page \\"not\\" found</h1>"`,
      source: 'http',
    });
    expect(texts).toEqual([]);
  });

  it('is told in 256 bytes however long it is', async () => {
    const { status } = await ending((peer, id) => {
      peer.write(headersFrame(id, { ':status': '503' }), dataFrame(id, Buffer.alloc(10_000, 'x')));
    });
    expect(status.message).toBe(
      `HTTP 503 with no content-type, expected HTTP 200 with "application/grpc": "${'x'.repeat(256)}"`,
    );
  });

  it('without a body ends the call with its headers', async () => {
    const { status } = await ending((peer, id) => {
      peer.write(headersFrame(id, { ':status': '401' }, { end: true }));
    });
    expect(status).toMatchObject({ code: 'UNAUTHENTICATED', source: 'http' });
  });

  it('counts as the server when it holds a grpc-status, and its body is not read', async () => {
    const { status, texts } = await ending((peer, id) => {
      peer.write(headersFrame(id, { ':status': '503', 'grpc-status': '16', 'grpc-message': 'who' }));
      peer.write(dataFrame(id, prefixed('body')));
    });
    expect(status).toEqual({ code: 'UNAUTHENTICATED', message: 'who', source: 'server' });
    expect(texts).toEqual([]);
    await (await server?.peer(0))?.frame('reset');
  });

  it.each([
    [{ 'x-other': '1' }, 'UNAVAILABLE', 'http'],
    [{ 'grpc-status': '0' }, 'UNAVAILABLE', 'http'],
    [{ 'grpc-status': '5' }, 'NOT_FOUND', 'server'],
  ])('with the trailers %j means %s, said by: %s', async (trailers, code, source) => {
    const { status } = await ending((peer, id) => {
      peer.write(headersFrame(id, { ':status': '503' }), dataFrame(id, Buffer.from('body')));
      peer.write(trailersFrame(id, trailers));
    });
    expect(status).toMatchObject({ code, source });
  });

  it('is no gRPC-Web either', async () => {
    const { status } = await ending((peer, id) => {
      peer.write(headersFrame(id, { ':status': '200', 'content-type': 'application/grpc-web+proto' }));
      peer.write(dataFrame(id, prefixed('one'), { end: true }));
    });
    expect(status).toMatchObject({ code: 'UNKNOWN', source: 'http' });
  });

  it.each(['application/grpc+proto', 'application/grpc; charset=utf-8', 'Application/gRPC'])(
    'has another content-type than "%s"',
    async (type) => {
      const { texts } = await ending((peer, id) => {
        peer.write(headersFrame(id, { ':status': '200', 'content-type': type }));
        peer.write(dataFrame(id, prefixed('one')), trailersFrame(id, { 'grpc-status': '0' }));
      });
      expect(texts).toEqual(['one']);
    },
  );
});

describe('RST_STREAM', () => {
  it.each([
    [0, 'NO_ERROR', 'INTERNAL'],
    [1, 'PROTOCOL_ERROR', 'INTERNAL'],
    [2, 'INTERNAL_ERROR', 'INTERNAL'],
    [7, 'REFUSED_STREAM', 'UNAVAILABLE'],
    [8, 'CANCEL', 'CANCELLED'],
    [
      11,
      'ENHANCE_YOUR_CALM by the server, or for headers above 256 fields or 65536 bytes',
      'RESOURCE_EXHAUSTED',
    ],
    [12, 'INADEQUATE_SECURITY', 'PERMISSION_DENIED'],
    [99, 'code 99', 'UNKNOWN'],
  ])('with code %d (%s) means %s, after what came before it', async (code, name, status) => {
    const ended = await ending((peer, id) => {
      peer.write(answerFrame(id), dataFrame(id, prefixed('one')), resetFrame(id, code));
    });
    expect(ended).toEqual({
      status: { code: status, message: `stream reset with ${name}`, source: 'local' },
      texts: ['one'],
    });
  });
});

describe('GOAWAY', () => {
  it('NO_ERROR lets the call finish, and refuses new ones', async () => {
    server = await startRawHttp2Server({
      onCall: (peer, id) => peer.write(answerFrame(id), goawayFrame(0, 'max_age')),
    });
    channel = await openChannel(channelOptions(server.port));
    const call = startCall(channel);
    const peer = await server.peer(0);
    await peer.frame('goaway'); // the client's own: it has seen the server's
    const refused = await startCall(channel).ended;
    expect(refused).toEqual({
      code: 'UNAVAILABLE',
      message: 'the server ends the connection: GOAWAY NO_ERROR "max_age"',
      source: 'local',
    });
    peer.write(dataFrame(1, prefixed('late')), trailersFrame(1, { 'grpc-status': '0' }));
    expect(await call.ended).toMatchObject({ code: 'OK', source: 'server' });
    expect(call.texts()).toEqual(['late']);
  });

  it('NO_ERROR is told when the connection closes before the call is over', async () => {
    const { status } = await ending((peer, id) => {
      peer.write(answerFrame(id), goawayFrame(0, 'max_age'));
      peer.socket.end();
    });
    expect(status).toEqual({
      code: 'UNAVAILABLE',
      message: 'connection closed by the server; the server ends the connection: GOAWAY NO_ERROR "max_age"',
      source: 'local',
    });
  });

  it('that leaves the call out means UNAVAILABLE', async () => {
    const { status } = await ending((peer) => peer.write(goawayFrame(0, '', 0)));
    expect(status).toMatchObject({ code: 'UNAVAILABLE', source: 'local' });
  });

  it('too_many_pings is told apart', async () => {
    const { status } = await ending((peer) => peer.write(goawayFrame(11, 'too_many_pings')));
    expect(status).toEqual({
      code: 'RESOURCE_EXHAUSTED',
      message: 'the server ends the connection: GOAWAY ENHANCE_YOUR_CALM "too_many_pings"',
      source: 'local',
      tooManyPings: true,
    });
  });

  it.each([
    [11, 'ENHANCE_YOUR_CALM', 'RESOURCE_EXHAUSTED'],
    [2, 'INTERNAL_ERROR', 'UNAVAILABLE'],
    [77, 'code 77', 'UNAVAILABLE'],
  ])('with code %d ends the call after what came before it', async (code, name, status) => {
    const ended = await ending((peer, id) => {
      peer.write(answerFrame(id), dataFrame(id, prefixed('one')), goawayFrame(code));
    });
    expect(ended).toEqual({
      status: { code: status, message: `the server ends the connection: GOAWAY ${name}`, source: 'local' },
      texts: ['one'],
    });
  });

  it('tells 256 bytes of what the server adds', async () => {
    const { status } = await ending((peer) => peer.write(goawayFrame(2, 'x'.repeat(10_000))));
    expect(status.message).toBe(`the server ends the connection: GOAWAY INTERNAL_ERROR "${'x'.repeat(256)}"`);
  });
});

describe('the end of the connection', () => {
  it('is UNAVAILABLE when the server closes it', async () => {
    const ended = await ending((peer, id) => {
      peer.write(answerFrame(id), dataFrame(id, prefixed('one')));
      peer.socket.end();
    });
    expect(ended).toEqual({
      status: { code: 'UNAVAILABLE', message: 'connection closed by the server', source: 'local' },
      texts: ['one'],
    });
  });

  it('is UNAVAILABLE, with the text of the system, when the server resets it', async () => {
    const { status } = await ending((peer, id) => {
      peer.write(answerFrame(id));
      peer.socket.resetAndDestroy();
    });
    expect(status).toMatchObject({
      code: 'UNAVAILABLE',
      message: 'connection lost: read ECONNRESET',
      source: 'local',
      cause: { code: 'ECONNRESET' },
    });
  });

  it('is INTERNAL when the server breaks HTTP/2', async () => {
    const { status } = await ending((peer) => {
      peer.write(frameOf('settings', { streamId: 5, payload: Buffer.alloc(3) }));
    });
    expect(status).toMatchObject({ code: 'INTERNAL', source: 'local' });
    expect(status.message).toMatch(/^HTTP\/2 violated by the server: /);
  });

  it('keeps a call from being made', async () => {
    server = await startRawHttp2Server({});
    channel = await openChannel(channelOptions(server.port));
    const first = startCall(channel);
    (await server.peer(0)).socket.end();
    await first.ended;
    expect(await startCall(channel).ended).toMatchObject({ code: 'UNAVAILABLE', source: 'local' });
  });
});

describe('a call', () => {
  it('stays open without headers of the server', async () => {
    server = await startRawHttp2Server({});
    channel = await openChannel(channelOptions(server.port));
    const call = startCall(channel);
    const peer = await server.peer(0);
    await peer.frame('data');
    peer.write(answerFrame(1), dataFrame(1, prefixed('one')), trailersFrame(1, { 'grpc-status': '0' }));
    expect(await call.ended).toMatchObject({ code: 'OK' });
    expect(call.texts()).toEqual(['one']);
  });

  it('is cancelled with RST_STREAM, and delivers nothing more', async () => {
    const both = Buffer.concat([prefixed('one'), prefixed('two')]);
    server = await startRawHttp2Server({
      onCall: (peer, id) =>
        peer.write(answerFrame(id), dataFrame(id, both), dataFrame(id, prefixed('three'))),
    });
    channel = await openChannel(channelOptions(server.port));
    const texts: string[] = [];
    const call = startCall(channel, {
      onMessage: (message) => {
        texts.push(Buffer.from(message).toString());
        call.cancel();
        call.cancel();
      },
    });
    expect(await call.ended).toEqual({
      code: 'CANCELLED',
      message: 'the call was cancelled',
      source: 'local',
    });
    const peer = await server.peer(0);
    expect((await peer.frame('reset')).payload.readUInt32BE()).toBe(8);
    expect(texts).toEqual(['one']);
  });

  it('ends as INTERNAL when the receiver of a message throws', async () => {
    server = await startRawHttp2Server({
      onCall: (peer, id) => peer.write(answerFrame(id), dataFrame(id, prefixed('one'))),
    });
    channel = await openChannel(channelOptions(server.port));
    const cause = new Error('no');
    const call = startCall(channel, {
      onMessage: () => {
        throw cause;
      },
    });
    expect(await call.ended).toMatchObject({ code: 'INTERNAL', source: 'local', cause });
  });

  it('takes no informational headers for the answer', async () => {
    const { status, texts } = await ending((peer, id) => {
      peer.write(
        headersFrame(id, { ':status': '103', link: '</a>' }),
        headersFrame(id, { ':status': '100' }),
      );
      peer.write(answerFrame(id), dataFrame(id, prefixed('one')), trailersFrame(id, { 'grpc-status': '0' }));
    });
    expect({ code: status.code, texts }).toEqual({ code: 'OK', texts: ['one'] });
  });
});
