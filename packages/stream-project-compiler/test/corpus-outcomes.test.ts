import { describe, expect, test } from 'vitest';
import { checkProject, findCode } from '../src/index.ts';
import { loadProjectFolder } from '../src/node/index.ts';
import { namesOf } from './corpus-support/kind-names.ts';
import { compareOutcome } from './corpus-support/outcome.ts';
import { corpusProjects } from './project-support/corpus.ts';

/** Before every date of the corpus. */
const today = '2025-01-01';

describe.each(corpusProjects)('$id ($class)', (project) => {
  test('is judged as the corpus says, with every mistake that it lists and no other error', async () => {
    const loaded = await loadProjectFolder(project.folder, { environment: project.env ?? {} });
    const { diagnostics } = checkProject(loaded, { today });
    expect(compareOutcome(project, diagnostics)).toEqual({ missing: [], surplus: [] });
  });
});

test('whatever the corpus expects or allows has a code', () => {
  const kinds = corpusProjects.flatMap(({ diagnostics, may = [] }) => [
    ...diagnostics,
    ...may.map((entry) => {
      const [kind = '', rule] = entry.split(':');
      return kind === 'rule' && rule !== undefined ? { kind, rule } : { kind };
    }),
  ]);
  const without = kinds.filter((kind) => namesOf(kind).every((name) => findCode(name) === undefined));
  expect(without).toEqual([]);
});

test('the corpus has projects that are valid and projects that are not', () => {
  expect(corpusProjects.filter(({ valid }) => valid).length).toBeGreaterThan(80);
  expect(corpusProjects.filter(({ class: kind }) => kind === 'structure').length).toBeGreaterThan(30);
});
