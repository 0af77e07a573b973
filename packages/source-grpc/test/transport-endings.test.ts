import { dataFrame, headersFrame, prefixed, resetFrame } from '@levada/test-peers/http2';
import { afterEach, describe, expect, it } from 'vitest';
import type { Channel } from '../src/transport/channel.ts';
import { openChannel } from '../src/transport/open-channel.ts';
import { answerFrame, type RawHttp2Server, startRawHttp2Server, trailersFrame } from './raw-http2-server.ts';
import { channelOptions, startCall } from './transport-call.ts';
import { endingOf } from './transport-ending.ts';

let server: RawHttp2Server | undefined;
let channel: Channel | undefined;

afterEach(async () => {
  await channel?.close();
  await server?.close();
  server = undefined;
  channel = undefined;
});

describe('trailers', () => {
  it('give the status and the decoded message', async () => {
    const { status, texts } = await endingOf((peer, id) => {
      peer.write(answerFrame(id), dataFrame(id, prefixed('one')));
      peer.write(trailersFrame(id, { 'grpc-status': '8', 'grpc-message': 'caf%C3%A9 100%25' }));
    });
    expect(status).toEqual({ code: 'RESOURCE_EXHAUSTED', message: 'café 100%', source: 'server' });
    expect(texts).toEqual(['one']);
  });

  it.each(['quota exceeded ', ' quota', 'quota\t', 'quota%20', ' '])(
    'keep the blanks around a message: %j',
    async (sent) => {
      const { status } = await endingOf((peer, id) => {
        peer.write(answerFrame(id), trailersFrame(id, { 'grpc-status': '8', 'grpc-message': sent }));
      });
      expect(status).toMatchObject({ code: 'RESOURCE_EXHAUSTED', message: sent.replace('%20', ' ') });
    },
  );

  it('may be all of the answer', async () => {
    const { status } = await endingOf((peer, id) => {
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
    const { status } = await endingOf((peer, id) => {
      peer.write(answerFrame(id), trailersFrame(id, { 'grpc-status': value }));
    });
    expect(status).toEqual({ code, message, source: 'server' });
  });

  it('maps trailers without a status to UNKNOWN', async () => {
    const { status } = await endingOf((peer, id) => {
      peer.write(answerFrame(id), trailersFrame(id, { 'x-other': '1' }));
    });
    expect(status).toMatchObject({ code: 'UNKNOWN', source: 'local' });
  });

  it('maps missing trailers to UNKNOWN after everything was delivered', async () => {
    const { status, texts } = await endingOf((peer, id) => {
      peer.write(answerFrame(id), dataFrame(id, prefixed('one'), { end: true }));
    });
    expect(status).toMatchObject({ code: 'UNKNOWN', message: 'the call ended without grpc-status' });
    expect(texts).toEqual(['one']);
  });

  it('keep 1 KiB of a long message, whatever it holds', async () => {
    const { status } = await endingOf((peer, id) => {
      const message = `%0d%0a%1b[31m${'x'.repeat(10_000)}`;
      peer.write(answerFrame(id), trailersFrame(id, { 'grpc-status': '2', 'grpc-message': message }));
    });
    expect(status.message).toBe(`\r\n\u001b[31m${'x'.repeat(1024 - 7)}...`);
  });

  it('reads the status of trailers whose details are not base64', async () => {
    const { status } = await endingOf((peer, id) => {
      const trailers = { 'grpc-status': '5', 'grpc-status-details-bin': '!!garbage' };
      peer.write(answerFrame(id), trailersFrame(id, trailers));
    });
    expect(status).toEqual({ code: 'NOT_FOUND', message: '', source: 'server' });
  });

  it('count when the server resets the stream after them', async () => {
    const { status } = await endingOf((peer, id) => {
      peer.write(answerFrame(id), trailersFrame(id, { 'grpc-status': '0' }), resetFrame(id, 8));
    });
    expect(status).toEqual({ code: 'OK', message: '', source: 'server' });
  });

  it('maps the status OK within a message to INTERNAL', async () => {
    const { status } = await endingOf((peer, id) => {
      peer.write(answerFrame(id), dataFrame(id, prefixed('truncated').subarray(0, 7)));
      peer.write(trailersFrame(id, { 'grpc-status': '0' }));
    });
    expect(status).toMatchObject({ code: 'INTERNAL', message: 'the call ended within a message' });
  });

  it('keeps an error status in trailers within a message', async () => {
    const { status } = await endingOf((peer, id) => {
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
  ])('maps HTTP %d to %s, and reports the text of the answer', async (code, name) => {
    const { status, texts } = await endingOf((peer, id) => {
      peer.write(headersFrame(id, { ':status': String(code), 'content-type': 'text/html' }));
      peer.write(dataFrame(id, Buffer.from('<h1>page "not" found</h1>\n'), { end: true }));
    });
    expect(status).toEqual({
      code: name,
      message: `HTTP ${code} with content-type "text/html", expected HTTP 200 with "application/grpc": "<h1>page "not" found</h1>"`,
      source: 'http',
    });
    expect(texts).toEqual([]);
  });

  it('reports at most 256 bytes of an answer that is not gRPC', async () => {
    const { status } = await endingOf((peer, id) => {
      peer.write(headersFrame(id, { ':status': '503' }), dataFrame(id, Buffer.alloc(10_000, 'x')));
    });
    expect(status.message).toBe(
      `HTTP 503 with no content-type, expected HTTP 200 with "application/grpc": "${'x'.repeat(256)}"`,
    );
  });

  it('ends the call with the headers of an answer without a body', async () => {
    const { status } = await endingOf((peer, id) => {
      peer.write(headersFrame(id, { ':status': '401' }, { end: true }));
    });
    expect(status).toMatchObject({ code: 'UNAUTHENTICATED', source: 'http' });
  });

  it('counts as the server when it holds a grpc-status, and its body is not read', async () => {
    const { status, texts } = await endingOf((peer, id) => {
      peer.write(headersFrame(id, { ':status': '503', 'grpc-status': '16', 'grpc-message': 'who' }));
      peer.write(dataFrame(id, prefixed('body')));
    });
    expect(status).toEqual({ code: 'UNAUTHENTICATED', message: 'who', source: 'server' });
    expect(texts).toEqual([]);
  });

  it.each([
    [{ 'x-other': '1' }, 'UNAVAILABLE', 'http'],
    [{ 'grpc-status': '0' }, 'UNAVAILABLE', 'http'],
    [{ 'grpc-status': '5' }, 'NOT_FOUND', 'server'],
  ])('with the trailers %j means %s, said by: %s', async (trailers, code, source) => {
    const { status } = await endingOf((peer, id) => {
      peer.write(headersFrame(id, { ':status': '503' }), dataFrame(id, Buffer.from('body')));
      peer.write(trailersFrame(id, trailers));
    });
    expect(status).toMatchObject({ code, source });
  });

  it('is no gRPC-Web either', async () => {
    const { status } = await endingOf((peer, id) => {
      peer.write(headersFrame(id, { ':status': '200', 'content-type': 'application/grpc-web+proto' }));
      peer.write(dataFrame(id, prefixed('one'), { end: true }));
    });
    expect(status).toMatchObject({ code: 'UNKNOWN', source: 'http' });
  });

  it.each(['application/grpc+proto', 'application/grpc; charset=utf-8', 'Application/gRPC'])(
    'has another content-type than "%s"',
    async (type) => {
      const { texts } = await endingOf((peer, id) => {
        peer.write(headersFrame(id, { ':status': '200', 'content-type': type }));
        peer.write(dataFrame(id, prefixed('one')), trailersFrame(id, { 'grpc-status': '0' }));
      });
      expect(texts).toEqual(['one']);
    },
  );
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
    const { status, texts } = await endingOf((peer, id) => {
      peer.write(
        headersFrame(id, { ':status': '103', link: '</a>' }),
        headersFrame(id, { ':status': '100' }),
      );
      peer.write(answerFrame(id), dataFrame(id, prefixed('one')), trailersFrame(id, { 'grpc-status': '0' }));
    });
    expect({ code: status.code, texts }).toEqual({ code: 'OK', texts: ['one'] });
  });
});
