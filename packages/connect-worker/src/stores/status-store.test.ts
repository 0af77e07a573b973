import {
  createManualClock,
  createScriptedLog,
  type ScriptedLog,
  waitFor,
} from '@levada/connect-runtime-core/testing';
import { describe, expect, it } from 'vitest';
import { StatusStore } from './status-store.ts';

const topic = { name: 'status', partitions: 5 };
const workerId = '127.0.0.1:8083';
const status = (state: 'RUNNING' | 'FAILED' | 'PAUSED', generation = 1) => ({ state, workerId, generation });

async function openStore(log: ScriptedLog, clock = createManualClock()) {
  const skipped: number[] = [];
  const failures: string[] = [];
  const member = { confirmed: true };
  const completed: string[] = [];
  const store = new StatusStore({
    clientId: 'g-statuses',
    clock,
    workerId,
    mayWrite: () => member.confirmed,
    onTaskComplete: (name) => completed.push(name),
    onSkipped: ({ offset }) => skipped.push(offset),
    onWriteFailure: ({ error }) => failures.push(error.code),
  });
  await store.open(log.connect(), topic);
  return { store, skipped, failures, clock, member, completed };
}

async function write(log: ScriptedLog, key: string, value: string | null): Promise<void> {
  const other = await log.connect().compactedLog({
    topic,
    configKey: 'status.storage.topic',
    clientId: 'other',
    onRecord: () => {},
  });
  await other.put(Buffer.from(key), value === null ? null : Buffer.from(value));
}

function lines(log: ScriptedLog): readonly string[] {
  const text = (bytes: Uint8Array | null) => (bytes === null ? 'null' : Buffer.from(bytes).toString());
  return log.records('status').map(({ key, value }) => `${text(key)} ${text(value)}`);
}

describe('StatusStore', () => {
  it("writes Kafka Connect's records, fields in its order", async () => {
    const log = createScriptedLog();
    const { store } = await openStore(log);
    store.putConnector('a', status('RUNNING'));
    store.putTask('a', 0, { ...status('FAILED', 2), trace: 'Error: x\n  at y' });
    store.addTopic({ name: 'a', topic: 't', task: 0, discoverTimestamp: 5 });
    await waitFor(() => log.records('status').length === 3);
    expect(lines(log).toSorted()).toEqual([
      `status-connector-a {"state":"RUNNING","trace":null,"worker_id":"${workerId}","generation":1}`,
      `status-task-a-0 {"state":"FAILED","trace":"Error: x\\n  at y","worker_id":"${workerId}","generation":2}`,
      'status-topic-t:connector-a {"topic":{"name":"t","connector":"a","task":0,"discoverTimestamp":5}}',
    ]);
    await store.close(100);
  });

  it('reads them back, newer fields included', async () => {
    const log = createScriptedLog();
    const value = '{"state":"RUNNING","trace":null,"worker_id":"w:1","generation":3,"version":"4.3.1"}';
    await write(log, 'status-connector-my-feed', value);
    await write(log, 'status-task-my-feed-10', value);
    await write(log, 'status-task-my-feed-9', value);
    await write(log, 'status-topic-x:connector-my-feed', '{"topic":{}}');
    await write(log, 'status-task-my-feed', '{}');
    await write(log, 'status-connector-b', '{"state":"ASLEEP"}');
    const { store, skipped } = await openStore(log);
    expect(store.connector('my-feed')).toEqual({ state: 'RUNNING', workerId: 'w:1', generation: 3 });
    expect(store.tasks('my-feed').map(({ id }) => id)).toEqual([9, 10]);
    expect(store.topics('my-feed')).toEqual(['x']);
    expect(skipped).toHaveLength(2);
  });

  it('shows own writes at once, and no older ones that come back later', async () => {
    const log = createScriptedLog();
    const { store } = await openStore(log);
    const seen: (string | undefined)[] = [];
    for (const state of ['RUNNING', 'PAUSED', 'FAILED'] as const) {
      store.putConnector('a', status(state));
      seen.push(store.connector('a')?.state);
      await new Promise((resolve) => setImmediate(resolve));
      seen.push(store.connector('a')?.state);
    }
    expect(seen).toEqual(['RUNNING', 'RUNNING', 'PAUSED', 'PAUSED', 'FAILED', 'FAILED']);
    await store.close(100);
  });

  it('shows what another worker wrote', async () => {
    const log = createScriptedLog();
    const { store } = await openStore(log);
    store.putConnector('a', status('RUNNING'));
    await waitFor(() => log.records('status').length === 1);
    await write(log, 'status-connector-a', '{"state":"FAILED","trace":"x","worker_id":"w:2","generation":9}');
    await waitFor(() => store.connector('a')?.workerId === 'w:2');
    expect(store.connector('a')).toEqual({ state: 'FAILED', trace: 'x', workerId: 'w:2', generation: 9 });
  });

  it('passes over a late UNASSIGNED of an earlier owner, and the owner repeats its status after it', async () => {
    const log = createScriptedLog();
    const { store } = await openStore(log);
    store.putTask('a', 0, status('RUNNING', 7));
    await waitFor(() => log.records('status').length === 1);
    const late = (generation: number) =>
      `{"state":"UNASSIGNED","trace":null,"worker_id":"w:2","generation":${generation}}`;
    await write(log, 'status-task-a-0', late(6));
    await waitFor(() => log.records('status').length === 3);
    expect(store.task('a', 0)).toEqual(status('RUNNING', 7));
    expect(lines(log).at(-1)).toContain('"RUNNING"');
    await write(log, 'status-task-a-0', late(8));
    await waitFor(() => store.task('a', 0)?.state === 'UNASSIGNED');
    await store.close(100);
  });

  it('writes nothing while the membership is unsure, and yields to what a new owner wrote meanwhile', async () => {
    const log = createScriptedLog();
    const { store, member, clock } = await openStore(log);
    member.confirmed = false;
    store.putTask('a', 0, { ...status('FAILED', 3), trace: 'x' });
    store.putTask('b', 0, status('RUNNING', 3));
    await clock.advance(5_000);
    expect(lines(log)).toEqual([]);
    const owner = '{"state":"RUNNING","trace":null,"worker_id":"w:2","generation":4}';
    await write(log, 'status-task-a-0', owner);
    await waitFor(() => store.task('a', 0)?.workerId === 'w:2');
    member.confirmed = true;
    await clock.advance(30_000);
    expect(lines(log).toSorted()).toEqual([
      `status-task-a-0 ${owner}`,
      `status-task-b-0 {"state":"RUNNING","trace":null,"worker_id":"${workerId}","generation":3}`,
    ]);
  });

  it('reports a task that has nothing more to read, on whichever worker', async () => {
    const log = createScriptedLog();
    const { store, completed } = await openStore(log);
    store.putTask('a', 0, { ...status('RUNNING'), complete: true });
    await waitFor(() => completed.length === 1);
    const other = '{"state":"RUNNING","trace":null,"worker_id":"w:2","generation":4,"complete":true}';
    await write(log, 'status-task-a-1', other);
    await waitFor(() => completed.length === 2);
    expect(store.tasks('a').every(({ complete }) => complete)).toBe(true);
    store.putTask('a', 0, status('RUNNING'));
    expect(store.task('a', 0)).toEqual(status('RUNNING'));
    await store.close(100);
  });

  it('keeps trying while the log is away, and writes only what holds then', async () => {
    const log = createScriptedLog();
    const { store, failures, clock } = await openStore(log);
    log.faults.goAway();
    store.putConnector('a', status('RUNNING'));
    store.putTask('a', 0, status('RUNNING'));
    await clock.advance(1_000);
    expect(failures.length).toBeGreaterThan(0);
    expect(new Set(failures)).toEqual(new Set(['log_unavailable']));
    store.putConnector('a', status('PAUSED'));
    log.faults.comeBack();
    await clock.advance(30_000);
    expect(lines(log).toSorted()).toEqual([
      `status-connector-a {"state":"PAUSED","trace":null,"worker_id":"${workerId}","generation":1}`,
      `status-task-a-0 {"state":"RUNNING","trace":null,"worker_id":"${workerId}","generation":1}`,
    ]);
  });

  it('removes everything of a connector', async () => {
    const log = createScriptedLog();
    const { store } = await openStore(log);
    store.putConnector('a', status('RUNNING'));
    store.putTask('a', 0, status('RUNNING'));
    store.addTopic({ name: 'a', topic: 't', task: 0, discoverTimestamp: 5 });
    store.putConnector('b', status('RUNNING'));
    store.removeConnector('a');
    expect(store.names()).toEqual(['b']);
    await store.close(1_000);
    log.compact('status');
    expect(lines(log)).toHaveLength(1);
  });

  it('closes in time while the log is away', async () => {
    const log = createScriptedLog();
    const { store, clock } = await openStore(log);
    log.faults.goAway();
    store.putConnector('a', status('RUNNING'));
    const closed = store.close(500);
    await clock.advance(500);
    await closed;
    expect(clock.pending).toBe(0);
  });
});
