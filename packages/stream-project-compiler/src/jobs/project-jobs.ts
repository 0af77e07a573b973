import type { InferredProject } from '../infer/infer-project.ts';
import type { NodeId } from '../resolve/node-id.ts';
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

/** Makes a job of each model with SQL that the engine runs. Meant for a valid project. */
export function projectJobs(project: InferredProject): ProjectJobs {
  const { resolved, materialized } = project;
  const jobs = new Map<string, Job>();
  const refused = new Map<string, Refusal>();
  const platform = platformOptions(resolved.parsed);
  const declared = declaredTopics(project);
  const assumed = assumedTypes(project, declared);
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
    const made = modelJob(model, model.sql, facts);
    if (isRefusal(made)) refused.set(name, made);
    else jobs.set(name, made);
  }
  return { jobs, refused, secret: platform.secret, facts };
}

/** Schemas by model: also of records that other programs have to write, because the engine does not. */
export function topicSchemas({ jobs, refused }: Pick<ProjectJobs, 'jobs' | 'refused'>): readonly {
  readonly model: string;
  readonly schemas: readonly TopicSchema[];
}[] {
  return [...jobs, ...refused].map(([model, { schemas = [] }]) => ({ model, schemas }));
}

/** Topics as far as they follow from definitions, without what jobs write. */
function declaredTopics(project: InferredProject): (id: NodeId) => TopicTable | undefined {
  const { sources, models } = project.resolved;
  const known = new Map<NodeId, TopicTable | undefined>();
  const read = (id: NodeId): TopicTable | undefined => {
    const name = id.slice(id.indexOf(':') + 1);
    const source = id.startsWith('source:') ? sources.get(name) : undefined;
    if (source !== undefined) return sourceTopic(source, project);
    const model = id.startsWith('model:') ? models.get(name) : undefined;
    return model === undefined ? undefined : modelTopic(model, project);
  };
  return (id) => {
    if (!known.has(id)) known.set(id, read(id));
    return known.get(id);
  };
}
