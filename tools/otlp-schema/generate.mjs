// Compiles the .proto files of source-otlp into the module that holds their descriptors. With --check it writes nothing,
// and fails when the module differs from what it would write.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../packages/source-otlp/', import.meta.url));
const file = 'src/model/gen/descriptor-set.ts';
/** Characters of base64 in a line. */
const WIDTH = 100;

const check = process.argv.includes('--check');
const text = moduleOf(compile());
if (before() !== text) {
  process.stdout.write(
    `packages/source-otlp/${file}: ${check ? 'differs from the .proto files, run "pnpm run generate"' : 'written'}\n`,
  );
  if (check) process.exitCode = 1;
  else writeFileSync(root + file, text);
}

/** A google.protobuf.FileDescriptorSet, imported files first, without comments and positions. */
function compile() {
  const flags = ['--as-file-descriptor-set', '--exclude-source-info', '-o', '-'];
  const { status, stdout, stderr, error } = spawnSync('node_modules/.bin/buf', ['build', 'proto', ...flags], {
    cwd: root,
  });
  if (status !== 0) throw new Error(`buf build proto: ${error?.message ?? stderr.toString()}`);
  return stdout;
}

function moduleOf(set) {
  const lines = set.toString('base64').match(new RegExp(`.{1,${WIDTH}}`, 'g'));
  return [
    '// Compiled from ../../../proto by tools/otlp-schema/generate.mjs: do not change by hand.',
    '',
    '/** A google.protobuf.FileDescriptorSet as base64, in lines. */',
    'export const descriptorSet: readonly string[] = [',
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
