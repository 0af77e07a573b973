import {
  ConnectorError,
  configDef,
  type RawConfig,
  type SourceConnector,
} from '@levada/connect-runtime-core';
import type { TransformationPlugin } from '@levada/connect-runtime-core/contract';
import { waitFor } from '@levada/connect-runtime-core/testing';
import { afterEach, describe, expect, it } from 'vitest';
import { configOf, type RuntimeHarness, runtimeHarness } from '../../test/runtime-harness.ts';
import { scriptedSource } from '../../test/scripted-connector.ts';

const open: RuntimeHarness[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map(({ runtime, advanceUntil }) => advanceUntil(runtime.stop())));
});

const resumable: Partial<SourceConnector> = {
  exactlyOnceSupport: () => 'SUPPORTED',
  definesTransactions: () => true,
};

/** Drops records with the value `no`. */
const filter: TransformationPlugin = {
  className: 'example.Filter',
  config: configDef([]),
  create: () => ({ apply: (record) => (record.value === 'no' ? null : record) }),
};

async function started(connector = resumable): Promise<RuntimeHarness> {
  const harness = runtimeHarness(
    { exactlyOnceSourceSupport: 'enabled', transformations: [filter] },
    { source: scriptedSource(connector) },
  );
  open.push(harness);
  await harness.runtime.start();
  return harness;
}

async function running(config: RawConfig = {}): Promise<RuntimeHarness> {
  const harness = await started();
  await harness.running('a', config);
  return harness;
}

async function read(harness: RuntimeHarness, attribute: string): Promise<number> {
  return (await harness.herder.metrics('a')).group.read(attribute);
}

async function position(harness: RuntimeHarness): Promise<unknown> {
  return (await harness.herder.offsets('a'))[0]?.offset['position'];
}

const never = new AbortController().signal;
const created = {
  'topic.creation.default.partitions': '1',
  'topic.creation.default.replication.factor': '1',
};
const interval = { 'transaction.boundary': 'interval', 'transaction.boundary.interval.ms': '1000' };

describe('a task that writes transactions', () => {
  it('commits each batch with its offset, without waiting for the interval of commits', async () => {
    const harness = await running();
    harness.source.task().offer('one', 'two');
    expect(await harness.stored(2)).toEqual(['one', 'two']);
    await waitFor(async () => (await position(harness)) === 2);
    await waitFor(() => harness.source.task().committedValues.length === 2);
    expect(await read(harness, 'RecordsProduced')).toBe(2);
    expect(await read(harness, 'UnaccountedCount')).toBe(0);
  });

  it('commits the offsets of records that a transformation drops, also without any other record', async () => {
    const harness = await running({ transforms: 'f', 'transforms.f.type': 'example.Filter' });
    harness.source.task().offer('no');
    await waitFor(async () => (await position(harness)) === 1);
    harness.source.task().offer('one', 'no');
    await waitFor(async () => (await position(harness)) === 3);
    expect(await harness.stored(1)).toEqual(['one']);
    expect(await read(harness, 'RecordsProduced')).toBe(1);
    expect(await read(harness, 'DroppedFiltered')).toBe(2);
    expect(await read(harness, 'UnaccountedCount')).toBe(0);
  });

  it('keeps records in flight until the interval is over', async () => {
    const harness = await running(interval);
    harness.source.task().offer('one', 'two');
    await waitFor(async () => (await read(harness, 'InFlightCount')) === 2);
    expect(harness.source.task().committedValues).toEqual([]);
    expect(harness.log.values('t')).toEqual([]);
    await harness.clock.advance(1_000);
    expect(await harness.stored(2)).toEqual(['one', 'two']);
    await waitFor(async () => (await position(harness)) === 2);
    expect(await read(harness, 'InFlightCount')).toBe(0);
  });

  it('commits where the source says with the boundary connector, and leaves the rest to the next task', async () => {
    const harness = await running({ 'transaction.boundary': 'connector' });
    const task = harness.source.task();
    task.context.transaction?.commit();
    task.offer('one', 'two');
    await waitFor(() => task.committedValues.length === 2);
    task.offer('three');
    await waitFor(async () => (await read(harness, 'InFlightCount')) === 1);
    await harness.herder.setTargetState('a', 'PAUSED');
    await harness.states('a', 'PAUSED', 'PAUSED');
    expect(harness.log.values('t')).toEqual(['one', 'two']);
    expect(await position(harness)).toBe(2);
    expect(await read(harness, 'UnaccountedCount')).toBe(0);
  });

  it('commits in time what is stored while a batch waits for longer than a transaction may be open', async () => {
    const minutes = { ...interval, 'transaction.boundary.interval.ms': '600000' };
    const harness = await running({ ...minutes, ...created });
    const task = harness.source.task();
    task.offer('one');
    await waitFor(async () => (await read(harness, 'InFlightCount')) === 1);
    harness.log.faults.goAway();
    task.offerRecord({ value: 'two', topic: 'new' });
    await waitFor(() => harness.logger.withEvent('topic_check_failed').length > 0);
    for (let second = 0; second < 100; second += 1) await harness.clock.advance(1_000);
    harness.log.faults.comeBack();
    for (let second = 0; second < 40; second += 1) await harness.clock.advance(1_000);
    expect(await harness.stored(1)).toEqual(['one']);
    expect(await harness.stored(1, 'new')).toEqual(['two']);
    await harness.states('a', 'RUNNING', 'RUNNING');
  });

  it('begins a transaction of the source again before it is open for too long', async () => {
    const harness = await running({ 'transaction.boundary': 'connector' });
    const task = harness.source.task();
    task.offer('one', 'two');
    await waitFor(async () => (await read(harness, 'InFlightCount')) === 2);
    for (let second = 0; second < 200; second += 1) await harness.clock.advance(1_000);
    expect(harness.log.values('t')).toEqual([]);
    task.context.transaction?.commit();
    task.offer('three');
    expect(await harness.stored(3)).toEqual(['one', 'two', 'three']);
    await waitFor(async () => (await position(harness)) === 3);
    expect(await read(harness, 'UnaccountedCount')).toBe(0);
  });

  it('starts again when brokers were away in a transaction for longer than it may be open', async () => {
    const harness = await running(interval);
    const first = harness.source.task();
    first.offer('one');
    await waitFor(async () => (await read(harness, 'InFlightCount')) === 1);
    harness.log.faults.goAway();
    for (let second = 0; second < 70; second += 1) await harness.clock.advance(1_000);
    harness.log.faults.fail(new ConnectorError('fenced', 'the epoch is older'));
    harness.log.faults.comeBack();
    await waitFor(() => harness.source.task() !== first);
    await harness.states('a', 'RUNNING', 'RUNNING');
    expect(harness.logger.withEvent('transaction_timed_out')).toHaveLength(1);
    expect(await position(harness)).toBeUndefined();
    harness.source.task().offer('one again');
    await waitFor(async () => (await read(harness, 'InFlightCount')) === 1);
    await harness.clock.advance(1_000);
    expect(await harness.stored(1)).toEqual(['one again']);
  });

  it('commits what is left when it is stopped', async () => {
    const harness = await running(interval);
    harness.source.task().offer('one');
    await waitFor(async () => (await read(harness, 'InFlightCount')) === 1);
    await harness.herder.setTargetState('a', 'PAUSED');
    await harness.states('a', 'PAUSED', 'PAUSED');
    expect(harness.log.values('t')).toEqual(['one']);
    expect(await position(harness)).toBe(1);
  });

  it('stores nothing of the transaction in which it fails', async () => {
    const harness = await running(interval);
    harness.source.task().offer('one');
    await waitFor(async () => (await read(harness, 'InFlightCount')) === 1);
    harness.source.task().offerRecord({ value: 'two', topic: 'connect-configs' });
    await harness.states('a', 'RUNNING', 'FAILED');
    await waitFor(() => harness.logger.withEvent('task_ended').length === 1);
    expect(harness.log.values('t')).toEqual([]);
    expect(await position(harness)).toBeUndefined();
    expect(await read(harness, 'UnaccountedCount')).toBe(0);
  });

  it('fails when another producer has its id, and counts what it had open', async () => {
    const harness = await running(interval);
    harness.source.task().offer('one');
    await waitFor(async () => (await read(harness, 'InFlightCount')) === 1);
    await harness.options.platform.transactions?.fence(['g-a-0'], never);
    await harness.clock.advance(1_000);
    await harness.states('a', 'RUNNING', 'FAILED');
    await waitFor(() => harness.logger.withEvent('task_ended').length === 1);
    expect(harness.log.values('t')).toEqual([]);
    expect(await read(harness, 'DroppedFenced')).toBe(1);
    expect(await read(harness, 'UnaccountedCount')).toBe(0);
  });

  it('keeps offsets in the topic of the connector, in the same transactions', async () => {
    const harness = await running({ 'offsets.storage.topic': 'mine' });
    harness.source.task().offer('one');
    await waitFor(async () => (await position(harness)) === 1);
    expect(harness.log.values('mine')).toEqual(['{"position":1}']);
  });
});

describe('connectors without exactly-once support', () => {
  it.each([
    ['that do not say', {}],
    ['that say why not', { exactlyOnceSupport: () => ({ unsupported: 'because' }) as const }],
  ])('%s run without transactions', async (_, connector) => {
    const harness = await started(connector);
    await harness.running('a', interval);
    harness.source.task().offer('one');
    expect(await harness.stored(1)).toEqual(['one']);
    expect(await position(harness)).toBeUndefined();
  });
});

describe('a new generation of tasks', () => {
  const counts = (harness: RuntimeHarness): readonly string[] =>
    harness.log
      .records('connect-configs')
      .filter(({ key }) => String(Buffer.from(key ?? [])) === 'tasks-fencing-a')
      .map(({ value }) => String(Buffer.from(value ?? [])));

  it('starts after those before it are fenced, and their number is stored', async () => {
    const harness = await started();
    const tasks = { count: 2 };
    harness.source.script.taskConfigs = (raw) =>
      Array.from({ length: tasks.count }, (_, i) => ({ ...raw, file: `f${i}` }));
    await harness.herder.create('a', configOf('a', { 'tasks.max': '3', ...interval }));
    await harness.states('a', 'RUNNING', 'RUNNING', 'RUNNING');
    expect(counts(harness)).toEqual(['{"task-count":2}']);
    const zombie = await harness.options.platform.transactions?.producer(
      { clientId: 'zombie', transactionalId: 'g-a-1' },
      never,
    );
    tasks.count = 1;
    await harness.herder.putConfig('a', configOf('a', { 'tasks.max': '3', label: 'new' }));
    await harness.states('a', 'RUNNING', 'RUNNING');
    await waitFor(() => counts(harness).length === 2);
    expect(counts(harness)).toEqual(['{"task-count":2}', '{"task-count":1}']);
    await expect(zombie?.commit()).rejects.toMatchObject({ code: 'fenced' });
  });

  it('is fenced before offsets are changed', async () => {
    const harness = await running(interval);
    const zombie = await harness.options.platform.transactions?.producer(
      { clientId: 'zombie', transactionalId: 'g-a-0' },
      never,
    );
    await harness.herder.setTargetState('a', 'STOPPED');
    await harness.states('a', 'STOPPED');
    await harness.herder.resetOffsets('a');
    expect(counts(harness)).toEqual(['{"task-count":1}', '{"task-count":0}']);
    await expect(zombie?.commit()).rejects.toMatchObject({ code: 'fenced' });
  });

  it('of one task after one needs no fencing by the leader', async () => {
    const harness = await running();
    const first = harness.source.task();
    await harness.herder.putConfig('a', configOf('a', { label: 'new' }));
    await waitFor(() => harness.source.task() !== first);
    expect(counts(harness)).toHaveLength(2);
    await harness.states('a', 'RUNNING', 'RUNNING');
    harness.source.task().offer('one');
    expect(await harness.stored(1)).toEqual(['one']);
  });
});
