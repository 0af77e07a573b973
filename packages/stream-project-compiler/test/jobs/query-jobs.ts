import { readFileSync } from 'node:fs';
import type { PlannerVersion } from '@levada/test-peers/engine';
import { checkProject, loadProject } from '../../src/index.ts';
import type { Job } from '../../src/jobs/job.ts';
import { projectJobs } from '../../src/jobs/project-jobs.ts';
import { engineCase } from '../column-support/engine-case.ts';
import { sourceOf, type TestTable } from '../column-support/sql-project.ts';
import { memoryFileSystem } from '../project-support/memory-file-system.ts';

/** Tables of the queries. Rows of `rates` change; all others are only appended. */
const tables = readFileSync(new URL('../engine-queries/tables.sql', import.meta.url), 'utf8')
  .split(/;\n/)
  .filter((one) => one.trim() !== '');

/** The job of a query as a model of its own; the text says why there is none. */
export interface QueryJob {
  readonly sql: string;
  readonly job: Job | string;
}

/** Makes a model of each query, on a cluster of one version. */
export async function queryJobs(
  queries: readonly string[],
  version: PlannerVersion,
): Promise<readonly QueryJob[]> {
  const cases = queries.map((sql) => engineCase(tables, [sql]));
  const described: Readonly<Record<string, TestTable>> = cases[0]?.tables ?? {};
  const sources = Object.entries(described).map(([key, table]) => sourceOf(key, table));
  const rates = {
    name: 'rates',
    sql: 'SELECT currency, MAX(ratio) AS ratio, MAX(uts) AS uts FROM {{ source("rates") }} GROUP BY currency',
    advanced: { event_time: { column: 'uts' } },
  };
  const models = cases.map((found, index) => ({
    name: `m${index}`,
    sql: (found?.sql ?? 'no query').replaceAll('source("rates")', 'ref("rates")'),
  }));
  const project = {
    project: { name: 'queries' },
    runtime: {
      platform: { bootstrap_servers: 'localhost:9092' },
      engine: { clusters: { main: { version } } },
    },
  };
  const files = {
    'stream_project.yml': JSON.stringify(project),
    'models/m.yml': JSON.stringify({ sources, models: [rates, ...models] }),
  };
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
