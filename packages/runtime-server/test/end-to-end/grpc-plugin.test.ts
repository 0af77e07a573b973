import { join } from 'node:path';
import { makeCertificates } from '@levada/test-peers/tls';
import { beforeEach, describe, expect, it } from 'vitest';
import { grpcConfig, grpcFeeds, writeDescriptor } from './grpc-feed.ts';
import type { ObservedWorker } from './observed-worker.ts';
import { stage } from './stage.ts';
import { startWorkerHere } from './worker-here.ts';

const { newFolder } = stage();
const { newFeed } = grpcFeeds();

let folder: string;
let worker: ObservedWorker;

beforeEach(async () => {
  folder = await newFolder();
  worker = startWorkerHere(folder);
  await worker.ready();
});

interface KeyInfo {
  readonly name: string;
  readonly type: string;
  readonly required: boolean;
  readonly default_value: string | null;
}

describe('the gRPC connector of a worker', () => {
  it('lists the gRPC connector with class, type and version, and its secrets as passwords', async () => {
    const { json } = await worker.call('GET', '/connector-plugins');
    expect(json).toContainEqual({
      class: 'io.vendor.connect.grpc.GrpcSourceConnector',
      type: 'source',
      version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
    });
    const infos: readonly KeyInfo[] = (
      await worker.call('GET', '/connector-plugins/GrpcSourceConnector/config')
    ).json;
    const defined = (key: string): unknown[] =>
      infos
        .filter(({ name }) => name === key)
        .map(({ type, required, default_value }) => [type, required, default_value]);
    expect(defined('grpc.server.port')).toEqual([['INT', true, null]]);
    expect(defined('grpc.request.message')).toEqual([['STRING', false, '{}']]);
    expect(defined('grpc.tls.enabled')).toEqual([['BOOLEAN', false, 'false']]);
    expect(defined('grpc.metadata')).toEqual([['PASSWORD', false, null]]);
    expect(defined('grpc.reconnect.max.attempts')).toEqual([['INT', false, '-1']]);
    expect(defined('grpc.connection.timeout.ms')).toEqual([['LONG', false, '30000']]);
    expect(defined('grpc.max.inbound.message.size')).toEqual([['INT', false, '4194304']]);
  });

  it('reports for each gRPC key what a change of it requires', async () => {
    const feed = await newFeed();
    const config = grpcConfig(feed.port);
    await worker.call('PUT', '/connectors/feed/config', config);
    makeCertificates(folder);
    const pem = (name: string): string => join(folder, name);
    const tls = { 'grpc.tls.enabled': 'true' };
    const changes: Readonly<Record<string, Readonly<Record<string, string>>>> = {
      'grpc.server.host': { 'grpc.server.host': 'localhost' },
      'grpc.server.port': { 'grpc.server.port': '1' },
      'grpc.service.name and grpc.method.name': {
        'grpc.service.name': 'teststream.RichService',
        'grpc.method.name': 'Watch',
      },
      'grpc.tls.enabled': tls,
      'grpc.tls.ca.cert': { ...tls, 'grpc.tls.ca.cert': pem('ca.pem') },
      'grpc.tls.client.cert and grpc.tls.client.key': {
        ...tls,
        'grpc.tls.client.cert': pem('client.pem'),
        'grpc.tls.client.key': pem('client.key'),
      },
      'grpc.proto.descriptor': { 'grpc.proto.descriptor': await writeDescriptor(folder) },
      'grpc.message.queue.size': { 'grpc.message.queue.size': '20000' },
      'grpc.reconnect.interval.ms': { 'grpc.reconnect.interval.ms': '1000' },
      'grpc.reconnect.max.attempts': { 'grpc.reconnect.max.attempts': '10' },
      'platform.topic': { 'platform.topic': 'elsewhere' },
    };
    const effects: Record<string, unknown> = {};
    for (const [key, change] of Object.entries(changes)) {
      const path = '/connector-plugins/GrpcSourceConnector/config/validate?expand=update';
      const { json } = await worker.call('PUT', path, { name: 'feed', ...config, ...change });
      effects[key] = [json.error_count, json.update.effect];
    }
    expect(effects).toEqual({
      'grpc.server.host': [0, 'restart'],
      'grpc.server.port': [0, 'restart'],
      'grpc.service.name and grpc.method.name': [0, 'restart'],
      'grpc.tls.enabled': [0, 'restart'],
      'grpc.tls.ca.cert': [0, 'restart'],
      'grpc.tls.client.cert and grpc.tls.client.key': [0, 'restart'],
      'grpc.proto.descriptor': [0, 'restart'],
      'grpc.message.queue.size': [0, 'reconnect'],
      'grpc.reconnect.interval.ms': [0, 'live'],
      'grpc.reconnect.max.attempts': [0, 'live'],
      'platform.topic': [0, 'live'],
    });
  });
});
