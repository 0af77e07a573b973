import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  InterceptingCall,
  type Interceptor,
  Metadata,
  ServerInterceptingCall,
  type ServerInterceptor,
  status,
} from '@grpc/grpc-js';
import { loadSync } from '@grpc/proto-loader';
import { ReflectionService } from '@grpc/reflection';
import type { SourceHandle } from '@levada/connect-runtime-core';
import { startConnectProxy, waitFor } from '@levada/connect-runtime-core/testing';
import {
  eventBytes,
  eventJson,
  protoFolder,
  startStreamServer,
  testDescriptor,
  tlsCredentials,
} from '@levada/test-peers/grpc';
import { makeCertificates, serverName } from '@levada/test-peers/tls';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { grpcJs } from '../src/grpc-js/index.ts';
import { type GrpcOptions, type GrpcTransport, grpcSource } from '../src/index.ts';
import { serve } from './feed.ts';

const transports: readonly (readonly [name: string, transport: GrpcTransport | undefined])[] = [
  ['node:http2', undefined],
  ['grpc-js', grpcJs()],
];

const sent = (...payloads: readonly string[]) => payloads.map((payload) => eventBytes({ payload }));
const json = (payload: string) => eventJson({ payload });

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'levada-transports-'));
  makeCertificates(folder);
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Keeps what each call to a server has as its `:authority`. */
function hostsInto(authorities: string[]): ServerInterceptor {
  return (_definition, call) => {
    authorities.push(call.getHost());
    return new ServerInterceptingCall(call);
  };
}

async function valuesOf(source: SourceHandle, count = Number.POSITIVE_INFINITY): Promise<readonly unknown[]> {
  const values: unknown[] = [];
  for await (const { value } of source) {
    values.push(value);
    if (values.length === count) break;
  }
  return values;
}

describe.each(transports)('a source over %s', (_, transport) => {
  const source = (port: number, more: Partial<GrpcOptions> = {}) =>
    grpcSource({
      host: '127.0.0.1',
      port,
      service: 'teststream.TestStreamService',
      method: 'StreamEvents',
      descriptor: testDescriptor(),
      topic: 'events',
      reconnect: { intervalMs: 1 },
      transport,
      ...more,
    });

  it('sends request and metadata, and ends with the stream', async () => {
    const server = await serve((call) => {
      call.send(...sent('a', 'b'));
      call.end();
    });
    const values = await valuesOf(
      source(server.port, {
        request: { filter: 'f' },
        metadata: { 'x-api-key': 'a,b', 'x-token-bin': 'AAH+/w==' },
        compression: 'gzip',
        completion: 'stop',
      }),
    );
    expect(values).toEqual([json('a'), json('b')]);
    const { request, metadata } = await server.call(0);
    expect(request.toString()).toBe('\n\u0001f');
    expect(metadata.get('x-api-key')).toEqual(['a,b']);
    expect(metadata.get('x-token-bin')).toEqual([Buffer.from([0, 1, 254, 255])]);
    expect(String(metadata.get('user-agent')[0])).toMatch(/^levada-grpc\//);
  });

  it('holds the server up while the loop is busy, and loses nothing', async () => {
    const payloads = Array.from({ length: 3000 }, (__, i) => `${i} ${'x'.repeat(10_000)}`);
    const server = await serve((call) => {
      call.send(...sent(...payloads));
      call.end();
    });
    const busy = source(server.port, { queueSize: 10, completion: 'stop' });
    const values: unknown[] = [];
    for await (const { value } of busy) {
      if (values.length === 0) await waitFor(() => Number(busy.status()['QueueSize']) >= 10);
      // More may be received while the loop is busy than fits into the queue, but not without bounds.
      expect(Number(busy.status()['QueueSize'])).toBeLessThanOrEqual(10);
      values.push(value);
    }
    expect(values).toEqual(payloads.map(json));
    expect(busy.status()).toMatchObject({ MessagesDropped: 0, UnaccountedCount: 0 });
  });

  it('skips messages above the limit, and counts them', async () => {
    const server = await serve((call) => {
      call.send(...sent('a', 'x'.repeat(5_000_000), 'b'));
      call.end();
    });
    const read = source(server.port, { completion: 'stop' });
    expect(await valuesOf(read)).toEqual([json('a'), json('b')]);
    expect(read.status()).toMatchObject({ MessagesDropped: 1 });
  });

  it('calls again after a status, and after the connection is lost', async () => {
    const server = await serve((call, index) => {
      call.send(...sent(String(index)));
      if (index === 0) call.end('UNAVAILABLE', 'later');
    });
    const read = source(server.port);
    const values: unknown[] = [];
    for await (const { value } of read) {
      values.push(value);
      if (values.length === 2) {
        server.kill();
        await server.listen();
      }
      if (values.length === 3) break;
    }
    expect(values).toEqual(['0', '1', '2'].map(json));
    expect(read.status()).toMatchObject({ TotalReconnects: 2 });
  });

  it('fails with what the server says when that is not to be tried again', async () => {
    const server = await serve((call) => call.end('UNIMPLEMENTED', 'gone'));
    await expect(valuesOf(source(server.port))).rejects.toThrow(
      `127.0.0.1:${server.port}: 12 UNIMPLEMENTED: gone`,
    );
  });

  it('says why there is no connection', async () => {
    const server = await startStreamServer();
    await server.close();
    const read = source(server.port, { reconnect: false });
    await expect(valuesOf(read)).rejects.toThrow(
      new RegExp(`cannot connect to 127\\.0\\.0\\.1:${server.port}: .*ECONNREFUSED`),
    );
  });

  it('gives up a connection that takes too long', async () => {
    const silent = createServer();
    await once(silent.listen(0, '127.0.0.1'), 'listening');
    onTestFinished(() => void silent.close());
    const { port } = silent.address() as AddressInfo;
    const read = source(port, { connectionTimeoutMs: 50, reconnect: false });
    await expect(valuesOf(read)).rejects.toThrow(/cannot connect to .* 50 ms/);
  });

  it('asks the server what its messages look like', async () => {
    const definition = loadSync('teststream/stream.proto', { includeDirs: [protoFolder], keepCase: true });
    const server = await serve((call) => call.send(...sent('a')), {
      extend: (each) => new ReflectionService(definition).addToServer(each),
    });
    expect(await valuesOf(source(server.port, { descriptor: undefined }), 1)).toEqual([json('a')]);
  });

  it('connects through a proxy, which looks the name up', async () => {
    const server = await serve((call) => call.send(...sent('a')));
    const proxy = await startConnectProxy();
    onTestFinished(() => proxy.close());
    const read = source(server.port, {
      host: serverName,
      proxy: { url: proxy.url, username: 'user', password: 'pass word' },
    });
    expect(await valuesOf(read, 1)).toEqual([json('a')]);
    const authorization = `Basic ${Buffer.from('user:pass word').toString('base64')}`;
    expect(proxy.asked).toEqual([{ target: `${serverName}:${server.port}`, authorization }]);
  });

  it.each([
    ['the server', undefined],
    ['what is configured', 'other.example'],
  ])('names %s through a proxy, not the proxy', async (_name, authority) => {
    const authorities: string[] = [];
    const server = await serve((call) => call.send(...sent('a')), {
      options: { interceptors: [hostsInto(authorities)] },
    });
    const proxy = await startConnectProxy();
    onTestFinished(() => proxy.close());
    const read = source(server.port, { host: serverName, authority, proxy: { url: proxy.url } });
    expect(await valuesOf(read, 1)).toEqual([json('a')]);
    expect(authorities).toEqual([authority ?? `${serverName}:${server.port}`]);
  });

  it('checks the certificate of the server through a proxy', async () => {
    const authorities: string[] = [];
    const server = await serve((call) => call.send(...sent('a')), {
      credentials: tlsCredentials(folder, { mutual: false }),
      options: { interceptors: [hostsInto(authorities)] },
    });
    const proxy = await startConnectProxy();
    onTestFinished(() => proxy.close());
    const options = { tls: { ca: join(folder, 'ca.pem') }, proxy: { url: proxy.url } };
    const read = source(server.port, { ...options, host: serverName });
    expect(await valuesOf(read, 1)).toEqual([json('a')]);
    expect(authorities).toEqual([`${serverName}:${server.port}`]);
    const other = source(server.port, { ...options, host: 'other.example', reconnect: false });
    await expect(valuesOf(other)).rejects.toThrow('other.example');
  });

  it('ends an attempt to connect when it is closed', async () => {
    const silent = createServer();
    await once(silent.listen(0, '127.0.0.1'), 'listening');
    onTestFinished(() => void silent.close());
    const accepted = once(silent, 'connection') as Promise<[Socket]>;
    const read = source((silent.address() as AddressInfo).port);
    const values = valuesOf(read);
    const [socket] = await accepted;
    const over = once(socket.resume(), 'close');
    await read.close();
    expect(await values).toEqual([]);
    await over;
  });

  it('ends the call when the loop is left', async () => {
    const server = await serve((call) => call.send(...sent('a')));
    expect(await valuesOf(source(server.port), 1)).toEqual([json('a')]);
    await waitFor(() => server.open().length === 0);
  });

  it('shows and checks certificates', async () => {
    const credentials = tlsCredentials(folder, { mutual: true });
    const server = await serve((call) => call.send(...sent('a')), { credentials });
    const file = (name: string) => join(folder, name);
    const tls = { ca: file('ca.pem'), cert: file('client.pem'), key: file('client.key') };
    expect(await valuesOf(source(server.port, { tls, authority: serverName }), 1)).toEqual([json('a')]);
    const other = source(server.port, { tls, authority: 'other.example', reconnect: false });
    await expect(valuesOf(other)).rejects.toThrow('other.example');
    const untrusted = source(server.port, {
      tls: { ...tls, ca: file('stranger.pem') },
      reconnect: false,
    });
    await expect(valuesOf(untrusted)).rejects.toThrow(/certificate/);
  });
});

describe('grpcJs', () => {
  it('takes options of channels, a target and interceptors', async () => {
    const servers = [await serve((call) => call.end()), await serve((call) => call.end())];
    const paths: string[] = [];
    const interceptor: Interceptor = (options, next) => {
      paths.push(options.method_definition.path);
      return new InterceptingCall(next(options));
    };
    const transport = grpcJs(
      { 'grpc.service_config': JSON.stringify({ loadBalancingConfig: [{ round_robin: {} }] }) },
      {
        target: `ipv4:${servers.map(({ port }) => `127.0.0.1:${port}`).join(',')}`,
        interceptors: [interceptor],
      },
    );
    const source = grpcSource({
      host: 'feed.example',
      port: 1,
      service: 'teststream.TestStreamService',
      method: 'StreamEvents',
      descriptor: testDescriptor(),
      topic: 'events',
      completion: 'stop',
      transport,
    });
    expect(await valuesOf(source)).toEqual([]);
    expect(paths).toEqual(['/teststream.TestStreamService/StreamEvents']);
    expect(servers.flatMap(({ calls }) => calls)).toHaveLength(1);
  });

  it.each([
    ['a target', grpcJs({}, { target: 'foo:///x y' }), /^transport: .*x y/],
    [
      'a service configuration',
      grpcJs({ 'grpc.service_config': '{"loadBalancingConfig": [{"a": {}, "b": {}}]}' }),
      /^transport: .*multiple keys/,
    ],
  ])(
    'ends the source when grpc-js does not take %s, without another attempt',
    async (_name, transport, message) => {
      const source = grpcSource({
        host: 'feed.example',
        port: 1,
        service: 'teststream.TestStreamService',
        method: 'StreamEvents',
        descriptor: testDescriptor(),
        topic: 'events',
        reconnect: { intervalMs: 1, maxAttempts: 3 },
        transport,
      });
      await expect(valuesOf(source)).rejects.toMatchObject({
        code: 'config_invalid',
        message: expect.stringMatching(message),
        issues: [{ key: 'transport' }],
      });
    },
  );

  it.each([
    [status.OK, 'the server ended the stream'],
    [status.UNAUTHENTICATED, 'UNAUTHENTICATED: no token'],
  ])('ends a call that an interceptor answers at once with status %d', async (code, said) => {
    const server = await serve((call) => call.end());
    const interceptor: Interceptor = (options, next) =>
      new InterceptingCall(next(options), {
        start: (_metadata, listener) =>
          listener.onReceiveStatus({ code, details: 'no token', metadata: new Metadata() }),
      });
    const source = grpcSource({
      host: '127.0.0.1',
      port: server.port,
      service: 'teststream.TestStreamService',
      method: 'StreamEvents',
      descriptor: testDescriptor(),
      topic: 'events',
      reconnect: false,
      completion: 'fail',
      transport: grpcJs({}, { interceptors: [interceptor] }),
    });
    await expect(valuesOf(source)).rejects.toThrow(said);
  });

  it('refuses a service configuration that is no JSON', () => {
    expect(() => grpcJs({ 'grpc.service_config': '{bad' })).toThrow(
      /^transport: grpc\.service_config must be JSON text: /,
    );
  });

  it('names its target when there is no connection', async () => {
    const server = await startStreamServer();
    await server.close();
    const target = `ipv4:127.0.0.1:${server.port}`;
    const source = grpcSource({
      host: 'feed.example',
      port: 1,
      service: 'teststream.TestStreamService',
      method: 'StreamEvents',
      descriptor: testDescriptor(),
      topic: 'events',
      reconnect: false,
      transport: grpcJs({}, { target }),
    });
    await expect(valuesOf(source)).rejects.toThrow(`cannot connect to ${target}: `);
  });

  it('is what the option takes, and nothing else', () => {
    const options = { host: 'h', port: 1, service: 's', method: 'm', topic: 't' };
    expect(() => grpcSource({ ...options, transport: {} as GrpcTransport })).toThrow(
      'transport must be one of grpcJs() of @levada/source-grpc/grpc-js',
    );
  });
});
