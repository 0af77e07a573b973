import { execFile, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { buildFolder, builtFolder } from '@levada/test-peers/programs';
import { type Sender, senderOf } from './sender.ts';

const run = promisify(execFile);
const script = fileURLToPath(new URL('python/send.py', import.meta.url));
const packages = fileURLToPath(new URL('python/packages', import.meta.url));
const FETCH_LIMIT_MS = 400_000;
const OLDEST_PYTHON = 10;

/** Why the exporters cannot be had here, as one line; undefined when they can. */
export function pythonUnavailable(): string | undefined {
  const needed = `no OTLP exporters in Python: Python 3.${OLDEST_PYTHON} or newer with pip is needed`;
  const python = spawnSync('python3', ['--version'], { encoding: 'utf8' });
  if (python.error !== undefined) return `${needed}, none was found`;
  const minor = Number(/^Python 3\.(\d+)/.exec(python.stdout)?.[1]);
  if (!(minor >= OLDEST_PYTHON)) return `${needed}, found "${python.stdout.trim()}"`;
  if (existsSync(builtFolder(packages))) return undefined;
  return spawnSync('python3', ['-m', 'pip', '--version']).status === 0
    ? undefined
    : `${needed}, found no pip`;
}

/** The official Python exporters. The first time on a machine they are fetched, as wheels alone, by pip. */
export async function pythonProgram(): Promise<Sender> {
  const folder = await buildFolder(packages, async (target) => {
    const quiet = ['--quiet', '--disable-pip-version-check', '--no-input'];
    const what = ['--only-binary', ':all:', '--target', target, '-r', join(packages, 'requirements.txt')];
    await run('python3', ['-m', 'pip', 'install', ...quiet, ...what], { timeout: FETCH_LIMIT_MS });
  });
  // With these variables the HTTP library passes over the authority that the exporter gives it.
  const others = ['-u', 'REQUESTS_CA_BUNDLE', '-u', 'CURL_CA_BUNDLE'];
  const python = [`PYTHONPATH=${folder}`, 'PYTHONDONTWRITEBYTECODE=1', 'python3', script];
  return senderOf('env', [...others, ...python], ['traces', 'metrics', 'logs']);
}
