import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Compilation, compile, loadProject } from '../src/index.ts';
import { loadProjectFolder } from '../src/node/index.ts';
import { corpusProjects } from './project-support/corpus.ts';
import { memoryFileSystem } from './project-support/memory-file-system.ts';
import { rewritten } from './properties/yaml-spellings.ts';

/** A valid project of the corpus with its files as text. */
interface TextProject {
  readonly id: string;
  readonly files: Readonly<Record<string, string>>;
  readonly env: Readonly<Record<string, string>>;
  readonly before: Compilation;
}

const today = '2025-01-01';

async function compiled(files: Readonly<Record<string, string>>, environment: TextProject['env']) {
  return compile(await loadProject({ fileSystem: memoryFileSystem(files), environment }), { today });
}

async function projects(): Promise<readonly TextProject[]> {
  const found: TextProject[] = [];
  for (const { id, folder, env = {}, valid } of corpusProjects) {
    if (!valid) continue;
    const loaded = await loadProjectFolder(folder, { environment: env });
    const files = Object.fromEntries(loaded.value.files.map(({ path, text }) => [path, text]));
    const before = await compiled(files, env);
    if (before.valid) found.push({ id, files, env, before });
  }
  return found;
}

/** The files of a compilation without places, and hashes of what has places. */
function artifacts({ files }: Compilation): Readonly<Record<string, string>> {
  const shown = [...files].map(([path, text]) => {
    const { files: _hashes, ...facts } = path.endsWith('.json') ? JSON.parse(text) : { text };
    return [path, JSON.stringify(facts, (key, value) => (key === 'source_map' ? [] : value))] as const;
  });
  return Object.fromEntries(shown.sort(([one], [other]) => (one < other ? -1 : 1)));
}

describe('what a project is compiled to', () => {
  it('does not depend on how its YAML is written', async () => {
    const all = await projects();
    expect(all.length).toBeGreaterThan(40);
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...all), fc.infiniteStream(fc.nat()), async (project, numbers) => {
        const choose = (below: number) => (numbers.next().value ?? 0) % below;
        const files = Object.fromEntries(
          Object.entries(project.files).map(([path, text]) => [path, rewritten(text, choose)]),
        );
        expect(artifacts(await compiled(files, project.env))).toEqual(artifacts(project.before));
      }),
      { numRuns: 40 },
    );
  }, 60_000);

  it('has only the new name where a model is renamed', async () => {
    const renamed: string[] = [];
    for (const { id, files, env, before } of await projects()) {
      const [model] =
        before.manifest?.models.filter(({ name, topic }) => name.length > 6 && topic !== name) ?? [];
      if (model === undefined) continue;
      const word = new RegExp(`(?<![\\w.-])${model.name}(?![\\w.-])`, 'g');
      // Topics that only begin with the name keep theirs
      const written = new RegExp(`(?<![A-Za-z0-9_])${model.name}(?!_?[0-9]|[A-Za-z])`, 'g');
      const inPath = new RegExp(`/${model.name}(?=\\.|-(?:key|value)\\.)`);
      const other = Object.entries(files).map(([path, text]) => [
        path,
        text.replace(word, `${model.name}_2`),
      ]);
      const after = await compiled(Object.fromEntries(other) as Record<string, string>, env);
      if (!after.valid) continue;
      const expected = Object.entries(artifacts(before)).map(([path, text]) => [
        path.replace(inPath, `/${model.name}_2`),
        text.replace(written, `${model.name}_2`).length,
      ]);
      const found = Object.entries(artifacts(after)).map(([path, text]) => [path, text.length]);
      expect({ id, files: Object.fromEntries(found) }).toEqual({ id, files: Object.fromEntries(expected) });
      renamed.push(id);
    }
    expect(renamed.length).toBeGreaterThan(5);
  }, 60_000);
});
