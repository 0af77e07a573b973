import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const run = promisify(execFile);

test('the README has an example that prints what it says', async () => {
  const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8');
  const example = /```ts\n([\s\S]*?)```/.exec(readme)?.[1] ?? '';
  const promised = /console\.log\(.*\/\/ (.*)/.exec(example)?.[1];
  const code = example.replace('@levada/protobuf-tables', new URL('./index.ts', import.meta.url).href);
  const cwd = new URL('..', import.meta.url);
  const { stdout, stderr } = await run(process.execPath, ['--input-type=module-typescript', '-e', code], {
    cwd,
  });
  expect(stdout.trim()).toBe(promised);
  expect(stderr).toBe('');
});

test('the README has a row for each option', async () => {
  const [readme, source] = await Promise.all(
    ['../README.md', './to-json/wire-to-json.ts'].map((path) =>
      readFile(new URL(path, import.meta.url), 'utf8'),
    ),
  );
  const options = [...(source ?? '').matchAll(/^ {2}readonly (\w+)\?:/gm)].map(([, name]) => name);
  const rows = [...(readme ?? '').matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name);
  expect(rows).toEqual(options);
});
