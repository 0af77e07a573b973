import { createManualClock, waitFor } from '@levada/connect-runtime-core/testing';
import { describe, expect, it } from 'vitest';
import { bytes, collect, record, text } from '../../test/records.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import type { EmbeddedPlatform } from '../embedded-platform.ts';
import { migrate } from '../folder/schema.ts';
import { openDatabase, scalar } from '../folder/sqlite.ts';
import { openEmbeddedPlatform } from '../open-embedded-platform.ts';
import { LogWriter } from './log-writer.ts';
import { Retention } from './retention.ts';

const FIVE_MINUTES = 300_000;

async function startOf(platform: EmbeddedPlatform, topic: string): Promise<number | undefined> {
  const summary = await platform.reader().topic(topic);
  return summary?.partitions[0]?.startOffset;
}

describe('retention', () => {
  it('the oldest records are removed above retention.bytes, and offsets continue', async () => {
    using folder = temporaryFolder();
    const platform = await openEmbeddedPlatform({ folder: folder.path, retentionMs: -1 });
    await platform.createTopics([{ name: 't', config: { 'retention.bytes': '200000' } }]);
    const producer = await platform.producer({ clientId: 'test' });
    for (let i = 0; i < 60; i += 1) {
      await producer.send(
        Array.from({ length: 10 }, (_, j) => record('t', `${i * 10 + j} ${'x'.repeat(1000)}`)),
      );
    }
    await waitFor(async () => ((await platform.reader().topic('t'))?.partitions[0]?.bytes ?? 0) < 300_000);
    const stored = await collect(platform.reader().read({ topic: 't' }));
    expect(stored[0]?.offset).toBeGreaterThan(300);
    expect(stored.length).toBeGreaterThan(190);
    expect(stored.at(-1)?.offset).toBe(599);
    expect(stored.every((one) => text(one.value)?.startsWith(`${one.offset} `))).toBe(true);
    await platform.close();
  });

  it('the log stores records after quiet times that free memory', async () => {
    using folder = temporaryFolder();
    const clock = createManualClock();
    const platform = await openEmbeddedPlatform({ folder: folder.path, clock });
    const producer = await platform.producer({ clientId: 'test' });
    for (let round = 0; round < 3; round += 1) {
      await producer.send([record('t', `record ${round}`)]);
      await clock.advance(10_000);
    }
    expect(await collect(platform.reader().read({ topic: 't' }))).toHaveLength(3);
    expect(platform.health().status).toBe('ok');
    await platform.close();
    expect(clock.pending).toBe(0);
  });

  it('records older than retention.ms are removed, and no offset is reused', async () => {
    using folder = temporaryFolder();
    const clock = createManualClock();
    const first = await openEmbeddedPlatform({ folder: folder.path, clock, retentionMs: 60_000 });
    const producer = await first.producer({ clientId: 'test' });
    await producer.send([record('t', 'old', { timestamp: clock.now() })]);
    await first.createTopics([{ name: 'kept', config: { 'retention.ms': '-1' } }]);
    await producer.send([record('kept', 'old', { timestamp: 0 })]);
    await clock.advance(FIVE_MINUTES);
    await waitFor(async () => (await startOf(first, 't')) === 1);
    expect(await startOf(first, 'kept')).toBe(0);
    await first.close();

    const again = await openEmbeddedPlatform({ folder: folder.path, clock });
    const next = await again.producer({ clientId: 'test' });
    await next.send([record('t', 'new', { timestamp: clock.now() })]);
    const [stored] = await collect(again.reader().read({ topic: 't' }));
    expect([stored?.offset, text(stored?.value ?? null)]).toEqual([1, 'new']);
    await again.close();
    expect(clock.pending).toBe(0);
  });

  it('retention.ms applies to a topic with cleanup.policy=compact,delete', async () => {
    using folder = temporaryFolder();
    const clock = createManualClock();
    const platform = await openEmbeddedPlatform({ folder: folder.path, clock });
    const config = { 'cleanup.policy': 'compact,delete', 'retention.ms': '1000' };
    await platform.createTopics([{ name: 'map', config }]);
    const producer = await platform.producer({ clientId: 'test' });
    await producer.send([
      record('map', 'old', { key: bytes('a'), timestamp: clock.now() }),
      record('map', 'new', { key: bytes('b'), timestamp: clock.now() + FIVE_MINUTES }),
    ]);
    await clock.advance(FIVE_MINUTES);
    await waitFor(async () => (await startOf(platform, 'map')) === 1);
    const stored = await collect(platform.reader().read({ topic: 'map' }));
    expect(stored.map((one) => text(one.value))).toEqual(['new']);
    await platform.close();
  });
});

describe('Retention', () => {
  /** A log of batches of 100 bytes each, with these times. */
  async function logOf(...times: number[]) {
    const database = await openDatabase(':memory:');
    migrate(database, 'log');
    const writer = new LogWriter(database);
    const retention = new Retention(database);
    const write = (maxTimestamp: number): void => {
      const rows = [{ log: 1, compacted: false, count: 1, maxTimestamp, data: new Uint8Array(100) }];
      writer.commit(0, [], rows);
      retention.noteWritten(rows);
    };
    times.forEach(write);
    const start = (): unknown => scalar(database, 'SELECT min(base_offset) FROM batch');
    const retain = (limit: { ms?: number; bytes?: number }, now = 0): unknown => {
      retention.retain([{ log: 1, compacted: false, ms: -1, bytes: -1, ...limit }], now);
      return start();
    };
    return { retain, write };
  }

  it.each([
    [300, 0],
    [299, 0],
    [201, 0],
    [200, 1],
    [101, 1],
    [1, 2],
    [0, null],
    [-1, 0],
  ])('at least %i bytes are kept, and no batch more', async (bytes, first) => {
    const { retain } = await logOf(1, 2, 3);
    expect(retain({ bytes })).toBe(first);
    expect(retain({ bytes })).toBe(first);
  });

  it('the size of a log follows writes and removals', async () => {
    const { retain, write } = await logOf(1, 2, 3);
    expect(retain({ bytes: 200 })).toBe(1);
    write(4);
    write(5);
    expect(retain({ bytes: 200 })).toBe(3);
    expect(retain({ ms: 10 }, 15)).toBe(4);
    write(6);
    write(7);
    expect(retain({ bytes: 200 })).toBe(5);
  });

  it.each([
    [109, 0],
    [110, 0],
    [111, 1],
    [112, 1],
    [121, null],
  ])('records of 100 ms are kept, and older ones are removed at %i ms', async (now, first) => {
    const { retain } = await logOf(10, 20);
    expect(retain({ ms: 100 }, now)).toBe(first);
  });
});

describe('topic keys', () => {
  it.each([
    [{ 'retention.ms': 'week' }, 'topic "t": retention.ms is "week", expected an integer of at least -1'],
    [{ 'retention.bytes': '' }, 'topic "t": retention.bytes is "", expected an integer of at least -1'],
    [
      { 'cleanup.policy': 'shred' },
      'topic "t": cleanup.policy is "shred", expected delete | compact | compact,delete | delete,compact',
    ],
  ])('the keys %j are refused', async (config, message) => {
    using folder = temporaryFolder();
    const platform = await openEmbeddedPlatform({ folder: folder.path });
    const created = platform.createTopics([
      { name: 't', config: config as unknown as Record<string, string> },
    ]);
    await expect(created).rejects.toMatchObject({ code: 'config_invalid', message });
    expect(await platform.describeTopics(['t'])).toEqual([]);
    await platform.close();
  });

  it.each(['', '.', '..', 'a b', 'x'.repeat(250)])('the name "%s" is refused', async (name) => {
    using folder = temporaryFolder();
    const platform = await openEmbeddedPlatform({ folder: folder.path });
    await expect(platform.createTopics([{ name }])).rejects.toMatchObject({ code: 'config_invalid' });
    await platform.close();
  });
});
