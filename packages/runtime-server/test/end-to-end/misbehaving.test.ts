import { join } from 'node:path';
import { waitFor } from '@levada/connect-runtime-core/testing';
import { describe, expect, it } from 'vitest';
import { topicTexts } from '../worker-child.ts';
import { numberedMessages } from './numbered-feed.ts';
import { plugin } from './plugin-folder.ts';
import { stage, webSocketConfig } from './stage.ts';
import { startWorkerProcess } from './worker-process.ts';

const { newFolder, newFeed } = stage();

const core = import.meta.resolve('@levada/connect-runtime-core');

/** Tasks that each get one thing wrong. */
const tasks = {
  HangsInStart: '{ start: () => forever, poll: async () => [], stop: async () => {} }',
  HangsInPoll: '{ start: async () => {}, poll: () => forever, stop: async () => {} }',
  HangsInStop: '{ start: async () => {}, poll: () => forever, stop: () => forever }',
  ThrowsInStart:
    "{ start() { throw new Error('start went wrong'); }, poll: async () => [], stop: async () => {} }",
  ThrowsInPoll:
    "{ start: async () => {}, poll() { throw new Error('poll went wrong'); }, stop: async () => {} }",
  ThrowsInStop:
    "{ start: async () => {}, poll: () => forever, stop() { throw new Error('stop went wrong'); } }",
  PollsNonsense: '{ start: async () => {}, poll: async () => [null, 5, { topic: 7 }], stop: async () => {} }',
  RejectsLate:
    "{ start: async () => { setTimeout(() => Promise.reject(new Error('not awaited')), 1); }, poll: () => forever, stop: async () => {} }",
  ThrowsLate:
    "{ start: async () => { setTimeout(() => { throw new Error('not caught'); }, 1); }, poll: () => forever, stop: async () => {} }",
  PollsText: "{ start: async () => {}, poll: async () => 'abc', stop: async () => {} }",
  NeverWaits: '{ start: async () => {}, poll: async () => [record], stop: async () => {} }',
  ThrowsWhenAsked:
    "{ start: async () => {}, poll: () => forever, stop: async () => {}, connection() { throw new Error('connection not available'); } }",
  EmitsAfterStop: `{
    start: async () => {},
    poll: async () => { await new Promise((done) => setTimeout(done, 1)); return [record]; },
    stop: async () => {},
  }`,
} as const;

const code = `
import { configDef, sourceRecord, stringSchema } from ${JSON.stringify(core)};
const forever = new Promise(() => {});
const config = configDef([]);
const record = sourceRecord({ topic: 'flood', valueSchema: stringSchema, value: 'again' });
const connector = (name, createTask) => ({
  className: 'example.' + name, version: '1', config, metrics: {}, events: {}, createTask,
  objectName: (connector) => ({ domain: 'example', type: name, keys: { name: connector } }),
  taskConfigs: (raw) => [raw],
});
${Object.entries(tasks)
  .map(([name, task]) => `export const the${name} = connector('${name}', () => (${task}));`)
  .join('\n')}
`;

describe('a worker with connectors that misbehave', () => {
  it('keeps serving the others, ends each of them, and exits in order', async () => {
    const folder = await newFolder();
    const feed = await newFeed();
    const worker = await startWorkerProcess(folder, {
      'plugin.path': await plugin(join(folder, 'plugins'), 'misbehaving', code),
      'task.shutdown.graceful.timeout.ms': '300',
    });
    await worker.ready();
    const names = Object.keys(tasks);
    await worker.call('PUT', '/connectors/feed/config', webSocketConfig(feed));
    for (const name of names) {
      const config = { 'connector.class': `example.${name}`, 'tasks.max': '1' };
      expect((await worker.call('PUT', `/connectors/${name}/config`, config)).status).toBe(201);
    }
    await feed.connection(1);
    expect(await worker.untilTask('ThrowsInStart', 'FAILED')).toContain('start went wrong');
    expect(await worker.untilTask('ThrowsInPoll', 'FAILED')).toContain('poll went wrong');
    expect(await worker.untilTask('PollsNonsense', 'FAILED')).toMatch(/./);
    expect(await worker.untilTask('PollsText', 'FAILED')).toContain('expected a list of records');
    expect(await worker.untilTask('RejectsLate', 'FAILED')).toContain('not awaited');
    expect(await worker.untilTask('ThrowsLate', 'FAILED')).toContain('not caught');
    await worker.untilState('ThrowsWhenAsked', 'RUNNING');
    const asked = await worker.call('GET', '/connectors?expand=status&expand=connection');
    expect(asked.status).toBe(200);
    expect(JSON.stringify(asked.json.ThrowsWhenAsked.connection)).toContain('connection not available');
    await worker.untilTask('ThrowsWhenAsked', 'RUNNING');
    for (const name of ['HangsInPoll', 'HangsInStop', 'ThrowsInStop', 'NeverWaits', 'EmitsAfterStop']) {
      await worker.untilState(name, 'RUNNING');
    }
    feed.send(100);
    await worker.untilAttribute('feed', 'RecordsProduced', (n) => n === 100);

    for (const name of names) {
      expect((await worker.call('POST', `/connectors/${name}/restart?includeTasks=true`)).status).toBe(202);
    }
    feed.send(100);
    await worker.untilAttribute('feed', 'RecordsProduced', (n) => n === 200);
    const [deleted = '', ...left] = names;
    for (const name of [deleted, ...left.filter((_, i) => i % 2 === 0)]) {
      expect((await worker.call('DELETE', `/connectors/${name}`)).status).toBe(204);
      await waitFor(async () => (await worker.call('GET', `/connectors/${name}/status`)).status === 404);
    }
    expect(worker.logged('task_cancelled').length).toBeGreaterThan(0);
    feed.send(100);
    await worker.untilAttribute('feed', 'RecordsProduced', (n) => n === 300);
    await worker.untilState('feed', 'RUNNING');
    expect((await worker.call('GET', '/metrics')).status).toBe(200);
    expect((await worker.call('GET', '/connectors?expand=status&expand=info&expand=connection')).status).toBe(
      200,
    );
    expect(await worker.end('SIGTERM')).toBe(0);
    expect(await topicTexts(folder, 'messages')).toEqual(numberedMessages(300));
    expect(feed.connections).toHaveLength(1);
    expect(worker.errors()).toBe('');
  });
});
