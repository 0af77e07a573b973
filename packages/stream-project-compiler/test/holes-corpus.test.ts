import { describe, expect, test } from 'vitest';
import { checkProject, compile } from '../src/index.ts';
import { loadProjectFolder } from '../src/node/index.ts';
import { corpusProjects } from './project-support/corpus.ts';

const today = '2025-01-01';

describe.each(corpusProjects.filter(({ valid }) => valid))('$id', ({ folder, env = {} }) => {
  test('it compiles without a hole, or checking it gives the reason', async () => {
    const loaded = await loadProjectFolder(folder, { environment: env });
    const checked = checkProject(loaded, { today });
    const compiled = compile(loaded, { today });
    expect(checked.diagnostics).toEqual(compiled.diagnostics);
    const { valid, complete, holes } = checked;
    expect({ valid, complete, holes }).toEqual({
      valid: compiled.valid,
      complete: compiled.complete,
      holes: compiled.holes,
    });
    expect(compiled.files.size > 0).toBe(valid);
    const codes = new Map(checked.diagnostics.map(({ code, object }) => [`${object} ${code}`, code]));
    const explained = holes.filter(
      ({ object }) => codes.has(`${object} LV5001`) || codes.has(`${object} LV5020`),
    );
    expect(holes).toEqual(explained);
    expect(complete).toBe(valid && holes.length === 0);
    expect(checked.diagnostics.some(({ severity }) => severity === 'error')).toBe(!valid);
    const written = new Set(
      compiled.manifest?.artifacts.jobs.flatMap((job) => job.models.map((model) => model.name)),
    );
    const models = [...checked.project.resolved.models.values()];
    const inPlace = models.filter(
      ({ name, sql }) =>
        sql === undefined ||
        written.has(name) ||
        compiled.files.has(`virtual_topics/${name}.json`) ||
        holes.some(({ object }) => object === `model:${name}`),
    );
    expect(valid ? inPlace.length : models.length).toBe(models.length);
  });
});
