// Compiles AssemblyScript of packages to WebAssembly, into the modules that hold it. With --check it writes nothing, and fails when a
// module differs from what it would write.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));
/** Characters of base64 in a line. */
const WIDTH = 100;
const OPTIONS = ['-O3', '--converge', '--noAssert', '--runtime', 'stub'];
/** `source` and `file` are paths in the package, `options` those that the compiler gets beside the ones above. */
const modules = [
  {
    name: 'protobuf-tables',
    source: 'assembly/plain.ts',
    file: 'src/check/gen/wasm.ts',
    options: ['--enable', 'simd'],
  },
  {
    name: 'platform-kafka',
    source: 'assembly/crc32c-lanes.ts',
    file: 'src/wire/gen/crc32c-lanes.ts',
    // One page of memory holds all that it uses.
    options: ['--enable', 'simd,relaxed-simd', '--initialMemory', '1'],
  },
];

const check = process.argv.includes('--check');
for (const module of modules) {
  const file = `packages/${module.name}/${module.file}`;
  const text = moduleOf(module.source, compile(module));
  if (before(file) === text) continue;
  process.stdout.write(
    `${file}: ${check ? `differs from ${module.source}, run "pnpm run generate"` : 'written'}\n`,
  );
  if (check) process.exitCode = 1;
  else writeFileSync(root + file, text);
}

function compile({ name, source, options }) {
  const folder = mkdtempSync(join(tmpdir(), 'assembly-'));
  try {
    const out = join(folder, 'module.wasm');
    const words = [join('packages', name, source), '--outFile', out, ...OPTIONS, ...options];
    const { status, stderr, error } = spawnSync('node_modules/.bin/asc', words, { cwd: root });
    if (status !== 0) throw new Error(`asc ${source}: ${error?.message ?? stderr.toString()}`);
    return readFileSync(out);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function moduleOf(source, binary) {
  const lines = binary.toString('base64').match(new RegExp(`.{1,${WIDTH}}`, 'g'));
  return [
    `// Compiled from ../../../${source} by tools/assembly/generate.mjs: do not change by hand.`,
    '',
    '/** A WebAssembly module as base64, in lines. */',
    'export const wasm: readonly string[] = [',
    ...lines.map((line) => `  '${line}',`),
    '];',
    '',
  ].join('\n');
}

function before(file) {
  try {
    return readFileSync(root + file, 'utf8');
  } catch (error) {
    if (error.code === 'ENOENT') return '';
    throw error;
  }
}
