import { readFileSync } from 'node:fs';
import type { ConfigKey } from '@levada/connect-runtime-core';
import { describe, expect, it } from 'vitest';
import { otlpConfig } from '../src/config/config.ts';
import { otlpSourceConnector } from '../src/connector.ts';
import { otlpEvents } from '../src/model/events.ts';
import { otlpMetrics } from '../src/model/metrics.ts';

/** Parameters of the product definition: type and default, those that it reserves included. */
const parameters: readonly (readonly [name: string, type: string, usual: unknown])[] = [
  ['otlp.grpc.enabled', 'boolean', true],
  ['otlp.grpc.port', 'int', 4317],
  ['otlp.http.enabled', 'boolean', true],
  ['otlp.http.port', 'int', 4318],
  ['otlp.bind.address', 'string', '0.0.0.0'],
  ['platform.topic.traces', 'string', 'otlp-traces'],
  ['platform.topic.metrics', 'string', 'otlp-metrics'],
  ['platform.topic.logs', 'string', 'otlp-logs'],
  ['otlp.message.format', 'string', 'json'],
  ['otlp.message.queue.size', 'int', 10_000],
  ['otlp.tls.enabled', 'boolean', false],
  ['otlp.tls.cert.path', 'string', null],
  ['otlp.tls.key.path', 'string', null],
];

const keys: readonly ConfigKey[] = otlpConfig.keys;

describe('the product definition', () => {
  it.each(parameters)('the connector has %s of type %s with the default %j', (name, type, usual) => {
    const key = keys.find((each) => each.name === name);
    expect([key?.type, key?.default]).toEqual([type, usual]);
  });

  it('the connector requires only the class and the number of tasks', () => {
    expect(keys.filter((key) => key.default === undefined)).toEqual([]);
  });

  it('the connector uses the documented class and number of tasks', () => {
    expect(otlpSourceConnector).toMatchObject({
      className: 'io.vendor.connect.otel.OpenTelemetrySourceConnector',
      maxTasks: 1,
      version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
    });
    expect(otlpSourceConnector.taskConfigs({}, 5)).toHaveLength(1);
  });

  it.each<readonly [use: string, recommended: Readonly<Record<string, number | string>>]>([
    ['below 100 msg/s', { 'otlp.message.queue.size': 1000 }],
    ['below 100 msg/s, at most', { 'otlp.message.queue.size': 5000 }],
    ['100-1000 msg/s', { 'otlp.message.queue.size': 10_000 }],
    ['1000-5000 msg/s', { 'otlp.message.queue.size': 20_000 }],
    ['1000-5000 msg/s, at most', { 'otlp.message.queue.size': 50_000 }],
    ['above 5000 msg/s', { 'otlp.message.queue.size': 100_000, 'otlp.message.format': 'protobuf' }],
    ['senders on the same machine', { 'otlp.bind.address': '127.0.0.1' }],
  ])('recommends what is valid for %s', (_, recommended) => {
    const raw = Object.fromEntries(Object.entries(recommended).map(([name, value]) => [name, String(value)]));
    const values = otlpSourceConnector.validate?.(raw, otlpConfig.validate(raw)) ?? [];
    expect(values.flatMap(({ errors }) => errors)).toEqual([]);
    expect(otlpConfig.parse(raw)).toMatchObject(recommended);
  });

  it('the connector names events with their severity', () => {
    const level = (name: keyof typeof otlpEvents): string => otlpEvents[name].level;
    expect(
      Object.fromEntries(
        (
          [
            'task_starting',
            'otlp_receiver_started',
            'trace_received',
            'metric_received',
            'log_received',
            'trace_dropped',
            'task_metrics',
            'task_stopping',
            'otlp_receiver_start_failed',
          ] as const
        ).map((name) => [name, level(name)]),
      ),
    ).toEqual({
      task_starting: 'info',
      otlp_receiver_started: 'info',
      trace_received: 'debug',
      metric_received: 'debug',
      log_received: 'debug',
      trace_dropped: 'warn',
      task_metrics: 'info',
      task_stopping: 'info',
      otlp_receiver_start_failed: 'error',
    });
  });

  it('the connector documents which changes need a restart', () => {
    const updates = new Map(keys.map((key) => [key.name, key.update ?? 'restart']));
    const of = (...names: readonly string[]): readonly unknown[] => names.map((name) => updates.get(name));
    const topics = ['traces', 'metrics', 'logs'].map((signal) => `platform.topic.${signal}`);
    expect(new Set(of(...topics, 'otlp.message.format', 'otlp.message.queue.size'))).toEqual(
      new Set(['live']),
    );
    const receivers = ['grpc', 'http'].flatMap((name) => [`otlp.${name}.enabled`, `otlp.${name}.port`]);
    expect(new Set(of(...receivers, 'otlp.bind.address'))).toEqual(new Set(['restart']));
  });
});

describe('docs/product-definition.md', () => {
  const text = readFileSync(new URL('../docs/product-definition.md', import.meta.url), 'utf8');

  it('the documentation uses only existing series in the alerts of the product definition', () => {
    const series = Object.values(otlpMetrics).flatMap((row) => ('series' in row ? [row.series.name] : []));
    const watched = text.match(/connect_source_\w+/g) ?? [];
    expect(watched.length).toBeGreaterThan(4);
    expect(watched.filter((name) => !series.some((known) => known === name))).toEqual([]);
  });
});

describe('README.md', () => {
  const text = readFileSync(new URL('../README.md', import.meta.url), 'utf8');

  it('the documentation shows a valid connector in the README', () => {
    const [, body = ''] = /-d '(\{[^']*\})'/.exec(text) ?? [];
    const { config } = JSON.parse(body) as { readonly config: Readonly<Record<string, string>> };
    const { 'connector.class': className, 'tasks.max': tasks, ...raw } = config;
    expect([className, tasks]).toEqual([otlpSourceConnector.className, '1']);
    expect(Object.keys(raw).filter((name) => otlpConfig.find(name) === undefined)).toEqual([]);
    const values = otlpSourceConnector.validate?.(raw, otlpConfig.validate(raw)) ?? [];
    expect(values.flatMap(({ errors }) => errors)).toEqual([]);
  });

  it('the documentation names only existing keys in the README', () => {
    const named = new Set(text.match(/\botlp\.[a-z0-9]+(?:\.[a-z0-9]+)+/g));
    expect(named.size).toBeGreaterThan(10);
    expect([...named].filter((name) => otlpConfig.find(name) === undefined)).toEqual([]);
  });
});
