import type { RawConfig } from '@levada/connect-runtime-core';
import { createScriptedLog, waitFor } from '@levada/connect-runtime-core/testing';
import { afterEach, describe, expect, it } from 'vitest';
import { configOf, type RuntimeHarness, runtimeHarness } from './runtime-harness.ts';

const open: RuntimeHarness[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map(({ runtime, advanceUntil }) => advanceUntil(runtime.stop())));
});

async function read(harness: RuntimeHarness, attribute: string): Promise<number> {
  return (await harness.herder.metrics('a')).group.read(attribute);
}

async function position(harness: RuntimeHarness): Promise<unknown> {
  return (await harness.herder.offsets('a'))[0]?.offset['position'];
}

describe('offsets.storage.topic', () => {
  const plain = async (config: RawConfig, log = createScriptedLog()): Promise<RuntimeHarness> => {
    const harness = runtimeHarness({ offsetFlushIntervalMs: 100 }, { log });
    open.push(harness);
    await harness.runtime.start();
    await harness.running('a', config);
    return harness;
  };
  const commit = async (harness: RuntimeHarness, count: number): Promise<void> => {
    await harness.stored(count);
    await waitFor(async () => (await read(harness, 'RecordsProduced')) === count);
    await harness.clock.advance(100);
    await waitFor(async () => (await position(harness)) === count);
  };

  it('is created, holds the offsets, and is copied to the topic of the worker', async () => {
    const harness = await plain({ 'offsets.storage.topic': 'mine' });
    harness.source.task().offer('one');
    await commit(harness, 1);
    expect(harness.log.values('mine')).toEqual(['{"position":1}']);
    await waitFor(() => harness.log.values('connect-offsets').length === 1);
    const [description] = await harness.options.platform.describeTopics(['mine']);
    expect(description).toMatchObject({ partitions: 25, cleanupPolicy: 'compact' });
  });

  it('is read before the topic of the worker, which counts as long as there is nothing in it', async () => {
    const harness = await plain({});
    harness.source.task().offer('one', 'two');
    await commit(harness, 2);
    await harness.herder.putConfig('a', configOf('a', { 'offsets.storage.topic': 'mine' }));
    await waitFor(() => harness.source.tasks.length === 2 && harness.source.task().started);
    expect(harness.source.task().position).toBe(2);
    harness.source.task().offer('three');
    await commit(harness, 3);
    expect(harness.log.values('mine')).toEqual(['{"position":3}']);
  });

  it('is reset together with the topic of the worker', async () => {
    const harness = await plain({ 'offsets.storage.topic': 'mine' });
    harness.source.task().offer('one');
    await commit(harness, 1);
    await harness.herder.setTargetState('a', 'STOPPED');
    await harness.states('a', 'STOPPED');
    await harness.herder.alterOffsets('a', [{ partition: { file: 'f' }, offset: { position: 9 } }]);
    expect(await position(harness)).toBe(9);
    await harness.herder.resetOffsets('a');
    expect(await harness.herder.offsets('a')).toEqual([]);
    expect(harness.log.values('mine').at(-1)).toBeNull();
    expect(harness.log.values('connect-offsets').at(-1)).toBeNull();
  });

  it('may not be written to by the connector itself', async () => {
    const harness = await plain({ 'offsets.storage.topic': 'mine', topic: 'mine' });
    harness.source.task().offer('one');
    await harness.states('a', 'RUNNING', 'FAILED');
    const { trace } = await harness.herder.taskStatus('a', 0);
    expect(trace).toContain('topic "mine" is an internal topic');
  });
});
