// Asks the planners of released engines which functions and constructs they know, and writes since which version each is there.
// Needs Java 17, Maven and its repository (about 60 MB for each version), so "pnpm run generate" does not include it: run it when a
// version is added to the list, before "pnpm run format".
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { engineFunctionNames } from '../../packages/stream-project-compiler/src/types/functions/engine-functions.ts';

/** The last release of each version, oldest first. */
const RELEASES = ['1.18.1', '1.19.3', '1.20.3', '2.0.1', '2.1.1', '2.2.0', '2.3.0'];
const GOAL = 'org.apache.maven.plugins:maven-dependency-plugin:3.6.1:build-classpath';
const FETCH_LIMIT_MS = 600_000;
const RUN_LIMIT_MS = 300_000;
/** What the engine reaches into when it is not started by its own scripts. */
const OPENED = 'lang util time net io nio lang.reflect text util.concurrent'
  .split(' ')
  .map((name) => `java.${name}`);
const JVM = [
  '-XX:TieredStopAtLevel=1',
  '-XX:+UseSerialGC',
  ...[...OPENED, 'sun.nio.ch'].flatMap((name) => ['--add-opens', `java.base/${name}=ALL-UNNAMED`]),
];

const here = fileURLToPath(new URL('.', import.meta.url));
const target = fileURLToPath(
  new URL('../../packages/stream-project-compiler/src/types/functions/since-version.ts', import.meta.url),
);
const probes = JSON.parse(readFileSync(join(here, 'probes.json'), 'utf8'));

const folder = mkdtempSync(join(tmpdir(), 'engine-functions-'));
try {
  writeFileSync(target, moduleOf(RELEASES.map(knowledgeOf)));
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** What one release knows. */
function knowledgeOf(release) {
  const classPath = join(folder, release);
  run(
    'mvn',
    ['-B', '-q', '-f', here, GOAL, `-Dengine.version=${release}`, `-Dmdep.outputFile=${classPath}`],
    {
      timeout: FETCH_LIMIT_MS,
    },
  );
  const source = join(here, 'ListFunctions.java');
  const lines = run(
    'java',
    [...JVM, '-cp', readFileSync(classPath, 'utf8'), source, ...engineFunctionNames],
    {
      timeout: RUN_LIMIT_MS,
      input: `${Object.values(probes).join('\n')}\n`,
    },
  ).split('\n');
  const names = Object.keys(probes);
  process.stdout.write(
    `${release}: ${lines.filter((line) => line.startsWith('function ')).length} functions\n`,
  );
  return {
    version: release.split('.').slice(0, 2).join('.'),
    functions: lines.flatMap((line) => /^function (\w+)$/.exec(line)?.[1] ?? []),
    constructs: lines.flatMap((line) => names[/^probe (\d+) accepted$/.exec(line)?.[1]] ?? []),
  };
}

function run(command, args, options) {
  const { status, stdout, stderr, error } = spawnSync(command, args, { encoding: 'utf8', ...options });
  if (status !== 0) throw new Error(`${command} ${args.slice(0, 6).join(' ')}: ${error?.message ?? stderr}`);
  return stdout;
}

/** Names by the first version that has them. What a later version lacks is there under another name, or was never meant to be called. */
function moduleOf(known) {
  const seen = new Set();
  const functions = known.map(({ version, functions: names }) => {
    const fresh = names.filter((name) => !seen.has(name)).sort();
    for (const name of fresh) seen.add(name);
    return `  '${version}':\n    '${fresh.join(' ')}',`;
  });
  const constructs = Object.keys(probes).map((name) => {
    const since = known.find((one) => one.constructs.includes(name))?.version;
    if (since === undefined) throw new Error(`no release knows ${name}`);
    return `  '${name}': '${since}',`;
  });
  return [
    '// Asked of the planners of released engines by tools/engine-functions/generate.mjs: do not change by hand.',
    '',
    '/** Names of functions by the version of the engine that is the first to have them, oldest first; the oldest has all before. */',
    'export const functionsSince = {',
    ...functions,
    '} as const satisfies Readonly<Record<string, string>>;',
    '',
    '/** Other features of SQL, and the first version that supports them. */',
    'export const constructsSince = {',
    ...constructs,
    '} as const satisfies Readonly<Record<string, keyof typeof functionsSince>>;',
    '',
  ].join('\n');
}
