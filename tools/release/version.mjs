// Ends the pending changesets: new versions in all manifests and in the sources that hold one, the CHANGELOG.md of each package,
// and that of the repository. Run by the workflow that prepares a release.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { root } from '../packages/pack.mjs';
import { addNotes, isFirstRelease, releaseNotes, writeFirstNotes } from './notes.mjs';
import { releaseVersion, versionProblems, writeVersion } from './versions.mjs';

const before = releaseVersion();
const run = (program, ...words) =>
  execFileSync(join(root, 'node_modules/.bin', program), words, {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
  });

const isFirst = isFirstRelease();
// Whatever would stop half-way is found before anything is written.
const problems = versionProblems();
if (problems.length > 0) {
  process.stderr.write(`release: nothing was written:\n${problems.join('\n')}\n`);
  process.exit(1);
}

run('changeset', 'version');
const version = releaseVersion();
if (version === before) {
  process.stdout.write('there are no changesets: nothing to do\n');
} else {
  const notes = isFirst ? writeFirstNotes(version) : releaseNotes(version);
  if (notes === undefined) throw new Error(`no CHANGELOG.md has an entry for ${version}`);
  writeVersion(version);
  addNotes(notes);
  run('pnpm', 'install', '--lockfile-only');
  process.stdout.write(`${before} -> ${version}\n`);
}
