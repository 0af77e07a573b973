// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references of configurations look like that

import { ConnectorError } from '@levada/connect-runtime-core';
import type { ConfigProvider } from '@levada/connect-runtime-core/config';
import { waitFor } from '@levada/connect-runtime-core/testing';
import { afterEach, describe, expect, it } from 'vitest';
import type { TargetState } from '../src/port/status.ts';
import { type RuntimeHarness, runtimeHarness } from './runtime-harness.ts';

const open: RuntimeHarness[] = [];

/** A worker whose provider holds back what it is asked by passes, as a slow disk would. */
async function slowPasses() {
  let holding = false;
  const held: (() => void)[] = [];
  const provider: ConfigProvider = {
    get: async (_, keys) => {
      if (holding) await new Promise<void>((resolve) => held.push(resolve));
      return new Map(keys.map((key) => [key, 'value']));
    },
  };
  const harness = runtimeHarness({ configProviders: new Map([['slow', provider]]) });
  open.push(harness);
  await harness.runtime.start();
  await harness.running('a', { endpoint: '${slow:x}' });
  return {
    harness,
    /** Changes the configuration, and returns while the pass that carries it out is held back. */
    changing: async (): Promise<void> => {
      const changed = harness.herder.patchConfig('a', { file: 'other' });
      holding = true;
      // Validation asks first, the pass second.
      await waitFor(() => held.length === 1);
      for (const go of held.splice(0)) go();
      await changed;
      await waitFor(() => held.length > 0);
    },
    release: (): void => {
      holding = false;
      for (const go of held.splice(0)) go();
    },
  };
}

afterEach(async () => {
  await Promise.all(open.splice(0).map(({ runtime, advanceUntil }) => advanceUntil(runtime.stop())));
});

describe('a change that is overtaken while it is carried out', () => {
  it.each(['STOPPED', 'PAUSED'] satisfies TargetState[])('by %s starts no task', async (target) => {
    const { harness, changing, release } = await slowPasses();
    await changing();
    await harness.herder.setTargetState('a', target);
    release();
    await harness.states('a', target, ...(target === 'PAUSED' ? (['PAUSED'] as const) : []));
    expect(harness.source.tasks).toHaveLength(1);
    expect(harness.source.task().stops).toBeGreaterThan(0);
  });

  it('leaves no task configurations when STOPPED overtakes a change, so that offsets can be reset', async () => {
    const { harness, changing, release } = await slowPasses();
    await changing();
    await harness.herder.setTargetState('a', 'STOPPED');
    release();
    await harness.states('a', 'STOPPED');
    await waitFor(async () => (await harness.herder.tasks('a')).length === 0);
    expect(await harness.herder.resetOffsets('a')).toContain('reset');
  });

  it('leaves nothing when a delete overtakes a change', async () => {
    const { harness, changing, release } = await slowPasses();
    await changing();
    await harness.herder.delete('a');
    release();
    await waitFor(async () => (await harness.herder.status('a').catch(() => undefined)) === undefined);
    expect(harness.source.tasks).toHaveLength(1);
  });
});

describe('a stop', () => {
  it('keeps a connector with its tasks when a stop is reverted before it is applied', async () => {
    const { harness, changing, release } = await slowPasses();
    await changing();
    await harness.herder.setTargetState('a', 'STOPPED');
    await harness.herder.setTargetState('a', 'STARTED');
    release();
    await harness.states('a', 'RUNNING', 'RUNNING');
    await waitFor(() => harness.source.task().config.file === 'other');
    expect(await harness.herder.tasks('a')).toHaveLength(1);
  });

  it('leaves a connector that can be started again when the log stores only half of a stop', async () => {
    const harness = runtimeHarness();
    open.push(harness);
    await harness.runtime.start();
    await harness.running('a');
    const away = new ConnectorError('log_unavailable', 'away');
    harness.log.faults.refuse(({ value }) =>
      Buffer.from(value ?? []).toString() === '{"tasks":0}' ? away : undefined,
    );
    await expect(harness.herder.setTargetState('a', 'STOPPED')).rejects.toMatchObject({
      kind: 'unavailable',
    });
    harness.log.faults.refuse(() => undefined);
    await harness.herder.setTargetState('a', 'STARTED');
    await harness.states('a', 'RUNNING', 'RUNNING');
    await waitFor(() => harness.source.tasks.filter(({ stops }) => stops === 0).length === 1);
  });
});

describe('a stopped connector', () => {
  it('has its task configurations taken away when somebody wrote them late', async () => {
    const harness = runtimeHarness();
    open.push(harness);
    await harness.runtime.start();
    await harness.running('a');
    await harness.herder.setTargetState('a', 'STOPPED');
    await harness.states('a', 'STOPPED');
    const writer = await harness.options.platform.compactedLog({
      topic: { name: 'connect-configs', partitions: 1 },
      configKey: 'config.storage.topic',
      clientId: 'another-worker',
      onRecord: () => {},
    });
    await writer.put(Buffer.from('task-a-0'), Buffer.from('{"properties":{"topic":"t"}}'));
    await writer.put(Buffer.from('commit-a'), Buffer.from('{"tasks":1}'));
    await waitFor(() => harness.log.values('connect-configs').at(-1) === '{"tasks":0}');
    // What is in the log has still to be read back
    await waitFor(async () => (await harness.herder.tasks('a')).length === 0);
    expect(harness.log.values('connect-configs').at(-1)).toBe('{"tasks":0}');
  });
});
