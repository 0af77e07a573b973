// Package managers, compilers and versions of Node that the packages are tried with.
import { join } from 'node:path';
import { cachedPackages } from './cached-packages.mjs';

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
  const folder = cachedPackages('toolchains', versions);
  const at = (path) => join(folder, path);
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
