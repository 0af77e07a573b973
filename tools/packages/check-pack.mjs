// Packs the public packages and looks into the tarballs: what they hold, how large they are, whether the links of their READMEs lead
// somewhere from the page of a registry, and whether the packages can be released together.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { versionProblems } from '../release/versions.mjs';
import { packAll, root } from './pack.mjs';

/** Most kilobytes of a tarball: a sixth or more above what it was when the limit was set. */
const limits = {
  cli: 125,
  'connect-runtime-core': 320,
  'connect-transforms': 46,
  'connect-worker': 175,
  'grpc-wire': 18,
  'platform-embedded': 60,
  'platform-kafka': 160,
  'protobuf-tables': 98,
  'registry-converters': 65,
  'runtime-server': 200,
  'source-grpc': 180,
  'source-otlp': 265,
  'source-websocket': 85,
  'stream-project-compiler': 560,
  'stream-project-schema': 102,
  'stream-sql': 60,
};

const expected = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const address = expected.repository.url.replace(/^git\+|\.git$/g, '');
const folder = mkdtempSync(join(tmpdir(), 'levada-pack-'));
const problems = versionProblems();
try {
  const packed = await packAll(folder);
  let total = 0;
  for (const one of packed) {
    const kilobytes = Math.ceil(statSync(one.tarball).size / 1000);
    total += kilobytes;
    const limit = limits[one.name];
    if (limit === undefined) problems.push(`${one.name}: no limit in tools/packages/check-pack.mjs`);
    else if (kilobytes > limit)
      problems.push(`${one.name}: ${kilobytes} kB packed, at most ${limit} are allowed`);
    problems.push(...contentProblems(one), ...manifestProblems(one));
    if (process.argv.includes('--sizes')) process.stdout.write(`${one.name} ${kilobytes} kB\n`);
  }
  if (problems.length === 0) process.stdout.write(`packed: ${packed.length} tarballs, ${total} kB\n`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
for (const problem of problems) process.stdout.write(`${problem}\n`);
process.exitCode = problems.length === 0 ? 0 : 1;

function contentProblems({ name, tarball }) {
  const found = [];
  const tar = (...args) => execFileSync('tar', args, { encoding: 'utf8', maxBuffer: 1 << 26 });
  const files = tar('tzf', tarball)
    .trim()
    .split('\n')
    .map((path) => path.replace(/^package\//, ''));
  for (const needed of ['LICENSE', 'README.md', 'dist/index.js', 'dist/index.d.ts']) {
    if (!files.includes(needed)) found.push(`${name}: ${needed} is not packed`);
  }
  for (const file of files) {
    if (/\.map$|\.tsbuildinfo$|^dist\/.*\.test\.|^src\//.test(file)) found.push(`${name}: ${file} is packed`);
  }
  const texts = tar(
    'xzOf',
    tarball,
    ...files.filter((file) => file.endsWith('.js')).map((file) => `package/${file}`),
  );
  if (/^\/\/# sourceMappingURL=/m.test(texts))
    found.push(`${name}: a file names a source map that is not packed`);
  for (const file of files.filter((one) => /^(README|docs\/.*)\.md$/.test(one))) {
    const text = tar('xzOf', tarball, `package/${file}`);
    found.push(...linkProblems({ name, file, text, files }));
  }
  return found;
}

/** Links of a packed page lead into the package, or to a file of the repository by its whole address. */
function linkProblems({ name, file, text, files }) {
  const found = [];
  for (const [, link] of text.matchAll(/\]\(([^)\s]+)\)/g)) {
    const [target, anchor] = link.split('#');
    if (target === '' || /^\$|^\{/.test(target)) continue;
    if (target.startsWith(`${address}/`)) {
      const path = /^\/(?:blob|tree)\/main\/(.+)$/.exec(target.slice(address.length))?.[1];
      if (path === undefined || !existsSync(join(root, path)))
        found.push(`${name}: ${file}: ${link} leads nowhere`);
    } else if (!/^https?:/.test(target) && !holds(files, join(file, '..', target))) {
      const path = join('packages', name, file, '..', target);
      const kind = existsSync(join(root, path)) && statSync(join(root, path)).isDirectory() ? 'tree' : 'blob';
      const whole = `${address}/${kind}/main/${path}${anchor === undefined ? '' : `#${anchor}`}`;
      found.push(`${name}: ${file}: "${link}" leads out of the package: write ${whole}`);
    }
    if (anchor === '') found.push(`${name}: ${file}: ${link} has an empty fragment`);
  }
  return found;
}

function holds(files, path) {
  return files.some((file) => file === path || file.startsWith(`${path}/`));
}

function manifestProblems({ name, manifest }) {
  const found = [];
  const { version, repository, bugs, homepage, license, keywords, engines } = manifest;
  if (repository?.url !== expected.repository.url || repository?.directory !== `packages/${name}`) {
    found.push(`${name}: repository is not ${expected.repository.url} with the directory packages/${name}`);
  }
  if (bugs !== expected.bugs) found.push(`${name}: bugs is not ${expected.bugs}`);
  if (homepage !== `${address}/tree/main/packages/${name}#readme`)
    found.push(`${name}: homepage is not its folder`);
  if (license !== expected.license) found.push(`${name}: the licence is not ${expected.license}`);
  if (!(keywords?.length >= 3)) found.push(`${name}: fewer than three keywords`);
  if (version === undefined || engines?.node === undefined)
    found.push(`${name}: no version, or no engines.node`);
  found.push(...entryProblems({ name, manifest }));
  for (const [other, range] of Object.entries(manifest.dependencies ?? {})) {
    if (!range.startsWith('^') && range !== 'workspace:^') {
      found.push(`${name}: ${other} ${range} is no range from a version on (^)`);
    }
  }
  if (manifest.peerDependencies?.['@levada/connect-runtime-core'] !== undefined) {
    found.push(`${name}: connect-runtime-core is a peer; it is a dependency`);
  }
  return found;
}

/** Compilers with `moduleResolution` `node10` do not read `exports`: `main`, `types` and `typesVersions` repeat it for them. */
function entryProblems({ name, manifest }) {
  const { '.': main, ...others } = manifest.exports;
  const declared = Object.entries(others).filter(([, { types }]) => types !== undefined);
  const expected = [
    main.default,
    main.types,
    ...declared.map(([path, { types }]) => [path.slice(2), [types]]),
  ];
  const { '*': versions = {} } = manifest.typesVersions ?? {};
  const repeated = [manifest.main, manifest.types, ...Object.entries(versions)];
  return JSON.stringify(expected) === JSON.stringify(repeated)
    ? []
    : [`${name}: main, types and typesVersions do not repeat exports: expected ${JSON.stringify(expected)}`];
}
