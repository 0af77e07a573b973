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
