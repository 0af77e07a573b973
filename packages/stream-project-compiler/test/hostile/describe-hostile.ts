// This file makes suites and is none.
/* oxlint-disable vitest/valid-title, vitest/require-top-level-describe */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test } from 'vitest';
import type { CheckedCase } from './check-all.ts';
import type { HostileCase } from './hostile-case.ts';
import { runCommand } from './run-command.ts';

const MINUTE = 60_000;
const script = fileURLToPath(new URL('check-all.ts', import.meta.url));
const flags = ['--disable-proto=delete', '--disallow-code-generation-from-strings'];

/** A suite of so many hostile projects, one after the other in one process; `args` of check-all.ts choose them. */
export function describeHostileProjects(name: string, count: number, args: readonly string[] = []): void {
  describe(name, () => {
    let checked: readonly CheckedCase[] = [];

    beforeAll(async () => {
      const { stdout } = await promisify(execFile)(process.execPath, [...flags, script, ...args], {
        timeout: 5 * MINUTE,
        maxBuffer: 2 ** 24,
      });
      checked = stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as CheckedCase);
    }, 5 * MINUTE);

    test('are all refused', () => {
      expect(checked).toHaveLength(count);
      expect(checked.filter(({ valid }) => valid)).toEqual([]);
    });

    test('are refused for what is wrong with them', () => {
      expect(checked.filter(({ finds, found }) => !finds.some((find) => found.includes(find)))).toEqual([]);
    });

    test('change no object of the process', () => {
      expect(checked.filter(({ polluted }) => polluted)).toEqual([]);
    });
  });
}

/** A suite of hostile projects, each with its own process of `levada project validate`. */
export function describeHostileProcesses(name: string, cases: readonly HostileCase[]): void {
  describe(name, () => {
    test.concurrent.each(cases)('refuses $name', async (one) => {
      const { exitCode, signal, output } = await runCommand(one);
      expect({ exitCode, signal, output }).toEqual({
        exitCode: 1,
        signal: null,
        output: expect.stringContaining('error'),
      });
    });
  });
}
