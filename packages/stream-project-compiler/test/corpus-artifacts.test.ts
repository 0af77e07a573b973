import { describe, expect, test } from 'vitest';
import { strictCheck } from '../../stream-project-schema/test/strict-check.ts';
import {
  type Compilation,
  type CompileOptions,
  catalogue,
  compile,
  projectArtifacts,
  projectManifestJsonSchema,
} from '../src/index.ts';
import { loadProjectFolder } from '../src/node/index.ts';
import { expectedArtifacts } from './corpus-support/artifacts.ts';
import { type CorpusProject, corpusProjects } from './project-support/corpus.ts';

const whole = corpusProjects.flatMap((project) => {
  const artifacts = expectedArtifacts(project);
  return artifacts === undefined ? [] : [{ ...project, artifacts }];
});

const check = strictCheck(projectManifestJsonSchema);

test('the corpus gives the artifacts of most projects', () => {
  expect(whole.length).toBeGreaterThan(80);
});

describe.each(whole)('$id ($class)', (project) => {
  test('its topics, connectors and virtual topics are those of the corpus', async () => {
    const { connectors, ...topics } = projectArtifacts((await compiled(project)).project);
    const { connectors: expectedConnectors, ...expectedTopics } = project.artifacts;
    expect(topics).toEqual(expectedTopics);
    // The corpus leaves lists out of the configuration
    expect(connectors).toMatchObject(expectedConnectors);
  });

  test('its manifest is as the JSON Schema says, and the same bytes each time', async () => {
    const [one, other] = [await compiled(project), await compiled(project)];
    expect(one.manifest === undefined ? [] : check(one.manifest)).toEqual([]);
    expect([...other.files]).toEqual([...one.files]);
  });
});

test('there is a file for each artifact, and one for the manifest', async () => {
  const found = await Promise.all(whole.map((project) => compiled(project)));
  const valid = found.flatMap(({ manifest, files }) => (manifest === undefined ? [] : [{ manifest, files }]));
  expect(valid.length).toBeGreaterThan(40);
  for (const { manifest, files } of valid) {
    const { topics, connectors, virtual_topics } = manifest.artifacts;
    const paths = [
      ...topics.map(({ name }) => `topics/${name}.json`),
      ...connectors.map(({ name }) => `connectors/${name}.json`),
      ...virtual_topics.map(({ name }) => `virtual_topics/${name}.json`),
    ];
    expect([...files.keys()].sort()).toEqual(['manifest.json', ...paths].sort());
  }
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
