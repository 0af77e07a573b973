import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test } from 'vitest';
import { checkProject, loadProject } from '../src/index.ts';
import type { CheckedCase } from './hostile/check-all.ts';
import { hostileCases } from './hostile/hostile-cases.ts';
import { soundProject } from './hostile/sound-project.ts';
import { memoryFileSystem } from './project-support/memory-file-system.ts';

const MINUTE = 60_000;
const script = fileURLToPath(new URL('hostile/check-all.ts', import.meta.url));
const flags = ['--disable-proto=delete', '--disallow-code-generation-from-strings'];

test('the project that mistakes are put into has none', async () => {
  const { diagnostics } = checkProject(await loadProject({ fileSystem: memoryFileSystem(soundProject) }));
  expect(diagnostics).toEqual([]);
});

test('there are more than 400 cases, each with its own name', () => {
  const names = new Set(hostileCases.map(({ name }) => name));
  expect(names.size).toBe(hostileCases.length);
  expect(names.size).toBeGreaterThan(400);
});

describe('hostile projects, one after the other in one process', () => {
  let checked: readonly CheckedCase[] = [];

  beforeAll(async () => {
    const { stdout } = await promisify(execFile)(process.execPath, [...flags, script], {
      timeout: 2 * MINUTE,
      maxBuffer: 2 ** 24,
    });
    checked = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as CheckedCase);
  }, 2 * MINUTE);

  test('are all refused', () => {
    expect(checked).toHaveLength(hostileCases.length);
    expect(checked.filter(({ valid }) => valid)).toEqual([]);
  });

  test('are refused for what is wrong with them', () => {
    expect(checked.filter(({ finds, found }) => !finds.some((name) => found.includes(name)))).toEqual([]);
  });

  test('change no object of the process', () => {
    expect(checked.filter(({ polluted }) => polluted)).toEqual([]);
  });
});
