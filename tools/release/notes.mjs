// Release notes, made of what changesets wrote into the CHANGELOG.md of each package. A change of several packages is in each of theirs,
// and here once, with their names. A first release has no changes: its notes say what it is.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { publicPackages, root } from '../packages/pack.mjs';

/** Headings by what changesets call them, in order. */
const kinds = {
  'Major Changes': 'Breaking changes',
  'Minor Changes': 'New',
  'Patch Changes': 'Fixed and improved',
};
/** Entries that only say which versions of one another the packages need. */
const internal = /^(?:- )?Updated dependencies\b/;

/** The notes of a version, in Markdown; undefined when no package has entries for it. */
export function releaseNotes(version) {
  const entries = publicPackages().flatMap(({ name, folder }) =>
    entriesOf(join(folder, 'CHANGELOG.md'), { name, version }),
  );
  if (entries.length === 0) return undefined;
  // A change may be larger for one package than for another: it counts as what it is at most.
  const order = Object.keys(kinds);
  const changes = [...Map.groupBy(entries, ({ text }) => text)].map(([text, same]) => ({
    text,
    names: [...new Set(same.map(({ name }) => name))],
    kind: Math.min(...same.map(({ kind }) => order.indexOf(kind))),
  }));
  const parts = order.flatMap((kind, at) => {
    const lines = changes.filter((change) => change.kind === at).map(lineOf);
    return lines.length === 0 ? [] : [`### ${kinds[kind]}\n\n${lines.join('\n')}\n`];
  });
  return `## ${version}\n\n${parts.join('\n')}`;
}

const changelog = join(root, 'CHANGELOG.md');

/** The notes of a version as CHANGELOG.md of the repository has them; undefined when it has none. */
export function notesOf(version) {
  return sections().find((section) => section.startsWith(`## ${version}\n`));
}

/** Puts notes before those of earlier versions. */
export function addNotes(notes) {
  const parts = [title(), notes, ...sections()].map((part) => part.trimEnd());
  writeFileSync(changelog, `${parts.join('\n\n')}\n`);
}

/** Whether no version was released yet. */
export function isFirstRelease() {
  return sections().length === 0;
}

function sections() {
  return readFileSync(changelog, 'utf8')
    .split(/^(?=## )/m)
    .slice(1);
}

function title() {
  return readFileSync(changelog, 'utf8').split(/^(?=## )/m, 1)[0];
}

/**
 * The notes of the first release: what the README says of the product, where to get it, and its packages. Changesets that were
 * written until then compare with states that no user has seen, so each package's CHANGELOG.md begins with its description instead.
 */
export function writeFirstNotes(version) {
  const packages = publicPackages();
  for (const { folder, manifest } of packages) {
    const text = `# ${manifest.name}\n\n## ${version}\n\n### Minor Changes\n\n- First release. ${manifest.description}.\n`;
    writeFileSync(join(folder, 'CHANGELOG.md'), text);
  }
  const [, about] = /^# .*\n\n([\s\S]*?)\n## /.exec(readFileSync(join(root, 'README.md'), 'utf8'));
  const links = `https://github.com/levada/levada/blob/v${version}/`;
  const rows = packages.map(({ manifest }) => `| \`${manifest.name}\` | ${manifest.description} |`);
  return `## ${version}

The first release.

${about.replaceAll(/\]\((?!https?:)/g, `](${links}`).trim()}

Packages are on npm, executables for Linux (x64, arm64) are below, the image of a worker is \`ghcr.io/levada/levada:${version}\`, and the Helm
chart is \`oci://ghcr.io/levada/charts/levada\`.

| Package | What it is |
|---|---|
${rows.join('\n')}
`;
}

function lineOf({ names, text }) {
  const packages = names.map((name) => `\`${name}\``).join(', ');
  return `- ${packages}: ${text.replaceAll(/\n(?!\n)/g, '\n  ')}`;
}

function entriesOf(file, { name, version }) {
  if (!existsSync(file)) return [];
  const section = readFileSync(file, 'utf8')
    .split(/^## /m)
    .find((part) => part.startsWith(`${version}\n`));
  const parts = (section ?? '').split(/^### /m).slice(1);
  return parts.flatMap((part) => {
    const [kind, ...lines] = part.split('\n');
    if (kinds[kind] === undefined) throw new Error(`${file}: unknown heading "${kind}"`);
    return lines
      .join('\n')
      .split(/^- /m)
      .map((text) => text.trim().replaceAll(/^ {2}/gm, ''))
      .filter((text) => text !== '' && !internal.test(text))
      .map((text) => ({ name, kind, text: text.replace(/^[0-9a-f]{7,}: /, '') }));
  });
}
