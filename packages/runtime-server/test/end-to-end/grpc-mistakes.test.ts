import { copyFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { waitFor } from '@levada/connect-runtime-core/testing';
import { tlsCredentials } from '@levada/test-peers/grpc';
import { makeCertificates } from '@levada/test-peers/tls';
import { beforeEach, describe, expect, it } from 'vitest';
import { grpcConfig, grpcFeeds, writeDescriptor } from './grpc-feed.ts';
import type { ObservedWorker } from './observed-worker.ts';
import { stage } from './stage.ts';
import { startWorkerHere } from './worker-here.ts';

const { newFolder } = stage();
const { newFeed } = grpcFeeds();

/** Wrong keys, the key at which validation reports them, and the message. */
interface Mistake {
  readonly config: Readonly<Record<string, string>>;
  readonly key: string;
  readonly message: string;
}

let folder: string;
let worker: ObservedWorker;

beforeEach(async () => {
  folder = await newFolder();
  worker = startWorkerHere(folder);
  await worker.ready();
});

async function mistakes(): Promise<Readonly<Record<string, Mistake>>> {
  const garbage = join(folder, 'garbage.binpb');
  await writeFile(garbage, 'syntax = "proto3";');
  return {
    'a descriptor that is not there': {
      config: { 'grpc.proto.descriptor': join(folder, 'nowhere.binpb') },
      key: 'grpc.proto.descriptor',
      message: 'Invalid proto descriptor: ',
    },
    'a descriptor that is none': {
      config: { 'grpc.proto.descriptor': garbage },
      key: 'grpc.proto.descriptor',
      message: 'Invalid proto descriptor: ',
    },
    'a service that is not in it': {
      config: { 'grpc.service.name': 'teststream.TestStreamServic' },
      key: 'grpc.service.name',
      message: 'Service not found in descriptor: teststream.TestStreamServic',
    },
    'a method that the service has not': {
      config: { 'grpc.method.name': 'streamEvents' },
      key: 'grpc.method.name',
      message: 'Method not found in service teststream.TestStreamService: streamEvents',
    },
    'a unary method': {
      config: { 'grpc.method.name': 'GetEvent' },
      key: 'grpc.method.name',
      message: 'Method is not server-streaming: teststream.TestStreamService/GetEvent is unary',
    },
    'an authority file that is not there': {
      config: { 'grpc.tls.enabled': 'true', 'grpc.tls.ca.cert': join(folder, 'nowhere.pem') },
      key: 'grpc.tls.ca.cert',
      message: 'Cannot read TLS certificate',
    },
    'a port beyond the last': {
      config: { 'grpc.server.port': '70000' },
      key: 'grpc.server.port',
      message: 'Invalid port number',
    },
    'a host that is a scheme': {
      config: { 'grpc.server.host': 'unix:/run/feed.sock' },
      key: 'grpc.server.host',
      message: 'Invalid value unix:/run/feed.sock for configuration grpc.server.host',
    },
    'more tasks than one': { config: { 'tasks.max': '2' }, key: 'tasks.max', message: 'Value must be 1' },
    'a request that is no JSON': {
      config: { 'grpc.request.message': '{"filter": ' },
      key: 'grpc.request.message',
      message: 'String must be valid JSON',
    },
    'a request with a field that the message has not': {
      config: { 'grpc.request.message': '{"filtre": "x"}' },
      key: 'grpc.request.message',
      message: 'filtre',
    },
    'a queue of none': {
      config: { 'grpc.message.queue.size': '0' },
      key: 'grpc.message.queue.size',
      message: 'Value must be at least 1',
    },
  };
}

interface ConfigInfo {
  readonly value: { readonly name: string; readonly errors: readonly string[] };
}

/** What validation says, by key. */
async function validated(config: Readonly<Record<string, string>>) {
  const path = '/connector-plugins/io.vendor.connect.grpc.GrpcSourceConnector/config/validate';
  const { status, json } = await worker.call('PUT', path, config);
  expect(status).toBe(200);
  const wrong = (json.configs as readonly ConfigInfo[]).filter(({ value }) => value.errors.length > 0);
  return Object.fromEntries(wrong.map(({ value }) => [value.name, value.errors]));
}

describe('validation of a gRPC connector', () => {
  it('reports each mistake of a gRPC configuration at its key, and refuses to store it', async () => {
    const sound = { name: 'wrong', ...grpcConfig(1) };
    expect(await validated(sound)).toEqual({});
    const reported: Record<string, unknown> = {};
    const expected: Record<string, unknown> = {};
    for (const [name, { config, key, message }] of Object.entries(await mistakes())) {
      const changed = { ...sound, ...config };
      const stored = await worker.call('POST', '/connectors', { name: 'wrong', config: changed });
      reported[name] = [await validated(changed), stored.status, stored.json];
      const text = expect.stringContaining(message);
      expected[name] = [{ [key]: [text] }, 400, { error_code: 400, message: text }];
    }
    expect(reported).toEqual(expected);
    expect((await worker.call('GET', '/connectors')).json).toEqual([]);
  });

  it('reports a gRPC method without descriptor when reflection is disabled', async () => {
    const { 'grpc.proto.descriptor': _, ...config } = grpcConfig(1);
    expect(await validated({ name: 'wrong', ...config })).toEqual({});
    expect(await validated({ name: 'wrong', ...config, 'grpc.reflection.enabled': 'false' })).toEqual({
      'grpc.proto.descriptor': [
        'Invalid proto descriptor: grpc.proto.descriptor is not set, and grpc.reflection.enabled is false',
      ],
    });
  });

  it('reports all missing keys of a gRPC connector at once', async () => {
    const missing = (key: string) => [`Missing required configuration "${key}" which has no default value.`];
    const config = { 'connector.class': 'io.vendor.connect.grpc.GrpcSourceConnector', name: 'wrong' };
    expect(await validated(config)).toEqual({
      'grpc.server.host': missing('grpc.server.host'),
      'grpc.server.port': [...missing('grpc.server.port'), 'Invalid port number'],
      'grpc.service.name': missing('grpc.service.name'),
      'grpc.method.name': missing('grpc.method.name'),
      'platform.topic': missing('platform.topic'),
    });
  });
});

describe('a gRPC connector that cannot continue', () => {
  const restarted = async (): Promise<string | undefined> => {
    expect((await worker.call('POST', '/connectors/feed/tasks/0/restart')).status).toBe(204);
    return worker.untilTask('feed', 'FAILED');
  };

  it('fails a gRPC task at the next start when a file is missing, and runs again when it is back', async () => {
    makeCertificates(folder);
    const feed = await newFeed({ credentials: tlsCredentials(folder, { mutual: false }) });
    const descriptor = await writeDescriptor(folder);
    const authority = join(folder, 'authority.pem');
    const copy = (): Promise<void> => copyFile(join(folder, 'ca.pem'), authority);
    await copy();
    const config = grpcConfig(feed.port, {
      'grpc.proto.descriptor': descriptor,
      'grpc.tls.enabled': 'true',
      'grpc.tls.ca.cert': authority,
    });
    await worker.call('POST', '/connectors', { name: 'feed', config });
    await feed.call(1);
    await rm(authority);
    expect(await restarted()).toMatch(/^.*: Cannot read TLS certificate.*authority\.pem/);
    await copy();
    await rm(descriptor);
    expect(await restarted()).toMatch(/^.*: Invalid proto descriptor.*descriptors\.binpb/);
    expect((await worker.call('GET', '/connectors/feed/status')).json.connector.state).toBe('RUNNING');
    await writeDescriptor(folder);
    await worker.call('POST', '/connectors/feed/tasks/0/restart');
    await worker.untilState('feed', 'RUNNING');
    await feed.call(2);
  });

  it('fails a gRPC task when the server has no such method, with the message of the server', async () => {
    const feed = await newFeed();
    const config = grpcConfig(feed.port, {
      'grpc.service.name': 'teststream.RichService',
      'grpc.method.name': 'Watch',
    });
    await worker.call('POST', '/connectors', { name: 'feed', config });
    expect(await worker.untilTask('feed', 'FAILED')).toContain(`127.0.0.1:${feed.port}: 12 UNIMPLEMENTED`);
    expect(worker.logged('connection_failed')).toMatchObject([{ level: 'error', connector: 'feed' }]);
    expect(await worker.attributes('feed')).toMatchObject({ IsConnected: false, TotalReconnects: 0 });
  });

  it('fails a gRPC task without descriptor when the server has no reflection', async () => {
    const feed = await newFeed();
    const { 'grpc.proto.descriptor': _, ...config } = grpcConfig(feed.port);
    expect(await worker.call('POST', '/connectors', { name: 'feed', config })).toMatchObject({ status: 201 });
    expect(await worker.untilTask('feed', 'FAILED')).toContain(
      'Invalid proto descriptor: grpc.proto.descriptor is not set, and the server offers no reflection',
    );
  });

  it('retries after other refusals of a gRPC server, shows the reason, and connects when it is let in', async () => {
    let refusing = true;
    const feed = await newFeed({
      onCall: (call) => {
        if (refusing) call.end('PERMISSION_DENIED', 'not on\r\nyour list');
      },
    });
    await worker.call('POST', '/connectors', { name: 'feed', config: grpcConfig(feed.port) });
    await feed.call(3);
    const status = await waitFor(async () => {
      const { json } = await worker.call('GET', '/connectors/feed/status?expand=connection');
      return json.connection?.[0]?.last_error ? json : undefined;
    });
    expect(status.tasks).toMatchObject([{ state: 'RUNNING' }]);
    expect(status.connection[0].last_error).toBe(
      `127.0.0.1:${feed.port}: 7 PERMISSION_DENIED: not on\\u000d\\u000ayour list`,
    );
    refusing = false;
    await worker.untilAttribute('feed', 'IsConnected', (connected) => Boolean(connected));
  });

  it('fails a gRPC task when all attempts are used, and when reconnecting is disabled', async () => {
    const feed = await newFeed();
    feed.kill();
    const fast = { 'grpc.reconnect.interval.ms': '1' };
    const few = grpcConfig(feed.port, { ...fast, 'grpc.reconnect.max.attempts': '3' });
    const never = grpcConfig(feed.port, { ...fast, 'grpc.reconnect.enabled': 'false' });
    await worker.call('PUT', '/connectors/few/config', few);
    await worker.call('PUT', '/connectors/never/config', never);
    expect(await worker.untilTask('few', 'FAILED')).toContain('reconnect attempts exhausted (3)');
    expect(await worker.untilTask('never', 'FAILED')).toContain('ECONNREFUSED');
    expect(await worker.attributes('few')).toMatchObject({ TotalReconnects: 3 });
    expect(await worker.attributes('never')).toMatchObject({ TotalReconnects: 0 });
  });
});
