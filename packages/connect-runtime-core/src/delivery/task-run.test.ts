import { describe, expect, it } from 'vitest';
import { type SourceRecord, sourceRecord } from '../contract/source-record.ts';
import type { SourceTask } from '../contract/source-task.ts';
import { TaskRun, type TaskRunOptions } from './task-run.ts';

const record = sourceRecord({ topic: 't', value: 'v' });
const broken = new Error('broken');

interface Setup {
  readonly run: TaskRun;
  readonly calls: string[];
}

/** A run of a task that hands out these batches, and then whatever `end` says. */
function setup(
  task: Partial<SourceTask> & { readonly batches?: readonly SourceRecord[][] } = {},
  options: Partial<TaskRunOptions> = {},
): Setup {
  const calls: string[] = [];
  const { batches = [[record]], ...overrides } = task;
  const left = [...batches];
  const made: SourceTask = {
    start: async () => void calls.push('start'),
    poll: async () => left.shift() ?? [],
    stop: async () => void calls.push('stop'),
    ...overrides,
  };
  const run = new TaskRun({
    open: async (adopt) => {
      adopt(made);
      await made.start(undefined, undefined as never);
    },
    onRunning: () => calls.push('running'),
    onFailed: (error, stopping) => calls.push(`failed: ${String(error)}${stopping ? ' while stopping' : ''}`),
    onDrained: (outcome) => calls.push(`drained: ${outcome.kind}`),
    ...options,
  });
  return { run, calls };
}

describe('TaskRun', () => {
  it('goes from idle to running, drains when it is stopped, and ends', async () => {
    const { run, calls } = setup();
    expect(run.state).toEqual({ phase: 'idle' });
    const started = run.start();
    expect(run.state).toEqual({ phase: 'starting' });
    await started;
    expect(run.state).toEqual({ phase: 'running' });
    await run.stop();
    expect(run.state).toEqual({ phase: 'draining', outcome: { kind: 'stopped' } });
    expect(await run.poll()).toEqual([record]);
    expect(await run.poll()).toEqual([]);
    expect(run.state).toEqual({ phase: 'drained', outcome: { kind: 'stopped' } });
    run.end();
    expect(run.state).toEqual({ phase: 'ended', outcome: { kind: 'stopped' } });
    expect(calls).toEqual(['start', 'running', 'stop', 'drained: stopped']);
  });

  it('completes when the task says that its source has nothing more', async () => {
    const { run } = setup({ completed: () => true });
    await run.poll();
    await run.poll();
    expect(run.state).toEqual({ phase: 'drained', outcome: { kind: 'completed' } });
  });

  it('fails when the task ends by itself without being complete', async () => {
    const { run, calls } = setup({ batches: [] });
    expect(await run.poll()).toEqual([]);
    expect(run.outcome).toMatchObject({ kind: 'failed' });
    expect(calls.filter((call) => call.startsWith('failed'))).toHaveLength(1);
  });

  it.each<[string, Partial<SourceTask>]>([
    ['start rejects', { start: () => Promise.reject(broken) }],
    ['poll rejects', { poll: () => Promise.reject(broken) }],
    [
      'poll throws',
      {
        poll: () => {
          throw broken;
        },
      },
    ],
  ])('hands out nothing more when %s, and ends intake', async (_, task) => {
    const { run, calls } = setup(task);
    expect(await run.poll()).toEqual([]);
    expect(run.state).toEqual({ phase: 'drained', outcome: { kind: 'failed', error: broken } });
    expect(calls.slice(-3)).toEqual(['failed: Error: broken', 'stop', 'drained: failed']);
  });

  it('hands out what is queued after a failure from outside, and reports the first failure only', async () => {
    const { run, calls } = setup();
    await run.start();
    run.fail(broken);
    run.fail(new Error('a second one'));
    expect(run.state).toMatchObject({ phase: 'draining', outcome: { kind: 'failed', error: broken } });
    expect(await run.poll()).toEqual([record]);
    expect(await run.poll()).toEqual([]);
    expect(calls).toEqual(['start', 'running', 'failed: Error: broken', 'stop', 'drained: failed']);
  });

  it('says of a failure whether the task was being stopped', async () => {
    const { run, calls } = setup();
    await run.start();
    await run.stop();
    run.fail(broken);
    expect(calls).toContain('failed: Error: broken while stopping');
  });

  it('asks a task to stop again that was stopped while it was starting', async () => {
    const opened = Promise.withResolvers<void>();
    const { run, calls } = setup({ start: () => opened.promise });
    const started = run.start();
    await run.stop();
    opened.resolve();
    await started;
    expect(calls).toEqual(['stop', 'stop']);
    expect(run.state).toMatchObject({ phase: 'draining' });
  });

  it('has no effect any more once it is abandoned', async () => {
    const late = Promise.withResolvers<readonly SourceRecord[]>();
    const { run, calls } = setup({ poll: () => late.promise });
    await run.start();
    const polled = run.poll();
    await run.stop();
    run.abandon();
    late.resolve([record]);
    expect(await polled).toEqual([]);
    run.fail(broken);
    run.end();
    expect(run.state).toEqual({ phase: 'abandoned', outcome: { kind: 'stopped' } });
    expect(calls).toEqual(['start', 'running', 'stop']);
  });

  it('shows a connection that cannot be asked for as disconnected, without secrets and without failing the task', async () => {
    const { run } = setup(
      {
        connection: () => {
          throw new Error('no s3cret');
        },
      },
      { scrub: (text) => text.replace('s3cret', '[hidden]') },
    );
    await run.start();
    expect(run.connection()).toEqual({
      state: 'disconnected',
      lastError: 'the state of the connection is unknown: no [hidden]',
    });
    expect(run.state).toEqual({ phase: 'running' });
  });

  it('takes a changed configuration only while it runs', async () => {
    const { run } = setup({ reconfigure: async () => undefined });
    expect(run.reconfigurable).toBe(false);
    await run.start();
    expect(run.reconfigurable).toBe(true);
    await run.stop();
    expect(run.reconfigurable).toBe(false);
  });
});
