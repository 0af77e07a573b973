import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const repository = fileURLToPath(new URL('../..', import.meta.url));
const text = (path: string): string => readFileSync(repository + path, 'utf8');

interface Manifest {
  readonly name: string;
  readonly private?: true;
  readonly engines: { readonly node: string };
}

const published = globSync('packages/*/package.json', { cwd: repository })
  .toSorted()
  .map((path) => ({ path, manifest: JSON.parse(text(path)) as Manifest }))
  .filter(({ manifest }) => manifest.private === undefined);

const needed = new Map(
  published.map(({ manifest }) => [manifest.name, manifest.engines.node.slice('>='.length)]),
);

/** Versions of Node that a text says are needed. */
function said(path: string): readonly string[] {
  return [...text(path).matchAll(/Node (2\d\.\d+) or newer/g)].map(([, version = '']) => version);
}

it('says in each README the version of Node that the package needs', () => {
  const rows = published.map(({ path, manifest }) => [
    manifest.name,
    ...new Set(said(path.replace('package.json', 'README.md'))),
  ]);
  expect(rows).toEqual([...needed]);
});

it.each(['operator', 'platform-team', 'service'])('says what the packages of start/%s need', (name) => {
  const page = `docs/start/${name}.md`;
  const installed = [...text(page).matchAll(/@levada\/[a-z-]+(?=[ \n])/g)].map(
    ([one]) => needed.get(one) ?? '',
  );
  expect(installed).not.toEqual([]);
  expect(said(page)).toEqual([installed.toSorted().at(-1)]);
});

it('says in the guide which packages need a newer Node than the others', () => {
  const [, usual, newer] =
    /Packages need Node ([\d.]+), .* ([\d.]+)\. Older/.exec(text('docs/guides/bundling.md')) ?? [];
  expect([...new Set(needed.values())].toSorted()).toEqual([usual, newer]);
  expect(said('docs/guides/upgrades.md')).toEqual([needed.get('@levada/runtime-server')]);
});
