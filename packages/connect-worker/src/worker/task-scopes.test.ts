import { type SourceTask, sourceRecord, systemClock } from '@levada/connect-runtime-core';
import { waitFor } from '@levada/connect-runtime-core/testing';
import { afterEach, describe, expect, it } from 'vitest';
import { configOf, type RuntimeHarness, runtimeHarness } from '../../test/runtime-harness.ts';
import { scriptedSource } from '../../test/scripted-connector.ts';

const open: RuntimeHarness[] = [];

afterEach(async () => {
  await Promise.all(open.splice(0).map(({ runtime }) => runtime.stop()));
});

/** A started worker on real time, whose connector's tasks do as they are scripted. */
async function workerOf(task: () => SourceTask): Promise<RuntimeHarness> {
  const { connector } = scriptedSource();
  const harness = runtimeHarness({
    clock: systemClock,
    connectors: [{ ...connector, createTask: task }],
    taskShutdownGracefulTimeoutMs: 100,
  });
  open.push(harness);
  await harness.runtime.start();
  return harness;
}

/** A task that waits until it is stopped. */
function idleTask(changes: Partial<SourceTask>): SourceTask {
  const stopped = Promise.withResolvers<void>();
  return {
    start: async () => {},
    poll: async () => {
      await stopped.promise;
      return [];
    },
    stop: async () => stopped.resolve(),
    ...changes,
  };
}

describe('a task whose poll never waits', () => {
  const record = sourceRecord({ topic: 't', value: 'x' });

  it('leaves others their turn, also when it continues after its stop', async () => {
    const harness = await workerOf(() => idleTask({ poll: async () => [record], stop: async () => {} }));
    await harness.herder.create('a', configOf('a'));
    await harness.states('a', 'RUNNING', 'RUNNING');
    await harness.herder.setTargetState('a', 'PAUSED');
    await harness.states('a', 'PAUSED', 'PAUSED');
    expect(harness.logger.withEvent('task_cancelled')).toHaveLength(1);
  });

  it.each([
    ['a text', 'abc'],
    ['nothing', null],
  ])('fails when it answers %s', async (_what, answer) => {
    const poll = (async () => answer) as unknown as SourceTask['poll'];
    const harness = await workerOf(() => idleTask({ poll }));
    await harness.herder.create('a', configOf('a'));
    await harness.states('a', 'RUNNING', 'FAILED');
    expect((await harness.herder.taskStatus('a', 0)).trace).toContain(
      'invalid result of poll: expected a list of records',
    );
  });
});

describe('an error that nothing can catch', () => {
  it.each(['start', 'poll', 'stop'] as const)('fails the task whose %s caused it', async (call) => {
    const task = idleTask({});
    let blamed: boolean | undefined;
    const harness: RuntimeHarness = await workerOf(() => ({
      ...task,
      [call]: (...given: [never, never]) => {
        setImmediate(() => {
          blamed ??= harness.runtime.blame(new Error('thrown later'));
        });
        return task[call](...given);
      },
    }));
    await harness.herder.create('a', configOf('a'));
    if (call === 'stop') {
      await harness.states('a', 'RUNNING', 'RUNNING');
      await harness.herder.setTargetState('a', 'PAUSED');
    } else await harness.states('a', 'RUNNING', 'FAILED');
    await waitFor(() => blamed !== undefined);
    expect(blamed).toBe(true);
    expect(harness.logger.withEvent('task_error_uncaught')[0]?.fields).toMatchObject({
      connector: 'a',
      task: 0,
      reason: 'thrown later',
    });
  });

  it('is no concern of a task when it comes from elsewhere', async () => {
    const harness = await workerOf(() => idleTask({}));
    expect(harness.runtime.blame(new Error('elsewhere'))).toBe(false);
    expect(harness.logger.withEvent('task_error_uncaught')).toHaveLength(0);
  });
});
