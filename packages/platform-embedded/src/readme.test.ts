import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../test/temporary-folder.ts';

const run = promisify(execFile);

it('the examples of the README print their comments', async () => {
  using folder = temporaryFolder();
  const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8');
  const examples = [...readme.matchAll(/```ts\n([\s\S]*?)```/g)].map((match) => match[1] ?? '');
  expect(examples).toHaveLength(2);
  const cwd = fileURLToPath(new URL('..', import.meta.url));
  for (const example of examples) {
    const promised = [...example.matchAll(/console\.log\(.*\/\/ (.*)/g)].map((match) => match[1]);
    const code = example
      .replaceAll("'./log'", JSON.stringify(folder.path))
      .replaceAll("'./offsets.db'", JSON.stringify(join(folder.path, 'offsets.db')));
    const { stdout, stderr } = await run(process.execPath, ['--input-type=module-typescript', '-e', code], {
      cwd,
    });
    expect(stdout.trim().split('\n')).toEqual(promised);
    expect(stderr).toBe('');
  }
});
