import type { InferredProject } from '../infer/infer-project.ts';
import type { NodeId } from '../resolve/node-id.ts';
import { createObjectMemory, type ObjectMemory } from '../resolve/object-memory.ts';
import { assumedTypes } from './assumed-types.ts';
import type { Job } from './job.ts';
import { type JobFacts, modelJob } from './model-job.ts';
import { modelTopic, sourceTopic } from './node-topics.ts';
import { isRefusal, type Refusal } from './refusal.ts';
import { platformOptions } from './topic-options.ts';
import type { TopicSchema } from './topic-schemas.ts';
import type { TopicTable } from './topic-table.ts';

/** The jobs of a project, and models that have none although their SQL asks for one. */
export interface ProjectJobs {
  /** By model, each after those whose topics it reads. */
  readonly jobs: ReadonlyMap<string, Job>;
  readonly refused: ReadonlyMap<string, Refusal>;
  /** Whether the project's own files hold a password, which is then in the statements too. */
  readonly secret: boolean;
  /** What the jobs are made of, for those of tests. */
  readonly facts: JobFacts;
}

/**
 * Makes a job of each model with SQL that the engine runs. Meant for a valid project. With the memory of an earlier call, jobs are
 * made again only of models that changed, or that read a topic that did.
 */
export function projectJobs(
  project: InferredProject,
  memory: ObjectMemory = createObjectMemory(),
): ProjectJobs {
  const { resolved, materialized, nodes } = project;
  const { parsed } = resolved;
  const jobs = new Map<string, Job>();
  const refused = new Map<string, Refusal>();
  const platform = platformOptions(parsed);
  const declared = declaredTopics(project, memory);
  const assumed = assumedTypes(project, declared, memory);
  const topicOf = (id: NodeId): TopicTable | undefined => {
    const model = id.startsWith('model:') ? resolved.models.get(id.slice('model:'.length)) : undefined;
    const own = model === undefined ? undefined : jobs.get(model.name)?.output;
    if (own !== undefined) return own;
    const found = declared(id);
    const below = found?.at === 'gateway' ? model?.inputs[0]?.target : undefined;
    const physical = below === undefined ? undefined : topicOf(below);
    // The gateway hands on records in the format that they have
    return found === undefined || physical === undefined ? found : { ...found, format: physical.format };
  };
  const facts: JobFacts = { project, platform, assumed, topicOf };
  for (const name of resolved.order) {
    const model = resolved.models.get(name);
    const kind = materialized.get(name)?.kind;
    if (model?.sql === undefined || (kind !== 'engine' && kind !== 'topic')) continue;
    const { sql } = model;
    const inference = nodes.get(model.id);
    const inputs = model.inputs.flatMap(({ target }) => target ?? []);
    const needs = [
      parsed.runtime,
      parsed.project?.value?.name,
      project.engineVersion,
      inference?.changes,
      inference?.dialect,
      inference?.eventTime,
      ...inputs.flatMap((id) => [topicText(topicOf(id), memory), assumed.get(id)]),
    ];
    const made = memory.remember('job', { object: model, needs }, () => modelJob(model, sql, facts));
    if (isRefusal(made)) refused.set(name, made);
    else jobs.set(name, made);
  }
  return { jobs, refused, secret: platform.secret, facts };
}

/** What the readers of a topic depend on, as text: where its definition is in the files makes no difference to them. */
export function topicText(topic: TopicTable | undefined, memory: ObjectMemory): string | undefined {
  if (topic === undefined) return undefined;
  return memory.remember('text', { object: topic, needs: [] }, () => {
    const { eventTime, ...facts } = topic;
    return JSON.stringify([facts, eventTime && { ...eventTime, origin: undefined }]);
  });
}

/** Schemas by model: also of records that other programs have to write, because the engine does not. */
export function topicSchemas({ jobs, refused }: Pick<ProjectJobs, 'jobs' | 'refused'>): readonly {
  readonly model: string;
  readonly schemas: readonly TopicSchema[];
}[] {
  return [...jobs, ...refused].map(([model, { schemas = [] }]) => ({ model, schemas }));
}

/** Topics as far as they follow from definitions, without what jobs write. */
function declaredTopics(
  project: InferredProject,
  memory: ObjectMemory,
): (id: NodeId) => TopicTable | undefined {
  const { resolved, eventTimes, columns, materialized, nodes } = project;
  const { sources, models } = resolved;
  return (id) => {
    const name = id.slice(id.indexOf(':') + 1);
    const source = id.startsWith('source:') ? sources.get(name) : undefined;
    if (source !== undefined) {
      const about = { object: source, needs: [eventTimes.get(id)] };
      return memory.remember('topic', about, () => sourceTopic(source, project));
    }
    const model = id.startsWith('model:') ? models.get(name) : undefined;
    if (model === undefined) return undefined;
    const changes = nodes.get(id)?.changes;
    const needs = [columns.get(id), eventTimes.get(id), materialized.get(name), changes];
    const about = { object: model, needs };
    return memory.remember('topic', about, () => modelTopic(model, project));
  };
}
