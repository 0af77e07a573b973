import { describe, expect, test } from 'vitest';
import { catalogue, type Diagnostic, parseProject } from '../src/index.ts';
import { loadProjectFolder } from '../src/node/index.ts';
import { type CorpusDiagnostic, type CorpusProject, corpusProjects } from './project-support/corpus.ts';

/** Kinds of the corpus that loading and parsing report, with our names for them. */
const names: Readonly<Record<string, readonly string[]>> = {
  'yaml-syntax': ['yaml-syntax'],
  'unknown-key': ['unknown-key'],
  'missing-key': ['missing-key'],
  'wrong-type': ['wrong-type'],
  'bad-enum': ['bad-enum'],
  'bad-assertion': ['one-key'],
  'invalid-value': ['invalid-value'],
  'unresolved-variable': ['unresolved-variable'],
};

describe.each(corpusProjects)('$id ($class)', (project) => {
  test('every mistake of form that the corpus lists is reported with its path and object, and nothing else', async () => {
    const errors = await errorsOf(project);
    const ours = project.diagnostics.filter(
      ({ kind }) => Object.hasOwn(names, kind) && kind !== 'invalid-value',
    );
    const missing = ours.filter((expected) => !errors.some((found) => answers(found, expected)));
    const surplus = errors.filter(
      (found) =>
        !project.diagnostics.some((expected) => answers(found, expected)) && !isOptional(project, found),
    );
    expect({ missing, surplus }).toEqual({ missing: [], surplus: [] });
  });
});

test('the corpus has projects that are valid and projects that are not', () => {
  expect(corpusProjects.filter(({ valid }) => valid).length).toBeGreaterThan(80);
  expect(corpusProjects.filter(({ class: kind }) => kind === 'structure').length).toBeGreaterThan(30);
});

async function errorsOf(project: CorpusProject): Promise<readonly Diagnostic[]> {
  const loaded = await loadProjectFolder(project.folder, { environment: project.env ?? {} });
  const parsed = parseProject(loaded.value);
  return [...loaded.diagnostics, ...parsed.diagnostics].filter(({ severity }) => severity === 'error');
}

function answers(found: Diagnostic, expected: CorpusDiagnostic): boolean {
  const kinds = [expected.kind, ...(expected.alt ?? [])].flatMap((kind) => names[kind] ?? []);
  if (!kinds.includes(catalogue[found.code].name) || found.object !== expected.object) return false;
  return expected.path === undefined || found.path === expected.path;
}

function isOptional({ may = [] }: CorpusProject, found: Diagnostic): boolean {
  return may.some((entry) => {
    const [kind = '', detail] = entry.split(':');
    if (!(names[kind] ?? []).includes(catalogue[found.code].name)) return false;
    return detail === undefined || found.path.replaceAll(/\[\d+\]/g, '[]') === detail;
  });
}
