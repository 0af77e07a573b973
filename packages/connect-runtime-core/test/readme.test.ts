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
