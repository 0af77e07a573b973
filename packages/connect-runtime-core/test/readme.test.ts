import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { ticks } from './readme-example.ts';

const text = (path: string): Promise<string> => readFile(new URL(path, import.meta.url), 'utf8');

describe('the example of the README', () => {
  it('is the file that is tested here', async () => {
    expect(await text('../README.md')).toContain(await text('./readme-example.ts'));
  });

  it('gives what it is said to give', () => {
    expect(ticks).toEqual(Array.from({ length: 3 }, () => expect.stringMatching(/^\d{4}-.*Z$/)));
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
  });
});
