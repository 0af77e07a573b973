import { spawnSync } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';

const cases = fileURLToPath(new URL('cases', import.meta.url));
const vitest = join(dirname(createRequire(import.meta.url).resolve('vitest/package.json')), 'vitest.mjs');
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'levada-ci-reporter-'));
});
afterEach(async () => {
  await rm(folder, { recursive: true });
});

/** Exit code and lines of a run of one case, whose temporary folder is {@link folder}. */
function runCase(name: string, config = 'vitest.config.ts') {
  const env = { ...process.env, TMPDIR: folder, CI: '' };
  const { status, stdout } = spawnSync(
    process.execPath,
    [vitest, 'run', '--root', cases, '--config', join(cases, config), name],
    {
      env,
      encoding: 'utf8',
    },
  );
  return { code: status, lines: stdout.trimEnd().split('\n') };
}

it('the closing line counts the tests of a run without failures', () => {
  const { code, lines } = runCase('passing');
  expect([code, lines.at(-1)]).toEqual([0, '1 passed, 0 failed, 0 skipped']);
});

it('the closing line counts a failed hook as a failure', () => {
  const { code, lines } = runCase('failed-hook');
  expect([code, lines.at(-1)]).toEqual([1, '1 passed, 1 failed, 1 skipped']);
});

it('the closing line counts a failed global teardown as a failure', () => {
  const { code, lines } = runCase('passing', 'failed-teardown.config.ts');
  expect([code, lines.at(-1)]).toEqual([1, '1 passed, 1 failed, 0 skipped']);
});

it('a folder that a test leaves is named, counted as a failure and removed', async () => {
  const { code, lines } = runCase('left-folder');
  expect([code, lines.at(-1)]).toEqual([1, '1 passed, 1 failed, 0 skipped']);
  expect(lines.at(-3)).toMatch(/^levada-left-/);
  expect(await readdir(folder)).toEqual([]);
});
