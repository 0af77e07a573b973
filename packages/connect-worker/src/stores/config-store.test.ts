import type { CompactedRecord } from '@levada/connect-runtime-core/platform';
import { createScriptedLog, type ScriptedLog, waitFor } from '@levada/connect-runtime-core/testing';
import { describe, expect, it } from 'vitest';
import type { ConfigChange } from './config-state.ts';
import { ConfigStore } from './config-store.ts';

const topic = { name: 'configs', partitions: 1 };

async function openStore(log: ScriptedLog) {
  const changes: ConfigChange[] = [];
  const skipped: CompactedRecord[] = [];
  const store = new ConfigStore({
    clientId: 'g-configs',
    onSkipped: (record) => skipped.push(record),
  });
  store.follow((change) => changes.push(change));
  await store.open(log.connect(), topic);
  return { store, changes, skipped };
}

/** Keys and values of a topic as text, in log order. */
function lines(log: ScriptedLog): readonly string[] {
  return log.records('configs').map(({ key, value }) => `${text(key)} ${text(value)}`);
}

function text(bytes: Uint8Array | null): string {
  return bytes === null ? 'null' : Buffer.from(bytes).toString();
}

/** Writes records as another worker would. */
async function write(log: ScriptedLog, ...records: readonly (readonly [string | null, string | null])[]) {
  const other = await log.connect().compactedLog({
    topic,
    configKey: 'config.storage.topic',
    clientId: 'other',
    onRecord: () => {},
  });
  for (const [key, value] of records) {
    await other.put(Buffer.from(key ?? ''), value === null ? null : Buffer.from(value));
  }
}

describe('ConfigStore', () => {
  it("writes Kafka Connect's records, to the letter and in its order", async () => {
    const log = createScriptedLog();
    const { store } = await openStore(log);
    await store.putConnector('a', { 'connector.class': 'X', name: 'a' }, 'PAUSED');
    await store.putTasks('a', [{ n: '0' }, { n: '1' }]);
    await store.putTarget('a', 'STOPPED');
    await store.putTarget('a', 'STARTED');
    await store.putRestart('a', { includeTasks: true, onlyFailed: false });
    await store.removeConnector('a');
    expect(lines(log)).toEqual([
      'target-state-a {"state":"PAUSED","state.v2":"PAUSED"}',
      'connector-a {"properties":{"connector.class":"X","name":"a"}}',
      'task-a-0 {"properties":{"n":"0"}}',
      'task-a-1 {"properties":{"n":"1"}}',
      'commit-a {"tasks":2}',
      'target-state-a {"state":"PAUSED","state.v2":"STOPPED"}',
      'target-state-a {"state":"STARTED","state.v2":"STARTED"}',
      'restart-connector-a {"include-tasks":true,"only-failed":false}',
      'connector-a null',
      'target-state-a null',
    ]);
  });

  it('reads what a Java worker wrote, older target states and names with dashes included', async () => {
    const log = createScriptedLog();
    await write(
      log,
      ['session-key', '{"key":"a2V5","algorithm":"HmacSHA256","creation-timestamp":1}'],
      ['target-state-my-feed-1', '{"state":"PAUSED"}'],
      ['connector-my-feed-1', '{"properties":{"name":"my-feed-1","tasks.max":1}}'],
      ['task-my-feed-1-0', '{"properties":{"task.class":"T"}}'],
      ['commit-my-feed-1', '{"tasks":1}'],
      ['tasks-fencing-my-feed-1', '{"task-count":1}'],
      ['logger-cluster-root', '{"level":"DEBUG"}'],
    );
    const { store, changes, skipped } = await openStore(log);
    expect(store.names()).toEqual(['my-feed-1']);
    expect(store.get('my-feed-1')).toMatchObject({
      config: { name: 'my-feed-1', 'tasks.max': '1' },
      target: 'PAUSED',
      tasks: [{ 'task.class': 'T' }],
    });
    expect([changes, skipped]).toEqual([[], []]);
  });

  it('passes over what makes no sense, and reads the rest', async () => {
    const log = createScriptedLog();
    await write(
      log,
      ['connector-a', '{"properties":{"name":"a"}}'],
      ['connector-b', 'not json'],
      ['connector-c', '{"properties":{"name":{"x":1}}}'],
      ['connector-d', '[]'],
      ['commit-a', '{"tasks":-1}'],
      ['target-state-a', '{"state":"DANCING"}'],
      ['nonsense', '{}'],
      ['', '{}'],
      ['connector-e', '{"properties":{"name":"e"}}'],
    );
    const { store, skipped } = await openStore(log);
    expect(store.names()).toEqual(['a', 'e']);
    expect(skipped.map(({ offset }) => offset)).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect(store.get('a')?.target).toBe('STARTED');
  });

  it('takes a set of tasks only when it is complete', async () => {
    const log = createScriptedLog();
    const { store, changes } = await openStore(log);
    await store.putConnector('a', { name: 'a' });
    await write(log, ['task-a-1', '{"properties":{}}'], ['commit-a', '{"tasks":2}']);
    await store.readToEnd();
    expect(store.get('a')?.tasks).toBeUndefined();
    expect(changes.at(-1)).toEqual({ kind: 'tasks', name: 'a', changesWork: false });
    await write(log, ['task-a-0', '{"properties":{"n":"0"}}'], ['commit-a', '{"tasks":1}']);
    await store.readToEnd();
    expect(store.get('a')?.tasks).toEqual([{ n: '0' }]);
  });

  it('ignores tasks that are left of an earlier connector of the name', async () => {
    const log = createScriptedLog();
    await write(
      log,
      ['task-a-0', '{"properties":{"old":"1"}}'],
      ['commit-a', '{"tasks":1}'],
      ['connector-a', '{"properties":{"name":"a"}}'],
    );
    const { store } = await openStore(log);
    expect(store.get('a')).toMatchObject({ name: 'a', target: 'STARTED', tasks: undefined });
  });

  it('distinguishes a connector that was created again from the one before', async () => {
    const log = createScriptedLog();
    const { store } = await openStore(log);
    await store.putConnector('a', { name: 'a' });
    const first = store.get('a')?.epoch;
    await store.putConnector('a', { name: 'a', x: '1' });
    expect(store.get('a')?.epoch).toBe(first);
    await store.removeConnector('a');
    await store.putConnector('a', { name: 'a' });
    expect(store.get('a')?.epoch).not.toBe(first);
  });

  it('removes the target state that is left of an interrupted deletion', async () => {
    const log = createScriptedLog();
    await write(log, ['target-state-a', '{"state":"PAUSED"}']);
    const { store } = await openStore(log);
    await store.putConnector('a', { name: 'a' });
    expect(store.get('a')?.target).toBe('STARTED');
    await store.putTarget('a', 'PAUSED');
    await store.putConnector('a', { name: 'a', x: '1' });
    expect(store.get('a')?.target).toBe('PAUSED');
  });

  it('hears of what others write', async () => {
    const log = createScriptedLog();
    const { store, changes } = await openStore(log);
    await write(log, ['connector-a', '{"properties":{"name":"a"}}']);
    await write(log, ['restart-connector-a', '{"include-tasks":true}']);
    await waitFor(() => changes.length === 2);
    expect(changes).toEqual([
      { kind: 'connector', name: 'a', changesWork: true },
      { kind: 'restart', name: 'a', request: { includeTasks: true, onlyFailed: false } },
    ]);
    expect(store.names()).toEqual(['a']);
  });

  it('takes names that every object has for plain names', async () => {
    const log = createScriptedLog();
    const { store } = await openStore(log);
    const config = JSON.parse('{"__proto__":"p","constructor":"c","name":"__proto__"}') as Record<
      string,
      string
    >;
    await store.putConnector('__proto__', config);
    expect(store.get('__proto__')?.config).toEqual(config);
    expect(store.get('constructor')).toBeUndefined();
    expect(({} as Record<string, unknown>)['p']).toBeUndefined();
  });
});
