// Ends the pending changesets: new versions in all manifests and in the sources that hold one, the CHANGELOG.md of each package,
// and that of the repository. Run by the workflow that prepares a release.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../packages/pack.mjs';
import { releaseNotes } from './notes.mjs';
import { releaseVersion, writeVersion } from './versions.mjs';

const before = releaseVersion();
const run = (program, ...words) =>
  execFileSync(join(root, 'node_modules/.bin', program), words, {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
  });

run('changeset', 'version');
const version = releaseVersion();
if (version === before) {
  process.stdout.write('there are no changesets: nothing to do\n');
} else {
  writeVersion(version);
  const notes = releaseNotes(version);
  if (notes === undefined) throw new Error(`no CHANGELOG.md has an entry for ${version}`);
  const file = join(root, 'CHANGELOG.md');
  const [title, ...sections] = readFileSync(file, 'utf8').split(/^(?=## )/m);
  writeFileSync(file, `${[title, notes, ...sections].map((part) => part.trimEnd()).join('\n\n')}\n`);
  run('pnpm', 'install', '--lockfile-only');
  process.stdout.write(`${before} -> ${version}\n`);
}
