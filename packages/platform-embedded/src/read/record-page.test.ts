import { expect, it } from 'vitest';
import { record, text } from '../../test/records.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import type { EmbeddedPlatform } from '../embedded-platform.ts';
import { openEmbeddedPlatform } from '../open-embedded-platform.ts';

/** A platform with ten records, alternating between two partitions. */
async function tenRecords(folder: string): Promise<EmbeddedPlatform> {
  const platform = await openEmbeddedPlatform({ folder });
  await platform.createTopics([{ name: 't', partitions: 2 }]);
  await write(platform, 0, 10);
  return platform;
}

async function write(platform: EmbeddedPlatform, from: number, to: number): Promise<void> {
  const producer = await platform.producer({ clientId: 'test' });
  for (let i = from; i < to; i += 1)
    await producer.send([record('t', String(i), { partition: i % 2, timestamp: 1000 + i })]);
  await producer.close({ timeoutMs: 1000 });
}

async function page(
  platform: EmbeddedPlatform,
  most: number,
  after?: ReadonlyMap<number, number>,
): Promise<{ readonly values: string; readonly next: ReadonlyMap<number, number> }> {
  const query = { topic: 't', most, ...(after === undefined ? {} : { after }) };
  const { records, next } = await platform.readRecords(query);
  return { values: records.map(({ value }) => text(value)).join(' '), next };
}

it('the platform reads the last records of all partitions by time, then what comes after them in pages', async () => {
  using folder = temporaryFolder();
  const platform = await tenRecords(folder.path);
  const last = await page(platform, 3);
  expect(last.values).toBe('7 8 9');
  expect(await page(platform, 100, last.next)).toEqual({ values: '', next: last.next });
  await write(platform, 10, 15);
  const first = await page(platform, 2, last.next);
  const second = await page(platform, 2, first.next);
  const third = await page(platform, 2, second.next);
  expect([first.values, second.values, third.values]).toEqual(['10 11', '12 13', '14']);
  await platform.close();
});

it('the platform reads no record when none is asked for, and says what comes next', async () => {
  using folder = temporaryFolder();
  const platform = await tenRecords(folder.path);
  const none = await page(platform, 0);
  expect(none).toEqual({
    values: '',
    next: new Map([
      [0, 5],
      [1, 5],
    ]),
  });
  await write(platform, 10, 11);
  expect((await page(platform, 100, none.next)).values).toBe('10');
  await platform.close();
});

it('the platform reads from the beginning again after the topic became shorter', async () => {
  using folder = temporaryFolder();
  const platform = await tenRecords(folder.path);
  expect(
    (
      await page(
        platform,
        1,
        new Map([
          [0, 99],
          [1, 99],
        ]),
      )
    ).values,
  ).toBe('0');
  await platform.close();
});

it('the platform refuses to read a topic that does not exist', async () => {
  using folder = temporaryFolder();
  const platform = await tenRecords(folder.path);
  await expect(platform.readRecords({ topic: 'u', most: 1 })).rejects.toMatchObject({
    code: 'topic_unavailable',
  });
  await platform.close();
});
