import { describe, expect, test } from 'vitest';
import { catalogue, type Diagnostic, inferProject, parseProject, resolveProject } from '../src/index.ts';
import { loadProjectFolder } from '../src/node/index.ts';
import { type CorpusProject, corpusProjects } from './project-support/corpus.ts';
import { type ResolvedExpectation, resolvedExpectation } from './resolve-support/expectation.ts';

/** Kinds of the corpus that resolving and inferring report, with our names for them. */
const names: Readonly<Record<string, readonly string[]>> = {
  'duplicate-name': ['duplicate-name'],
  'unknown-source': ['unknown-source'],
  'unknown-model': ['unknown-model'],
  'template-syntax': ['sql-template'],
  'sql-no-from': ['sql-no-from'],
  cycle: ['cycle'],
  'access-denied': ['access-denied'],
  'test-target-not-found': ['test-target-not-found'],
  'engine-required': ['engine-required'],
  'managed-engine-required': ['managed-engine-required'],
  'gateway-required': ['gateway-required'],
};

/** The engine's own parser refuses a text of such a project, and so does ours. */
const refusedByEngine = 'sql-syntax';

/** Where we say otherwise than the corpus, and why. */
const divergences: Readonly<Record<string, { readonly also: string; readonly because: string }>> = {
  pf635bb25: {
    also: 'unknown-model',
    because:
      'its list ends with the mistakes of form, but a foreign key names a model that is not defined; of the same project without those mistakes the corpus allows it',
  },
};

describe.each(corpusProjects)('$id ($class)', (project) => {
  const expected = resolvedExpectation(project);

  test('every mistake that the corpus lists is reported about its object, and nothing else', async () => {
    const { diagnostics } = await compiled(project);
    const errors = diagnostics.filter(({ severity }) => severity === 'error');
    const ours = expected.diagnostics.filter(({ kind }) => Object.hasOwn(names, kind));
    const missing = ours.filter((one) => !errors.some((found) => answers(found, one)));
    const surplus = errors.filter(
      (found) => !expected.diagnostics.some((one) => answers(found, one)) && !isOptional(project, found),
    );
    expect({ missing, surplus }).toEqual({ missing: [], surplus: [] });
  });
});

/** The corpus gives the graph of projects that pass the field table. */
const whole = corpusProjects.filter((project) => resolvedExpectation(project).edges !== undefined);

test('the corpus gives the graph of most projects', () => {
  expect(whole.length).toBeGreaterThan(100);
});

describe.each(whole)('$id ($class)', (project) => {
  const { edges = [], optional_edges = [], materialized = {} } = resolvedExpectation(project);

  test('its edges are those of the corpus', async () => {
    const { resolved } = await compiled(project);
    const found = resolved.edges.map(({ from, to }) => `${from} ${to}`);
    const wanted = edges.map(([from, to]) => `${from} ${to}`);
    const optional = new Set(optional_edges.map(([from, to]) => `${from} ${to}`));
    expect(found.filter((edge) => !optional.has(edge)).sort()).toEqual([...new Set(wanted)].sort());
  });

  test('a model comes behind all models that it reads', async () => {
    const { resolved } = await compiled(project);
    const place = new Map(resolved.order.map((name, index) => [`model:${name}`, index]));
    expect(place.size).toBe(resolved.models.size);
    const cyclic = new Set(resolved.cycles.flat());
    for (const [from, to] of edges) {
      const [before, behind] = [place.get(from), place.get(to)];
      if (before === undefined || behind === undefined || cyclic.has(to.slice(6))) continue;
      expect(before).toBeLessThan(behind);
    }
  });

  test('models become what the corpus says', async () => {
    const { inferred } = await compiled(project);
    const wrong = Object.entries(materialized).filter(
      ([name, kinds]) => ![kinds].flat().includes(inferred.materialized.get(name)?.kind ?? ''),
    );
    expect(wrong).toEqual([]);
  });
});

async function compiled(project: CorpusProject) {
  const loaded = await loadProjectFolder(project.folder, { environment: project.env ?? {} });
  const parsed = parseProject(loaded.value);
  const { value: resolved, diagnostics } = resolveProject(parsed.value);
  const inferred = inferProject(resolved);
  return { resolved, inferred: inferred.value, diagnostics: [...diagnostics, ...inferred.diagnostics] };
}

function answers(found: Diagnostic, expected: ResolvedExpectation['diagnostics'][number]): boolean {
  const kinds = [expected.kind, ...(expected.alt ?? [])].flatMap((kind) => names[kind] ?? []);
  if (!kinds.includes(catalogue[found.code].name) || found.object !== expected.object) return false;
  return expected.name === undefined || found.message.includes(`"${expected.name}"`);
}

function isOptional({ id, may = [] }: CorpusProject, found: Diagnostic): boolean {
  const { name } = catalogue[found.code];
  if (divergences[id]?.also === name) return true;
  if (name.startsWith('sql-') && may.includes(refusedByEngine)) return true;
  return may.some((kind) => (names[kind] ?? []).includes(name));
}
