import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEmbeddedReader } from '@levada/platform-embedded';
import { expect, it } from 'vitest';

const text = (path: string): Promise<string> => readFile(new URL(path, import.meta.url), 'utf8');

it('the README shows the worker that is run here', async () => {
  expect(await text('../README.md')).toContain(await text('./run-connector.ts'));
});

it('the worker of the README stores the record before its stop resolves', async () => {
  const before = process.cwd();
  const folder = await mkdtemp(join(tmpdir(), 'levada-readme-'));
  process.chdir(folder);
  try {
    const { report } = await import('./run-connector.ts');
    expect(report).toEqual({ undelivered: [] });
    const reader = await openEmbeddedReader({ folder: './log' });
    const values: string[] = [];
    for await (const { value } of reader.read({ topic: 'prices', from: 'start' }))
      values.push(new TextDecoder().decode(value ?? undefined));
    await reader.close();
    expect(values).toEqual(['{"price":42}']);
  } finally {
    process.chdir(before);
    await rm(folder, { recursive: true });
  }
});
