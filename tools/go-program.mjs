// Programs in Go that checks need, and files of modules. Each program is built once, from its module, into the user's cache.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { cachePath } from './cache-folder.mjs';

const BUILD_LIMIT_MS = 1_200_000;

/**
 * Path of the program of a package, such as `github.com/rhysd/actionlint/cmd/actionlint`; undefined where there is no Go to build it with.
 * With `builds: false`, undefined where it was not built before.
 */
export function goProgram(from, version, { builds = true } = {}) {
  const name = from.slice(from.lastIndexOf('/') + 1);
  const folder = cachePath(`${name}-${version}`);
  const program = join(folder, name);
  if (existsSync(program)) return program;
  if (!builds || spawnSync('go', ['version']).error !== undefined) return undefined;
  const unfinished = `${folder}-${process.pid}`;
  mkdirSync(unfinished, { recursive: true });
  execFileSync('go', ['install', `${from}@${version}`], {
    env: { ...process.env, GOBIN: unfinished, GOFLAGS: '', CGO_ENABLED: '0' },
    stdio: ['ignore', 'ignore', 'inherit'],
    timeout: BUILD_LIMIT_MS,
  });
  rmSync(folder, { recursive: true, force: true });
  renameSync(unfinished, folder);
  return program;
}

/** Folder with the files of a module, in Go's own cache, which downloads it once and checks its sum. */
export function goModule(module, version) {
  const text = execFileSync('go', ['mod', 'download', '-json', `${module}@${version}`], {
    cwd: homedir(),
    env: { ...process.env, GOFLAGS: '' },
    encoding: 'utf8',
    timeout: BUILD_LIMIT_MS,
  });
  return JSON.parse(text).Dir;
}
