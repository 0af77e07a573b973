import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { checkProject, loadProject, type Parsed } from '../src/index.ts';
import type { Definition } from '../src/parse/definition.ts';
import { corpusProjects } from './project-support/corpus.ts';
import { memoryFileSystem } from './project-support/memory-file-system.ts';
import { type Choose, rewritten } from './properties/yaml-spellings.ts';

interface Project {
  readonly files: Readonly<Record<string, string>>;
  readonly environment: Readonly<Record<string, string>>;
}

const projects = corpusProjects.map(({ folder, env = {} }): Project => {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) =>
    /\.ya?ml$/.test(path),
  );
  const variables = existsSync(join(folder, '.env')) ? ['.env'] : [];
  const files = [...paths, ...variables].map((path) => [path, readFileSync(join(folder, path), 'utf8')]);
  return { files: Object.fromEntries(files), environment: env };
});

/** What is read of a project, and what is said about it, but not where. */
async function said(files: Project['files'], { environment }: Project): Promise<unknown> {
  const loaded = await loadProject({ fileSystem: memoryFileSystem(files), environment });
  const { diagnostics, project } = checkProject(loaded, { today: '2026-01-01' });
  const { parsed } = project.resolved;
  const { sources, models, tests, exposures } = parsed;
  return {
    sections: [parsed.project, parsed.runtime, parsed.defaults, parsed.rules].map(contentOf),
    definitions: [sources, models, tests, exposures].flat().map((one: Definition) => ({
      object: one.object,
      path: one.path,
      value: one.value,
    })),
    edges: project.resolved.edges,
    found: diagnostics
      .map(({ code, object, path, range }) => `${code} ${object} ${range.file} ${path}`)
      .sort(),
  };
}

function contentOf(section: Parsed<unknown> | undefined): unknown {
  return section?.value;
}

function rewrittenFiles({ files }: Project, choose: Choose): Project['files'] {
  return Object.fromEntries(
    Object.entries(files).map(([path, text]) => [path, path === '.env' ? text : rewritten(text, choose)]),
  );
}

test('the layout of YAML changes neither what is read nor which findings there are', async () => {
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...projects), fc.infiniteStream(fc.nat()), async (project, numbers) => {
      const other = rewrittenFiles(project, (below) => numbers.next().value % below);
      expect(await said(other, project)).toEqual(await said(project.files, project));
    }),
    { numRuns: 150 },
  );
});
