import { Server, ServerCredentials, type ServerWritableStream, status } from '@grpc/grpc-js';
import { systemClock } from '@levada/connect-runtime-core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { CallOptions, Channel, ChannelOptions } from './channel.ts';
import { openChannel } from './open-channel.ts';

const raw = { requestSerialize: (b: Buffer) => b, requestDeserialize: (b: Buffer) => b };
const definition = {
  stream: {
    path: '/test.Feed/Stream',
    requestStream: false,
    responseStream: true,
    ...raw,
    responseSerialize: (b: Buffer) => b,
    responseDeserialize: (b: Buffer) => b,
  },
} as const;

let server: Server;
let port: number;
let channel: Channel | undefined;
let respond: (call: ServerWritableStream<Buffer, Buffer>) => void;

beforeEach(async () => {
  server = new Server();
  server.addService(definition, {
    stream: (call: ServerWritableStream<Buffer, Buffer>) => respond(call),
  });
  port = await new Promise<number>((resolve, reject) => {
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) =>
      error === null ? resolve(bound) : reject(error),
    );
  });
});
afterEach(async () => {
  await channel?.close();
  server.forceShutdown();
});

function options(): ChannelOptions {
  return {
    endpoint: { host: '127.0.0.1', port },
    connectTimeoutMs: 10_000,
    keepaliveTimeMs: 0,
    keepaliveTimeoutMs: 1000,
    clock: systemClock,
    signal: new AbortController().signal,
  };
}

function callOptions(received: string[]): CallOptions {
  return {
    path: '/test.Feed/Stream',
    metadata: [['x-key', 'value']],
    maxMessageBytes: 4 * 1024 * 1024,
    compression: 'identity',
    onMessage: (message) => received.push(Buffer.from(message).toString()),
    onOversized: () => undefined,
  };
}

describe('openChannel', () => {
  it('streams messages of a gRPC server, in order, and its status', async () => {
    respond = (call) => {
      for (let index = 0; index < 1000; index += 1)
        call.write(Buffer.from(`${call.request.toString()} ${index}`));
      call.emit('error', { code: status.NOT_FOUND, details: 'no möre' });
    };
    channel = await openChannel(options());
    const received: string[] = [];
    const call = channel.call(callOptions(received));
    call.send(Buffer.from('hello'));
    call.half();
    expect(await call.ended).toEqual({ code: 'NOT_FOUND', message: 'no möre', source: 'server' });
    expect(received).toEqual(Array.from({ length: 1000 }, (_, index) => `hello ${index}`));
  });

  it('names who refused the connection', async () => {
    server.forceShutdown();
    await expect(openChannel(options())).rejects.toMatchObject({
      code: 'connection_failed',
      message: `cannot connect to 127.0.0.1:${port}: connect ECONNREFUSED 127.0.0.1:${port}`,
    });
  });
});
