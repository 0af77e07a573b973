// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references of configurations look like that
import { ConnectorError, type RawConfig } from '@levada/connect-runtime-core';
import { waitFor } from '@levada/connect-runtime-core/testing';
import { afterEach, describe, expect, it } from 'vitest';
import type { ConnectRuntimeOptions } from '../src/port/connect-runtime.ts';
import { configOf, type RuntimeHarness, runtimeHarness } from './runtime-harness.ts';

const open: RuntimeHarness[] = [];

/** A started worker with one running connector `a`. */
async function running(
  config: RawConfig = {},
  overrides: Partial<ConnectRuntimeOptions> = {},
  before: (harness: RuntimeHarness) => void = () => {},
): Promise<RuntimeHarness> {
  const harness = runtimeHarness(overrides);
  open.push(harness);
  before(harness);
  await harness.runtime.start();
  await harness.running('a', config);
  return harness;
}

async function trace(harness: RuntimeHarness): Promise<string> {
  await harness.states('a', 'RUNNING', 'FAILED');
  return (await harness.herder.taskStatus('a', 0)).trace ?? '';
}

afterEach(async () => {
  await Promise.all(open.splice(0).map(({ runtime, advanceUntil }) => advanceUntil(runtime.stop())));
});

describe('topics', () => {
  it('refuses the topics of the worker itself', async () => {
    const harness = await running();
    harness.source.task().offerRecord({ topic: 'connect-offsets', value: 'x' });
    expect(await trace(harness)).toContain('topic "connect-offsets" is an internal topic of this worker');
    expect(harness.log.records('connect-offsets')).toHaveLength(0);
  });

  it('are made as topic.creation says', async () => {
    const harness = await running({
      'topic.creation.default.partitions': '3',
      'topic.creation.default.replication.factor': '-1',
      'topic.creation.groups': 'logs',
      'topic.creation.logs.include': 'log.*',
      'topic.creation.logs.partitions': '5',
    });
    harness.source.task().offer('x');
    harness.source.task().offerRecord({ topic: 'log-1', value: 'x' });
    await harness.stored(1, 'log-1');
    const topics = await harness.options.platform.describeTopics(['t', 'log-1']);
    expect(topics.map(({ partitions }) => partitions)).toEqual([3, 5]);
  });

  it('fail the connector when topic.creation is incomplete, before there is a task', async () => {
    const harness = runtimeHarness();
    open.push(harness);
    await harness.runtime.start();
    await harness.herder.create('a', configOf('a', { 'topic.creation.default.partitions': '3' }));
    await harness.states('a', 'FAILED');
    expect((await harness.herder.status('a')).connector.trace).toContain(
      'Missing required configuration "topic.creation.default.replication.factor" which has no default value.',
    );
    expect(await harness.herder.tasks('a')).toEqual([]);
  });

  it('are tracked, and forgotten on demand until they are written again', async () => {
    const harness = await running();
    harness.source.task().offer('x');
    await waitFor(async () => (await harness.herder.activeTopics('a')).join() === 't');
    await harness.herder.resetActiveTopics('a');
    expect(await harness.herder.activeTopics('a')).toEqual([]);
    harness.source.task().offer('y');
    await waitFor(async () => (await harness.herder.activeTopics('a')).join() === 't');
  });

  it('are not tracked when that is switched off', async () => {
    const harness = await running({}, { topicTrackingEnabled: false });
    await expect(harness.herder.activeTopics('a')).rejects.toMatchObject({
      kind: 'forbidden',
      message: 'Topic tracking is disabled.',
    });
  });
});

describe('references', () => {
  it('are resolved when a task starts, and stay references everywhere else', async () => {
    const values = new Map([['topic', 'resolved-topic']]);
    const provider = { get: async () => values };
    const harness = await running(
      { topic: '${env:topic}' },
      { configProviders: new Map([['env', provider]]) },
    );
    expect(harness.source.task().config.topic).toBe('resolved-topic');
    expect(await harness.herder.config('a')).toMatchObject({ topic: '${env:topic}' });
    expect((await harness.herder.tasks('a'))[0]?.config).toMatchObject({ topic: '${env:topic}' });
    values.set('topic', 'another-topic');
    await harness.herder.restartTask('a', 0);
    await harness.states('a', 'RUNNING', 'RUNNING');
    expect(harness.source.task().config.topic).toBe('another-topic');
    expect(await harness.source.task().context.resolveConfig?.()).toMatchObject({ topic: 'another-topic' });
    expect(harness.log.values('connect-configs').join()).not.toContain('another-topic');
  });

  it('fails the task when references cannot be resolved', async () => {
    let fails = false;
    const provider = {
      get: async () => {
        if (fails) throw new ConnectorError('file_unreadable', 'Could not read properties from file /x');
        return new Map([['k', 'resolved']]);
      },
    };
    const harness = await running(
      { label: '${file:/x:k}' },
      { configProviders: new Map([['file', provider]]) },
    );
    fails = true;
    await harness.herder.restartTask('a', 0);
    expect(await trace(harness)).toContain('Could not read properties from file /x');
  });
});
