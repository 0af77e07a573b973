import { describe, expect, test } from 'vitest';
import { inferProject, parseProject, resolveProject } from '../src/index.ts';
import { loadProjectFolder } from '../src/node/index.ts';
import { type CorpusProject, corpusProjects } from './project-support/corpus.ts';
import { resolvedExpectation } from './resolve-support/expectation.ts';

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

  test('puts a model after all models that it reads', async () => {
    const { resolved } = await compiled(project);
    const place = new Map(resolved.order.map((name, index) => [`model:${name}`, index]));
    expect(place.size).toBe(resolved.models.size);
    const cyclic = new Set(resolved.cycles.flat());
    for (const [from, to] of edges) {
      const [input, model] = [place.get(from), place.get(to)];
      if (input === undefined || model === undefined || cyclic.has(to.slice(6))) continue;
      expect(input).toBeLessThan(model);
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
  const { value: resolved } = resolveProject(parseProject(loaded.value).value);
  return { resolved, inferred: inferProject(resolved).value };
}
