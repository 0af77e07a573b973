// Releases all published packages and the executables. `release.mjs --dry-run` does so on this machine, in a clone of the
// last commit in which the pending changesets have become versions, and publishes nothing. Without it, it publishes what the checkout
// holds, and runs in the workflow of the repository only, which the registry trusts in place of a token.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { publicPackages, root } from '../packages/pack.mjs';
import { toolchains } from '../packages/toolchains.mjs';
import { publishAll } from './publish.mjs';
import { pendingChangesets, releaseVersion } from './versions.mjs';

const words = process.argv.slice(2).filter((word) => word !== '--');
const dry = words.includes('--dry-run');
const out = join(root, 'release');

try {
  const unknown = words.find((word) => word !== '--dry-run');
  if (unknown !== undefined) throw new Error(`unknown option "${unknown}": expected --dry-run or none`);
  if (!dry) requireWorkflow(process.env);
  requireCleanTree();
  if (dry) rehearse();
  else await release();
} catch (failed) {
  process.stderr.write(`release: ${failed.message}\n`);
  process.exitCode = 1;
}

/** A release from a developer's machine could not be traced to a commit: it would have no provenance. */
function requireWorkflow({ GITHUB_ACTIONS, ACTIONS_ID_TOKEN_REQUEST_URL }) {
  if (GITHUB_ACTIONS === 'true' && ACTIONS_ID_TOKEN_REQUEST_URL !== undefined) return;
  throw new Error(
    'packages are published by .github/workflows/release.yml only, with "id-token: write"; here "npm run release -- --dry-run" does everything else',
  );
}

function git(...rest) {
  return execFileSync('git', rest, { cwd: root, encoding: 'utf8' }).trim();
}

function requireCleanTree() {
  const changed = git('status', '--porcelain');
  if (changed !== '') throw new Error(`the tree has changes that are not committed:\n${changed}`);
}

function rehearse() {
  const clone = mkdtempSync(join(tmpdir(), 'levada-release-'));
  // A terminal sends Ctrl+C to the commands as well: they fail, and the clone is removed.
  process.on('SIGINT', () => undefined);
  const run = (program, ...rest) => execFileSync(program, rest, { cwd: clone, stdio: 'inherit' });
  try {
    execFileSync('git', ['clone', '--quiet', '--no-hardlinks', root, clone]);
    run(
      join(root, 'node_modules/.bin/pnpm'),
      'install',
      '--frozen-lockfile',
      '--prefer-offline',
      '--reporter=silent',
    );
    if (pendingChangesets(clone).length > 0) run(process.execPath, 'tools/release/version.mjs');
    run(process.execPath, 'tools/release/make.mjs', out);
  } finally {
    rmSync(clone, { recursive: true, force: true });
  }
  process.stdout.write(`\nNothing was published. What a release would hold is in ${out}.\n`);
}

async function release() {
  const pending = pendingChangesets(root);
  const version = releaseVersion();
  if (pending.length > 0)
    throw new Error(`${pending.length} changesets are pending: merge the pull request that ends them`);
  if (!git('tag', '--points-at', 'HEAD').split('\n').includes(`v${version}`)) {
    throw new Error(`the commit has no tag v${version}`);
  }
  execFileSync(process.execPath, [join(root, 'tools/release/make.mjs'), out], {
    cwd: root,
    stdio: 'inherit',
  });
  const packages = publicPackages().map(({ manifest }) => ({ manifest, tarball: tarballOf(manifest) }));
  const npm = [process.execPath, toolchains().npm];
  await publishAll(packages, { npm, words: ['--provenance'], cwd: root });
  process.stdout.write(readFileSync(join(out, 'NOTES.md'), 'utf8'));
}

function tarballOf({ name, version }) {
  return join(out, `${name.replace('@', '').replace('/', '-')}-${version}.tgz`);
}
