import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { version } from './version.ts';

it('reports the version of package.json', async () => {
  const manifest = await readFile(new URL('../package.json', import.meta.url), 'utf8');
  expect(version).toBe((JSON.parse(manifest) as { version: string }).version);
});
