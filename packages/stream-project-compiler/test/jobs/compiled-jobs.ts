import { fileURLToPath } from 'node:url';
import { checkProject, type InferredProject } from '../../src/index.ts';
import type { Job } from '../../src/jobs/job.ts';
import { type ProjectJobs, projectJobs } from '../../src/jobs/project-jobs.ts';
import type { Refusal } from '../../src/jobs/refusal.ts';
import { loadProjectFolder } from '../../src/node/index.ts';
import { interpolate } from '../../src/parse/interpolate.ts';
import { corpusProjects } from '../project-support/corpus.ts';

/** A project with its jobs. */
export interface ProjectWithJobs {
  readonly id: string;
  readonly project: InferredProject;
  readonly jobs: ReadonlyMap<string, Job>;
  readonly models: ProjectJobs['models'];
  readonly refused: ReadonlyMap<string, Refusal>;
}

/** Projects whose jobs are planned: the valid ones of the corpus, and the example that the guide writes. */
const folders = [
  ...corpusProjects.filter(({ valid }) => valid).map(({ id, folder, env = {} }) => ({ id, folder, env })),
  ...['shop-project', 'debezium-project'].map((id) => ({
    id,
    folder: fileURLToPath(new URL(`../../../../examples/${id}/`, import.meta.url)),
    env: {},
  })),
];

/** Makes the jobs of all these projects, for a version of the engine. Default: the one that its cluster says. Those that we do not find valid are left out. */
export async function compiledProjects(engineVersion?: string): Promise<readonly ProjectWithJobs[]> {
  const made: ProjectWithJobs[] = [];
  for (const { id, folder, env } of folders) {
    const loaded = await loadProjectFolder(folder, { environment: env });
    const { valid, project } = checkProject(loaded, {
      today: '2025-01-01',
      ...(engineVersion === undefined ? {} : { engineVersion }),
    });
    if (valid) made.push({ id, project, ...projectJobs(project) });
  }
  return made;
}

/** The statements of a job with every variable replaced by the same text. */
export function deployed({ statements }: Pick<Job, 'statements'>): readonly string[] {
  return statements.map((sql) => interpolate(sql, everything)?.text ?? sql);
}

/** A value for any variable. */
const everything: ReadonlyMap<string, string> = new Proxy(new Map<string, string>(), {
  get: (_, key) => (key === 'get' ? () => 'x' : undefined),
});

/** The jobs of projects, each with a name of its own, in an order that does not change. */
export function namedJobs(
  projects: readonly ProjectWithJobs[],
): readonly (readonly [id: string, job: Job])[] {
  return projects.flatMap(({ id, jobs }) =>
    [...jobs].map(([model, job]) => [`${id} ${model}`, job] as const),
  );
}
