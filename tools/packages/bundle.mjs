// Bundles the package in the current folder: one module for each of its exports, and one of what they share. Libraries stay outside, with
// their own versions. Runs after "tsc -b", which makes the declarations. Why: docs/decisions/0044-the-compiler-is-few-modules.md.
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { build } from 'esbuild';

const { exports, engines } = JSON.parse(readFileSync('package.json', 'utf8'));
const modules = Object.values(exports).flatMap((entry) => entry.default ?? []);

for (const file of readdirSync('dist', { recursive: true, encoding: 'utf8' })) {
  if (/\.js(?:\.map)?$/.test(file)) rmSync(`dist/${file}`);
}
await build({
  entryPoints: modules.map((path) => path.replace(/^\.\/dist\/(.+)\.js$/, 'src/$1.ts')),
  outbase: 'src',
  outdir: 'dist',
  bundle: true,
  splitting: true,
  chunkNames: 'shared',
  packages: 'external',
  platform: 'node',
  format: 'esm',
  target: engines.node.replace('>=', 'node'),
  logLevel: 'warning',
});
