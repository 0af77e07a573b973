import { waitFor } from '@levada/connect-runtime-core/testing';
import { afterEach, describe, expect, it } from 'vitest';
import { configOf, type RuntimeHarness, runtimeHarness } from './runtime-harness.ts';

const open: RuntimeHarness[] = [];

async function started(make: () => RuntimeHarness = () => runtimeHarness()): Promise<RuntimeHarness> {
  const harness = make();
  open.push(harness);
  await harness.runtime.start();
  return harness;
}

afterEach(async () => {
  await Promise.all(open.splice(0).map(({ runtime, advanceUntil }) => advanceUntil(runtime.stop())));
});

describe('pause and resume', () => {
  it('stops intake, delivers what is queued, and makes a new task on resume', async () => {
    const { herder, source, running, states, log } = await started();
    await running('a');
    const first = source.task();
    for (let i = 0; i < 1000; i += 1) first.offer(`${i}`);
    await herder.setTargetState('a', 'PAUSED');
    await states('a', 'PAUSED', 'PAUSED');
    expect(log.values('t')).toHaveLength(1000);
    expect(first.stops).toBeGreaterThan(0);
    await herder.setTargetState('a', 'STARTED');
    await states('a', 'RUNNING', 'RUNNING');
    expect(source.tasks).toHaveLength(2);
    expect(source.task().position).toBe(1000);
  });

  it('makes no tasks for a connector that is created paused until it is resumed', async () => {
    const { herder, states } = await started();
    await herder.create('a', configOf('a'), 'PAUSED');
    await states('a', 'PAUSED');
    expect(await herder.tasks('a')).toEqual([]);
    await herder.setTargetState('a', 'STARTED');
    await states('a', 'RUNNING', 'RUNNING');
  });

  it('keeps a connector paused over a restart of the worker', async () => {
    const first = await started();
    await first.running('a');
    await first.herder.setTargetState('a', 'PAUSED');
    await first.states('a', 'PAUSED', 'PAUSED');
    await first.runtime.stop();
    const second = await started(() => first.again());
    await second.states('a', 'PAUSED', 'PAUSED');
    expect(second.source.tasks).toHaveLength(0);
  });

  it('keeps a connector paused when its configuration changes, and uses the new one on resume', async () => {
    const { herder, source, running, states } = await started();
    await running('a');
    await herder.setTargetState('a', 'PAUSED');
    await states('a', 'PAUSED', 'PAUSED');
    await herder.putConfig('a', configOf('a', { topic: 'u' }));
    await states('a', 'PAUSED', 'PAUSED');
    await herder.setTargetState('a', 'STARTED');
    await states('a', 'RUNNING', 'RUNNING');
    expect(source.task().config.topic).toBe('u');
  });
});

describe('stop', () => {
  it('removes tasks and their configurations', async () => {
    const { herder, running, states } = await started();
    await running('a');
    await herder.setTargetState('a', 'STOPPED');
    await states('a', 'STOPPED');
    expect(await herder.tasks('a')).toEqual([]);
    expect((await herder.connector('a')).tasks).toEqual([]);
    await herder.setTargetState('a', 'STARTED');
    await states('a', 'RUNNING', 'RUNNING');
  });
});

describe('restart', () => {
  it('keeps tasks running when only the connector is restarted', async () => {
    const { herder, source, running, states } = await started();
    await running('a');
    expect(await herder.restart('a', { includeTasks: false, onlyFailed: false })).toBeUndefined();
    await states('a', 'RUNNING', 'RUNNING');
    expect(source.tasks).toHaveLength(1);
  });

  it('starts a restarted task once the old one is stopped', async () => {
    const { herder, source, running, states } = await started();
    await running('a');
    const first = source.task();
    await herder.restartTask('a', 0);
    await states('a', 'RUNNING', 'RUNNING');
    expect(source.tasks).toHaveLength(2);
    expect(first.stops).toBeGreaterThan(0);
  });

  it('answers a restart plan with the planned states and the old trace of the failed task', async () => {
    const { herder, source, running, states } = await started();
    await running('a');
    source.task().fail(new Error('broken pipe'));
    await states('a', 'RUNNING', 'FAILED');
    const planned = await herder.restart('a', { includeTasks: true, onlyFailed: true });
    expect(planned?.connector.state).toBe('RUNNING');
    expect(planned?.tasks[0]).toMatchObject({
      state: 'RESTARTING',
      trace: expect.stringContaining('Error: broken pipe'),
    });
    await states('a', 'RUNNING', 'RUNNING');
    expect(source.tasks).toHaveLength(2);
  });

  it('restarts connector and tasks by plan, or nothing when nothing failed', async () => {
    const { herder, source, running, states } = await started();
    await running('a');
    const none = await herder.restart('a', { includeTasks: true, onlyFailed: true });
    expect([none?.connector.state, none?.tasks[0]?.state]).toEqual(['RUNNING', 'RUNNING']);
    const all = await herder.restart('a', { includeTasks: true, onlyFailed: false });
    expect([all?.connector.state, all?.tasks[0]?.state]).toEqual(['RESTARTING', 'RESTARTING']);
    await waitFor(() => source.tasks.length === 2);
    await states('a', 'RUNNING', 'RUNNING');
  });

  it('changes nothing of a paused or stopped connector, whatever the answer says', async () => {
    const { herder, source, running, states } = await started();
    await running('a');
    await herder.setTargetState('a', 'PAUSED');
    await states('a', 'PAUSED', 'PAUSED');
    await herder.restart('a', { includeTasks: false, onlyFailed: false });
    await herder.restartTask('a', 0);
    const planned = await herder.restart('a', { includeTasks: true, onlyFailed: false });
    expect(planned?.connector.state).toBe('RESTARTING');
    await states('a', 'PAUSED', 'PAUSED');
    expect(source.tasks).toHaveLength(1);
  });
});

describe('a configuration change', () => {
  it('makes a new task after the old one has stopped and delivered', async () => {
    const { herder, source, running, log } = await started();
    await running('a');
    const first = source.task();
    first.offer('one');
    const { created } = await herder.putConfig('a', configOf('a', { file: 'g' }));
    expect(created).toBe(false);
    await waitFor(() => source.tasks.length === 2 && source.task().started);
    expect(first.stops).toBeGreaterThan(0);
    expect(source.task().config.file).toBe('g');
    expect(log.values('t')).toEqual(['one']);
  });

  it('passes a configuration change to the running task when no new task is needed', async () => {
    const { herder, source, running } = await started();
    source.script.reconfigurable = true;
    await running('a');
    await herder.patchConfig('a', { label: 'blue' });
    await waitFor(() => source.task().reconfigured.length === 1);
    expect(source.task().config.label).toBe('blue');
    expect(source.tasks).toHaveLength(1);
    await waitFor(async () => (await herder.tasks('a'))[0]?.config['label'] === 'blue');
  });

  it('makes a new task for a live key when the task cannot apply it or has failed', async () => {
    const { herder, source, running, states } = await started();
    await running('a');
    await herder.patchConfig('a', { label: 'blue' });
    await waitFor(() => source.tasks.length === 2);
    source.script.reconfigurable = true;
    await herder.restartTask('a', 0);
    source.task().fail(new Error('no'));
    await states('a', 'RUNNING', 'FAILED');
    await herder.patchConfig('a', { label: 'red' });
    await states('a', 'RUNNING', 'RUNNING');
    expect(source.task().config.label).toBe('red');
  });

  it('leaves the task alone when a configuration change has no effect', async () => {
    const { herder, source, running, states } = await started();
    await running('a');
    await herder.putConfig('a', configOf('a'));
    await herder.restart('a', { includeTasks: false, onlyFailed: false });
    await states('a', 'RUNNING', 'RUNNING');
    expect(source.tasks).toHaveLength(1);
  });

  it('ends tasks that the connector no longer has', async () => {
    const { herder, source, states } = await started();
    source.script.taskConfigs = (raw, max) =>
      Array.from({ length: max }, (_, i) => ({ ...raw, file: `${i}` }));
    await herder.create('a', configOf('a', { 'tasks.max': '3' }));
    await states('a', 'RUNNING', 'RUNNING', 'RUNNING', 'RUNNING');
    await herder.patchConfig('a', { 'tasks.max': '1' });
    await states('a', 'RUNNING', 'RUNNING');
    expect(await herder.tasks('a')).toHaveLength(1);
  });

  it('is seen in the metrics of the connector, which are those of all its tasks together', async () => {
    const { herder, source, states, log } = await started();
    source.script.taskConfigs = (raw, max) =>
      Array.from({ length: max }, (_, i) => ({ ...raw, file: `${i}` }));
    await herder.create('a', configOf('a', { 'tasks.max': '2' }));
    await states('a', 'RUNNING', 'RUNNING', 'RUNNING');
    const { group } = await herder.metrics('a');
    log.faults.hold();
    for (const task of source.tasks) task.offer('one', 'two', 'three');
    await waitFor(() => group.read('InFlightCount') === 6);
    log.faults.release();
    await waitFor(() => group.read('RecordsProduced') === 6);
    expect(group.snapshot()).toMatchObject({ MessagesReceived: 6, RecordsProduced: 6, UnaccountedCount: 0 });
    await herder.patchConfig('a', { 'tasks.max': '1' });
    await states('a', 'RUNNING', 'RUNNING');
    expect(group.snapshot()).toMatchObject({ MessagesReceived: 6, RecordsProduced: 6, UnaccountedCount: 0 });
  });

  it('fails the connector when it makes more tasks than it may', async () => {
    const { herder, source, states } = await started();
    source.script.taskConfigs = (raw) => [raw, raw];
    await herder.create('a', configOf('a'));
    await states('a', 'FAILED');
    expect((await herder.status('a')).connector.trace).toContain(
      'has generated 2 tasks, which is greater than 1',
    );
    source.script.taskConfigs = (raw) => [raw];
    await herder.restart('a', { includeTasks: false, onlyFailed: true });
    await states('a', 'RUNNING', 'RUNNING');
  });

  it('ends with the last of many that were accepted at once', async () => {
    const { herder, source, running } = await started();
    await running('a');
    await Promise.all(
      Array.from({ length: 30 }, (_, i) => herder.putConfig('a', configOf('a', { file: `${i}` }))),
    );
    await waitFor(() => source.task().config.file === '29' && source.task().started);
    expect(await herder.config('a')).toMatchObject({ file: '29' });
  });
});

describe('delete', () => {
  it('stops the tasks and removes statuses, topics and metrics, but not offsets', async () => {
    const { herder, source, running, stored, states } = await started();
    await running('a');
    source.task().offer('one');
    await stored(1);
    await waitFor(async () => (await herder.activeTopics('a')).length === 1);
    await herder.delete('a');
    await waitFor(() =>
      herder.status('a').then(
        () => false,
        () => true,
      ),
    );
    expect(await herder.connectors()).toEqual([]);
    expect(await herder.activeTopics('a')).toEqual([]);
    await expect(herder.metrics('a')).rejects.toMatchObject({ kind: 'not_found' });
    await herder.create('a', configOf('a'));
    await states('a', 'RUNNING', 'RUNNING');
    expect(source.task().position).toBe(1);
    expect((await herder.metrics('a')).group.read('RecordsProduced')).toBe(0);
  });

  it('leaves nothing of the old life when the name is created again at once', async () => {
    const { herder, source, running, states } = await started();
    await running('a');
    for (let i = 0; i < 20; i += 1) {
      await herder.delete('a');
      await herder.create('a', configOf('a'));
    }
    await states('a', 'RUNNING', 'RUNNING');
    await waitFor(() => source.tasks.slice(0, -1).every((task) => task.stops > 0));
    expect(source.task().stops).toBe(0);
  });

  it('refuses an unknown name', async () => {
    const { herder } = await started();
    await expect(herder.delete('a')).rejects.toMatchObject({
      kind: 'not_found',
      message: 'Connector a not found',
    });
  });
});

describe('a worker that was killed', () => {
  it('is followed by one that returns connectors to their target states', async () => {
    const first = await started();
    await first.running('a');
    await first.herder.create('b', configOf('b'), 'STOPPED');
    await first.states('b', 'STOPPED');
    open.length = 0; // nothing of the first worker is stopped: it just is no more
    const second = await started(() => first.again());
    await second.states('a', 'RUNNING', 'RUNNING');
    await second.states('b', 'STOPPED');
    expect(await second.herder.connectors()).toEqual(['a', 'b']);
  });

  it('is followed by one that removes what is left of a deleted connector', async () => {
    const { log, clock } = runtimeHarness();
    const platform = log.connect();
    const statuses = await platform.compactedLog({
      topic: { name: 'connect-status', partitions: 5 },
      configKey: 'status.storage.topic',
      clientId: 'x',
      onRecord: () => {},
    });
    const text = '{"state":"RUNNING","trace":null,"worker_id":"w:1","generation":0}';
    await statuses.put(Buffer.from('status-connector-ghost'), Buffer.from(text));
    const second = await started(() => runtimeHarness({}, { log, clock }));
    await waitFor(() => second.log.values('connect-status').at(-1) === null);
    await expect(second.herder.status('ghost')).rejects.toMatchObject({ kind: 'not_found' });
  });
});

describe('an incomplete set of task configurations', () => {
  it('is replaced by a complete one while the worker runs', async () => {
    const { log, herder, running, states } = await started();
    await running('a');
    const other = await log.connect().compactedLog({
      topic: { name: 'connect-configs', partitions: 1 },
      configKey: 'config.storage.topic',
      clientId: 'x',
      onRecord: () => {},
    });
    await other.put(Buffer.from('commit-a'), Buffer.from('{"tasks":3}'));
    await waitFor(() => log.values('connect-configs').at(-1) === '{"tasks":1}');
    await states('a', 'RUNNING', 'RUNNING');
    // What is stored counts as soon as it was read back.
    const tasks = await waitFor(async () => (await herder.tasks('a'))[0]);
    expect(tasks.id).toEqual({ connector: 'a', task: 0 });
  });
});

describe('an unknown class', () => {
  it('is refused at creation, and shown as FAILED when it is in the log already', async () => {
    const first = await started();
    await first.running('a');
    await expect(
      first.herder.create('b', configOf('b', { 'connector.class': 'Nope' })),
    ).rejects.toMatchObject({
      kind: 'unknown_class',
      message: expect.stringMatching(
        /^Failed to find any class that implements Connector and which name matches Nope, available connectors are: PluginDesc\{/,
      ),
    });
    await first.runtime.stop();
    const second = await started(() => first.again({ connectors: [] }));
    await second.states('a', 'FAILED', 'FAILED');
    expect(await second.herder.connector('a')).toMatchObject({ type: 'unknown' });
  });
});
