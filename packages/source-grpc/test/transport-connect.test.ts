import { createServer, type Server, type Socket } from 'node:net';
import type { ConnectorError } from '@levada/connect-runtime-core';
import { createManualClock, waitFor } from '@levada/connect-runtime-core/testing';
import { type Frame, frameTypes, goawayFrame, settingsFrame } from '@levada/test-peers/http2';
import { afterEach, describe, expect, it } from 'vitest';
import type { ChannelOptions } from '../src/transport/channel.ts';
import { openChannel } from '../src/transport/open-channel.ts';
import { acknowledge, startRawHttp2Server } from './raw-http2-server.ts';
import { channelOptions, startCall } from './transport-call.ts';

const closers: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

/** A TCP server that calls `onSocket` with each connection. */
async function tcpServer(onSocket: (socket: Socket) => void): Promise<{ port: number; sockets: Socket[] }> {
  const sockets: Socket[] = [];
  const server: Server = createServer((socket) => {
    sockets.push(socket);
    socket.on('error', () => undefined);
    onSocket(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(() => {
    for (const socket of sockets) socket.destroy();
    return new Promise((resolve) => server.close(resolve));
  });
  const address = server.address();
  return { port: typeof address === 'object' && address !== null ? address.port : 0, sockets };
}

async function rawServer(
  script: Parameters<typeof startRawHttp2Server>[0],
): ReturnType<typeof startRawHttp2Server> {
  const server = await startRawHttp2Server(script);
  closers.push(server.close);
  return server;
}

/** The text that connecting to this port fails with. */
async function failure(port: number, changes: Partial<ChannelOptions> = {}): Promise<string> {
  const error: unknown = await openChannel(channelOptions(port, changes)).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ name: 'ConnectorError', code: 'connection_failed', retriable: true });
  return (error as ConnectorError).message;
}

const isAcknowledgement = ({ type, flags }: Frame): boolean => type === frameTypes.settings && flags === 1;

describe('openChannel', () => {
  it('is ready when the settings of the server arrived, and says where it is connected to', async () => {
    const server = await rawServer({ onConnection: () => undefined, onFrame: () => undefined });
    const opening = openChannel(channelOptions(server.port));
    const peer = await server.peer(0);
    await peer.frame('settings');
    peer.write(settingsFrame());
    const channel = await opening;
    closers.unshift(() => channel.close());
    expect(channel.peer).toBe(`127.0.0.1:${server.port}`);
  });

  it('waits for a server that allows no calls yet', async () => {
    const server = await rawServer({ onConnection: (peer) => peer.write(settingsFrame({ 3: 0 })) });
    const opening = openChannel(channelOptions(server.port));
    const peer = await server.peer(0);
    // Its settings were read, and are not enough.
    await waitFor(() => peer.frames.some(isAcknowledgement));
    const waiting = await Promise.race([opening, Promise.resolve('waiting')]);
    peer.write(settingsFrame({ 3: 1 }));
    const channel = await opening;
    closers.unshift(() => channel.close());
    expect(waiting).toBe('waiting');
    startCall(channel);
    await peer.frame('headers');
  });

  it('gives up a server that never allows a call', async () => {
    const clock = createManualClock();
    const server = await rawServer({ onConnection: (peer) => peer.write(settingsFrame({ 3: 0 })) });
    const failed = failure(server.port, { clock, connectTimeoutMs: 500 });
    const peer = await server.peer(0);
    await waitFor(() => peer.frames.some(isAcknowledgement));
    await clock.advance(500);
    expect(await failed).toMatch(
      / no answer within 500 ms, waiting for room for a call \(MAX_CONCURRENT_STREAMS is 0\)$/,
    );
  });

  it('gives up a call when the server allows none any more', async () => {
    const server = await rawServer({});
    const channel = await openChannel(channelOptions(server.port));
    closers.unshift(() => channel.close());
    const peer = await server.peer(0);
    peer.write(settingsFrame({ 3: 0 }));
    await waitFor(() => peer.frames.filter(isAcknowledgement).length === 2);
    expect(await startCall(channel).ended).toMatchObject({ code: 'UNAVAILABLE', source: 'local' });
  });

  it('asks for no pushed streams, and opens wide windows', async () => {
    const server = await rawServer({});
    const channel = await openChannel(channelOptions(server.port));
    closers.unshift(() => channel.close());
    const peer = await server.peer(0);
    const { payload } = await peer.frame('settings');
    const values = new Map<number, number>();
    for (let at = 0; at < payload.length; at += 6) {
      values.set(payload.readUInt16BE(at), payload.readUInt32BE(at + 2));
    }
    expect([values.get(2), values.get(4)]).toEqual([0, 4 * 1024 * 1024]);
    const { payload: increment } = await peer.frame('windowUpdate');
    expect(increment.readUInt32BE() + 65_535).toBe(16 * 1024 * 1024);
  });

  it('names who refused', async () => {
    const server = await rawServer({});
    await server.close();
    expect(await failure(server.port)).toBe(
      `cannot connect to 127.0.0.1:${server.port}: connect ECONNREFUSED 127.0.0.1:${server.port}`,
    );
  });

  it('tries every address of a name', async () => {
    const server = await rawServer({});
    const endpoint = { host: 'localhost', port: server.port };
    const channel = await openChannel(channelOptions(server.port, { endpoint }));
    closers.unshift(() => channel.close());
    expect(channel.peer).toContain(String(server.port));
  });

  it('names what cannot be resolved', async () => {
    // A label of 64 characters cannot exist, so that no name server is asked.
    const host = `${'x'.repeat(64)}.invalid`;
    const opening = openChannel(channelOptions(1, { endpoint: { host, port: 1 } }));
    await expect(opening).rejects.toMatchObject({
      code: 'connection_failed',
      message: expect.stringMatching(`^cannot connect to ${host}:1: getaddrinfo E[A-Z_]+ ${host}$`),
    });
  });

  it.each(['169.254.169.254', '0.0.0.0', 'fd00:ec2::254'])('refuses the address %s', async (host) => {
    await expect(openChannel(channelOptions(1, { endpoint: { host, port: 1 } }))).rejects.toMatchObject({
      code: 'connection_failed',
      message: `cannot connect to ${host.includes(':') ? `[${host}]` : host}:1: a link-local, metadata, multicast or unspecified address`,
    });
  });

  it.each([
    ['an HTTP/1 server', 'HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n'],
    ['an SSH server', 'SSH-2.0-OpenSSH_9.2p1\r\n'],
    ['32 KiB of garbage', 'x'.repeat(32_768)],
  ])('says that %s is no HTTP/2 server', async (_name, text) => {
    const { port } = await tcpServer((socket) => socket.once('data', () => socket.write(text, 'latin1')));
    expect(await failure(port)).toMatch(
      new RegExp(
        `^cannot connect to 127\\.0\\.0\\.1:${port}: the server does not speak HTTP/2, or expects TLS \\(grpc\\.tls\\.enabled=true\\): `,
      ),
    );
  });

  it('says that the server closed the connection', async () => {
    const { port } = await tcpServer((socket) => socket.once('data', () => socket.end()));
    expect(await failure(port)).toBe(
      `cannot connect to 127.0.0.1:${port}: connection closed by the server before its HTTP/2 settings arrived; perhaps it expects TLS (grpc.tls.enabled=true)`,
    );
  });

  it('says that the server reset the connection', async () => {
    const { port } = await tcpServer((socket) => socket.once('data', () => socket.resetAndDestroy()));
    expect(await failure(port)).toBe(`cannot connect to 127.0.0.1:${port}: read ECONNRESET`);
  });

  it('reports a GOAWAY right after the connection through the status of the call', async () => {
    const server = await rawServer({ onConnection: (peer) => peer.write(settingsFrame(), goawayFrame(2)) });
    const channel = await openChannel(channelOptions(server.port));
    closers.unshift(() => channel.close());
    expect(await startCall(channel).ended).toMatchObject({
      code: 'UNAVAILABLE',
      message: 'the server ends the connection: GOAWAY INTERNAL_ERROR',
    });
  });

  it('waits for a silent server no longer than it may', async () => {
    const clock = createManualClock();
    const { port, sockets } = await tcpServer(() => undefined);
    const failed = failure(port, { clock, connectTimeoutMs: 30_000 });
    const socket = await waitFor(() => sockets[0]);
    await new Promise((resolve) => socket.once('data', resolve));
    await clock.advance(29_999);
    expect(socket.destroyed).toBe(false);
    await clock.advance(1);
    expect(await failed).toBe(
      `cannot connect to 127.0.0.1:${port}: no answer within 30000 ms, waiting for HTTP/2 settings`,
    );
    await waitFor(() => socket.readableEnded || socket.destroyed);
    expect(clock.pending).toBe(0);
  });

  it('says that TLS is what it waited for', async () => {
    const clock = createManualClock();
    const { port, sockets } = await tcpServer(() => undefined);
    const tls = { rejectUnauthorized: true };
    const failed = failure(port, { clock, connectTimeoutMs: 5000, tls });
    const socket = await waitFor(() => sockets[0]);
    await new Promise((resolve) => socket.once('data', resolve));
    await clock.advance(5000);
    expect(await failed).toContain('no answer within 5000 ms, waiting for TLS');
  });

  it('waits indefinitely without a connect timeout', async () => {
    const clock = createManualClock();
    const server = await rawServer({ onConnection: () => undefined, onFrame: () => undefined });
    const opening = openChannel(channelOptions(server.port, { clock, connectTimeoutMs: 0 }));
    const peer = await server.peer(0);
    await peer.frame('settings');
    expect(clock.pending).toBe(0);
    peer.write(settingsFrame());
    const channel = await opening;
    closers.unshift(() => channel.close());
  });
});

describe('the signal', () => {
  it('keeps a connection from being tried', async () => {
    const { port, sockets } = await tcpServer(() => undefined);
    const signal = AbortSignal.abort();
    await expect(openChannel(channelOptions(port, { signal }))).rejects.toMatchObject({ code: 'aborted' });
    expect(sockets).toEqual([]);
  });

  it('ends an attempt at once, and leaves nothing open', async () => {
    const clock = createManualClock();
    const { port, sockets } = await tcpServer(() => undefined);
    const abort = new AbortController();
    const opening = openChannel(channelOptions(port, { clock, signal: abort.signal }));
    const socket = await waitFor(() => sockets[0]);
    await new Promise((resolve) => socket.once('data', resolve));
    abort.abort(new Error('stop'));
    await expect(opening).rejects.toMatchObject({ code: 'aborted', cause: { message: 'stop' } });
    await waitFor(() => socket.destroyed || socket.readableEnded);
    expect(clock.pending).toBe(0);
  });

  it('ends an attempt before the connection is there', async () => {
    const { port } = await tcpServer(() => undefined);
    const abort = new AbortController();
    const opening = openChannel(channelOptions(port, { signal: abort.signal }));
    abort.abort();
    await expect(opening).rejects.toMatchObject({ code: 'aborted' });
  });

  it('ends an open channel with its calls', async () => {
    const clock = createManualClock();
    const abort = new AbortController();
    const server = await rawServer({});
    const options = { clock, signal: abort.signal, keepaliveTimeMs: 1000 };
    const channel = await openChannel(channelOptions(server.port, options));
    const call = startCall(channel);
    const peer = await server.peer(0);
    await peer.frame('data');
    abort.abort();
    expect(await call.ended).toMatchObject({ code: 'CANCELLED', source: 'local' });
    await channel.close();
    await waitFor(() => peer.socket.destroyed);
    expect(clock.pending).toBe(0);
  });
});

describe('close', () => {
  it('cancels the calls, says goodbye, and resolves when the server has closed its side', async () => {
    const server = await rawServer({});
    const channel = await openChannel(channelOptions(server.port));
    const calls = [startCall(channel), startCall(channel)];
    const peer = await server.peer(0);
    await waitFor(() => peer.frames.filter(({ type }) => type === 1).length === 2);
    await Promise.all([channel.close(), channel.close()]);
    for (const call of calls) expect(await call.ended).toMatchObject({ code: 'CANCELLED' });
    expect((await peer.frame('reset')).payload.readUInt32BE()).toBe(8);
    expect((await peer.frame('goaway')).payload.readUInt32BE(4)).toBe(0);
    await waitFor(() => peer.socket.destroyed);
    expect(await startCall(channel).ended).toMatchObject({ code: 'CANCELLED', source: 'local' });
  });

  it('cuts the connection when the server does not close its side', async () => {
    const clock = createManualClock();
    const server = await rawServer({
      onConnection: (peer) => {
        peer.socket.allowHalfOpen = true;
        peer.write(settingsFrame());
      },
      onFrame: (peer, frame) => acknowledge(peer, frame),
    });
    const channel = await openChannel(channelOptions(server.port, { clock }));
    const closing = channel.close();
    const peer = await server.peer(0);
    await waitFor(() => peer.socket.readableEnded);
    expect(clock.pending).toBe(1);
    await clock.advance(1000);
    await closing;
    expect(clock.pending).toBe(0);
  });

  it('resolves when the connection is lost already', async () => {
    const server = await rawServer({});
    const channel = await openChannel(channelOptions(server.port));
    const call = startCall(channel);
    (await server.peer(0)).socket.resetAndDestroy();
    await call.ended;
    await expect(channel.close()).resolves.toBeUndefined();
  });
});
