import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const run = promisify(execFile);

it('the example of the README prints its comments', async () => {
  const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8');
  const example = /```ts\n([\s\S]*?)```/.exec(readme)?.[1] ?? '';
  const promised = [...example.matchAll(/console\.log\(.*\/\/ (.*)/g)].map((match) => match[1]);
  const cwd = fileURLToPath(new URL('..', import.meta.url));
  const args = ['--input-type=module-typescript', '-e', example];
  const { stdout, stderr } = await run(process.execPath, args, { cwd });
  expect(stdout.trim().split('\n')).toEqual(promised);
  expect(stderr).toBe('');
});
