// The Node that an executable is made of: the one that the lock file names, from the npm registry, also for another processor.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cachePath } from '../cache-folder.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** What executables can be made for. */
export const platforms = ['linux-x64', 'linux-arm64'];

/** Path of a platform's Node. What is not installed here is fetched once, into the user's cache, and compared with the lock file. */
export function nodeFor(platform) {
  const name = `node-${platform}`;
  const { optionalDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const version = optionalDependencies[name];
  // Another one would name its own version in licences and bills, and its code cache would be refused.
  if (process.version !== `v${version}`) {
    throw new Error(`an executable of Node ${version} is made by that Node, not by ${process.version}`);
  }
  const installed = join(root, 'node_modules', name, 'bin/node');
  if (existsSync(installed)) return installed;
  const folder = cachePath(`${name}-${version}`);
  const node = join(folder, 'package/bin/node');
  if (!existsSync(node)) fetchInto(folder, { name, version });
  return node;
}

function fetchInto(folder, { name, version }) {
  const unfinished = `${folder}-${process.pid}`;
  mkdirSync(unfinished, { recursive: true });
  try {
    const words = ['pack', `${name}@${version}`, '--json', '--ignore-scripts', '--loglevel=error'];
    const [packed] = JSON.parse(execFileSync('npm', words, { cwd: unfinished, encoding: 'utf8' }));
    const expected = integrityOf(`${name}@${version}`);
    if (packed.integrity !== expected) {
      throw new Error(
        `${name}@${version} is not the one of the lock file: ${packed.integrity}, expected ${expected}`,
      );
    }
    execFileSync('tar', ['xzf', packed.filename, 'package/bin/node', 'package/LICENSE'], { cwd: unfinished });
    rmSync(join(unfinished, packed.filename));
    rmSync(folder, { recursive: true, force: true });
    renameSync(unfinished, folder);
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
}

function integrityOf(key) {
  const lines = readFileSync(join(root, 'pnpm-lock.yaml'), 'utf8').split('\n');
  const at = lines.indexOf(`  ${key}:`);
  return /integrity: ([^,}]+)/.exec(lines[at + 1])?.[1];
}
