// Makes everything of a release in a folder, from the tree as it is: tarballs, executables, an SBOM of each, checksums and notes. Then
// publishes the tarballs to a registry on this machine, and installs every package from it. Publishes nothing anywhere else.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createReadStream, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { clients } from '../packages/clients.mjs';
import { packAll, root } from '../packages/pack.mjs';
import { toolchains } from '../packages/toolchains.mjs';
import { runAction, runHook } from '../project-files/action-step.mjs';
import { writeBills } from './bills.mjs';
import { notesOf } from './notes.mjs';
import { publishAll } from './publish.mjs';
import { startRehearsalRegistry } from './rehearsal-registry.mjs';
import { tryPackages } from './try-packages.mjs';
import { releaseVersion, versionProblems } from './versions.mjs';

const [out] = process.argv.slice(2);
if (out === undefined) throw new Error('usage: node tools/release/make.mjs <folder>');
const version = releaseVersion();

const pnpm = (...words) =>
  execFileSync(join(root, 'node_modules/.bin/pnpm'), words, {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
const node = (script, ...words) =>
  execFileSync(process.execPath, [join(root, script), ...words], { cwd: root, stdio: 'inherit' });

async function stage(title, work) {
  const started = Date.now();
  process.stdout.write(`== ${title}\n`);
  const result = await work();
  process.stdout.write(`   ${Math.round((Date.now() - started) / 1000)} s\n`);
  return result;
}

await stage(`versions: ${version}`, () => failOn(versionProblems()));
await stage('licences', () => node('tools/release/check-licences.mjs'));
await stage('build', () => pnpm('run', 'build', '--output-logs=errors-only'));
rmSync(out, { recursive: true, force: true });
const packed = await stage('pack', () => packAll(out));
await stage('executables', () => node('tools/executable/build.mjs', out, 'linux-x64', 'linux-arm64'));
await stage('software bills of materials', () => writeBills(out));
await stage('checksums', () => writeChecksums(out));
await stage('release notes', () => {
  const notes = notesOf(version);
  if (notes === undefined) throw new Error(`CHANGELOG.md has no entry for ${version}`);
  writeFileSync(join(out, 'NOTES.md'), notes);
});
await stage('rehearsal: publish to a registry here, install every package from it', () => rehearse(packed));

function failOn(problems) {
  if (problems.length > 0) throw new Error(problems.join('\n'));
}

/** Of every file that a release is handed out with: `sha256sum --check SHA256SUMS` reads it. */
async function writeChecksums(folder) {
  const lines = [];
  for (const file of readdirSync(folder).sort()) {
    const hash = createHash('sha256');
    await pipeline(createReadStream(join(folder, file)), hash);
    lines.push(`${hash.digest('hex')}  ${file}\n`);
  }
  writeFileSync(join(folder, 'SHA256SUMS'), lines.join(''));
}

async function rehearse(packages) {
  const folder = mkdtempSync(join(tmpdir(), 'levada-rehearsal-'));
  const registry = await startRehearsalRegistry(join(folder, 'registry'));
  try {
    const tools = toolchains();
    const { npm } = clients({ tools, registry: registry.address, caches: join(folder, 'caches') });
    const publisher = join(folder, 'publisher');
    mkdirSync(publisher);
    // npm publishes with some token only; the registry lets everybody publish.
    const token = `//${new URL(registry.address).host}/:_authToken=rehearsal\n`;
    writeFileSync(join(publisher, '.npmrc'), `${npm.files['.npmrc']}${token}`);
    writeFileSync(join(publisher, 'package.json'), '{ "private": true }');
    const words = ['--registry', registry.address];
    await publishAll(packages, { npm: [process.execPath, tools.npm], words, cwd: publisher });
    failOn(await tryPackages(packages, { folder, client: npm, version }));
    failOn(await tryProjectFiles({ cwd: publisher, env: { npm_config_cache: join(folder, 'caches/npx') } }));
    process.stdout.write(`installed: ${packages.map(({ tarball }) => basename(tarball)).join(', ')}\n`);
  } finally {
    await registry.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The action and the pre-commit hook, with the command as `npx` gets it from the registry of the folder's .npmrc. */
async function tryProjectFiles(at) {
  const project = join(root, 'examples/shop-project');
  const action = await runAction({ folder: project }, at);
  const hook = await runHook({ ...at, args: [project] });
  return Object.entries({ 'action.yml': action, '.pre-commit-hooks.yaml': hook })
    .filter(([, { code }]) => code !== 0)
    .map(([file, { code, text }]) => `${file}: ended with ${code}: ${text}`);
}
