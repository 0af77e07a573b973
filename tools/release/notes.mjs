// Release notes, made of what changesets wrote into the CHANGELOG.md of each package. A change of several packages is in each of theirs,
// and here once, with their names.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { publicPackages } from '../packages/pack.mjs';

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
