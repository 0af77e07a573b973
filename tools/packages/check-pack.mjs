// Packs what a Node developer installs, installs the tarballs into an empty project and uses them there as a stranger
// would: imported, required, and type-checked.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'levada-pack-'));
const tarballs = join(folder, 'tarballs');
const project = join(folder, 'project');
const run = (command, args, cwd = project) =>
  execFileSync(command, args, { cwd, stdio: ['ignore', 'pipe', 'inherit'] });

try {
  mkdirSync(tarballs);
  for (const name of [
    'connect-runtime-core',
    'grpc-wire',
    'http2-server',
    'source-grpc',
    'source-otlp',
    'source-websocket',
    'stream-project-compiler',
    'stream-project-schema',
    'protobuf-tables',
    'stream-sql',
  ]) {
    run(
      `${root}/node_modules/.bin/pnpm`,
      ['pack', '--pack-destination', tarballs],
      `${root}/packages/${name}`,
    );
  }
  cpSync(fileURLToPath(new URL('project', import.meta.url)), project, { recursive: true });
  writeFileSync(
    join(project, 'package.json'),
    JSON.stringify({ name: 'smoke', private: true, type: 'module' }),
  );
  writeFileSync(
    join(project, 'tsconfig.json'),
    JSON.stringify({
      compilerOptions: {
        module: 'nodenext',
        target: 'es2024',
        lib: ['es2024', 'esnext.disposable'],
        strict: true,
        noEmit: true,
        types: ['node'],
      },
      files: ['types.ts'],
    }),
  );
  const packed = readdirSync(tarballs).map((file) => join(tarballs, file));
  run('npm', ['install', '--no-audit', '--no-fund', '--save', ...packed, '@types/node@24']);
  run(process.execPath, ['esm.mjs']);
  run(process.execPath, ['require.cjs']);
  run(`${root}/node_modules/.bin/tsc`, ['-p', '.']);
  process.stdout.write(`packed, installed and used: ${packed.length} tarballs (import, require, types)\n`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
