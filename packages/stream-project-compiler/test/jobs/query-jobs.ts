import type { PlannerVersion } from '@levada/test-peers/engine';
import { checkProject, loadProject } from '../../src/index.ts';
import type { Job } from '../../src/jobs/job.ts';
import { projectJobs } from '../../src/jobs/project-jobs.ts';
import { queryProject } from '../engine-queries/query-project.ts';
import { memoryFileSystem } from '../project-support/memory-file-system.ts';

/** The job of a query as a model of its own; the text says why there is none. */
export interface QueryJob {
  readonly sql: string;
  readonly job: Job | string;
}

/** Makes a model of each query, on a cluster of one version. */
export async function queryJobs(
  queries: readonly string[],
  version: PlannerVersion,
  spell?: (sql: string) => string,
): Promise<readonly QueryJob[]> {
  const files = queryProject(queries, version, spell);
  const report = checkProject(await loadProject({ fileSystem: memoryFileSystem(files) }));
  const errors = new Map(
    report.diagnostics.flatMap(({ severity, object, message }) =>
      severity === 'error' ? [[object, message] as const] : [],
    ),
  );
  const { jobs, refused } = projectJobs(report.project);
  return queries.map((sql, index) => {
    const name = `m${index}`;
    const error = errors.get(`model:${name}`);
    if (error !== undefined) return { sql, job: `not valid: ${error}` };
    return { sql, job: jobs.get(name) ?? refused.get(name)?.refused ?? 'nothing' };
  });
}

/** The job of each valid query and of a model that reads its rows within the job; left out where readers have a job of their own. */
export async function readJobs(
  queries: readonly string[],
  version: PlannerVersion,
): Promise<readonly (readonly [sql: string, job: Job])[]> {
  const { 'models/m.yml': models = '', ...files } = queryProject(queries, version);
  const document = JSON.parse(models) as { readonly models: readonly object[] };
  const readers = queries.map((_, index) => ({
    name: `r${index}`,
    sql: `SELECT * FROM {{ ref("m${index}") }}`,
  }));
  const text = JSON.stringify({ ...document, models: [...document.models, ...readers] });
  const fileSystem = memoryFileSystem({ ...files, 'models/m.yml': text });
  const { project, diagnostics } = checkProject(await loadProject({ fileSystem }));
  const wrong = new Set(diagnostics.flatMap(({ severity, object }) => (severity === 'error' ? object : [])));
  const found = projectJobs(project).models;
  return queries.flatMap((sql, index) => {
    const job = found.get(`m${index}`)?.job;
    return job !== undefined && job.models.length > 1 && !wrong.has(`model:m${index}`)
      ? [[sql, job] as const]
      : [];
  });
}
