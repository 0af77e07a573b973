import { describe, expect, it } from 'vitest';
import { createManualClock } from '../../testing/manual-clock.ts';
import { createScriptedLog, type ScriptedLog } from '../../testing/scripted-log.ts';
import { waitFor } from '../../testing/wait-for.ts';
import { StatusStore } from './status-store.ts';

const topic = { name: 'status', partitions: 5 };
const workerId = '127.0.0.1:8083';
const status = (state: 'RUNNING' | 'FAILED' | 'PAUSED', generation = 1) => ({ state, workerId, generation });

async function openStore(log: ScriptedLog, clock = createManualClock()) {
  const skipped: number[] = [];
  const failures: string[] = [];
  const store = new StatusStore({
    clientId: 'g-statuses',
    clock,
    workerId,
    onSkipped: ({ offset }) => skipped.push(offset),
    onWriteFailure: ({ error }) => failures.push(error.code),
  });
  await store.open(log.connect(), topic);
  return { store, skipped, failures, clock };
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
