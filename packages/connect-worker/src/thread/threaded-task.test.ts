import { createServer } from 'node:net';
import { MetricGroup, silentLogger } from '@levada/connect-runtime-core';
import type { LogFields } from '@levada/connect-runtime-core/contract';
import { scrubber, withCommonMetrics } from '@levada/connect-runtime-core/host';
import {
  createManualClock,
  createRecordingLogger,
  type ManualClock,
  waitFor,
} from '@levada/connect-runtime-core/testing';
import { afterEach, describe, expect, it } from 'vitest';
import { TaskMetrics } from '../metrics/task-metrics.ts';
import { TaskTally } from '../metrics/task-tally.ts';
import { LeaseCell } from './task-messages.ts';
import { ThreadExits } from './thread-exits.ts';
import { ThreadServices, type ThreadServicesOptions } from './thread-services.ts';
import { ThreadedTask, type ThreadedTaskParts, type ThreadHost } from './threaded-task.ts';

const running: { readonly task: ThreadedTask; readonly clock: ManualClock }[] = [];

/** A task whose thread runs this code. */
function taskOf(
  code: string,
  data: unknown = {},
  given: Partial<ThreadedTaskParts & ThreadHost & ThreadServicesOptions> = {},
) {
  const clock = createManualClock();
  const metrics = new MetricGroup(withCommonMetrics({}));
  const traces: string[] = [];
  const states: string[] = [];
  const nothing = (): void => undefined;
  const never = async (): Promise<never> => {
    throw new Error('not asked for in this test');
  };
  const { logger = silentLogger, exits = new ThreadExits(), lease = new LeaseCell() } = given;
  const { resolve = never, offsets = { use: never } } = given;
  const fencing = { fence: never, checkCurrent: never };
  const services = { connectorName: 'a', resolve, offsets, fencing, lease, clock };
  const entry = new URL(`data:text/javascript,${encodeURIComponent(code)}`);
  const task = new ThreadedTask(
    {
      connectorName: 'a',
      taskId: 0,
      className: 'Any',
      configs: { connector: {}, task: {} },
      metrics,
      measured: new TaskMetrics({ now: () => clock.monotonic(), windowMs: 30_000, samples: 2 }),
      logger,
    },
    {
      threads: { entry, host: data, byDefault: true, heapMb: 64 },
      exits,
      lease,
      clock,
      gracefulTimeoutMs: 5000,
      services: new ThreadServices(services),
    },
    {
      onRunning: () => states.push('running'),
      onFailed: (trace) => traces.push(trace),
      onCompleted: nothing,
      onCommit: () => states.push('committed'),
      onTopic: nothing,
    },
  );
  running.push({ task, clock });
  task.start();
  return { task, clock, metrics, traces, states };
}

afterEach(async () => {
  for (const { task, clock } of running.splice(0)) {
    const stopped = task.stop(0);
    await clock.advance(0);
    await stopped;
  }
});

/** Counts as received, in shared memory and before anything is said of it. */
const receives = `
import { parentPort, workerData } from 'node:worker_threads';
new Float64Array(workerData.counters)[0] = 5;
`;

/** What a thread says of how it is doing. */
const stateText = JSON.stringify({
  kind: 'state',
  counters: [],
  gauges: [],
  report: new TaskTally().take(),
  topics: [],
  connection: { state: 'connected', lastMessageAgeMs: 5 },
  platform: { status: 'away', reason: 'no broker answers', since: 5 },
  reconfigurable: true,
}).replaceAll('"max":null', '"max":0');

/** Says that it runs. */
const runs = `import { parentPort } from 'node:worker_threads'; parentPort.postMessage({ kind: 'running' });`;

/** Says that it runs, and ends when it is to stop. */
const stops = `
import { parentPort } from 'node:worker_threads';
parentPort.postMessage({ kind: 'running' });
parentPort.on('message', () => parentPort.postMessage({ kind: 'ended', undelivered: 0 }));
`;

/** Says which port it listens on, and is busy in native code then, which cannot be interrupted. */
const listens = `
import { execFileSync } from 'node:child_process';
import { createServer } from 'node:net';
import { parentPort } from 'node:worker_threads';
const server = createServer().listen(0, '127.0.0.1', () => {
  const fields = { port: server.address().port };
  parentPort.postMessage({ kind: 'log', level: 'info', fields, errors: {}, message: '' });
  setTimeout(() => execFileSync('sleep', ['0.5']), 0);
});
`;

/** Counts lines that it could not send, says how it is doing, and has further lines under way when it is ended. */
const floods = `
import { parentPort, workerData } from 'node:worker_threads';
const lines = new Int32Array(workerData.lines);
const state = ${stateText};
lines[1] = 2;
parentPort.postMessage(state);
parentPort.on('message', () => {
  lines[0] = 5;
  lines[1] = 4;
  parentPort.postMessage({ kind: 'running' });
  for (;;);
});
`;

describe('a task in a thread of its own', () => {
  it('fails when its thread cannot be started, or ends before it says so', async () => {
    const missing = taskOf("import 'nowhere-to-be-found'");
    await waitFor(() => missing.traces.length === 1);
    expect(missing.traces[0]).toMatch(/nowhere-to-be-found/);
    const unclear = taskOf('', { call: () => 5 });
    expect(unclear.traces[0]).toMatch(/could not be cloned/);
    const ended = taskOf('process.exit(3)');
    await waitFor(() => ended.traces.length === 1);
    expect(ended.traces[0]).toMatch(/ended with exit code 3, although the task was not stopped/);
    expect(await ended.task.stop(1000)).toBe(0);
  });

  it.each([
    ['objects', '{ at: kept.length, of: { it: [kept.length, 1, 2] } }'],
    ['texts', "'x'.repeat(200) + kept.length + Math.random()"],
  ])('fails alone when its thread keeps more %s than its heap may hold', async (_, what) => {
    const { traces } = taskOf(`for (const kept = []; ; ) kept.push(${what});`);
    await waitFor(() => traces.length === 1, { timeoutMs: 30_000 });
    expect(traces[0]).toMatch(/memory limit/);
  });

  it('counts what its thread had received, to the record', async () => {
    const { task, metrics, traces } = taskOf(`${receives} process.exit(3)`);
    await waitFor(() => traces.length === 1);
    expect(metrics.snapshot()).toMatchObject({
      MessagesReceived: 5,
      DroppedDeliveryUnknown: 5,
      UnaccountedCount: 0,
    });
    expect(await task.stop(1000)).toBe(5);
  });

  it('fails when its thread gives no sign of life for 30 s, and not before', async () => {
    const { clock, traces } = taskOf('for (;;);');
    for (let periods = 0; periods < 3; periods += 1) await clock.advance(10_000);
    expect(traces).toEqual([]);
    await clock.advance(10_000);
    expect(traces[0]).toMatch(/did not answer for 30 s, and was ended/);
  });

  it('reports what its thread gave up in a stop, also when the thread has no time to say so', async () => {
    const { table } = new MetricGroup(withCommonMetrics({}));
    const counters = Object.keys(table).filter((name) => table[name]?.kind === 'counter');
    const { task, clock, metrics, states } = taskOf(`
      import { parentPort, workerData } from 'node:worker_threads';
      const counters = new Float64Array(workerData.counters);
      counters[0] = 5;
      parentPort.on('message', () => {
        counters[${counters.indexOf('DroppedShutdownTimeout')}] = 3;
        parentPort.postMessage({ kind: 'commit', succeeded: true, ms: 0 });
        for (;;);
      });
      parentPort.postMessage({ kind: 'running' });
    `);
    await waitFor(() => states.includes('running'));
    const stopped = task.stop(1000);
    await waitFor(() => states.includes('committed'));
    await clock.advance(1000);
    expect(await stopped).toBe(5);
    expect(metrics.snapshot()).toMatchObject({ DroppedShutdownTimeout: 5, UnaccountedCount: 0 });
  });

  it('is ended when it does not stop in time, with its losses counted', async () => {
    const { task, clock, metrics, traces, states } = taskOf(
      `${receives} parentPort.postMessage({ kind: 'running' }); for (;;);`,
    );
    await waitFor(() => states.includes('running'));
    const stopped = task.stop(1000);
    await clock.advance(1000);
    expect(await stopped).toBe(5);
    expect(metrics.snapshot()).toMatchObject({ DroppedShutdownTimeout: 5, UnaccountedCount: 0 });
    expect(traces).toEqual([]);
  });

  it('ends with the ports of its thread free', async () => {
    const ports: number[] = [];
    const logger = { ...silentLogger, info: ({ port }: LogFields) => void ports.push(Number(port)) };
    const { task, clock, traces } = taskOf(listens, {}, { logger });
    await waitFor(() => ports.length === 1);
    // Its thread is ended, and reported as failed, before it has exited.
    for (let periods = 0; periods < 4; periods += 1) await clock.advance(10_000);
    expect(traces).toHaveLength(1);
    await task.stop(1000);
    const server = createServer();
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(ports[0], '127.0.0.1', resolve);
    });
    server.close();
  });

  it('waits for a thread of an earlier run that has not exited, and says so', async () => {
    const exits = new ThreadExits();
    const { promise: exited, resolve: exit } = Promise.withResolvers<void>();
    exits.add('a-0', exited);
    const logger = createRecordingLogger();
    const { states } = taskOf(runs, {}, { exits, logger });
    expect(logger.withEvent('task_thread_lingers')).toMatchObject([{ fields: { wait_ms: 5000 } }]);
    expect(exits.of('a-0')).toBeDefined();
    exit();
    await waitFor(() => states.includes('running'));
  });

  it('waits for it no longer than a stop may take', async () => {
    const exits = new ThreadExits();
    exits.add('a-0', new Promise(() => undefined));
    const lingering = exits.of('a-0');
    const { states, clock } = taskOf(runs, {}, { exits });
    await clock.advance(4999);
    expect(exits.of('a-0')).toBe(lingering);
    await clock.advance(1);
    expect(exits.of('a-0')).not.toBe(lingering);
    await waitFor(() => states.includes('running'));
  });

  it('stops when its own thread has exited, although one of an earlier run never does', async () => {
    const exits = new ThreadExits();
    exits.add('a-0', new Promise(() => undefined));
    const { task, states, clock } = taskOf(stops, {}, { exits });
    await clock.advance(5000);
    await waitFor(() => states.includes('running'));
    expect(await task.stop(1000)).toBe(0);
  });

  it('stops while it waits for it', async () => {
    const exits = new ThreadExits();
    exits.add('a-0', new Promise(() => undefined));
    const { task, states, clock } = taskOf(runs, {}, { exits });
    const stopped = task.stop(1000);
    await clock.advance(10_000);
    expect(await stopped).toBe(0);
    expect(states).toEqual([]);
  });

  it('says how many of its log lines were lost, also when its thread is ended', async () => {
    const logger = createRecordingLogger();
    const { task, clock, states } = taskOf(floods, {}, { logger });
    await waitFor(() => logger.withEvent('log_lines_lost').length > 0);
    expect(logger.withEvent('log_lines_lost')).toMatchObject([{ fields: { lines: 2 } }]);
    const stopped = task.stop(1000);
    await waitFor(() => states.includes('running'));
    await clock.advance(1000);
    await stopped;
    expect(logger.withEvent('log_lines_lost').at(-1)).toMatchObject({ fields: { lines: 9 } });
  });

  it('stores no offsets for its thread once the lease has ended, however late they were sent', async () => {
    const lease = new LeaseCell();
    const answers: string[] = [];
    const put: unknown[] = [];
    const offsets = {
      topic: 'offsets',
      list: () => [],
      get: () => undefined,
      put: async (writes: unknown) => void put.push(writes),
      records: () => [],
      committed: (writes: unknown) => void put.push(writes),
      readToEnd: async () => undefined,
      release: async () => undefined,
    };
    const writes = JSON.stringify([{ partition: { file: 'a' }, offset: { line: 1 } }]);
    const { clock } = taskOf(
      `
      import { parentPort } from 'node:worker_threads';
      let id = 0;
      const ask = (what, given) => parentPort.postMessage({ kind: 'call', id: id++, what, given });
      parentPort.on('message', ({ kind, id: of, error }) => {
        if (kind === 'stop') return;
        parentPort.postMessage({ kind: 'log', level: 'info', fields: {}, errors: {}, message: kind + ' ' + error?.code });
        if (of === 1) setTimeout(() => { ask('putOffsets', ${writes}); ask('offsetsCommitted', ${writes}); }, 0);
        if (of === 0) ask('putOffsets', ${writes});
      });
      ask('openOffsets');
    `,
      {},
      {
        lease,
        offsets: { use: async () => offsets },
        logger: {
          ...silentLogger,
          info: (_, message) => {
            answers.push(message ?? '');
            // The lease ends while the thread does not know it yet.
            if (answers.length === 2) lease.set(undefined);
          },
        },
      },
    );
    lease.set({ monotonic: clock.monotonic() + 1000, wall: clock.now() + 1000 });
    await waitFor(() => answers.length === 4);
    expect(answers).toEqual(['answer undefined', 'answer undefined', 'refusal fenced', 'answer undefined']);
    expect(put).toHaveLength(1);
  });

  it('shows no connection as open after its thread has ended by itself', async () => {
    const { task, traces } = taskOf(`
      import { parentPort } from 'node:worker_threads';
      parentPort.postMessage(${stateText});
      parentPort.on('message', () => process.exit(3));
    `);
    expect(task.linkHealth).toBeUndefined();
    await waitFor(() => task.connection()?.state === 'connected');
    expect(task.linkHealth).toEqual({ status: 'away', reason: 'no broker answers', since: 5 });
    const ended = task.reconfigure({ connector: {}, task: {} });
    await expect(ended).rejects.toMatchObject({ code: 'closed' });
    expect(traces).toHaveLength(1);
    expect(task.connection()).toEqual({
      state: 'disconnected',
      lastError: 'the thread of the task has ended',
    });
    expect(task.linkHealth).toBeUndefined();
  });

  it('takes secrets out of what is said of a change that the thread refuses', async () => {
    const { task } = taskOf(
      `
      import { parentPort } from 'node:worker_threads';
      parentPort.on('message', ({ kind, id, value, what }) => {
        if (what === 'reconfigure') parentPort.postMessage({ kind: 'call', id: 0, what: 'resolve', given: {} });
        if (kind === 'answer') {
          const error = { name: 'ConnectorError', code: 'internal', message: 'no to ' + value.secrets[0], retriable: false };
          parentPort.postMessage({ kind: 'refusal', id: 0, error });
        }
      });
    `,
      {},
      {
        resolve: async (config) => {
          const secrets = ['hunter2hunter2'];
          return { config, issues: [], unresolved: [], secrets, scrub: scrubber(secrets) };
        },
      },
    );
    const refused = task.reconfigure({ connector: {}, task: {} });
    await expect(refused).rejects.toMatchObject({ code: 'internal', message: 'no to [hidden]' });
  });
});
