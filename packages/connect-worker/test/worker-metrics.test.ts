import {
  type ConfigKey,
  type ParsedConfig,
  type SourceRecord,
  type SourceTask,
  sourceRecord,
} from '@levada/connect-runtime-core';
import { waitFor } from '@levada/connect-runtime-core/testing';
import { afterEach, describe, expect, it } from 'vitest';
import type { MetricObject } from '../src/port/metric-objects.ts';
import { configOf, type RuntimeHarness, runtimeHarness } from './runtime-harness.ts';
import { scriptedSource } from './scripted-connector.ts';

const open: RuntimeHarness[] = [];

async function started(source = scriptedSource()): Promise<RuntimeHarness> {
  const harness = runtimeHarness({}, { source });
  open.push(harness);
  await harness.runtime.start();
  return harness;
}

afterEach(async () => {
  await Promise.all(open.splice(0).map(({ runtime, advanceUntil }) => advanceUntil(runtime.stop())));
});

/** The attributes of one object; undefined when there is none. */
function read({ runtime }: RuntimeHarness, type: string, ...keys: readonly string[]) {
  const { metrics } = runtime;
  const ofConnectors = metrics.connectors().flatMap((connector) => [...metrics.objectsOf(connector)]);
  const objects: MetricObject[] = [...metrics.objects(), ...ofConnectors];
  const object = objects.find((one) => one.family.type === type && one.keys.join() === keys.join());
  if (object === undefined) return undefined;
  return Object.fromEntries(Object.keys(object.family.attributes).map((name) => [name, object.read(name)]));
}

describe('metrics of a worker', () => {
  it('count connectors, tasks and how their starts ended', async () => {
    const harness = await started();
    await harness.running('a');
    await harness.herder
      .create('b', { ...configOf('b'), 'connector.class': 'test.MissingConnector' })
      .catch(() => 0);
    expect(read(harness, 'connect-worker-metrics')).toMatchObject({
      'connector-count': 1,
      'task-count': 1,
      'connector-startup-attempts-total': 1,
      'connector-startup-success-percentage': 1,
      'connector-startup-failure-percentage': 0,
      'task-startup-success-total': 1,
      'task-startup-failure-total': 0,
    });
    expect(read(harness, 'connect-worker-rebalance-metrics')).toBeUndefined();
    expect(read(harness, 'app-info', 'connect-127.0.0.1:8083')).toMatchObject({ version: '0.1.0' });
  });

  it('follow the records of a task, by batch', async () => {
    const harness = await started();
    await harness.running('a');
    for (const text of ['one', 'two', 'three']) harness.source.task().offer(text);
    await harness.stored(3);
    await waitFor(() => read(harness, 'source-task-metrics', 'a', '0')?.['source-record-active-count'] === 0);
    const values = read(harness, 'source-task-metrics', 'a', '0') ?? {};
    expect(values).toMatchObject({ 'source-record-poll-total': 3, 'source-record-write-total': 3 });
    expect(values['source-record-write-rate']).toBeCloseTo(0.1);
    expect(values['source-record-active-count-max']).toBeGreaterThan(0);
    await harness.clock.advance(120_000);
    expect(read(harness, 'source-task-metrics', 'a', '0')).toMatchObject({
      'source-record-write-total': 3,
      'source-record-write-rate': 0,
      'source-record-active-count-max': Number.NaN,
    });
  });

  it('count records of transactions when they are committed, and the commits as those of offsets', async () => {
    const source = scriptedSource({ exactlyOnceSupport: () => 'SUPPORTED' });
    const harness = runtimeHarness({ exactlyOnceSourceSupport: 'enabled' }, { source });
    open.push(harness);
    await harness.runtime.start();
    await harness.running('a', {
      'transaction.boundary': 'interval',
      'transaction.boundary.interval.ms': '1000',
    });
    harness.source.task().offer('one', 'two');
    const values = () => read(harness, 'source-task-metrics', 'a', '0') ?? {};
    await waitFor(() => values()['source-record-poll-total'] === 2);
    expect(values()).toMatchObject({ 'source-record-active-count': 2, 'source-record-write-total': 0 });
    await harness.clock.advance(1_000);
    await waitFor(() => values()['source-record-active-count'] === 0);
    expect(values()).toMatchObject({ 'source-record-write-total': 2 });
    expect(read(harness, 'connector-task-metrics', 'a', '0')).toMatchObject({
      'offset-commit-success-percentage': 1,
      'offset-commit-failure-percentage': 0,
    });
  });

  it('measure how long a task runs and is paused, across a pause', async () => {
    const harness = await started();
    await harness.running('a');
    await harness.clock.advance(30_000);
    await harness.herder.setTargetState('a', 'PAUSED');
    await harness.states('a', 'PAUSED', 'PAUSED');
    await harness.clock.advance(10_000);
    expect(read(harness, 'connector-task-metrics', 'a', '0')).toMatchObject({
      status: 'paused',
      'running-ratio': 0.75,
      'pause-ratio': 0.25,
    });
    expect(read(harness, 'connect-worker-metrics', 'a')).toMatchObject({
      'connector-total-task-count': 1,
      'connector-paused-task-count': 1,
      'connector-running-task-count': 0,
    });
    await harness.herder.setTargetState('a', 'STARTED');
    await harness.states('a', 'RUNNING', 'RUNNING');
    await harness.clock.advance(10_000);
    expect(read(harness, 'connector-task-metrics', 'a', '0')).toMatchObject({ 'pause-ratio': 0.2 });
  });

  it('show a failed task, and begin again when it is restarted', async () => {
    const harness = await started();
    await harness.running('a');
    harness.source.task().offer('one');
    await harness.stored(1);
    harness.source.task().fail(new Error('gone'));
    await harness.states('a', 'RUNNING', 'FAILED');
    expect(read(harness, 'connector-task-metrics', 'a', '0')).toMatchObject({ status: 'failed' });
    expect(read(harness, 'source-task-metrics', 'a', '0')).toMatchObject({ 'source-record-poll-total': 1 });
    await harness.herder.restartTask('a', 0);
    await harness.states('a', 'RUNNING', 'RUNNING');
    expect(read(harness, 'source-task-metrics', 'a', '0')).toMatchObject({ 'source-record-poll-total': 0 });
  });

  it('measure commits of offsets', async () => {
    const harness = await started();
    await harness.running('a');
    await harness.clock.advance(60_000);
    await waitFor(
      () => read(harness, 'connector-task-metrics', 'a', '0')?.['offset-commit-success-percentage'] === 1,
    );
    const values = read(harness, 'connector-task-metrics', 'a', '0') ?? {};
    expect(values['offset-commit-avg-time-ms']).toBeGreaterThanOrEqual(0);
    expect(values['offset-commit-failure-percentage']).toBe(0);
  });

  it('leave out statuses of tasks that are not configured', async () => {
    const harness = await started();
    await harness.running('a');
    const { platform, statusTopic: topic } = harness.options;
    const access = { topic, configKey: 'status.storage.topic', clientId: 'other', onRecord: () => undefined };
    const written = await platform.compactedLog(access);
    const status = Buffer.from('{"state":"FAILED","trace":null,"worker_id":"other:8083","generation":9}');
    for (const key of ['connector-none', 'task-none-0', 'task-a-1', 'task-a-99'])
      await written.put(Buffer.from(`status-${key}`), status);
    await written.close();
    await harness.states('a', 'RUNNING', 'RUNNING', 'FAILED', 'FAILED');
    expect(read(harness, 'connector-task-metrics', 'a', '0')).toMatchObject({ status: 'running' });
    expect(read(harness, 'connector-task-metrics', 'a', '1')).toBeUndefined();
    expect(read(harness, 'connect-worker-metrics', 'a')).toMatchObject({ 'connector-total-task-count': 1 });
    expect(harness.runtime.metrics.connectors().map(({ name }) => name)).toEqual(['a']);
  });

  it('are gone with their connector', async () => {
    const harness = await started();
    await harness.running('a');
    await harness.herder.delete('a');
    await waitFor(() => read(harness, 'connector-metrics', 'a') === undefined);
    expect(read(harness, 'connect-worker-metrics')).toMatchObject({ 'connector-count': 0, 'task-count': 0 });
  });

  it('give a connector without a table the attributes that every source has', async () => {
    const harness = await started(
      scriptedSource({ metrics: {}, createTask: () => listTask(['one', 'two']) }),
    );
    await harness.running('a');
    await harness.stored(2);
    const { group } = await harness.herder.metrics('a');
    await waitFor(() => group.read('InFlightCount') === 0);
    expect(group.snapshot()).toMatchObject({
      MessagesReceived: 2,
      RecordsProduced: 2,
      MessagesDropped: 0,
      DropRate: 0,
      LagCount: 0,
      UnaccountedCount: 0,
    });
  });

  it('count what cannot be converted for such a connector, too', async () => {
    const harness = await started(
      scriptedSource({ metrics: {}, createTask: () => listTask(['one', Symbol('no text')]) }),
    );
    await harness.herder.create('a', configOf('a', { 'errors.tolerance': 'all' }));
    await harness.stored(1);
    const { group } = await harness.herder.metrics('a');
    await waitFor(() => group.read('InFlightCount') === 0);
    expect(group.snapshot()).toMatchObject({
      MessagesReceived: 2,
      RecordsProduced: 1,
      MessagesDropped: 1,
      DroppedConversionError: 1,
      UnaccountedCount: 0,
    });
    expect(read(harness, 'task-error-metrics', 'a', '0')).toMatchObject({
      'total-record-failures': 1,
      'total-records-skipped': 1,
      'total-record-errors': 1,
      'last-error-timestamp': harness.clock.now(),
    });
  });
});

/** Hands out one batch, and nothing more until it is stopped. It knows nothing of metrics. */
function listTask(values: readonly unknown[]): SourceTask<ParsedConfig<readonly ConfigKey[]>> {
  const stopped = Promise.withResolvers<readonly SourceRecord[]>();
  let batch = values.map((value) => sourceRecord({ topic: 't', value, valueSchema: null }));
  return {
    start: async () => undefined,
    poll: () => {
      const next = batch;
      batch = [];
      return next.length > 0 ? Promise.resolve(next) : stopped.promise;
    },
    stop: async () => stopped.resolve([]),
  };
}
