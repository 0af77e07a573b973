import { join } from 'node:path';
import { waitFor } from '@levada/connect-runtime-core/testing';
import { countTopic, createTopic } from '@levada/kafka-testkit';
import { describeWithSharedBroker } from '@levada/kafka-testkit/vitest';
import { expect, it } from 'vitest';
import { numberedMessages } from './numbered-feed.ts';
import { plugin } from './plugin-folder.ts';
import { stage, webSocketConfig } from './stage.ts';
import { clusterLog } from './stored-log.ts';
import { startWorkerProcess } from './worker-process.ts';

const { newFolder, newFeed } = stage();

const core = import.meta.resolve('@levada/connect-runtime-core');

/** Tasks that end, or block, more than themselves when they are in one thread with others. Each one waits until it has records in flight. */
const crashes = {
  Exits: 'process.exit(7)',
  OutOfMemory: 'for (const kept = []; ; ) kept.push(new Array(10_000).fill(kept.length))',
  OutOfMemoryByTexts: "for (const kept = []; ; ) kept.push('x'.repeat(200) + kept.length + Math.random())",
  ThrowsLate: "setTimeout(() => { throw new Error('not caught'); }, 1)",
  ThrowsOutside: 'outside()',
  RejectsLate: "Promise.reject(new Error('not awaited'))",
  Loops: 'for (;;) ;',
} as const;

const code = `
import { AsyncResource } from 'node:async_hooks';
import { configDef, sourceRecord, stringSchema } from ${JSON.stringify(core)};
// As it is outside of any task: what is thrown there is not the connector's.
const outside = AsyncResource.bind(() => setTimeout(() => { throw new Error('of no task'); }, 1));
const config = configDef([]);
const record = sourceRecord({ topic: 'crashed', valueSchema: stringSchema, value: 'before' });
const task = (crash) => () => {
  let polls = 0;
  let logger;
  const end = () => {
    logger.warn({ event: 'crashing' });
    crash();
  };
  return {
    start: async (config, context) => {
      logger = context.logger;
    },
    poll: async () => {
      polls += 1;
      if (polls === 1) return [record];
      if (polls === 2) setTimeout(end, 50);
      return await new Promise(() => {});
    },
    stop: async () => {},
  };
};
const connector = (name, crash) => ({
  className: 'example.' + name, version: '1', config, metrics: {}, events: {}, createTask: task(crash),
  objectName: (connector) => ({ domain: 'example', type: name, keys: { name: connector } }),
  taskConfigs: (raw) => [raw],
});
${Object.entries(crashes)
  .map(([name, crash]) => `export const the${name} = connector('${name}', () => { ${crash}; });`)
  .join('\n')}
`;

describeWithSharedBroker('tasks in threads of their own', {}, (broker) => {
  it('fail alone when they exit, run out of memory, throw or loop, and can be started again', async () => {
    for (const topic of ['crashed', 'survivors']) await createTopic(broker(), topic);
    const log = clusterLog(broker(), 'threads-crash');
    const feed = await newFeed();
    const folder = await newFolder();
    const worker = await startWorkerProcess(folder, {
      ...log.properties,
      'plugin.path': await plugin(join(folder, 'plugins'), 'crashes', code),
      'task.isolation': 'thread',
      'task.shutdown.graceful.timeout.ms': '2000',
    });
    await worker.ready();
    // One in the thread of the worker, beside those that crash.
    const config = webSocketConfig(feed, { 'task.isolation': 'none', 'platform.topic': 'survivors' });
    await worker.call('PUT', '/connectors/feed/config', config);
    await feed.connection(1);
    const start = async (name: string): Promise<void> => {
      const answer = await worker.call('PUT', `/connectors/${name}/config`, {
        'connector.class': `example.${name}`,
        'tasks.max': '1',
      });
      expect(answer.status).toBe(201);
    };
    const traces = {
      Exits:
        /^org\.apache\.kafka\.connect\.errors\.ConnectException: the thread of the task ended with exit code 7/,
      OutOfMemory: /memory limit/,
      OutOfMemoryByTexts: /memory limit/,
      ThrowsLate: /not caught/,
      ThrowsOutside: /of no task/,
      RejectsLate: /not awaited/,
    };
    for (const [name, trace] of Object.entries(traces)) {
      await start(name);
      expect(await worker.untilTask(name, 'FAILED')).toMatch(trace);
      // Those that fail in order wind down after that.
      const after = await worker.untilAttribute(name, 'InFlightCount', (n) => n === 0);
      expect(after).toMatchObject({ MessagesReceived: 1, UnaccountedCount: 0 });
    }
    feed.send(100);
    await worker.untilAttribute('feed', 'RecordsProduced', (n) => n === 100);
    expect((await worker.call('POST', '/connectors/Exits/tasks/0/restart')).status).toBe(204);
    await worker.untilAttribute('Exits', 'MessagesReceived', (n) => n === 2);
    expect(await worker.untilTask('Exits', 'FAILED')).toMatch(traces.Exits);

    await start('Loops');
    const ofLoops = (event: string) => worker.logged(event).filter(({ connector }) => connector === 'Loops');
    await waitFor(() => ofLoops('crashing').length === 1, { timeoutMs: 30_000 });
    feed.send(100);
    await worker.untilAttribute('feed', 'RecordsProduced', (n) => n === 200);
    expect((await worker.call('PUT', '/connectors/Loops/pause')).status).toBe(202);
    await worker.untilState('Loops', 'PAUSED');
    expect(ofLoops('task_cancelled')).toHaveLength(1);
    const ended = await worker.attributes('Loops');
    expect(ended).toMatchObject({ MessagesReceived: 1, InFlightCount: 0, UnaccountedCount: 0 });
    feed.send(100);
    await worker.untilAttribute('feed', 'RecordsProduced', (n) => n === 300);
    expect(await worker.end('SIGTERM')).toBe(0);
    const records = await log.records('survivors', 300);
    expect(records.map(({ value }) => value)).toEqual(numberedMessages(300));
    expect(feed.connections).toHaveLength(1);
  });

  it('produce nothing once the lease of a worker whose own thread is blocked has ended', async () => {
    const topic = 'leased';
    await createTopic(broker(), topic);
    const log = clusterLog(broker(), 'threads-lease');
    const feed = await newFeed();
    const folder = await newFolder();
    const plugins = { 'plugin.path': await plugin(join(folder, 'plugins'), 'crashes', code) };
    const worker = await startWorkerProcess(folder, { ...log.properties, ...plugins });
    await worker.ready();
    const config = webSocketConfig(feed, { 'task.isolation': 'thread', 'platform.topic': topic });
    await worker.call('PUT', '/connectors/feed/config', config);
    await feed.connection(1);
    const stop = feed.sendSteadily(1000);
    await worker.untilAttribute('feed', 'RecordsProduced', (n) => n > 0);
    // In the thread of the worker, which heartbeats no more and so loses its membership.
    await worker.call('PUT', '/connectors/Loops/config', { 'connector.class': 'example.Loops' });
    await waitFor(() => worker.logged('crashing').length === 1, { timeoutMs: 30_000 });
    // The thread continues for as long as the lease does. What it receives after that waits in its queue.
    let last = { count: 0, sent: feed.sent, looks: 0 };
    await waitFor(
      async () => {
        const count = await countTopic(broker(), topic);
        const looks = last.looks + 1;
        last = count === last.count ? { ...last, looks } : { count, sent: feed.sent, looks: 0 };
        // Looks count too: after a stall of this process, much is sent before the next one.
        return feed.sent - last.sent > 3000 && last.looks > 10;
      },
      { timeoutMs: 60_000 },
    );
    stop();
    await worker.end('SIGKILL');
    const texts = (await log.records(topic)).map(({ value }) => value);
    expect(texts).toEqual(numberedMessages(last.count));
  });
});
