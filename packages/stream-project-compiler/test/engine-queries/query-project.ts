import { readFileSync } from 'node:fs';
import type { PlannerVersion } from '@levada/test-peers/engine';
import { engineCase } from '../column-support/engine-case.ts';
import { sourceOf, type TestTable } from '../column-support/sql-project.ts';

/** Statements that make the tables of the queries. Rows of `rates` change; all others are only appended. */
export const queryTables: readonly string[] = readFileSync(new URL('tables.sql', import.meta.url), 'utf8')
  .split(/;\n/)
  .filter((statement) => statement.trim() !== '');

/** Files of a project with a model of each query, `m0`, `m1` and so on, on a cluster of one version of the engine; `spell` writes their SQL differently. */
export function queryProject(
  queries: readonly string[],
  version: PlannerVersion,
  spell: (sql: string) => string = (sql) => sql,
): Readonly<Record<string, string>> {
  const cases = queries.map((sql) => engineCase(queryTables, [sql]));
  const described: Readonly<Record<string, TestTable>> = cases[0]?.tables ?? {};
  const sources = Object.entries(described).map(([key, table]) => sourceOf(key, table));
  const rates = {
    name: 'rates',
    sql: 'SELECT currency, MAX(ratio) AS ratio, MAX(uts) AS uts FROM {{ source("rates") }} GROUP BY currency',
    advanced: { event_time: { column: 'uts' } },
  };
  const models = cases.map((found, index) => ({
    name: `m${index}`,
    sql: spell(found?.sql ?? 'no query').replaceAll('source("rates")', 'ref("rates")'),
  }));
  const project = {
    project: { name: 'queries' },
    runtime: {
      platform: { bootstrap_servers: 'localhost:9092' },
      engine: { clusters: { main: { version } } },
    },
  };
  return {
    'stream_project.yml': JSON.stringify(project),
    'models/m.yml': JSON.stringify({ sources, models: [rates, ...models] }),
  };
}
