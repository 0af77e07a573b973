import { createServer, type Server } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { systemClock } from '@levada/connect-runtime-core';
import { createManualClock, type ManualClock, waitFor } from '@levada/connect-runtime-core/testing';
import { eventBytes, eventJson } from '@levada/test-peers/grpc';
import { describe, expect, it, onTestFinished } from 'vitest';
import { grpcSourceConnector } from '../src/connector.ts';
import type { GrpcContext } from '../src/model/metrics.ts';
import { delaysOf, feed, runTask, serve } from './feed.ts';
import { answerWith, rawServer } from './raw-feed.ts';
import { startReflectionServer } from './reflection-server.ts';
import { drain, type RunningTask, startTask, texts } from './running-task.ts';

const names = ['a', 'b', 'c'];
const messages = names.map((payload) => eventBytes({ payload }));
const jsons = names.map((payload) => eventJson({ payload }));

/** A TCP server that says nothing, and how many connections it has. */
async function silentServer() {
  const sockets = new Set<object>();
  const server = createTcpServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
    socket.resume();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return { port: (server.address() as AddressInfo).port, open: () => sockets.size };
}

/** Stops the task and shows that nothing of it is left: no timer, no record, no later attempt. */
async function stopped({ task, logger }: RunningTask, clock: ManualClock): Promise<void> {
  await task.stop();
  expect(clock.pending).toBe(0);
  expect(await drain(task)).toEqual([]);
  const lines = logger.lines.length;
  await clock.advance(3 * 60_000);
  expect(logger.lines).toHaveLength(lines);
  expect(task.connection().state).toBe('closed');
}

describe('a stop', () => {
  it('ends the call and hands out what was received', async () => {
    const running = await feed((call) => call.send(...messages));
    await waitFor(() => running.metrics.read('MessagesReceived') === 3);
    await running.task.stop();
    await waitFor(() => running.server.open().length === 0);
    expect((await running.server.call(0)).cancelled()).toBe(true);
    expect(texts(await drain(running.task))).toEqual(jsons);
    expect(running.metrics.snapshot()).toMatchObject({
      QueueSize: 0,
      IsConnected: false,
      MessagesDropped: 0,
    });
    expect(running.logger.withEvent('task_stopped')[0]?.fields).toMatchObject({
      final_sequence: 3,
      queue_size: 3,
    });
  });

  it('gives up a connection attempt when stopped', async () => {
    const clock = createManualClock();
    const server = await silentServer();
    const running = await runTask(server.port, { clock });
    await waitFor(() => server.open() === 1);
    expect(running.task.connection()).toEqual({ state: 'connecting' });
    await stopped(running, clock);
    await waitFor(() => server.open() === 0);
  });

  it('during a back-off waits for nothing', async () => {
    const clock = createManualClock();
    const running = await feed((call) => call.end('UNAVAILABLE'), {
      clock,
      raw: { 'grpc.reconnect.interval.ms': '5000' },
    });
    await running.logged('reconnect_scheduled');
    await stopped(running, clock);
    expect(running.server.calls).toHaveLength(1);
  });

  it('ends reflection when stopped', async () => {
    const clock = createManualClock();
    const server = await startReflectionServer({ versions: ['v1'], files: [], answer: () => 'silence' });
    onTestFinished(() => server.close());
    const running = await runTask(server.port, { clock, raw: { 'grpc.proto.descriptor': null } });
    await waitFor(() => server.asked.length === 1);
    expect(running.task.connection()).toEqual({ state: 'connecting' });
    await stopped(running, clock);
    await waitFor(() => server.open() === 0);
  });

  it('ends fetching a token when stopped', async () => {
    const clock = createManualClock();
    let asked = 0;
    let gone = 0;
    const endpoint: Server = createServer((request) => {
      asked += 1;
      request.socket.on('close', () => {
        gone += 1;
      });
    });
    await new Promise<void>((resolve) => endpoint.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void endpoint.close());
    const { port } = endpoint.address() as AddressInfo;
    const running = await feed(() => undefined, {
      clock,
      raw: {
        'grpc.oauth2.token.url': `http://127.0.0.1:${port}/`,
        'grpc.oauth2.client.id': 'id',
        'grpc.oauth2.client.secret': 'secret',
      },
    });
    await waitFor(() => asked === 1);
    await stopped(running, clock);
    await waitFor(() => gone === 1);
    expect(running.server.calls).toHaveLength(0);
  });

  it('stops without waiting for references to be resolved', async () => {
    const clock = createManualClock();
    let asked = 0;
    const context: Partial<GrpcContext> = {
      resolveConfig: () => {
        asked += 1;
        return new Promise(() => undefined);
      },
    };
    const running = await feed((call) => call.end('UNAVAILABLE'), { clock, context });
    await running.logged('reconnect_scheduled');
    await clock.advance(delaysOf(running)[0] ?? 0);
    await waitFor(() => asked === 1);
    await stopped(running, clock);
    expect(running.logger.withEvent('credentials_unresolved')).toHaveLength(0);
  });

  it('starts nothing when stopped while the offset is read', async () => {
    const server = await serve(() => undefined);
    const offset = Promise.withResolvers<undefined>();
    const task = grpcSourceConnector.createTask();
    const started = startTask(server.port, {}, { task, offsets: { offset: () => offset.promise } });
    await task.stop();
    offset.resolve(undefined);
    const running = await started;
    expect(await running.task.poll()).toEqual([]);
    expect(running.logger.withEvent('task_started')).toHaveLength(0);
    expect(server.calls).toHaveLength(0);
  });

  it.each([
    ['never answers the call', {}],
    ['never reads what it is sent', { onFrame: () => undefined }],
  ])('does not wait for a server that %s', async (_, script) => {
    const clock = createManualClock();
    const server = await rawServer(script);
    const running = await runTask(server.port, { clock });
    const peer = await server.peer(0);
    await running.logged('streaming_started');
    if ('onFrame' in script) peer.socket.pause();
    const stopping = running.task.stop();
    // The server gets a quarter of a second to close its side.
    await waitFor(async () => {
      await clock.advance(250);
      return running.task.connection().state === 'closed';
    });
    await stopping;
    expect(clock.pending).toBe(0);
    peer.socket.resume();
    await waitFor(() => peer.socket.destroyed);
  });

  it('twice at once, and again later, is one', async () => {
    const running = await feed((call) => call.send(...messages));
    await running.take(3);
    await Promise.all([running.task.stop(), running.task.stop()]);
    await running.task.stop();
    expect(running.logger.withEvent('task_stopped')).toHaveLength(1);
  });
});

describe('a hard stop', () => {
  it('ends everything at once in a hard stop, and keeps what was received so that it can be counted', async () => {
    const clock = createManualClock();
    const server = await rawServer({ onCall: (peer, streamId) => answerWith(peer, streamId, messages) });
    const running = await runTask(server.port, { clock });
    await waitFor(() => running.metrics.read('MessagesReceived') === 3);
    running.abort();
    await running.task.stop();
    expect(clock.pending).toBe(0);
    await waitFor(() => server.peers[0]?.socket.destroyed);
    expect(running.metrics.snapshot()).toMatchObject({
      QueueSize: 3,
      IsConnected: false,
      UnaccountedCount: 0,
    });
    expect(texts(await drain(running.task))).toEqual(jsons);
  });

  it('leaves nothing open after a hard stop before the start', async () => {
    const server = await serve(() => undefined);
    const running = await runTask(server.port, { context: { signal: AbortSignal.abort() } });
    expect(await running.task.poll()).toEqual([]);
    expect(server.calls).toHaveLength(0);
  });
});

describe('a start that fails', () => {
  it.each([
    ['no descriptor file', { 'grpc.proto.descriptor': '/nowhere/set.binpb' }, /Invalid proto descriptor/],
    ['garbage as descriptor', { 'grpc.proto.descriptor': 'base64:AAAA' }, /^Invalid proto descriptor/],
    ['another service', { 'grpc.service.name': 'teststream.Nothing' }, /^Service not found in descriptor/],
    ['another method', { 'grpc.method.name': 'Nothing' }, /^Method not found/],
    ['a unary method', { 'grpc.method.name': 'GetEvent' }, /server.streaming/],
    ['a method that streams both ways', { 'grpc.method.name': 'Exchange' }, /server.streaming/],
    ['a wrong request', { 'grpc.request.message': '{"fliter":"x"}' }, /did you mean "filter"/],
    ['a certificate without TLS', { 'grpc.tls.ca.cert': '/nowhere/ca.pem' }, /grpc\.tls\.enabled/],
  ])('opens no connection and arms no timer when the start fails because of %s', async (_, raw, message) => {
    const clock = createManualClock();
    const server = await silentServer();
    await expect(startTask(server.port, raw, { clock })).rejects.toMatchObject({
      retriable: false,
      message: expect.stringMatching(message),
    });
    expect(clock.pending).toBe(0);
    expect(server.open()).toBe(0);
  });

  it('because no offset could be read says so', async () => {
    const offsets = { offset: () => Promise.reject(new Error('offsets are not there')) };
    await expect(startTask(1, {}, { offsets, clock: systemClock })).rejects.toThrow('offsets are not there');
  });
});
