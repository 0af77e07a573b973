import type { InferredProject } from '../infer/infer-project.ts';
import type { Job } from '../jobs/job.ts';
import { type ProjectJobs, projectJobs } from '../jobs/project-jobs.ts';
import { placeOf } from '../parse/node-place.ts';
import { createObjectMemory, type ObjectMemory } from '../resolve/object-memory.ts';
import type { ResolvedModel } from '../resolve/resolved-project.ts';
import type {
  ConnectorArtifact,
  JobArtifact,
  ProjectArtifacts,
  TopicArtifact,
  VirtualTopicArtifact,
} from './artifact.ts';
import { type ConfigTexts, configTexts, sinkOf } from './connector-file.ts';
import { sha256 } from './sha256.ts';
import { type TopicNames, topicNames } from './topic-names.ts';
import { hiddenSecret } from './written-value.ts';

/**
 * Resources that a project creates: output topics of its models and the jobs that write them, connectors of its sinks, virtual
 * topics of the gateway. A topic of which a job keeps the latest row of each key is compacted unless the model says how it is cleaned up. Meant for a valid project; for any other, facts that cannot be
 * determined are omitted. No configuration contains the value of a variable, and secrets in the project's files are `***`.
 */
export function projectArtifacts(
  project: InferredProject,
  { jobs }: Pick<ProjectJobs, 'jobs'> = projectJobs(project),
  memory: ObjectMemory = createObjectMemory(),
): ProjectArtifacts {
  const names = topicNames(project);
  const models = (kind: string) =>
    [...project.resolved.models.values()].filter(({ name }) => project.materialized.get(name)?.kind === kind);
  return {
    topics: sorted(
      [...models('topic'), ...models('engine')].flatMap((model) => {
        const rows = jobs.get(model.name)?.writes.rows;
        return memory.remember('artifact', { object: model, needs: [rows] }, () =>
          topicArtifact(model, rows),
        );
      }),
    ),
    jobs: sorted([...jobs.values()].map((job) => memory.recall(jobArtifact, job, []))),
    connectors: sorted(models('sink').flatMap((model) => connectorArtifact(model, names))),
    virtual_topics: sorted(models('virtual_topic').flatMap((model) => virtualTopicArtifact(model, names))),
  };
}

function jobArtifact({ model, cluster, reads, writes, state }: Job): JobArtifact {
  return {
    name: model,
    ...(cluster === undefined ? {} : { cluster: cluster.value }),
    reads: [...new Set(reads.map(({ topic }) => topic))],
    writes: writes.topic,
    state_fingerprint: sha256(state),
  };
}

const cleanup = 'cleanup.policy';

function topicArtifact(
  { definition, settings }: ResolvedModel,
  rows: Job['writes']['rows'] | undefined,
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
      ...(partitions === undefined ? {} : { partitions: partitions.value }),
      ...(replicationFactor === undefined ? {} : { replication_factor: replicationFactor.value }),
      config: shownConfig(config),
    },
  ];
}

function connectorArtifact(model: ResolvedModel, names: TopicNames): readonly ConnectorArtifact[] {
  const { connector, config } = sinkOf(model);
  if (connector === undefined) return [];
  return [{ name: model.name, connector, topics: names.readBy(model), config: shownConfig(config) }];
}

function virtualTopicArtifact(model: ResolvedModel, names: TopicNames): readonly VirtualTopicArtifact[] {
  const [name, physical] = [names.of(model.id), names.physical(model)];
  if (name === undefined || physical === undefined) return [];
  const { node } = placeOf(model.definition.node, 'advanced.gateway.virtual_topic.compression');
  const compression = node?.known === true ? { compression: String(node.value) } : {};
  return [{ name, physical_topic: physical, ...compression }];
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
