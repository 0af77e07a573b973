import { execFile, spawnSync } from 'node:child_process';
import { existsSync, globSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, isAbsolute, join } from 'node:path';
import { promisify } from 'node:util';
import { cachePath } from './cache-path.ts';
import type { ProgramKind } from './describe-program.ts';

const run = promisify(execFile);
const DOWNLOAD_LIMIT_MS = 300_000;
const PAGE_LIMIT_MS = 60_000;
/** Time of the page, which passes as fast as the page has nothing to do. */
const PAGE_BUDGET_MS = 10_000;
const PACKAGE = 'chromium-headless-shell';

/** Opens a page, waits until it has nothing to do, and resolves with its document as HTML. */
export type Chromium = (url: string) => Promise<string>;

/**
 * A browser without windows: the one that is installed, or else the one of the Debian package `chromium-headless-shell`, which is
 * downloaded with its libraries once on each machine (100 MB) and not installed. Tests are skipped where there is neither.
 */
export const chromium: ProgramKind<Chromium> = {
  optional: true,
  unavailable: () => undefined,
  make: async () => {
    const { program, env } = await findChromium();
    return async (url) => {
      const profile = await mkdtemp(join(tmpdir(), 'chromium-'));
      const flags = ['--headless', '--no-sandbox', '--disable-gpu', `--user-data-dir=${profile}`];
      const page = [`--virtual-time-budget=${PAGE_BUDGET_MS}`, '--dump-dom', url];
      try {
        const limits = { timeout: PAGE_LIMIT_MS, maxBuffer: 16_777_216 };
        return (await run(program, [...flags, ...page], { env, ...limits })).stdout;
      } finally {
        await rm(profile, { recursive: true, force: true, maxRetries: 5 });
      }
    };
  },
};

/** A browser that can be started: its program, and the environment that it needs. */
export interface ChromiumProgram {
  /** Absolute path: Playwright takes no name. */
  readonly program: string;
  readonly env: NodeJS.ProcessEnv;
}

/** The browser of {@link chromium}, for those who drive it themselves. Rejects where there is none. */
export async function findChromium(): Promise<ChromiumProgram> {
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => isAbsolute(folder));
  const paths = [PACKAGE, 'chromium', 'google-chrome'].flatMap((name) =>
    folders.map((folder) => join(folder, name)),
  );
  const program = paths.find((path) => spawnSync(path, ['--version']).status === 0);
  return program === undefined ? await downloaded() : { program, env: process.env };
}

async function downloaded(): Promise<ChromiumProgram> {
  const folder = cachePath('chromium');
  if (!existsSync(folder)) await download(folder);
  const libraries = globSync('usr/lib/*-linux-gnu{,/pulseaudio}', { cwd: folder });
  const path = libraries.map((library) => join(folder, library)).join(':');
  return {
    program: join(folder, 'usr', 'lib', 'chromium', PACKAGE),
    env: { ...process.env, LD_LIBRARY_PATH: path },
  };
}

/** The package and those that it needs and this machine lacks. */
async function download(folder: string): Promise<void> {
  const work = `${folder}-${process.pid}`;
  await mkdir(work, { recursive: true });
  const options = { cwd: work, timeout: DOWNLOAD_LIMIT_MS };
  try {
    const plan = await run('apt-get', ['install', '--simulate', '--no-install-recommends', PACKAGE], options);
    const names = [...plan.stdout.matchAll(/^Inst (\S+)/gm)].map(([, name = '']) => name);
    if (!names.includes(PACKAGE)) throw new Error('there is no such package');
    await run('apt-get', ['download', ...names], options);
    for (const file of globSync('*.deb', { cwd: work })) {
      await run('dpkg-deb', ['--extract', file, 'root'], options);
    }
    await mkdir(dirname(folder), { recursive: true });
    await rename(join(work, 'root'), folder);
  } catch (cause) {
    throw new Error(`no browser: none is installed, and the Debian package ${PACKAGE} is out of reach`, {
      cause,
    });
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}
