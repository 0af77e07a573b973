import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { strictCheck } from '../../stream-project-schema/test/strict-check.ts';
import {
  type Compilation,
  type CompileOptions,
  catalogue,
  compile,
  connectorFileJsonSchema,
  type JobFile,
  jobFileJsonSchema,
  projectArtifacts,
  projectManifestJsonSchema,
  testFileJsonSchema,
  topicFileJsonSchema,
  virtualTopicFileJsonSchema,
} from '../src/index.ts';
import { loadProjectFolder } from '../src/node/index.ts';
import { asExpected, expectedArtifacts } from './corpus-support/artifacts.ts';
import { type CorpusProject, corpusProjects } from './project-support/corpus.ts';

const whole = corpusProjects.flatMap((project) => {
  const artifacts = expectedArtifacts(project);
  return artifacts === undefined ? [] : [{ ...project, artifacts }];
});

const check = strictCheck(projectManifestJsonSchema);

/** What is wrong with files by their folder. */
const checks: Readonly<Record<string, (value: unknown) => readonly string[]>> = {
  topics: strictCheck(topicFileJsonSchema),
  jobs: strictCheck(jobFileJsonSchema),
  connectors: strictCheck(connectorFileJsonSchema),
  virtual_topics: strictCheck(virtualTopicFileJsonSchema),
  tests: strictCheck(testFileJsonSchema),
  schemas: (value) =>
    new Ajv2020({ strict: false, validateSchema: true }).validateSchema(value as object) === true
      ? []
      : ['no JSON Schema'],
};

function misfitsOf([path, text]: readonly [string, string]): readonly string[] {
  const [folder = ''] = path.split('/');
  if (!path.endsWith('.json') || folder === 'manifest.json') return [];
  return checks[folder]?.(JSON.parse(text)) ?? [`${path} has no check`];
}
const checkTest = strictCheck(testFileJsonSchema);

function withoutCompaction({ config, ...topic }: TopicOf): TopicOf {
  const kept = Object.entries(config).filter(([key]) => key !== 'cleanup.policy');
  return { ...topic, config: Object.fromEntries(kept) };
}

type TopicOf = ReturnType<typeof projectArtifacts>['topics'][number];

/** Valid projects of the corpus whose model has no job, with the reason in a few words. */
const withoutJob = {
  'p018184afm fleet_metrics': 'a window over a column without event time',
  'p018184afm late_deliveries': 'a column that two tables have',
  'p3c24c0ed model_d': 'all columns of a topic of which none is declared, in a join',
  'p73dd27df model_eval': 'a machine-learning model without columns',
  'pcaec1041m events_dlq': 'all columns of a topic of which none is declared, and others',
};

function jobsIn(files: Compilation['files']): readonly JobFile[] {
  return [...files].flatMap(([path, text]) =>
    /^jobs\/.*json$/.test(path) ? [JSON.parse(text) as JobFile] : [],
  );
}

test('the corpus gives the artifacts of most projects', () => {
  expect(whole.length).toBeGreaterThan(80);
});

describe.each(whole)('$id ($class)', (project) => {
  test('its topics, connectors and virtual topics are those of the corpus', async () => {
    const { connectors, topics, virtual_topics, tests } = projectArtifacts((await compiled(project)).project);
    const ofTests = new Set(tests.flatMap(({ writes }) => writes));
    const { connectors: expectedConnectors, ...expected } = project.artifacts;
    // It does not say that a topic with the latest row of each key is compacted, whose it is or its formats, and has none of tests
    const ofModels = topics
      .filter(({ name }) => !ofTests.has(name))
      .map(withoutCompaction)
      .map(({ owner: _owner, format: _format, key_format: _keyFormat, ...topic }) => topic);
    expect({ topics: ofModels, virtual_topics }).toEqual({
      topics: expected.topics,
      virtual_topics: expected.virtual_topics,
    });
    // The corpus leaves lists out of the configuration
    expect(connectors).toMatchObject(expectedConnectors);
  });

  test('its jobs are those of the corpus, or it is said why there is none', async () => {
    const { files, diagnostics, valid } = await compiled(project);
    const expected = valid ? project.artifacts.jobs : [];
    const jobs = jobsIn(files);
    const found = expected.map((job) => {
      const made = asExpected(jobs, job);
      if (made !== undefined) return made;
      const about = diagnostics.filter(
        ({ object, code }) => object === `model:${job.model}` && code === 'LV5001',
      );
      return about.length === 1 ? job : `nothing is said of ${job.model}`;
    });
    expect(found).toEqual(expected);
  });

  test('its files are as their JSON Schemas say, and the same bytes each time', async () => {
    const [one, other] = [await compiled(project), await compiled(project)];
    expect(one.manifest === undefined ? [] : check(one.manifest)).toEqual([]);
    expect([...one.files].flatMap(misfitsOf)).toEqual([]);
    const tests = [...one.files].flatMap(([path, text]) => (/^tests\/.*json$/.test(path) ? [text] : []));
    expect(tests.flatMap((text) => checkTest(JSON.parse(text)))).toEqual([]);
    expect([...other.files]).toEqual([...one.files]);
  });
});

test('there is a file for each artifact, and one for the manifest', async () => {
  const found = await Promise.all(whole.map((project) => compiled(project)));
  const valid = found.flatMap(({ manifest, files }) => (manifest === undefined ? [] : [{ manifest, files }]));
  expect(valid.length).toBeGreaterThan(40);
  for (const { manifest, files } of valid) {
    expect(files.get('manifest.json')).toBe(`${JSON.stringify(manifest, undefined, 2)}\n`);
    const { topics, schemas, connectors, virtual_topics, jobs, tests } = manifest.artifacts;
    const paths = [
      ...jobs.flatMap(({ name }) => [`jobs/${name}.sql`, `jobs/${name}.json`]),
      ...topics.map(({ name }) => `topics/${name}.json`),
      ...schemas.map(({ path }) => path),
      ...connectors.map(({ name }) => `connectors/${name}.json`),
      ...virtual_topics.map(({ model }) => `virtual_topics/${model}.json`),
      ...tests.map(({ name }) => `tests/${name}.json`),
      ...tests.flatMap(({ name, writes }) => (writes.length === 0 ? [] : [`tests/${name}.sql`])),
    ];
    expect([...files.keys()].sort()).toEqual(['manifest.json', ...paths].sort());
  }
});

test('all models of valid projects have a job but those of a list', async () => {
  const lacking: string[] = [];
  for (const project of whole) {
    const { files, valid } = await compiled(project);
    const computed = jobsIn(files).flatMap(({ models }) => models.map(({ model }) => model));
    for (const { model } of valid ? project.artifacts.jobs : [])
      if (!computed.includes(model)) lacking.push(`${project.id} ${model}`);
  }
  expect(lacking.sort()).toEqual(Object.keys(withoutJob));
});

test('writes a manifest of all known facts for a project whose errors count as warnings', async () => {
  const policy = Object.fromEntries(Object.keys(catalogue).map((code) => [code, 'warning' as const]));
  const found = await Promise.all(corpusProjects.map((project) => compiled(project, { policy })));
  const made = found.flatMap(({ manifest }) => manifest ?? []);
  expect(made.length).toBeGreaterThan(100);
  expect(made.flatMap((manifest) => check(manifest))).toEqual([]);
});

test('writes no artifacts for a project with errors', async () => {
  const broken = corpusProjects.find(({ valid }) => !valid);
  if (broken === undefined) throw new Error('the corpus has no such project');
  const { manifest, files } = await compiled(broken);
  expect([manifest, files.size]).toEqual([undefined, 0]);
});

async function compiled(
  { folder, env = {} }: CorpusProject,
  options: CompileOptions = {},
): Promise<Compilation> {
  const loaded = await loadProjectFolder(folder, { environment: env });
  return compile(loaded, { today: '2025-01-01', ...options });
}
