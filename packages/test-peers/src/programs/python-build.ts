import { execFile, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type BuiltProgram, buildFolder, builtFolder } from './build-folder.ts';

const run = promisify(execFile);
const FETCH_LIMIT_MS = 400_000;
const OLDEST_PYTHON = 10;

/** A program in Python. */
export interface PythonSources {
  readonly script: string;
  /** The folder with its requirements.txt, and nothing else. */
  readonly packages: string;
  /** What it is, for the line that says why it cannot be made. */
  readonly what: string;
}

/** Fetches what a program imports the first time it is needed on a machine, as wheels alone, by pip. */
export function pythonBuild({ script, packages, what }: PythonSources): BuiltProgram {
  return {
    unavailable: () => {
      const needed = `no ${what} in Python: Python 3.${OLDEST_PYTHON} or newer with pip is needed`;
      const python = spawnSync('python3', ['--version'], { encoding: 'utf8' });
      if (python.error !== undefined) return `${needed}, none was found`;
      const minor = Number(/^Python 3\.(\d+)/.exec(python.stdout)?.[1]);
      if (!(minor >= OLDEST_PYTHON)) return `${needed}, found "${python.stdout.trim()}"`;
      if (existsSync(builtFolder(packages))) return undefined;
      return spawnSync('python3', ['-m', 'pip', '--version']).status === 0
        ? undefined
        : `${needed}, found no pip`;
    },
    command: async () => {
      const folder = await buildFolder(packages, async (target) => {
        const quiet = ['--quiet', '--disable-pip-version-check', '--no-input'];
        const from = ['--only-binary', ':all:', '--target', target, '-r', join(packages, 'requirements.txt')];
        await run('python3', ['-m', 'pip', 'install', ...quiet, ...from], { timeout: FETCH_LIMIT_MS });
      });
      // With these variables the HTTP library passes over the authority that a program gives it.
      const others = ['-u', 'REQUESTS_CA_BUNDLE', '-u', 'CURL_CA_BUNDLE'];
      return ['env', ...others, `PYTHONPATH=${folder}`, 'PYTHONDONTWRITEBYTECODE=1', 'python3', script];
    },
  };
}
