import { readFileSync } from 'node:fs';
import type { ConfigKey } from '@levada/connect-runtime-core';
import { describe, expect, it } from 'vitest';
import { grpcConfig } from '../src/config/config.ts';
import { grpcSourceConnector } from '../src/connector.ts';
import { grpcEvents } from '../src/model/events.ts';
import { grpcMetrics } from '../src/model/metrics.ts';
import { testConfig } from './running-task.ts';

/** Parameters of the product definition: type and default; none for those that are required. */
const parameters: readonly (readonly [name: string, type: string, usual?: unknown])[] = [
  ['grpc.server.host', 'string'],
  ['grpc.server.port', 'int'],
  ['grpc.service.name', 'string'],
  ['grpc.method.name', 'string'],
  ['platform.topic', 'string'],
  ['grpc.request.message', 'string', '{}'],
  ['grpc.proto.descriptor', 'string', null],
  ['grpc.tls.enabled', 'boolean', false],
  ['grpc.tls.ca.cert', 'string', null],
  ['grpc.tls.client.cert', 'string', null],
  ['grpc.tls.client.key', 'string', null],
  ['grpc.metadata', 'string', null],
  ['grpc.metadata.<key>', 'string', null],
  ['grpc.reconnect.enabled', 'boolean', true],
  ['grpc.reconnect.interval.ms', 'long', 5000],
  ['grpc.reconnect.max.attempts', 'int', -1],
  ['grpc.reconnect.backoff.max.ms', 'long', 60000],
  ['grpc.message.queue.size', 'int', 10000],
  ['grpc.connection.timeout.ms', 'long', 30000],
  ['grpc.keepalive.time.ms', 'long', 30000],
  ['grpc.keepalive.timeout.ms', 'long', 10000],
  ['grpc.max.inbound.message.size', 'int', 4194304],
];

/** What the product definition calls them: a password is text that is not shown. */
const definedType = ({ type }: ConfigKey): string => (type === 'password' ? 'string' : type);
const shownName = ({ name, prefix }: ConfigKey): string => (prefix === true ? `${name}<key>` : name);
const keys: readonly ConfigKey[] = grpcConfig.keys;

describe('the product definition', () => {
  it.each(parameters)('has %s of type %s with the default %j', (name, type, usual) => {
    const key = keys.find((each) => shownName(each) === name);
    expect(key && definedType(key)).toBe(type);
    expect(key?.prefix === true ? null : key?.default).toEqual(usual);
  });

  it('requires no other keys than those that it says', () => {
    const required = keys.filter(({ prefix, default: usual }) => prefix !== true && usual === undefined);
    expect(required.map(({ name }) => name)).toEqual(
      parameters.flatMap(([name, , usual]) => (usual === undefined ? [name] : [])),
    );
  });

  it('names class and number of tasks', () => {
    expect(grpcSourceConnector).toMatchObject({
      className: 'io.vendor.connect.grpc.GrpcSourceConnector',
      maxTasks: 1,
      version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
    });
  });

  it.each<readonly [use: string, recommended: Readonly<Record<string, number | boolean>>]>([
    ['below 100 msg/s', { 'grpc.message.queue.size': 1000 }],
    ['below 100 msg/s, at most', { 'grpc.message.queue.size': 5000 }],
    ['100-1000 msg/s', { 'grpc.message.queue.size': 10000 }],
    ['100-1000 msg/s, at most', { 'grpc.message.queue.size': 20000 }],
    ['above 1000 msg/s', { 'grpc.message.queue.size': 50000 }],
    ['above 1000 msg/s, at most', { 'grpc.message.queue.size': 100000 }],
    ['a stable local network', { 'grpc.keepalive.time.ms': 60000, 'grpc.keepalive.timeout.ms': 10000 }],
    ['a cloud, same region', { 'grpc.keepalive.time.ms': 30000, 'grpc.keepalive.timeout.ms': 10000 }],
    ['several regions', { 'grpc.keepalive.time.ms': 20000, 'grpc.keepalive.timeout.ms': 5000 }],
    ['an unstable network', { 'grpc.keepalive.time.ms': 10000, 'grpc.keepalive.timeout.ms': 3000 }],
    [
      'production',
      {
        'grpc.reconnect.enabled': true,
        'grpc.reconnect.interval.ms': 5000,
        'grpc.reconnect.max.attempts': -1,
        'grpc.reconnect.backoff.max.ms': 60000,
      },
    ],
    [
      'development',
      {
        'grpc.reconnect.interval.ms': 1000,
        'grpc.reconnect.max.attempts': 10,
        'grpc.reconnect.backoff.max.ms': 10000,
      },
    ],
  ])('recommends what is valid for %s', (_, recommended) => {
    const texts = Object.entries(recommended).map(([name, value]) => [name, String(value)]);
    const raw = testConfig(9090, Object.fromEntries(texts));
    const values = grpcSourceConnector.validate?.(raw, grpcConfig.validate(raw)) ?? [];
    expect(values.flatMap(({ errors }) => errors)).toEqual([]);
    expect(grpcConfig.parse(raw)).toMatchObject(recommended);
  });

  it('names six events with their severity', () => {
    const levels = Object.entries(grpcEvents).map(([name, { level }]) => [name, level]);
    expect(levels.slice(0, 6)).toEqual([
      ['streaming_started', 'info'],
      ['connection_closed', 'info'],
      ['connection_failed', 'error'],
      ['queue_full', 'warn'],
      ['sequence_gap', 'warn'],
      ['session_initialized', 'info'],
    ]);
  });
});

describe('docs/product-definition.md', () => {
  const text = readFileSync(new URL('../docs/product-definition.md', import.meta.url), 'utf8');

  it('has alerts on series that exist', () => {
    const series = Object.values(grpcMetrics).flatMap((row) => ('series' in row ? [row.series.name] : []));
    const watched = text.match(/connect_source_\w+/g) ?? [];
    expect(watched.length).toBeGreaterThan(6);
    expect(watched.filter((name) => !series.some((known) => known === name))).toEqual([]);
  });
});

describe('README.md', () => {
  const text = readFileSync(new URL('../README.md', import.meta.url), 'utf8');

  it('has a connector that is valid, but for its descriptor, which is not here', () => {
    const [, body = ''] = /-d '(\{[^']*\})'/.exec(text) ?? [];
    const { config } = JSON.parse(body) as { readonly config: Record<string, string> };
    const { 'connector.class': className, 'tasks.max': _, ...raw } = config;
    expect(className).toBe(grpcSourceConnector.className);
    expect(Object.keys(raw).filter((name) => grpcConfig.find(name) === undefined)).toEqual([]);
    const values = grpcSourceConnector.validate?.(raw, grpcConfig.validate(raw)) ?? [];
    const errors = values.flatMap((value) => value.errors.map((error) => `${value.name}: ${error}`));
    expect(errors).toEqual([expect.stringMatching(/^grpc\.proto\.descriptor: .*prices\.binpb": ENOENT$/)]);
  });

  it('names options that there are', () => {
    const [, options = ''] = /grpcSource\(\{\n(.*?)\n\}\)/s.exec(text) ?? [];
    const named = [...options.matchAll(/^ {2}(\w+):/gm)].map(([, name]) => name);
    expect(named).toHaveLength(8);
    expect(named.filter((name) => !keys.some(({ option }) => option === name))).toEqual([]);
  });
});
