import type { InferredProject } from '../infer/infer-project.ts';
import type { Job, JobModel } from '../jobs/job.ts';
import { type ProjectJobs, projectJobs, topicSchemas } from '../jobs/project-jobs.ts';
import type { TopicSchema } from '../jobs/topic-schemas.ts';
import { numberAt, textAt } from '../parse/known-value.ts';
import { placeOf } from '../parse/node-place.ts';
import type { NodeId } from '../resolve/node-id.ts';
import { createObjectMemory, keepLists, type ObjectMemory } from '../resolve/object-memory.ts';
import type { ResolvedModel, ResolvedTest } from '../resolve/resolved-project.ts';
import type { ContinuousTest } from '../test-jobs/continuous-test.ts';
import { type ProjectTests, projectTests } from '../test-jobs/project-tests.ts';
import type {
  ConnectorArtifact,
  JobArtifact,
  ProjectArtifacts,
  SchemaArtifact,
  TestArtifact,
  TopicArtifact,
  VirtualTopicArtifact,
} from './artifact.ts';
import { artifactOrder } from './artifact-order.ts';
import { schemaPath } from './artifact-paths.ts';
import { projectVariables } from './project-variables.ts';
import { type ConfigTexts, configTexts, sinkOf } from './sinks/connector-file.ts';
import { type TopicFormat, topicFormat } from './sinks/topic-format.ts';
import { type TopicNames, topicNames } from './topic-names.ts';
import { hiddenSecret } from './written-value.ts';

/**
 * Resources that a project creates: output topics of its models and tests and the jobs that write them, connectors of its sinks, virtual
 * topics of the gateway. A topic of which a job keeps the latest row of each key is compacted unless the model says how it is cleaned up. Meant for a valid project; for any other, facts that cannot be
 * determined are omitted. No configuration contains the value of a variable, and secrets in the project's files are `***`.
 */
export function projectArtifacts(
  project: InferredProject,
  all: ProjectJobs = projectJobs(project),
  tests: ProjectTests = projectTests(project, all),
  memory: ObjectMemory = createObjectMemory(),
): ProjectArtifacts {
  const { jobs } = all;
  const { parsed } = project.resolved;
  const owner = parsed.project?.value?.name ?? '';
  const names = topicNames(project);
  const models = (kind: string) =>
    [...project.resolved.models.values()].filter(({ name }) => project.materialized.get(name)?.kind === kind);
  const topics = [...models('topic'), ...models('engine')].flatMap((model) => {
    const rows = all.models.get(model.name)?.writes.rows;
    const needs = [rows, owner, project.columns.get(model.id), project.nodes.get(model.id)?.changes];
    return memory.remember('artifact', { object: model, needs }, () =>
      topicArtifact(model, { rows, owner, format: topicFormat(project, model.id) }),
    );
  });
  const promised = promisedCompatibility(project);
  const lists = keepLists('artifacts', memory, {
    topics: sorted([...topics, ...otherTopics(project, { all, tests }, topics)]),
    schemas: sorted(
      topicSchemas(all).flatMap(({ model, schemas }) =>
        schemas.map((schema) => schemaArtifact(model, schema, { project, promised, memory })),
      ),
    ),
    jobs: sorted([...jobs.values()].map((job) => memory.recall(jobArtifact, job, [owner]))),
    connectors: sorted(
      models('sink').flatMap((model) =>
        memory.recall(connectorArtifact, model, [owner, names.readBy(model).join('\n')]),
      ),
    ),
    virtual_topics: sorted(models('virtual_topic').flatMap((model) => virtualTopicArtifact(model, names))),
    tests: sorted(
      [...project.resolved.tests.values()].map((test) =>
        memory.recall(testArtifact, test, [tests.tests.get(test.name)]),
      ),
    ),
  });
  return {
    ...keepLists('order', memory, { order: artifactOrder(lists, project.resolved.order) }),
    variables: projectVariables(parsed, memory),
    ...lists,
  };
}

/** What exposures promise of schemas, by subject. */
function promisedCompatibility({ resolved }: InferredProject): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>();
  for (const { definition } of resolved.exposures.values()) {
    const subject = textAt(definition.node, 'contracts.schema')?.value;
    const compatibility = textAt(definition.node, 'contracts.compatibility')?.value;
    if (subject === undefined || compatibility === undefined) continue;
    found.set(subject, (found.get(subject) ?? new Set()).add(compatibility));
  }
  return found;
}

interface SchemaFacts {
  readonly project: InferredProject;
  readonly promised: ReturnType<typeof promisedCompatibility>;
  readonly memory: ObjectMemory;
}

function schemaArtifact(
  model: string,
  schema: TopicSchema,
  { project, promised, memory }: SchemaFacts,
): SchemaArtifact {
  const { part, format, subject } = schema;
  const compatibility = [...(promised.get(subject) ?? [])].sort();
  const topic = project.resolved.models.get(model)?.settings.topicName?.value ?? model;
  return memory.remember('artifact', { object: schema, needs: [model, topic, ...compatibility] }, () => {
    const name = `${model}-${part}`;
    return {
      name,
      model,
      part,
      topic,
      format,
      subject,
      ...(compatibility.length === 0 ? {} : { compatibility }),
      path: schemaPath(name, format),
    };
  });
}

function testArtifact({ name, definition }: ResolvedTest, made: ContinuousTest | undefined): TestArtifact {
  const job = made?.job;
  return {
    name,
    type: definition.value?.type ?? '',
    ...(job?.cluster === undefined ? {} : { cluster: job.cluster.value }),
    reads: [...new Set(job?.reads.map(({ topic }) => topic))],
    writes: job?.writes.map(({ topic }) => topic) ?? [],
  };
}

/**
 * Topics of null keys, which sources may describe, and those that tests write and neither a model nor a source has, with the numbers
 * of `defaults.topic`.
 */
function otherTopics(
  project: InferredProject,
  { all: { models }, tests: { tests } }: { readonly all: ProjectJobs; readonly tests: ProjectTests },
  ofModels: readonly TopicArtifact[],
): readonly TopicArtifact[] {
  const { parsed, sources, tests: declared } = project.resolved;
  const sourceNames = new Set([...sources.values()].flatMap(({ value }) => value?.topic ?? []));
  const others = new Set(ofModels.map(({ name }) => name));
  const written = new Map<string, Pick<TopicArtifact, 'format' | 'key_format'> & { node?: NodeId }>();
  for (const { nullKeys, output, schemas } of models.values()) {
    if (nullKeys?.topic === undefined) continue;
    // Records that are handed on keep their format, and have no schema here; rows are JSON
    const format = schemas.length === 0 ? output.format : 'json';
    written.set(nullKeys.topic, { node: output.node, format, key_format: 'none' });
  }
  for (const [test, { job }] of tests) {
    for (const { topic, holds } of job?.writes ?? []) {
      const target = declared.get(test)?.target;
      // Violations are JSON; records that fail are copied as they are
      const format =
        holds === 'violations' || target === undefined ? undefined : topicFormat(project, target);
      if (written.has(topic) || sourceNames.has(topic)) continue;
      written.set(topic, format === undefined ? { format: 'json' } : formatFacts(format));
    }
  }
  const { defaults } = parsed;
  const number = (key: string) =>
    defaults === undefined ? undefined : numberAt(defaults.node, `topic.${key}`)?.value;
  const [partitions, replication] = [number('partitions'), number('replication_factor')];
  return [...written]
    .filter(([name]) => !others.has(name))
    .map(([name, { node, ...formats }]) => ({
      name,
      owner: { project: parsed.project?.value?.name ?? '', ...(node === undefined ? {} : { node }) },
      ...formats,
      ...(partitions === undefined ? {} : { partitions }),
      ...(replication === undefined ? {} : { replication_factor: replication }),
      config: {},
    }));
}

function jobArtifact(
  { name, cluster, reads, models, stateFingerprint, needs }: Job,
  project: string,
): JobArtifact {
  return {
    name,
    ...(cluster === undefined ? {} : { cluster: cluster.value }),
    reads: [...new Set(reads.map(({ topic }) => topic))],
    models: models.map(({ model, writes }) => ({ name: model, writes: writes.topic })),
    consumer_group: `${project}.${name}`,
    needs,
    state_fingerprint: stateFingerprint,
  };
}

const cleanup = 'cleanup.policy';

interface TopicFacts {
  readonly rows: JobModel['writes']['rows'] | undefined;
  readonly owner: string;
  readonly format: TopicFormat | undefined;
}

function topicArtifact(
  { id, definition, settings }: ResolvedModel,
  { rows, owner, format }: TopicFacts,
): readonly TopicArtifact[] {
  const { topicName, partitions, replicationFactor } = settings;
  if (topicName === undefined) return [];
  const { texts, secretKeys } = configTexts(
    placeOf(definition.node, 'advanced.topic.config').node,
    definition.file,
  );
  const compacted = rows === 'upsert' ? [[cleanup, 'compact'] as const] : [];
  const config = { texts: new Map([...compacted, ...texts]), secretKeys };
  return [
    {
      name: topicName.value,
      owner: { project: owner, node: id },
      ...formatFacts(format),
      ...(partitions === undefined ? {} : { partitions: partitions.value }),
      ...(replicationFactor === undefined ? {} : { replication_factor: replicationFactor.value }),
      config: shownConfig(config),
    },
  ];
}

function formatFacts(format: TopicFormat | undefined): Pick<TopicArtifact, 'format' | 'key_format'> {
  if (format === undefined) return {};
  const { value, key, rows, isWritten } = format;
  return {
    ...(value === undefined ? {} : { format: rows === 'changelog' && isWritten ? 'debezium-json' : value }),
    ...(key === undefined || !isWritten ? {} : { key_format: key }),
  };
}

/** `topics`: those that it reads, one a line. */
function connectorArtifact(
  model: ResolvedModel,
  owner: string,
  topics: string,
): readonly ConnectorArtifact[] {
  const { connector, config } = sinkOf(model);
  if (connector === undefined) return [];
  const { connectCluster: cluster } = model.settings;
  return [
    {
      name: model.name,
      connector,
      ...(cluster === undefined ? {} : { cluster: cluster.value }),
      owner: { project: owner, node: model.id },
      topics: topics === '' ? [] : topics.split('\n'),
      config: shownConfig(config),
    },
  ];
}

function virtualTopicArtifact(model: ResolvedModel, names: TopicNames): readonly VirtualTopicArtifact[] {
  const [name, physical] = [names.of(model.id), names.physical(model)];
  if (name === undefined || physical === undefined) return [];
  const { node } = placeOf(model.definition.node, 'advanced.gateway.virtual_topic.compression');
  const compression = node?.known === true ? { compression: String(node.value) } : {};
  return [{ model: model.name, name, physical_topic: physical, ...compression }];
}

function shownConfig({ texts, secretKeys }: ConfigTexts): Readonly<Record<string, string>> {
  const keys = [...texts.keys()].sort();
  return Object.fromEntries(
    keys.map((key) => [key, secretKeys.has(key) ? hiddenSecret : (texts.get(key) ?? '')]),
  );
}

function sorted<T extends { readonly name: string }>(artifacts: readonly T[]): readonly T[] {
  return artifacts.toSorted((one, other) => (one.name < other.name ? -1 : 1));
}
