import type { CompactedRecord } from '@levada/connect-runtime-core/platform';
import { describe, expect, it } from 'vitest';
import { bytes, collect, record, text } from '../test/records.ts';
import { temporaryFolder } from '../test/temporary-folder.ts';
import type { EmbeddedPlatform } from './embedded-platform.ts';
import { openEmbeddedPlatform } from './open-embedded-platform.ts';

function openMap(platform: EmbeddedPlatform, seen: string[], partitions = 1) {
  return platform.compactedLog({
    topic: { name: 'map', partitions },
    configKey: 'config.storage.topic',
    exactPartitions: true,
    clientId: 'test',
    onRecord: (one: CompactedRecord) => seen.push(`${text(one.key)}=${text(one.value)}`),
  });
}

describe('a compacted log', () => {
  it('stored records are delivered on open, and later ones once, before put resolves', async () => {
    using folder = temporaryFolder();
    const platform = await openEmbeddedPlatform({ folder: folder.path });
    const first: string[] = [];
    const log = await openMap(platform, first);
    await log.put(bytes('a'), bytes('1'));
    await log.put(bytes('a'), null);
    expect(first).toEqual(['a=1', 'a=null']);
    const second: string[] = [];
    const other = await openMap(platform, second);
    expect(second).toEqual(['a=1', 'a=null']);
    await Promise.all([log.put(bytes('b'), bytes('2')), other.put(bytes('c'), bytes('3'))]);
    await log.readToEnd();
    expect(first).toEqual(['a=1', 'a=null', 'b=2', 'c=3']);
    expect(second).toEqual(first);
    await platform.close();
  });

  it('the latest record of each key survives a restart and a compaction, in the order of the log', async () => {
    using folder = temporaryFolder();
    const platform = await openEmbeddedPlatform({ folder: folder.path });
    const live: string[] = [];
    const log = await openMap(platform, live);
    await log.put(bytes('still'), bytes('here'));
    await Promise.all(Array.from({ length: 2500 }, (_, i) => log.put(bytes(`k${i % 10}`), bytes(String(i)))));
    expect(live).toHaveLength(2501);
    await platform.close();

    const again = await openEmbeddedPlatform({ folder: folder.path });
    const seen: string[] = [];
    const reopened = await openMap(again, seen);
    expect(seen[0]).toBe('still=here');
    expect(seen.length).toBeLessThan(2000);
    expect(seen.slice(-10)).toEqual(Array.from({ length: 10 }, (_, i) => `k${i}=${2490 + i}`));
    await reopened.put(bytes('k0'), bytes('after'));
    expect(seen.at(-1)).toBe('k0=after');
    const stored = await collect(again.reader().read({ topic: 'map', from: { last: 1 } }));
    expect(stored[0]?.offset).toBe(2501);
    await again.close();
  });

  it('keys are assigned to partitions as in Kafka', async () => {
    using folder = temporaryFolder();
    const platform = await openEmbeddedPlatform({ folder: folder.path });
    const partitions: number[] = [];
    const log = await platform.compactedLog({
      topic: { name: 'offsets', partitions: 25 },
      configKey: 'offset.storage.topic',
      clientId: 'test',
      onRecord: (one) => partitions.push(one.partition),
    });
    await log.put(bytes('foobar'), bytes('x'));
    expect(partitions).toEqual([(-790332482 & 0x7fffffff) % 25]);
    await platform.close();
  });

  it('a topic with another number of partitions is refused with Kafka Connect’s message', async () => {
    using folder = temporaryFolder();
    const platform = await openEmbeddedPlatform({ folder: folder.path });
    await platform.createTopics([{ name: 'map', partitions: 3, config: { 'cleanup.policy': 'compact' } }]);
    await expect(openMap(platform, [])).rejects.toMatchObject({
      code: 'config_invalid',
      message:
        "Topic 'map' supplied via the 'config.storage.topic' property is required to have a single partition in order to guarantee consistency of connector configurations, but found 3 partitions.",
    });
    await platform.close();
  });

  it.each(['delete', 'compact,delete'])('a topic with cleanup.policy=%s is refused', async (policy) => {
    using folder = temporaryFolder();
    const platform = await openEmbeddedPlatform({ folder: folder.path });
    await platform.createTopics([{ name: 'map', config: { 'cleanup.policy': policy } }]);
    await expect(openMap(platform, [])).rejects.toThrow(
      `is required to have 'cleanup.policy=compact' to guarantee consistency and durability of connector configurations, but found the topic currently has 'cleanup.policy=${policy}'.`,
    );
    await platform.close();
  });

  it('records of a producer are delivered until the log is closed', async () => {
    using folder = temporaryFolder();
    const platform = await openEmbeddedPlatform({ folder: folder.path });
    const seen: string[] = [];
    const log = await openMap(platform, seen);
    const producer = await platform.producer({ clientId: 'test' });
    await producer.send([record('map', '1', { key: bytes('p') })]);
    expect(seen).toEqual(['p=1']);
    await log.close();
    await log.close();
    await producer.send([record('map', '2', { key: bytes('p') })]);
    expect(seen).toEqual(['p=1']);
    await expect(log.put(bytes('p'), null)).rejects.toMatchObject({ code: 'closed' });
    await platform.close();
  });

  it('records that were put before close are stored', async () => {
    using folder = temporaryFolder();
    const platform = await openEmbeddedPlatform({ folder: folder.path });
    const log = await openMap(platform, []);
    const puts = Promise.all([log.put(bytes('a'), bytes('1')), platform.createTopics([{ name: 'late' }])]);
    await platform.close();
    await puts;
    const again = await openEmbeddedPlatform({ folder: folder.path });
    const seen: string[] = [];
    await openMap(again, seen);
    expect(seen).toEqual(['a=1']);
    expect(await again.describeTopics(['late'])).toHaveLength(1);
    await again.close();
  });

  it('reading stops when the signal aborts', async () => {
    using folder = temporaryFolder();
    const platform = await openEmbeddedPlatform({ folder: folder.path });
    const log = await openMap(platform, []);
    await expect(log.readToEnd(AbortSignal.abort())).rejects.toMatchObject({ code: 'aborted' });
    await platform.close();
  });
});
