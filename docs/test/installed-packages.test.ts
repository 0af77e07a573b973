import { existsSync, globSync, readFileSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const repository = fileURLToPath(new URL('../..', import.meta.url));
const text = (path: string): string => readFileSync(repository + path, 'utf8');

const sources = ['source-grpc', 'source-otlp', 'source-websocket'];

/** Names of the packages that an install of this one brings, itself included. */
function installed(path: string, found = new Set<string>()): ReadonlySet<string> {
  const { name, dependencies = {} } = JSON.parse(readFileSync(path, 'utf8')) as {
    readonly name: string;
    readonly dependencies?: Readonly<Record<string, string>>;
  };
  if (found.has(name)) return found;
  found.add(name);
  for (const dependency of Object.keys(dependencies)) installed(manifestOf(dependency, path), found);
  return found;
}

/** Not every package exports its manifest. */
function manifestOf(name: string, from: string): string {
  const folders = createRequire(from).resolve.paths(name) ?? [];
  const found = folders.map((folder) => join(folder, name, 'package.json')).find((path) => existsSync(path));
  return realpathSync(found ?? name);
}

it.each(sources)('the README of %s says what an install brings', (name) => {
  const [, count, list = ''] =
    /(\d+) packages are installed: this one, (.*?)\. There/s.exec(text(`packages/${name}/README.md`)) ?? [];
  const named = [...list.matchAll(/`(@?[\w/-]+)`/g)].map(([, one]) => one);
  const brought = installed(`${repository}packages/${name}/package.json`);
  expect(Number(count)).toBe(brought.size);
  expect(new Set([`@levada/${name}`, ...named])).toEqual(brought);
});

it('pages name only options that sources have', () => {
  const pages = globSync(['README.md', 'docs/**/*.md', 'packages/*/README.md'], {
    cwd: repository,
    exclude: (path) => path.includes('node_modules'),
  });
  const unknown = pages.flatMap((page) =>
    [...text(page).matchAll(/`([a-z]\w*)` of `(grpc|otlp|websocket)Source`/g)]
      .filter(([, option = '', source = '']) => !optionsOf(source).has(option))
      .map(([said]) => `${page}: ${said}`),
  );
  expect(unknown).toEqual([]);
});

function optionsOf(source: string): ReadonlySet<string> {
  const rows = text(`packages/source-${source}/src/config/gen/options.ts`);
  return new Set([...rows.matchAll(/readonly (\w+)\??:/g)].map(([, option = '']) => option));
}
