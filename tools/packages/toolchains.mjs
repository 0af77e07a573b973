// Package managers, compilers and versions of Node that the packages are tried with. They come from the npm registry once, into
// the user's cache: no other part of the repository needs them.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

const arm = process.arch === 'arm64';
const versions = {
  bun: `npm:@oven/bun-linux-${arm ? 'aarch64' : 'x64'}@1.4.5`,
  esbuild: '0.28.2',
  node22: `npm:node-linux-${arm ? 'arm64' : 'x64'}@22.23.3`,
  npm: '11.19.1',
  pnpm: '10.34.8',
  'typescript-5.4': 'npm:typescript@5.4.5',
  'typescript-5.9': 'npm:typescript@5.9.3',
  'typescript-7': 'npm:typescript@7.0.2',
  vite: '8.3.8',
  yarn: 'npm:@yarnpkg/cli-dist@4.18.1',
};

/** Installs what is missing; answers where each program is. */
export function toolchains() {
  const text = JSON.stringify({ name: 'toolchains', private: true, dependencies: versions });
  const key = createHash('sha256').update(text).digest('hex').slice(0, 12);
  const cache = join(homedir(), '.cache');
  const folder = join(cache, 'levada', `toolchains-${key}`);
  if (!existsSync(folder)) {
    const unfinished = `${folder}-${process.pid}`;
    mkdirSync(unfinished, { recursive: true });
    writeFileSync(join(unfinished, 'package.json'), text);
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
  const at = (path) => join(folder, 'node_modules', path);
  return {
    bun: at('bun/bin/bun'),
    esbuild: at('esbuild/bin/esbuild'),
    node22: at('node22/bin/node'),
    npm: at('npm/bin/npm-cli.js'),
    pnpm: at('pnpm/bin/pnpm.cjs'),
    vite: at('vite/bin/vite.js'),
    yarn: at('yarn/bin/yarn.js'),
    typescript: (version) => at(`typescript-${version}/bin/tsc`),
  };
}
