import { execFile, spawnSync } from 'node:child_process';
import { existsSync, globSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { cachePath } from './cache-path.ts';
import type { ProgramKind } from './describe-program.ts';

const run = promisify(execFile);
const DOWNLOAD_LIMIT_MS = 120_000;

/** The outcome of a run of promtool. */
export interface PromtoolRun {
  readonly code: number;
  /** Both outputs. */
  readonly output: string;
}

/** Runs promtool with arguments; a code other than 0 does not reject. */
export type Promtool = (args: readonly string[], input?: string) => PromtoolRun;

/**
 * Prometheus's checker of rules and metrics: the one that is installed, or else the one of the Debian package `prometheus`,
 * which is downloaded once on each machine and not installed. Tests are skipped where there is neither.
 */
export const promtool: ProgramKind<Promtool> = {
  optional: true,
  unavailable: () => undefined,
  make: async () => {
    const program = isInstalled() ? 'promtool' : await downloaded();
    return (args, input = '') => {
      const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8', input });
      return { code: status ?? -1, output: stdout + stderr };
    };
  },
};

function isInstalled(): boolean {
  return spawnSync('promtool', ['--version']).error === undefined;
}

async function downloaded(): Promise<string> {
  const folder = cachePath('promtool');
  const program = join(folder, 'promtool');
  if (existsSync(program)) return program;
  const work = `${folder}-${process.pid}`;
  await mkdir(work, { recursive: true });
  try {
    await run('apt-get', ['download', 'prometheus'], { cwd: work, timeout: DOWNLOAD_LIMIT_MS });
    const [file] = globSync('prometheus_*.deb', { cwd: work });
    if (file === undefined) throw new Error('nothing was downloaded');
    await run('dpkg-deb', ['--extract', file, '.'], { cwd: work, timeout: DOWNLOAD_LIMIT_MS });
    await mkdir(dirname(program), { recursive: true });
    await rename(join(work, 'usr', 'bin', 'promtool'), program);
    return program;
  } catch (cause) {
    throw new Error('no promtool: it is not installed, and the Debian package prometheus is out of reach', {
      cause,
    });
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}
