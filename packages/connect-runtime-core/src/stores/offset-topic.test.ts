import { describe, expect, it } from 'vitest';
import type { CompactedRecord } from '../platform/log-platform.ts';
import { createScriptedLog, type ScriptedLog } from '../testing/scripted-log.ts';
import { javaHashOrder } from './java-hash-order.ts';
import { OffsetTopic } from './offset-topic.ts';

const topic = { name: 'offsets', partitions: 25 };

async function openStore(log: ScriptedLog) {
  const skipped: CompactedRecord[] = [];
  const store = new OffsetTopic({ clientId: 'g-offsets', onSkipped: (record) => skipped.push(record) });
  await store.open(log.connect(), topic, 'offset.storage.topic');
  return { store, skipped };
}

async function write(log: ScriptedLog, key: string, value: string | null): Promise<void> {
  const other = await log.connect().compactedLog({
    topic,
    configKey: 'offset.storage.topic',
    clientId: 'other',
    onRecord: () => {},
  });
  await other.put(Buffer.from(key), value === null ? null : Buffer.from(value));
}

function lines(log: ScriptedLog): readonly string[] {
  const text = (bytes: Uint8Array | null) => (bytes === null ? 'null' : Buffer.from(bytes).toString());
  return log.records('offsets').map(({ key, value }) => `${text(key)} ${text(value)}`);
}

describe('OffsetTopic', () => {
  it("writes Kafka Connect's records, maps in the order of a Java worker", async () => {
    const log = createScriptedLog();
    const { store } = await openStore(log);
    const partition = { grpc_server: 'h:1', grpc_method: 's/m' };
    await store.put('feed', [{ partition, offset: { session_id: 'u', sequence: 7 } }]);
    await store.put('feed', [{ partition, offset: null }]);
    expect(lines(log)).toEqual([
      '["feed",{"grpc_method":"s/m","grpc_server":"h:1"}] {"sequence":7,"session_id":"u"}',
      '["feed",{"grpc_method":"s/m","grpc_server":"h:1"}] null',
    ]);
  });

  it('finds what was written with another order of keys or other blanks, and overwrites it', async () => {
    const log = createScriptedLog();
    const foreign = '["feed", {"b": 2, "a": 1}]';
    await write(log, foreign, '{"n": 1}');
    const { store } = await openStore(log);
    expect(store.get('feed', { a: 1, b: 2 })).toEqual({ n: 1 });
    await store.put('feed', [{ partition: { a: 1, b: 2 }, offset: { n: 2 } }]);
    await store.readToEnd();
    expect(store.list('feed')).toEqual([{ partition: { b: 2, a: 1 }, offset: { n: 2 } }]);
    expect(lines(log).at(-1)).toBe(`${foreign} {"n":2}`);
  });

  it('forgets a partition whose record is deleted', async () => {
    const log = createScriptedLog();
    await write(log, '["feed",{"a":1}]', '{"n":1}');
    const { store } = await openStore(log);
    await write(log, '["feed",{"a":1}]', null);
    await store.readToEnd();
    expect(store.list('feed')).toEqual([]);
  });

  it('passes over what makes no sense, and reads the rest', async () => {
    const log = createScriptedLog();
    await write(log, 'not json', '{}');
    await write(log, '["feed"]', '{}');
    await write(log, '["feed",null]', '{}');
    await write(log, '["feed",{"a":{}}]', '{}');
    await write(log, '["feed",{"a":1}]', '[1]');
    await write(log, '["feed",{"a":2}]', '{"n":2}');
    const { store, skipped } = await openStore(log);
    expect(skipped).toHaveLength(5);
    expect(store.list('feed')).toHaveLength(1);
  });
});

describe('javaHashOrder', () => {
  it('is the order in which Java 17 hands out the keys of a HashMap', () => {
    // The keys of a task record as Kafka Connect 3.9.1 wrote it on Java 17.
    expect(javaHashOrder(['topic', 'name', 'file', 'connector.class', 'tasks.max', 'task.class'])).toEqual([
      'connector.class',
      'file',
      'task.class',
      'tasks.max',
      'name',
      'topic',
    ]);
  });
});
