import { waitFor } from '@levada/connect-runtime-core/testing';
import { afterEach, describe, expect, it } from 'vitest';
import type { WorkerRequest } from '../src/port/connect-runtime.ts';
import { elsewhere, member, stopAll, work } from './group-member.ts';
import { configOf } from './runtime-harness.ts';

afterEach(stopAll);

describe('a member of a group', () => {
  it('shows the metrics of what runs on it, and as the leader of what runs nowhere', async () => {
    const { runtime, herder, assign, running } = await member();
    await running('a');
    await herder.create('b', configOf('b'));
    const shown = () =>
      runtime.metrics
        .connectors()
        .map(
          ({ name, status, tasks }) => `${name} ${status !== undefined} ${tasks.map(({ id }) => id).join()}`,
        );
    const counts = () =>
      [...runtime.metrics.objects()]
        .filter(({ family, keys }) => family.type === 'connect-worker-metrics' && keys.length === 0)
        .map(({ read }) => [read('connector-count'), read('task-count')]);
    await waitFor(() => shown().join() === 'a true 0,b true 0');

    const other = { url: 'http://other:8083/', work: work(['b'], ['b-0']), stopping: work([], []) };
    await assign({ work: work(['a'], ['a-0']), members: [other] });
    expect(shown()).toEqual(['a true 0']);
    expect(counts()).toEqual([[1, 1]]);
    await assign({ work: work(['a'], []), members: [{ ...other, work: work(['b'], ['a-0']) }] });
    expect(shown()).toEqual(['a true ', 'b false 0']);
    await assign({ ...elsewhere, work: work([], ['a-0']) });
    expect(shown()).toEqual(['a false 0']);
    expect(counts()).toEqual([[0, 1]]);
  });

  it('knows as the leader all workers, also those that run nothing, and leaves the answer to the leader otherwise', async () => {
    const { herder, assign } = await member();
    const [own] = await herder.workers();
    const idle = { url: 'https://idle:8083/', work: work([], []), stopping: work([], []) };
    await assign({ work: work([], []), members: [idle] });
    expect(await herder.workers()).toEqual([own, 'idle:8083']);
    await assign({ ...elsewhere, work: work([], []) });
    await expect(herder.workers()).rejects.toMatchObject({ kind: 'elsewhere', target: elsewhere.leaderUrl });
  });

  it('produces nothing while its group membership is uncertain, and continues with the same task afterwards', async () => {
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

  it('runs only what is assigned to it, and shows the rest as unassigned until its owner reports', async () => {
    const { assign, source, herder, states } = await member();
    source.script.taskConfigs = (raw, max) =>
      Array.from({ length: max }, (_, i) => ({ ...raw, file: `${i}` }));
    await herder.create('a', configOf('a', { 'tasks.max': '2' }));
    await states('a', 'RUNNING', 'RUNNING', 'RUNNING');
    await assign({ generation: 2, work: work([], ['a-1']) });
    const running = source.tasks.filter((task) => task.stops === 0);
    expect(running.map(({ config }) => config.file)).toEqual(['1']);
    await states('a', 'UNASSIGNED', 'UNASSIGNED', 'RUNNING');
    await assign({ generation: 3 });
    await waitFor(() => source.tasks.filter((task) => task.stops === 0).length === 2);
    await states('a', 'RUNNING', 'RUNNING', 'RUNNING');
    expect((await herder.status('a')).tasks[0]?.generation).toBe(3);
  });

  it('starts nothing that is created after its assignment, and asks for a rebalance', async () => {
    const { assign, herder, group, configured, source } = await member();
    await assign({ generation: 2, work: work([], []) });
    const before = group.rebalances;
    await herder.create('a', configOf('a'));
    expect(group.rebalances).toBeGreaterThan(before);
    expect([...configured().connectors]).toEqual(['a']);
    expect(source.tasks).toEqual([]);
    await assign({ generation: 3, work: work(['a'], []) });
    await waitFor(() => configured().tasks.has('a-0'));
    await assign({ generation: 4, work: work(['a'], ['a-0']) });
    await waitFor(() => source.tasks.length === 1);
  });

  describe('with tasks that have nothing more to read', () => {
    /** Its first task is complete here, and its second one on another worker when that is called. */
    async function halfComplete(more: Parameters<typeof member>[0] = {}) {
      const harness = await member(more);
      const { assign, herder, source, states, log } = harness;
      source.script.taskConfigs = (raw, max) =>
        Array.from({ length: max }, (_, i) => ({ ...raw, file: `${i}` }));
      await herder.create('a', configOf('a', { 'tasks.max': '2' }));
      await states('a', 'RUNNING', 'RUNNING', 'RUNNING');
      await assign({ generation: 2, work: work(['a'], ['a-0']) });
      for (const task of source.tasks.filter(({ stops }) => stops === 0)) {
        task.complete = true;
        task.queue.close();
      }
      await waitFor(() => log.values('connect-status').some((value) => value?.includes('"complete":true')));
      expect((await herder.status('a')).connector.state).toBe('RUNNING');
      const statuses = await log.connect().compactedLog({
        topic: { name: 'connect-status', partitions: 5 },
        configKey: 'status.storage.topic',
        clientId: 'other',
        onRecord: () => undefined,
      });
      const other = { state: 'RUNNING', trace: null, worker_id: 'other:8083', generation: 2, complete: true };
      const complete = (): Promise<void> =>
        statuses.put(Buffer.from('status-task-a-1'), Buffer.from(JSON.stringify(other)));
      return { ...harness, complete };
    }

    it('stops a connector whose tasks are on several workers', async () => {
      const { complete, states, herder } = await halfComplete();
      await complete();
      await states('a', 'STOPPED');
      expect(await herder.tasks('a')).toEqual([]);
    });

    it('stops it by a target state and a signed request when another worker leads', async () => {
      const requests: WorkerRequest[] = [];
      const { assign, complete, log } = await halfComplete({
        callWorker: async (request) => void requests.push(request),
      });
      await waitFor(() => log.values('connect-configs').some((value) => value?.includes('HmacSHA256')));
      await assign({ ...elsewhere, generation: 3, work: work(['a'], ['a-0']) });
      await complete();
      await waitFor(() => requests.length > 0);
      expect(log.values('connect-configs').at(-1)).toContain('STOPPED');
      expect(requests[0]).toMatchObject({
        path: ['connectors', 'a', 'tasks'],
        body: '[]',
        signature: { algorithm: 'HmacSHA256' },
      });
    });

    it('stops it when the last one ended while no worker owned the connector', async () => {
      const { assign, complete, log, states, herder } = await halfComplete();
      await assign({ generation: 3, work: work([], ['a-0']) });
      await complete();
      await waitFor(() => log.values('connect-status').some((value) => value?.includes('other:8083')));
      await assign({ generation: 4, work: work(['a'], ['a-0']) });
      await states('a', 'STOPPED');
      expect(await herder.tasks('a')).toEqual([]);
    });
  });

  it('stops everything and knows no leader when the group has removed it', async () => {
    const { lose, source, running, herder, states, group } = await member();
    await running('a');
    group.confirmed = false;
    await lose('it was silent for too long');
    expect(source.task().stops).toBeGreaterThan(0);
    await states('a', 'RUNNING', 'RUNNING');
    await expect(herder.setTargetState('a', 'PAUSED')).rejects.toMatchObject({
      kind: 'elsewhere',
      target: undefined,
      message:
        'Cannot complete request momentarily due to no known leader URL, likely because a rebalance was underway.',
    });
    expect(await herder.connectors()).toEqual(['a']);
  });

  it('runs everything again, and takes changes, when it is assigned work after a loss', async () => {
    const { lose, assign, herder, source, running, states } = await member();
    await running('a');
    await lose('it was silent for too long');
    await assign({ generation: 2 });
    await states('a', 'RUNNING', 'RUNNING');
    expect(source.tasks).toHaveLength(2);
    expect(herder.health()).toEqual({ status: 'healthy' });
    await herder.setTargetState('a', 'PAUSED');
    await states('a', 'PAUSED', 'PAUSED');
  });

  it('reports that nothing runs only when the tasks have stopped, also when it is lost while the worker stops', async () => {
    const { group, lose, source, running, runtime, clock, advanceUntil } = await member();
    await running('a');
    group.confirmed = false;
    source.task().offer('one');
    const stopping = runtime.stop();
    const lost = { over: false };
    void lose('it was silent for too long').then(() => {
      lost.over = true;
    });
    await clock.advance(1_000);
    expect(lost.over).toBe(false);
    await advanceUntil(stopping);
    await waitFor(() => lost.over);
  });

  it('leaves statuses to the new owner when it is lost, or stops, while its membership is unsure', async () => {
    const { group, lose, running, runtime, log, clock, advanceUntil } = await member();
    await running('a');
    group.confirmed = false;
    await lose('it was silent for too long');
    await clock.advance(1_000);
    await advanceUntil(runtime.stop());
    expect(log.values('connect-status').join()).toContain('RUNNING');
    expect(log.values('connect-status').join()).not.toContain('UNASSIGNED');
  });

  it('leaves the statuses of other workers alone when it stops', async () => {
    const { assign, running, runtime, states, herder, advanceUntil, log } = await member();
    await running('a');
    await states('a', 'RUNNING', 'RUNNING');
    await assign({ ...elsewhere, generation: 2, work: work([], []) });
    await states('a', 'UNASSIGNED', 'UNASSIGNED');
    const owner = JSON.stringify({ state: 'RUNNING', trace: null, worker_id: 'other:8083', generation: 3 });
    const statuses = await log.connect().compactedLog({
      topic: { name: 'connect-status', partitions: 5 },
      configKey: 'status.storage.topic',
      clientId: 'other',
      onRecord: () => undefined,
    });
    await statuses.put(Buffer.from('status-task-a-0'), Buffer.from(owner));
    await waitFor(async () => (await herder.taskStatus('a', 0)).workerId === 'other:8083');
    await advanceUntil(runtime.stop());
    expect(log.values('connect-status').at(-1)).toBe(owner);
  });

  it('leaves the group when the worker stops', async () => {
    const { group, runtime } = await member();
    await runtime.stop();
    expect(group.left).toBe(true);
  });
});
