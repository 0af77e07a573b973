import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { first, lines, sizes, texts, times } from './read-ticks.ts';
import { ticks } from './ticker.ts';

const text = (path: string): Promise<string> => readFile(new URL(path, import.meta.url), 'utf8');
const aTime = expect.stringMatching(/^\d{4}-.*Z$/);

describe('the examples of the README', () => {
  it.each(['./ticker.ts', './read-ticks.ts', './write-ticks.ts'])(
    'contain the file %s, which is tested here',
    async (path) => {
      expect(await text('../README.md')).toContain(await text(path));
    },
  );

  it('give what they are said to give', () => {
    expect(ticks).toEqual([aTime, aTime, aTime]);
    expect(texts).toEqual([aTime, aTime]);
    expect(times).toEqual([expect.any(Number), expect.any(Number), expect.any(Number)]);
    expect([sizes.length, sizes.every((size) => size > 0 && size <= 100)]).toEqual([2, true]);
    expect(lines).toHaveLength(2);
    expect(first.value).toMatchObject({ topic: 'ticks', value: aTime });
  });
});

it('stores records in the sinks of the README, and offsets where it says', async () => {
  const before = process.cwd();
  const folder = await mkdtemp(join(tmpdir(), 'levada-readme-'));
  process.chdir(folder);
  try {
    const { kept, offsets, report, rows, sizes: batches } = await import('./write-ticks.ts');
    expect(report).toEqual({ delivered: 3, undelivered: 0 });
    expect(rows).toEqual([aTime, aTime, aTime]);
    expect(batches).toEqual([1, 1]);
    expect(kept).toMatchObject([{ value: aTime }, { value: aTime }]);
    await offsets.write('feed', [{ partition: { a: 1 }, offset: { n: 2 } }]);
    expect(await offsets.read('feed', { a: 1 })).toEqual({ n: 2 });
  } finally {
    process.chdir(before);
    await rm(folder, { recursive: true });
  }
});

describe('the guide to tests of a service', () => {
  it('shows the service and the tests that are run here', async () => {
    const guide = await text('../../../docs/guides/test-your-service.md');
    expect(guide).toContain(await text('./latest-prices.ts'));
    const tests = (await text('./latest-prices.test.ts')).split(/\n\n(?=it\()/);
    expect(tests.length).toBeGreaterThan(5);
    expect(tests.slice(1).filter((one) => !guide.includes(one.trim()))).toEqual([]);
    expect(guide).toContain(tests[0]);
    expect(guide).toContain(await text('./into-a-log.test.ts'));
  });
});
