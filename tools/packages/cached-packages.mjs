// Packages of the npm registry that are programs of checks: installed once, into the user's cache, since no other part of the
// repository needs them.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cachePath } from '../cache-folder.mjs';

/** Installs what is missing; answers the folder `node_modules`. `overrides` are npm's. */
export function cachedPackages(name, dependencies, overrides) {
  const text = JSON.stringify({ name, private: true, dependencies, overrides });
  const key = createHash('sha256').update(text).digest('hex').slice(0, 12);
  const folder = cachePath(`${name}-${key}`);
  if (!existsSync(folder)) install(folder, text);
  return join(folder, 'node_modules');
}

function install(folder, manifest) {
  const unfinished = `${folder}-${process.pid}`;
  mkdirSync(unfinished, { recursive: true });
  writeFileSync(join(unfinished, 'package.json'), manifest);
  // Programs named "node" and "npm" must not come first in the scripts that run while installing.
  const flags = ['--no-audit', '--no-fund', '--no-bin-links', '--ignore-scripts', '--loglevel=error'];
  execFileSync('npm', ['install', ...flags], { cwd: unfinished, stdio: ['ignore', 'ignore', 'inherit'] });
  try {
    renameSync(unfinished, folder);
  } catch {
    // Another process was faster.
    rmSync(unfinished, { recursive: true, force: true });
  }
}
