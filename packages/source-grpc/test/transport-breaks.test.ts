import { dataFrame, frameOf, goawayFrame, prefixed, resetFrame } from '@levada/test-peers/http2';
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

describe('RST_STREAM', () => {
  it.each([
    [0, 'NO_ERROR', 'INTERNAL'],
    [1, 'PROTOCOL_ERROR', 'INTERNAL'],
    [2, 'INTERNAL_ERROR', 'INTERNAL'],
    [7, 'REFUSED_STREAM', 'UNAVAILABLE'],
    [8, 'CANCEL', 'CANCELLED'],
    [11, 'ENHANCE_YOUR_CALM, by the server or for response headers above 16 MiB', 'RESOURCE_EXHAUSTED'],
    [12, 'INADEQUATE_SECURITY', 'PERMISSION_DENIED'],
    [99, 'code 99', 'UNKNOWN'],
  ])('with code %d (%s) means %s, after what came before it', async (code, name, status) => {
    const ended = await endingOf((peer, id) => {
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

  it('reports GOAWAY NO_ERROR when the connection closes before the call is over', async () => {
    const { status } = await endingOf((peer, id) => {
      peer.write(answerFrame(id), goawayFrame(0, 'max_age'));
      peer.socket.end();
    });
    expect(status).toEqual({
      code: 'UNAVAILABLE',
      message: 'connection closed by the server; the server ends the connection: GOAWAY NO_ERROR "max_age"',
      source: 'local',
    });
  });

  it('ends a call that a GOAWAY leaves out as UNAVAILABLE', async () => {
    const { status } = await endingOf((peer) => peer.write(goawayFrame(0, '', 0)));
    expect(status).toMatchObject({ code: 'UNAVAILABLE', source: 'local' });
  });

  it('distinguishes GOAWAY too_many_pings', async () => {
    const { status } = await endingOf((peer) => peer.write(goawayFrame(11, 'too_many_pings')));
    expect(status).toEqual({
      code: 'RESOURCE_EXHAUSTED',
      message: 'the server ends the connection: GOAWAY ENHANCE_YOUR_CALM "too_many_pings"',
      source: 'local',
      exhausted: 'too_many_pings',
    });
  });

  it.each([
    [11, 'ENHANCE_YOUR_CALM', 'RESOURCE_EXHAUSTED'],
    [2, 'INTERNAL_ERROR', 'UNAVAILABLE'],
    [77, 'code 77', 'UNAVAILABLE'],
  ])('with code %d ends the call after what came before it', async (code, name, status) => {
    const ended = await endingOf((peer, id) => {
      peer.write(answerFrame(id), dataFrame(id, prefixed('one')), goawayFrame(code));
    });
    expect(ended).toEqual({
      status: { code: status, message: `the server ends the connection: GOAWAY ${name}`, source: 'local' },
      texts: ['one'],
    });
  });

  it('reports at most 256 bytes of the debug data in a GOAWAY', async () => {
    const { status } = await endingOf((peer) => peer.write(goawayFrame(2, 'x'.repeat(10_000))));
    expect(status.message).toBe(`the server ends the connection: GOAWAY INTERNAL_ERROR "${'x'.repeat(256)}"`);
  });
});

describe('the end of the connection', () => {
  it('is UNAVAILABLE when the server closes it', async () => {
    const ended = await endingOf((peer, id) => {
      peer.write(answerFrame(id), dataFrame(id, prefixed('one')));
      peer.socket.end();
    });
    expect(ended).toEqual({
      status: { code: 'UNAVAILABLE', message: 'connection closed by the server', source: 'local' },
      texts: ['one'],
    });
  });

  it('is UNAVAILABLE, with the text of the system, when the server resets it', async () => {
    const { status } = await endingOf((peer, id) => {
      peer.write(answerFrame(id));
      peer.socket.resetAndDestroy();
    });
    expect(status).toMatchObject({ code: 'UNAVAILABLE', source: 'local' });
    // Before version 24 Node takes some resets for an end.
    expect(status.message).toMatch(/^connection (lost: read ECONNRESET|closed by the server)$/);
  });

  it('is INTERNAL when the server breaks HTTP/2', async () => {
    const { status } = await endingOf((peer) => {
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
