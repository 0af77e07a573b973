// Checks of the tree that linters do not know: direction of imports, length of files, layout of packages, their READMEs, counts of
// clarity, and paths of a developer's machine. Prints every finding and exits with 1 when there is one.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { basename, dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { clarityFindings } from './clarity/clarity.mjs';
import { layoutFindings } from './layers.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const MAX_LINES = 400;
/** Names that the first entry point of the core exports (decision 63). */
const MAX_NAMES = 40;
/** The library is right when programs with it are short; these are the ones that the documentation promises. */
const MAX_EXAMPLE_LINES = 59;
const shortExample =
  /^examples\/(express-dashboard|fastify-to-sqlite|nest-to-kafkajs|bundled-command|project-playground|short-job)\/src\/(?!.*\.test\.ts$)/;

/** Which packages of this repository each package's sources may import (docs/architecture.md). Tests may import more. */
const allowed = {
  'connect-runtime-core': [],
  'connect-transforms': ['connect-runtime-core'],
  'connect-worker': ['connect-runtime-core'],
  'platform-embedded': ['connect-runtime-core'],
  'platform-kafka': ['connect-runtime-core'],
  'kafka-testkit': [],
  'registry-converters': ['connect-runtime-core'],
  'grpc-wire': [],
  'source-grpc': ['connect-runtime-core', 'grpc-wire', 'protobuf-tables'],
  'source-otlp': ['connect-runtime-core', 'grpc-wire', 'protobuf-tables'],
  'source-websocket': ['connect-runtime-core'],
  'stream-project-schema': ['stream-sql'],
  'stream-project-compiler': ['stream-project-schema', 'stream-sql'],
  'stream-sql': [],
  'test-peers': ['connect-runtime-core'],
  benchmarks: [
    'connect-runtime-core',
    'kafka-testkit',
    'platform-kafka',
    'protobuf-tables',
    'runtime-server',
    'source-grpc',
    'source-otlp',
    'source-websocket',
    'test-peers',
  ],
  'protobuf-tables': [],
  'runtime-server': [
    'connect-runtime-core',
    'connect-transforms',
    'connect-worker',
    'platform-embedded',
    'platform-kafka',
    'registry-converters',
    'source-grpc',
    'source-otlp',
    'source-websocket',
  ],
  cli: [
    'connect-runtime-core',
    'platform-embedded',
    'runtime-server',
    'stream-project-compiler',
    'stream-project-schema',
  ],
};

/** Packages that browsers run too: nothing of theirs may import Node. */
const forBrowsers = ['stream-project-schema', 'stream-sql'];

/** Only this file names concrete sources and platforms. */
const composition = 'packages/runtime-server/src/compose.ts';
const concrete = /^@levada\/(source-|platform-)/;

/** Where connect-runtime-core may touch Node. */
const coreEdges = /^(config\/providers\/|source-kit\/|stores\/file-offsets|opentelemetry\/|testing\/)/;

const headings = [
  'Install',
  'Example',
  'Configuration',
  'Metrics and log events',
  'Delivery guarantee and limits',
];

const findings = [];
const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { cwd: root, encoding: 'utf8' })
  .split('\n')
  .filter((file) => file !== '');

for (const file of files) {
  if (/\.(ts|tsx|mjs)$/.test(file) && !file.includes('/gen/')) checkSource(file);
  if (!/(^|\/)(pnpm-lock\.yaml|LICENSE)$/.test(file)) checkPaths(file);
  if (/^packages\/[^/]+\/package\.json$/.test(file)) checkPackage(file);
}
checkNames('packages/connect-runtime-core/src/index.ts');
findings.push(...layoutFindings(root, files), ...clarityFindings(root, files));
for (const finding of findings) process.stdout.write(`${finding}\n`);
process.stdout.write(`structure: ${files.length} files, ${findings.length} findings\n`);
process.exitCode = findings.length > 0 ? 1 : 0;

function checkSource(file) {
  const text = read(file);
  const lines = text.split('\n').length - 1;
  const most = shortExample.test(file) ? MAX_EXAMPLE_LINES : MAX_LINES;
  if (lines > most) findings.push(`${file}: ${lines} lines, at most ${most} are allowed`);
  if (/\bexport \* from\b/.test(text)) findings.push(`${file}: "export *", name what is exported`);
  const match = /^packages\/([^/]+)\/src\/(.+)$/.exec(file);
  if (match === null || /\.(test|bench)\.ts$/.test(file)) return;
  const [, name, inside] = match;
  for (const target of importsOf(text)) {
    const problem = importProblem({ file, name, inside, target });
    if (problem !== undefined) findings.push(`${file}: imports "${target}", ${problem}`);
  }
}

function checkNames(file) {
  const lists = [...read(file).matchAll(/^export (?:type )?\{([^}]*)\}/gm)].map((match) => match[1]);
  const names = lists.flatMap((list) => list.split(',')).filter((name) => name.trim() !== '').length;
  if (names > MAX_NAMES) findings.push(`${file}: exports ${names} names, at most ${MAX_NAMES} are allowed`);
}

function importsOf(text) {
  return [...text.matchAll(/(?:\bfrom|\bimport)\s*\(?\s*'([^']+)'/g)].map((match) => match[1]);
}

function importProblem({ file, name, inside, target }) {
  if (target.startsWith('@levada/')) {
    const [, other, ...rest] = target.split('/');
    if (!(allowed[name] ?? []).includes(other)) return 'which its package may not know';
    if (concrete.test(target) && name === 'runtime-server' && file !== composition) {
      return 'only compose.ts names concrete sources and platforms';
    }
    if (/^(source-|platform-)/.test(name) && rest[0] === 'host') return 'it is for workers';
    if (rest[0] === 'testing' && name !== 'test-peers' && !inside.startsWith('testing/'))
      return 'testing is for tests';
  }
  if (name === 'stream-project-compiler' && target.startsWith('node:') && !inside.startsWith('node/')) {
    return 'node: belongs to src/node, the rest runs in browsers';
  }
  if (target.startsWith('node:') && forBrowsers.includes(name)) return 'which browsers do not have';
  if (name !== 'connect-runtime-core') return undefined;
  if (target.startsWith('node:') && !coreEdges.test(inside)) return 'node: belongs at the edges';
  if (!target.startsWith('.')) return undefined;
  const resolved = normalize(join(dirname(inside), target));
  if (
    !inside.startsWith('source-kit/') &&
    resolved.startsWith('source-kit/net/') &&
    !inside.startsWith('testing/')
  )
    return 'the core is pure without it';
  if (!inside.startsWith('testing/') && resolved.startsWith('testing/')) return 'testing is for tests';
  return undefined;
}

function checkPaths(file) {
  const text = read(file);
  if (
    /(^|[\s"'`(=])\/(work|root|home\/[a-z]+|Users)\/[A-Za-z.]/.test(text) &&
    basename(file) !== 'check-structure.mjs'
  ) {
    findings.push(`${file}: holds a path of one machine`);
  }
}

function checkPackage(file) {
  const manifest = JSON.parse(read(file));
  if (manifest.private === true) return;
  const readme = join(dirname(file), 'README.md');
  if (!files.includes(readme)) {
    findings.push(`${readme}: missing`);
    return;
  }
  const found = read(readme)
    .split('\n')
    .filter((line) => line.startsWith('## '))
    .map((line) => line.slice(3).trim());
  for (const heading of headings) {
    if (!found.includes(heading)) findings.push(`${readme}: heading "## ${heading}" is missing`);
  }
}

function read(file) {
  return readFileSync(join(root, file), 'utf8');
}
