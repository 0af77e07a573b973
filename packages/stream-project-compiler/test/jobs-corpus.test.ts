import { expect, it } from 'vitest';
import { hasState } from '../src/jobs/state/has-state.ts';
import { compiledProjects } from './jobs/compiled-jobs.ts';
import { corpusProjects } from './project-support/corpus.ts';

const reserved = 'it uses a reserved word as a name, which the engine does not read';

/** Projects that the corpus takes for valid, leaving errors in their SQL open, and that the engine refuses. */
const refusedProjects: Readonly<Record<string, string>> = {
  p4b0f09c2: 'it calls NVL, which the engine does not have',
  p4b2c1637m: 'it selects columns that its tables do not have',
  p4c4c497fm: 'it has the operator "!=", which the engine does not have',
  p58be1cff: reserved,
  p75709735: reserved,
  p9baca994: reserved,
  pd3a0003f: reserved,
  pe55bdd36: reserved,
  pf635bb25m: 'a foreign key names a model that is not defined',
  pfe43f451m: reserved,
};

/** Models of valid projects without a job. */
const modelsWithoutJob: Readonly<Record<string, string>> = {
  'p018184afm late_deliveries':
    'a column is ambiguous: shown only by the columns that the jobs of its models write',
  'p018184afm fleet_metrics': 'its window is over a column that no source and no model names as event time',
  'p3c24c0ed model_d': 'it joins `*` of models whose sources declare no columns',
  'p73dd27df model_eval': 'nothing declares the type that ML_EVALUATE gives',
  'pcaec1041m events_dlq': 'it adds columns to `*` of a source that declares none',
};

it('knows of each project and model of the corpus without jobs why it has none', async () => {
  const made = await compiledProjects();
  const ids = new Set(made.map(({ id }) => id));
  const missing = corpusProjects.filter(({ id, valid }) => valid && !ids.has(id)).map(({ id }) => id);
  expect(missing.sort()).toEqual(Object.keys(refusedProjects).sort());
  const models = made.flatMap(({ id, refused }) => [...refused.keys()].map((name) => `${id} ${name}`));
  expect(models.sort()).toEqual(Object.keys(modelsWithoutJob).sort());
});

it('gives each model of the corpus with operators that keep state a part for them, and others none', async () => {
  const wrong = (await compiledProjects()).flatMap(({ id, models, project }) =>
    [...models].flatMap(([name, { state }]) => {
      const query = project.resolved.models.get(name)?.sql?.parsed.query;
      const isOperator = ({ kind }: (typeof state)[number]) =>
        !['source', 'normalize', 'sink'].includes(kind);
      return query !== undefined && hasState(query) === state.some(isOperator) ? [] : [`${id} ${name}`];
    }),
  );
  expect(wrong).toEqual([]);
});
