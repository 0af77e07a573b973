import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { first, lines, sizes, texts, times } from './read-ticks.ts';
import { ticks } from './ticker.ts';

const text = (path: string): Promise<string> => readFile(new URL(path, import.meta.url), 'utf8');
const aTime = expect.stringMatching(/^\d{4}-.*Z$/);

describe('the examples of the README', () => {
  it.each(['./ticker.ts', './read-ticks.ts'])('contain the file %s, which is tested here', async (path) => {
    expect(await text('../README.md')).toContain(await text(path));
  });

  it('give what they are said to give', () => {
    expect(ticks).toEqual([aTime, aTime, aTime]);
    expect(texts).toEqual([aTime, aTime]);
    expect(times).toEqual([expect.any(Number), expect.any(Number), expect.any(Number)]);
    expect([sizes.length, sizes.every((size) => size > 0 && size <= 100)]).toEqual([2, true]);
    expect(lines).toHaveLength(2);
    expect(first.value).toMatchObject({ topic: 'ticks', value: aTime });
  });
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
