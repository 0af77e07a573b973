import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import * as library from './index.ts';

const run = promisify(execFile);

async function readme(): Promise<string> {
  return readFile(new URL('../README.md', import.meta.url), 'utf8');
}

test('the README has an example that prints what it says', async () => {
  const example = /```ts\n([\s\S]*?)```/.exec(await readme())?.[1] ?? '';
  const promised = [...example.matchAll(/console\.log\(.*\); \/\/ (.*)/g)].map(([, line]) => line);
  const code = example.replace('@levada/stream-project-schema', new URL('./index.ts', import.meta.url).href);
  const { stdout, stderr } = await run(process.execPath, ['--input-type=module-typescript', '-e', code]);
  expect(promised).toHaveLength(4);
  expect(stdout.trim().split('\n')).toEqual(promised);
  expect(stderr).toBe('');
});

test('every function and table that the README names is exported', async () => {
  const named = [...(await readme()).matchAll(/^\| (.*?) \| /gm)].flatMap(([, cell = '']) =>
    [...cell.matchAll(/`([a-z]\w+)/g)].map(([, name]) => name),
  );
  expect(named.length).toBeGreaterThan(8);
  for (const name of named) expect(Object.keys(library)).toContain(name);
});
