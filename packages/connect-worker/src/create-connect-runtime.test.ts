import { describe, expect, it } from 'vitest';
import { configOf, runtimeHarness } from '../test/runtime-harness.ts';

describe('a runtime', () => {
  it('moves the records of a created connector into the log', async () => {
    const { runtime, herder, source, running, stored } = runtimeHarness();
    await runtime.start();
    await running('a');
    source.task().offer('one', 'two');
    expect(await stored(2)).toEqual(['one', 'two']);
    const { group } = await herder.metrics('a');
    expect(group.read('RecordsProduced')).toBe(2);
    expect(group.read('UnaccountedCount')).toBe(0);
    expect(await runtime.stop()).toEqual({ undelivered: [] });
  });

  it('answers a created connector as it was sent, with its name', async () => {
    const { runtime, herder } = runtimeHarness();
    await runtime.start();
    const config = { 'connector.class': 'ArraySource', topic: 't', unknown: 'kept' };
    const info = await herder.create('a', config);
    expect(info).toEqual({
      name: 'a',
      config: { ...config, name: 'a' },
      tasks: expect.any(Array),
      type: 'source',
    });
    expect(await herder.config('a')).toEqual(info.config);
    await runtime.stop();
  });

  it('continues after a restart where the committed offsets say', async () => {
    const first = runtimeHarness();
    await first.runtime.start();
    await first.running('a');
    first.source.task().offer('one', 'two', 'three');
    await first.stored(3);
    await first.runtime.stop();

    const second = first.again();
    await second.runtime.start();
    await second.states('a', 'RUNNING', 'RUNNING');
    expect(second.source.task().position).toBe(3);
    expect(await second.herder.offsets('a')).toEqual([{ partition: { file: 'f' }, offset: { position: 3 } }]);
    await second.runtime.stop();
  });

  it('writes UNASSIGNED for what it hands back when it stops', async () => {
    const { runtime, herder, running } = runtimeHarness();
    await runtime.start();
    await running('a');
    await runtime.stop();
    const status = await herder.status('a');
    expect([status.connector.state, status.tasks[0]?.state]).toEqual(['UNASSIGNED', 'UNASSIGNED']);
  });

  it('refuses a connector whose name is taken', async () => {
    const { runtime, herder, running } = runtimeHarness();
    await runtime.start();
    await running('a');
    await expect(herder.create('a', configOf('a'))).rejects.toMatchObject({
      kind: 'already_exists',
      message: 'Connector a already exists',
    });
    await runtime.stop();
  });
});
