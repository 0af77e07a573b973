import { readFileSync } from 'node:fs';
import { createManualClock, createScriptedLog, type ScriptedLog } from '@levada/connect-runtime-core/testing';
import { afterEach, describe, expect, it } from 'vitest';
import { type RuntimeHarness, runtimeHarness } from './runtime-harness.ts';
import { scriptedSource } from './scripted-connector.ts';

/** One record of the internal topics of a worker of Kafka Connect 3.9.1, as it was read from a broker. */
interface JavaRecord {
  readonly topic: 'configs' | 'offsets' | 'status';
  readonly key: string;
  readonly value: string | null;
}

const records = readFileSync(new URL('java-topics.jsonl', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line) as JavaRecord);

const className = 'org.apache.kafka.connect.file.FileStreamSourceConnector';
const open: RuntimeHarness[] = [];

/** A worker of ours over the topics that the Java worker left. */
async function successor(): Promise<RuntimeHarness> {
  const clock = createManualClock();
  const log = createScriptedLog({ clock });
  await fill(log);
  const source = scriptedSource();
  const connectors = [{ ...source.connector, className }];
  const harness = runtimeHarness({ connectors }, { log, clock, source });
  open.push(harness);
  await harness.runtime.start();
  return harness;
}

async function fill(log: ScriptedLog): Promise<void> {
  const platform = log.connect();
  const partitions = { configs: 1, offsets: 25, status: 5 };
  for (const [name, count] of Object.entries(partitions)) {
    const topic = { name: `connect-${name}`, partitions: count };
    const configKey = 'config.storage.topic';
    const written = await platform.compactedLog({ topic, configKey, clientId: 'java', onRecord: () => {} });
    for (const { key, value } of records.filter((record) => record.topic === name)) {
      await written.put(Buffer.from(key), value === null ? null : Buffer.from(value));
    }
    await written.close();
  }
}

afterEach(async () => {
  await Promise.all(open.splice(0).map(({ runtime, advanceUntil }) => advanceUntil(runtime.stop())));
});

describe('the topics of a Java worker', () => {
  it('bring its connectors back in their target states', async () => {
    const { herder, states } = await successor();
    expect((await herder.connectors()).toSorted()).toEqual([
      'failed',
      'odd / é-0',
      'paused',
      'running',
      'stopped',
    ]);
    await states('running', 'RUNNING', 'RUNNING');
    await states('odd / é-0', 'RUNNING', 'RUNNING');
    await states('paused', 'PAUSED', 'PAUSED');
    await states('stopped', 'STOPPED');
  });

  it('keep configurations and tasks as they are, and write none again', async () => {
    const { herder, states, log } = await successor();
    await states('running', 'RUNNING', 'RUNNING');
    expect(await herder.config('running')).toEqual({
      name: 'running',
      'connector.class': className,
      file: '/data/1.txt',
      topic: 'g-1',
      'tasks.max': '1',
      'batch.size': '7',
    });
    const javas = records.filter((record) => record.topic === 'configs');
    const keys = log.records('connect-configs').map(({ key }) => Buffer.from(key ?? []).toString());
    expect(keys.slice(javas.length).filter((key) => /^(connector|target-state)-/.test(key))).toEqual([]);
  });

  it('hold the offsets, without those that were deleted', async () => {
    const { herder } = await successor();
    expect(await herder.offsets('running')).toEqual([
      { partition: { filename: '/data/1.txt' }, offset: { position: 4 } },
    ]);
    expect(await herder.offsets('stopped')).toEqual([
      {
        partition: { zeta: 1, protocol: 'p', filename: 'x', alpha: true, mid: null },
        offset: { other: 1.5, position: 9, when: 'now' },
      },
    ]);
  });

  it('are continued under the same keys, byte for byte', async () => {
    const { herder, log } = await successor();
    const partition = { mid: null, filename: 'x', alpha: true, protocol: 'p', zeta: 1 };
    await herder.alterOffsets('stopped', [{ partition, offset: { position: 10 } }]);
    const javas = records.findLast((record) => record.key.includes('zeta'))?.key;
    const last = log.records('connect-offsets').at(-1);
    expect(Buffer.from(last?.key ?? []).toString()).toBe(javas);
    expect(Buffer.from(last?.value ?? []).toString()).toBe('{"position":10}');
  });

  it('hold the active topics, without those of a deleted connector', async () => {
    const { herder } = await successor();
    expect(await herder.activeTopics('odd / é-0')).toEqual(['g-4']);
    expect(await herder.activeTopics('gone')).toEqual([]);
  });
});
