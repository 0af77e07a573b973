import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { SourceEvent } from '@levada/connect-runtime-core/contract';
import { waitFor } from '@levada/connect-runtime-core/testing';
import { eventBytes, eventJson, protoFolder, testDescriptor } from '@levada/test-peers/grpc';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type GrpcOptions, grpcSource } from '../src/index.ts';
import { serve } from './feed.ts';
import { answerWith, rawServer } from './raw-feed.ts';
import { testConfig } from './running-task.ts';

const sent = (...payloads: readonly string[]) => payloads.map((payload) => eventBytes({ payload }));
const json = (payload: string) => eventJson({ payload });

const optionsFor = (port: number): GrpcOptions => ({
  host: '127.0.0.1',
  port,
  service: 'teststream.TestStreamService',
  method: 'StreamEvents',
  descriptor: testDescriptor(),
  topic: 'events',
  reconnect: { intervalMs: 1 },
});

describe('in a service', () => {
  it('a target in the place of the options is answered with what they are', () => {
    const target = 'feed.example:443' as unknown as GrpcOptions;
    expect(() => grpcSource(target)).toThrow(
      'options must be an object, such as { host: ..., port: ..., service: ..., method: ..., topic: ... }, got string',
    );
  });

  it('a source is iterated, gives text, and leaving the loop ends the call', async () => {
    const server = await serve((call) => call.send(...sent('a', 'b', 'c')));
    const source = grpcSource({
      ...optionsFor(server.port),
      request: { filter: 'f' },
      metadata: { 'x-api-key': 'key' },
    });
    const values: unknown[] = [];
    for await (const record of source) {
      values.push(record.value);
      if (values.length === 3) break;
    }
    expect(values).toEqual([json('a'), json('b'), json('c')]);
    expect(source.status()).toMatchObject({ MessagesReceived: 3, IsConnected: false, QueueSize: 0 });
    const call = await server.call(0);
    expect(call.request.toString()).toBe('\n\u0001f');
    expect(call.metadata.get('x-api-key')).toEqual(['key']);
    await waitFor(() => server.open().length === 0);
  });

  it('records that were kept stay as they were while thousands follow', async () => {
    const payloads = Array.from({ length: 5000 }, (_, i) => `${i} ${'x'.repeat(i % 200)}`);
    const server = await serve((call) => call.send(...sent(...payloads)));
    const kept: unknown[] = [];
    for await (const record of grpcSource(optionsFor(server.port))) {
      kept.push(record.value);
      if (kept.length === payloads.length) break;
    }
    expect(kept).toEqual(payloads.map(json));
  });

  it('records hold bytes under the format protobuf', async () => {
    const server = await serve((call) => call.send(...sent('a')));
    for await (const record of grpcSource({ ...optionsFor(server.port), format: 'protobuf' })) {
      expect(Buffer.from(record.value as Uint8Array)).toEqual(Buffer.from(eventBytes({ payload: 'a' })));
      break;
    }
  });

  it('is described by a .proto file', async () => {
    const server = await serve((call) => call.send(...sent('a')));
    const protos = pathToFileURL(`${protoFolder}/`);
    const descriptor = new URL('teststream/stream.proto', protos);
    const source = grpcSource({ ...optionsFor(server.port), descriptor, protoPaths: [protos] });
    for await (const record of source) {
      expect(record.value).toBe(json('a'));
      break;
    }
    expect(() => grpcSource({ ...optionsFor(1), descriptor: new URL('none.proto', protos) })).toThrow(
      /^descriptor: .*none\.proto": ENOENT$/,
    );
    expect(() =>
      grpcSource({ ...optionsFor(1), descriptor: new URL('teststream/rich.proto', protos) }),
    ).toThrow(/rich\.proto:12: import "teststream\/common\.proto" is not in .*: add .* to protoPaths$/);
  });

  it('loses nothing while the loop is busy elsewhere', async () => {
    const payloads = Array.from({ length: 3000 }, (_, i) => `${i} ${'x'.repeat(100)}`);
    const server = await serve((call) => {
      call.send(...sent(...payloads));
      call.end();
    });
    const source = grpcSource({ ...optionsFor(server.port), queueSize: 100, completion: 'stop' });
    const values: unknown[] = [];
    for await (const record of source) {
      if (values.length === 0) await waitFor(() => source.status().QueueSize >= 100);
      values.push(record.value);
    }
    expect(values).toEqual(payloads.map(json));
    expect(source.status()).toMatchObject({ MessagesDropped: 0, UnaccountedCount: 0 });
  });

  it('a loop that is aborted gets what was received, then ends', async () => {
    const server = await serve((call) => call.send(...sent('0', '1', '2', '3', '4')));
    const abort = new AbortController();
    const source = grpcSource({ ...optionsFor(server.port), signal: abort.signal });
    const values: unknown[] = [];
    for await (const record of source) {
      values.push(record.value);
      if (source.status().MessagesReceived === 5) abort.abort();
    }
    expect(values).toEqual(['0', '1', '2', '3', '4'].map(json));
    expect(source.status()).toMatchObject({ RecordsProduced: 5, UnaccountedCount: 0 });
  });

  it('a loop ends by itself when the server has nothing more and that is to be the end', async () => {
    const server = await serve((call) => {
      call.send(...sent('a', 'b'));
      call.end();
    });
    const values: unknown[] = [];
    for await (const record of grpcSource({ ...optionsFor(server.port), completion: 'stop' }))
      values.push(record.value);
    expect(values).toEqual([json('a'), json('b')]);
  });

  it('throws in the loop after the received records when retrying cannot succeed', async () => {
    const server = await serve((call) => {
      call.send(...sent('a'));
      call.end('UNIMPLEMENTED', 'gone');
    });
    const values: unknown[] = [];
    const source = grpcSource(optionsFor(server.port));
    const loop = (async () => {
      for await (const record of source) values.push(record.value);
    })();
    await expect(loop).rejects.toThrow('12 UNIMPLEMENTED: gone');
    expect(values).toEqual([json('a')]);
    expect(source.health()).toMatchObject({ status: 'down' });
  });

  it('emits typed events for connections, sessions, drops and gaps', async () => {
    const server = await serve((call, index) => {
      call.send(...sent('a'), Buffer.from([0x0a, 0x7f]), ...sent('b'));
      if (index === 0) call.end();
    });
    const events: SourceEvent[] = [];
    const source = grpcSource(optionsFor(server.port));
    source
      .on('connected', (event) => events.push({ type: 'connected', peer: event.peer }))
      .on('session', (event) => events.push({ ...event, sessionId: 'id' }))
      .on('disconnected', (event) => events.push(event))
      .on('reconnecting', ({ type, attempt }) => events.push({ type, attempt } as SourceEvent))
      .on('dropped', (event) => events.push(event))
      .on('gap', (event) => events.push(event));
    let records = 0;
    for await (const _ of source) {
      records += 1;
      if (records === 4) break;
    }
    const peer = `127.0.0.1:${server.port}`;
    const of = (type: SourceEvent['type']) => events.filter((event) => event.type === type);
    expect(of('connected')).toEqual([
      { type: 'connected', peer },
      { type: 'connected', peer },
    ]);
    expect(of('session')).toHaveLength(2);
    expect(of('disconnected')).toEqual([
      { type: 'disconnected', reason: `${peer}: the server ended the stream` },
    ]);
    expect(of('reconnecting')).toEqual([{ type: 'reconnecting', attempt: 1 }]);
    expect(of('dropped')).toEqual([
      { type: 'dropped', cause: 'conversion_error', count: 1 },
      { type: 'dropped', cause: 'conversion_error', count: 1 },
      // The record at which the loop was left.
      { type: 'dropped', cause: 'delivery_unknown', count: 1 },
    ]);
    expect(of('gap')).toEqual([
      { type: 'gap', expected: 2, received: 3 },
      { type: 'gap', expected: 5, received: 6 },
    ]);
  });

  it('settles a close in time whatever the server does, and reports what was not delivered', async () => {
    const server = await rawServer({
      onCall: (peer, streamId) => answerWith(peer, streamId, sent('a', 'b')),
    });
    const source = grpcSource(optionsFor(server.port));
    await source.ready();
    await waitFor(() => source.status().MessagesReceived === 2);
    expect(await source.close({ timeoutMs: 0 })).toEqual({ delivered: 0, undelivered: 2 });
    await waitFor(() => server.peers[0]?.socket.destroyed);
    expect(source.status()).toMatchObject({ DroppedShutdownTimeout: 2, UnaccountedCount: 0 });
  });

  it('waiting to be ready ends with the close, also when the server says nothing', async () => {
    const silent = await rawServer({ onConnection: () => undefined, onFrame: () => undefined });
    const source = grpcSource(optionsFor(silent.port));
    const ready = source.ready();
    await silent.peer(0);
    await source.close();
    await expect(ready).rejects.toMatchObject({ code: 'closed' });
    await waitFor(() => silent.peers[0]?.socket.destroyed);
  });

  it('reports all invalid options at once, with the nearest known name', () => {
    const options = { ...optionsFor(0), topic: 'a b', queSize: 3 };
    expect(() => grpcSource(options)).toThrow(
      expect.objectContaining({
        code: 'config_invalid',
        message: expect.stringMatching(/queueSize[\s\S]*port must be[\s\S]*topic may/),
      }),
    );
  });

  it('names options in what happens later, too', async () => {
    const server = await serve((call) => call.send(...sent('a')));
    const reasons: string[] = [];
    const source = grpcSource({ ...optionsFor(server.port), tls: true, reconnect: false });
    source.on('disconnected', ({ reason }) => reasons.push(reason));
    const text = /cannot connect to .*: the server does not speak TLS: .* or use tls: false$/;
    await expect(source.ready()).rejects.toThrow(text);
    expect(source.health()).toMatchObject({ status: 'down', reason: expect.stringMatching(text) });

    const { 'grpc.proto.descriptor': _, ...raw } = testConfig(server.port, {
      'grpc.reconnect.enabled': 'false',
    });
    const keys = 'grpc.proto.descriptor is not set, and the server offers no reflection';
    await expect(grpcSource.fromConfig(raw).ready()).rejects.toThrow(keys);
    const { descriptor: __, ...others } = optionsFor(server.port);
    await expect(grpcSource({ ...others, reconnect: false }).ready()).rejects.toThrow(
      /^descriptor is not set, and the server offers no reflection$/,
    );
  });

  it('reports problems in the words of the options', () => {
    const problemOf = (options: object): string => {
      try {
        grpcSource({ ...optionsFor(1), ...options });
      } catch (thrown) {
        return (thrown as Error).message;
      }
      return '';
    };
    expect(problemOf({ queueBytes: 1000 })).toBe(
      'queueBytes must be at least maxMessageBytes (4194304), got 1000',
    );
    expect(problemOf({ tls: { cert: 'client.pem' } })).toBe(
      'tls.key or tls.keyPem is required with tls.cert',
    );
    expect(problemOf({ tls: false, resume: { from: '/id' } })).toBe('resume.from needs resume.field');
    expect(problemOf({ overflow: 'drop_newest', resume: { field: 'filter' } })).toBe(
      "resume.field needs overflow: 'block', as what is dropped would never be asked for again",
    );
    expect(problemOf({ metadata: { host: 'x' } })).toBe('metadata.host: Reserved metadata key: host');
    expect(problemOf({ overflow: 'drop' })).toBe('overflow must be one of: drop_newest, block, got "drop"');
    expect(problemOf({ tls: { ca: new URL('file:///nowhere/ca.pem') } })).toMatch(
      /^Cannot read TLS certificate: tls\.ca "\/nowhere\/ca\.pem": ENOENT/,
    );
    expect(problemOf({ oauth2: { tokenUrl: 'https://id.example' } })).not.toMatch(/grpc\./);
  });

  it('takes the configuration of REST as well, and finds its descriptor in a file', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'levada-grpc-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const descriptor = join(folder, 'set.binpb');
    writeFileSync(descriptor, testDescriptor());
    const server = await serve((call) => call.send(...sent('x')));
    await using source = grpcSource.fromConfig({
      ...testConfig(server.port, { 'platform.topic': null, 'grpc.proto.descriptor': descriptor }),
      'kafka.topic': 'prices',
      'tasks.max': '1',
    });
    for await (const record of source) {
      expect(record).toMatchObject({ topic: 'prices', value: json('x') });
      break;
    }
  });
});
