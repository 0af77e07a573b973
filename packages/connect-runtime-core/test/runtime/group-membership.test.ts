import { afterEach, describe, expect, it } from 'vitest';
import type { GroupAssignment, GroupMembershipOptions } from '../../src/platform/group-membership.ts';
import { waitFor } from '../../src/testing/wait-for.ts';
import { configOf, type RuntimeHarness, runtimeHarness } from './runtime-harness.ts';

const everything: GroupAssignment = {
  generation: 1,
  isLeader: true,
  leaderUrl: 'http://127.0.0.1:8083/',
  connectors: 'all',
  tasks: 'all',
};

const open: RuntimeHarness[] = [];

/** A worker in a group that the test plays. */
async function member() {
  const group = { confirmed: true, left: false };
  let given: GroupMembershipOptions | undefined;
  const base = runtimeHarness();
  const platform = {
    ...base.options.platform,
    membership: (options: GroupMembershipOptions) => {
      given = options;
      return {
        get confirmed() {
          return group.confirmed;
        },
        join: async () => options.onAssigned(everything),
        leave: async () => {
          group.left = true;
        },
      };
    },
  };
  const harness = runtimeHarness({ platform }, base);
  open.push(harness);
  await harness.runtime.start();
  const assign = (assignment: Partial<GroupAssignment>): void =>
    given?.onAssigned({ ...everything, ...assignment });
  return { ...harness, group, assign, exclude: (reason: string) => given?.onExcluded(reason) };
}

afterEach(async () => {
  await Promise.all(open.splice(0).map(({ runtime, advanceUntil }) => advanceUntil(runtime.stop())));
});

describe('a member of a group', () => {
  it('produces nothing while its membership is unsure, and continues with the same task afterwards', async () => {
    const { group, source, running, clock, log, stored } = await member();
    await running('a');
    group.confirmed = false;
    source.task().offer('one');
    await clock.advance(1_000);
    expect(log.values('t')).toEqual([]);
    group.confirmed = true;
    await clock.advance(1_000);
    expect(await stored(1)).toEqual(['one']);
    expect(source.tasks).toHaveLength(1);
  });

  it('runs only what is assigned to it', async () => {
    const { assign, source, herder, states, running } = await member();
    source.script.taskConfigs = (raw, max) =>
      Array.from({ length: max }, (_, i) => ({ ...raw, file: `${i}` }));
    await herder.create('a', configOf('a', { 'tasks.max': '2' }));
    await states('a', 'RUNNING', 'RUNNING', 'RUNNING');
    assign({ generation: 2, connectors: [], tasks: [{ connector: 'a', task: 1 }] });
    await waitFor(() => source.tasks.filter((task) => task.stops === 0).length === 1);
    expect(source.tasks.find((task) => task.stops === 0)?.config.file).toBe('1');
    assign({ generation: 3 });
    await waitFor(() => source.tasks.filter((task) => task.stops === 0).length === 2);
    await running('b');
    expect((await herder.status('b')).connector.generation).toBe(3);
  });

  it('stops everything and refuses changes with the reason when it is excluded from the group', async () => {
    const { exclude, source, running, herder, clock, states } = await member();
    await running('a');
    await exclude('the group has other members (http://other:8083/)');
    expect(source.task().stops).toBeGreaterThan(0);
    await states('a', 'UNASSIGNED', 'UNASSIGNED');
    const stage =
      'waiting to join the worker group, because the group has other members (http://other:8083/)';
    expect(herder.health()).toMatchObject({ status: 'unhealthy', stage });
    const change = herder.setTargetState('a', 'PAUSED');
    await Promise.all([
      expect(change).rejects.toMatchObject({ kind: 'unavailable', message: expect.stringContaining(stage) }),
      clock.advance(1_500),
    ]);
    expect(await herder.connectors()).toEqual(['a']);
  });

  it('runs everything again, and takes changes, when it is assigned work after an exclusion', async () => {
    const { exclude, assign, herder, source, running, states } = await member();
    await running('a');
    await exclude('the group has other members');
    assign({ generation: 2 });
    await states('a', 'RUNNING', 'RUNNING');
    expect(source.tasks).toHaveLength(2);
    expect(herder.health()).toEqual({ status: 'healthy' });
    await herder.setTargetState('a', 'PAUSED');
    await states('a', 'PAUSED', 'PAUSED');
  });

  it('says that nothing runs only when the tasks have stopped, also when it is excluded while the worker stops', async () => {
    const { group, exclude, source, running, runtime, clock, advanceUntil } = await member();
    await running('a');
    group.confirmed = false;
    source.task().offer('one');
    const stopping = runtime.stop();
    const excluded = { over: false };
    void exclude('the group has other members')?.then(() => {
      excluded.over = true;
    });
    await clock.advance(1_000);
    expect(excluded.over).toBe(false);
    await advanceUntil(stopping);
    await waitFor(() => excluded.over);
  });

  it('leaves statuses to the new owner when it is excluded, or stops, while its membership is unsure', async () => {
    const { group, exclude, running, runtime, log, clock, advanceUntil } = await member();
    await running('a');
    group.confirmed = false;
    await exclude('the group has other members');
    await clock.advance(1_000);
    await advanceUntil(runtime.stop());
    expect(log.values('connect-status').join()).toContain('RUNNING');
    expect(log.values('connect-status').join()).not.toContain('UNASSIGNED');
  });

  it('leaves the group when the worker stops', async () => {
    const { group, runtime } = await member();
    await runtime.stop();
    expect(group.left).toBe(true);
  });
});
