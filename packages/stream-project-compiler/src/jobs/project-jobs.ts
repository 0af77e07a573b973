import type { InferredProject } from '../infer/infer-project.ts';
import { isWithinJob } from '../infer/job-end.ts';
import type { NodeId } from '../resolve/node-id.ts';
import { createObjectMemory, type ObjectMemory } from '../resolve/object-memory.ts';
import { assumedTypes } from './assumed-types.ts';
import type { Job, JobModel, JobOutline } from './job.ts';
import { type JobFacts, type ModelPlan, planModel } from './model-job.ts';
import { modelTopic, sourceTopic } from './node-topics.ts';
import { isRefusal, type Refusal } from './refusal.ts';
import { platformOptions } from './topic-options.ts';
import type { TopicSchema } from './topic-schemas.ts';
import type { TopicTable } from './topic-table.ts';
import { outlineJob, writeJob } from './write/write-job.ts';

/**
 * The jobs of a project, and models that have none although their SQL asks for one. Jobs are written when they are first read: checking
 * a project asks only for plans, and writing takes as long as planning.
 */
export interface ProjectJobs {
  /** By model: each of them is part of a job. */
  readonly plans: ReadonlyMap<string, ModelPlan>;
  /** Of each job. */
  readonly outlines: readonly JobOutline[];
  /** By name. */
  readonly jobs: ReadonlyMap<string, Job>;
  /** Models by name, each with its job. */
  readonly models: ReadonlyMap<string, JobModel & { readonly job: Job }>;
  readonly refused: ReadonlyMap<string, Refusal>;
  /** Whether the project's own files hold a password, which is then in the statements too. */
  readonly secret: boolean;
  /** What the jobs are made of, for those of tests. */
  readonly facts: JobFacts;
}

/**
 * Makes jobs of the models with SQL that the engine runs. Models of one cluster that read one another are one job: what is written is
 * not read back, so that each row is counted once, and event time is that of the sources (decision 54). Meant for a valid
 * project. With the memory of an earlier call, jobs are made again only of models that changed, or that read a topic that did.
 */
export function projectJobs(
  project: InferredProject,
  memory: ObjectMemory = createObjectMemory(),
): ProjectJobs {
  const { resolved, materialized, nodes } = project;
  const { parsed } = resolved;
  const plans = new Map<string, ModelPlan>();
  const refused = new Map<string, Refusal>();
  const platform = platformOptions(parsed);
  const declared = declaredTopics(project, memory);
  const assumed = assumedTypes(project, declared, memory);
  const planOf = new Map<NodeId, ModelPlan>();
  const topicOf = (id: NodeId): TopicTable | undefined => {
    const found = planOf.get(id)?.output ?? declared(id);
    if (found?.at !== 'gateway') return found;
    const below = resolved.models.get(id.slice('model:'.length))?.inputs[0]?.target;
    const physical = below === undefined ? undefined : topicOf(below);
    // The gateway hands on records in the format that they have
    return physical === undefined ? found : { ...found, format: physical.format };
  };
  const facts: JobFacts = { project, platform, assumed, topicOf };
  for (const name of resolved.order) {
    const model = resolved.models.get(name);
    const kind = materialized.get(name)?.kind;
    if (model?.sql === undefined || (kind !== 'engine' && kind !== 'topic')) continue;
    const { sql } = model;
    const inference = nodes.get(model.id);
    const inputs = model.inputs.flatMap(({ target }) => target ?? []);
    const within = new Set(
      inputs.filter((id) => planOf.has(id) && isWithinJob(inference?.job, nodes.get(id)?.job)),
    );
    const readAs = (id: NodeId) => (within.has(id) ? planOf.get(id)?.view : topicOf(id));
    const needs: unknown[] = [
      parsed.runtime,
      parsed.project?.value?.name,
      project.engineVersion,
      inference?.changes,
      inference?.dialect,
      inference?.eventTime,
    ];
    for (const id of inputs) needs.push(topicText(readAs(id), memory), assumed.get(id), within.has(id));
    const made = memory.remember('plan', { object: model, needs }, () =>
      planModel(model, sql, { ...facts, topicOf: readAs, within }),
    );
    if (isRefusal(made)) refused.set(name, made);
    else {
      plans.set(name, made);
      planOf.set(model.id, made);
    }
  }
  const groups = jobGroups([...plans.values()]);
  let written: Pick<ProjectJobs, 'jobs' | 'models'> | undefined;
  const write = () => (written ??= writeJobs(groups, facts, memory));
  return {
    plans,
    outlines: groups.map((group) =>
      memory.remember('outline', { object: group[0].model, needs: group }, () => outlineJob(group, memory)),
    ),
    refused,
    secret: platform.secret,
    facts,
    get jobs() {
      return write().jobs;
    },
    get models() {
      return write().models;
    },
  };
}

function writeJobs(
  groups: ReturnType<typeof jobGroups>,
  facts: JobFacts,
  memory: ObjectMemory,
): Pick<ProjectJobs, 'jobs' | 'models'> {
  const { parsed } = facts.project.resolved;
  const jobs = new Map<string, Job>();
  const models = new Map<string, JobModel & { readonly job: Job }>();
  for (const group of groups) {
    const needs = [parsed.runtime, parsed.project?.value?.name, ...group];
    const job = memory.remember('job', { object: group[0].model, needs }, () =>
      writeJob(group, facts, memory),
    );
    jobs.set(job.name, job);
    for (const one of job.models) models.set(one.model, { ...one, job });
  }
  return { jobs, models };
}

/** Models that read one another within a job, in the order of the graph. */
function jobGroups(plans: readonly ModelPlan[]): readonly (readonly [ModelPlan, ...ModelPlan[]])[] {
  const above = new Map<NodeId, NodeId>();
  const topOf = (id: NodeId): NodeId => {
    let top = id;
    for (let next = above.get(top); next !== undefined; next = above.get(top)) top = next;
    for (let at = id; at !== top; ) {
      const next = above.get(at) ?? top;
      above.set(at, top);
      at = next;
    }
    return top;
  };
  for (const { model, within } of plans) {
    for (const id of within) {
      const [one, other] = [topOf(model.id), topOf(id)];
      if (one !== other) above.set(one, other);
    }
  }
  const groups = new Map<NodeId, [ModelPlan, ...ModelPlan[]]>();
  for (const plan of plans) {
    const top = topOf(plan.model.id);
    const group = groups.get(top);
    if (group === undefined) groups.set(top, [plan]);
    else group.push(plan);
  }
  return [...groups.values()];
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
  const written = [...jobs.values()].flatMap(({ models }) =>
    models.map(({ model, schemas }) => ({ model, schemas })),
  );
  return [...written, ...[...refused].map(([model, { schemas = [] }]) => ({ model, schemas }))];
}

/** Topics as far as they follow from definitions, without what jobs write. */
function declaredTopics(
  project: InferredProject,
  memory: ObjectMemory,
): (id: NodeId) => TopicTable | undefined {
  const { resolved, eventTimes, columns, materialized, nodes } = project;
  const { sources, models } = resolved;
  const topicOf = (id: NodeId): TopicTable | undefined => {
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
  const known = new Map<NodeId, TopicTable | undefined>();
  return (id) => {
    if (!known.has(id)) known.set(id, topicOf(id));
    return known.get(id);
  };
}
