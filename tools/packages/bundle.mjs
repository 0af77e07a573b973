// Bundles the package in the current folder: one module for each of its exports, and one of what they share. Libraries stay outside, with
// their own versions. Runs after "tsc -b", which makes the declarations. Why: docs/decisions/0044-the-compiler-is-bundled.md.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { build } from 'esbuild';
import { exportedModules, sharedModule } from './bundled-modules.mjs';

const manifest = JSON.parse(readFileSync('package.json', 'utf8'));

const { outputFiles } = await build({
  entryPoints: exportedModules(manifest).map((path) => `src/${path.replace(/\.js$/, '.ts')}`),
  outbase: 'src',
  outdir: 'dist',
  bundle: true,
  splitting: true,
  chunkNames: basename(sharedModule, '.js'),
  packages: 'external',
  platform: 'node',
  format: 'esm',
  target: manifest.engines.node.replace('>=', 'node'),
  logLevel: 'warning',
  write: false,
});
for (const file of readdirSync('dist', { recursive: true, encoding: 'utf8' })) {
  if (/\.js(?:\.map)?$/.test(file)) rmSync(`dist/${file}`);
}
for (const { path, contents } of outputFiles) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, contents);
}
