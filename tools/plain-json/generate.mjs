// Compiles assembly/plain.ts of protobuf-tables to WebAssembly, into the module that holds it. With --check it writes nothing, and
// fails when the module differs from what it would write.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../packages/protobuf-tables/', import.meta.url));
const source = 'assembly/plain.ts';
const file = 'src/check/gen/wasm.ts';
/** Characters of base64 in a line. */
const WIDTH = 100;
const OPTIONS = ['-O3', '--converge', '--noAssert', '--runtime', 'stub', '--enable', 'simd'];

const check = process.argv.includes('--check');
const text = moduleOf(compile());
if (before() !== text) {
  process.stdout.write(
    `packages/protobuf-tables/${file}: ${check ? `differs from ${source}, run "pnpm run generate"` : 'written'}\n`,
  );
  if (check) process.exitCode = 1;
  else writeFileSync(root + file, text);
}

function compile() {
  const folder = mkdtempSync(join(tmpdir(), 'plain-json-'));
  try {
    const out = join(folder, 'plain.wasm');
    const { status, stderr, error } = spawnSync(
      'node_modules/.bin/asc',
      [source, '--outFile', out, ...OPTIONS],
      {
        cwd: root,
      },
    );
    if (status !== 0) throw new Error(`asc ${source}: ${error?.message ?? stderr.toString()}`);
    return readFileSync(out);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function moduleOf(binary) {
  const lines = binary.toString('base64').match(new RegExp(`.{1,${WIDTH}}`, 'g'));
  return [
    '// Compiled from ../../../assembly/plain.ts by tools/plain-json/generate.mjs: do not change by hand.',
    '',
    '/** A WebAssembly module as base64, in lines. */',
    'export const wasm: readonly string[] = [',
    ...lines.map((line) => `  '${line}',`),
    '];',
    '',
  ].join('\n');
}

function before() {
  try {
    return readFileSync(root + file, 'utf8');
  } catch (error) {
    if (error.code === 'ENOENT') return '';
    throw error;
  }
}
