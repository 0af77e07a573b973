import { readFileSync } from 'node:fs';
import { describePlanner, type Planner } from '@levada/test-peers/engine';
import { expect, it } from 'vitest';
import type { ProjectJobs } from '../src/jobs/project-jobs.ts';
import { printType } from '../src/types/print-type.ts';
import { sqlModels } from './column-support/sql-models.ts';
import { compiledProjects, deployed } from './jobs/compiled-jobs.ts';
import { constructJobs } from './jobs/construct-projects.ts';

const base = readFileSync(new URL('engine-queries/tables.sql', import.meta.url), 'utf8')
  .split(/;\n/)
  .filter((statement) => statement.trim() !== '');

/** A column of a job's query, NOT NULL for one of us only. */
interface Difference {
  readonly id: string;
  readonly column: string;
  readonly ours: string;
  readonly theirs: string;
}

/** A model with the job that computes it. */
type ModelOfJob = ProjectJobs['models'] extends ReadonlyMap<string, infer M> ? M : never;

/** The columns that the planner gives the query of a model, and ours. */
async function differences(
  planner: Planner,
  id: string,
  model: ModelOfJob,
): Promise<readonly Difference[] | undefined> {
  const { job, query, output } = model;
  const statements = deployed(job);
  const text = statements[query.statement - 1] ?? '';
  const [, view] = /^CREATE TEMPORARY VIEW (`(?:[^`]|``)*`)/.exec(text) ?? [];
  const inserts = text.replace('EXECUTE STATEMENT SET\nBEGIN\n', '').split(';\n');
  const insert = inserts.find((one) => one.startsWith(`INSERT INTO \`${model.writes.table}\`\n`)) ?? '';
  const asked = view === undefined ? queryOf(insert) : `SELECT * FROM ${view}`;
  const answer = await planner.plan([...statements.slice(0, -1), asked]);
  if (!answer.ok) return undefined;
  return output.columns.flatMap(({ name, type }, at) => {
    const theirs = answer.columns?.[at]?.type ?? '';
    const isNeverNull = theirs.includes('NOT NULL');
    // By the key the writer makes a column what no query says of it
    if (type === undefined || output.key.includes(name) || isNeverNull === !type.nullable) return [];
    return { id, column: name, ours: printType(type), theirs };
  });
}

/** A statement that writes, without its beginning and end. */
function queryOf(insert: string): string {
  return insert.replace(/^INSERT INTO `(?:[^`]|``)*`\n/, '').replace(/\nON CONFLICT DO DEDUPLICATE$/, '');
}

/** Queries over the tables of `engine-queries/tables.sql`, in which `t.inn`, `t.snn` and `rates.currency` are NOT NULL. */
const queries: readonly string[] = [
  'SELECT a.inn, b.snn FROM t AS a LEFT JOIN t AS b ON a.inn = b.inn',
  'SELECT a.inn, b.snn FROM t AS a RIGHT JOIN t AS b ON a.inn = b.inn',
  'SELECT a.inn, b.snn FROM t AS a FULL JOIN t AS b ON a.inn = b.inn',
  'SELECT a.inn, b.snn, c.inn AS c FROM t AS a LEFT JOIN t AS b ON a.inn = b.inn JOIN t AS c ON b.inn = c.inn',
  'SELECT b.snn FROM t AS a LEFT JOIN t AS b ON a.inn = b.inn WHERE b.snn IS NOT NULL',
  "SELECT b.snn FROM t AS a LEFT JOIN t AS b ON a.inn = b.inn WHERE b.s = 'x'",
  'SELECT * FROM (SELECT inn, snn FROM t) AS a LEFT JOIN (SELECT inn, s FROM t) AS b USING (inn)',
  'SELECT * FROM (SELECT inn, snn FROM t) AS a RIGHT JOIN (SELECT inn, s FROM t) AS b USING (inn)',
  'SELECT * FROM (SELECT inn, snn FROM t) AS a FULL JOIN (SELECT inn, s FROM t) AS b USING (inn)',
  'SELECT * FROM (SELECT inn, snn FROM t) AS a NATURAL LEFT JOIN (SELECT inn, s FROM t) AS b',
  'SELECT o.id, r.currency FROM o LEFT JOIN rates FOR SYSTEM_TIME AS OF o.ts AS r ON o.customer = r.currency',
  'SELECT o.id, r.currency FROM o JOIN rates FOR SYSTEM_TIME AS OF o.ts AS r ON o.customer = r.currency',
  'SELECT currency, ratio FROM rates',
  'SELECT MAX(inn) AS a, SUM(inn) AS b, COUNT(*) AS c, AVG(inn) AS d, LISTAGG(snn) AS e FROM t',
  'SELECT s, MAX(inn) AS a, SUM(inn) AS b, COUNT(s) AS c, AVG(inn) AS d, MIN(i) AS e FROM t GROUP BY s',
  'SELECT snn, MAX(inn) FILTER (WHERE b) AS a, COUNT(*) FILTER (WHERE b) AS c FROM t GROUP BY snn',
  'SELECT snn, MAX(inn) AS a FROM t GROUP BY ROLLUP(snn)',
  'SELECT snn, inn, COUNT(*) AS n FROM t GROUP BY CUBE(snn, inn)',
  'SELECT snn, inn, COUNT(*) AS n FROM t GROUP BY GROUPING SETS ((snn, inn), (snn))',
  'SELECT snn, COUNT(*) AS n FROM t GROUP BY snn HAVING MAX(inn) > 1',
  'SELECT DISTINCT inn, s FROM t',
  'SELECT CASE WHEN b THEN inn END AS a, CASE WHEN b THEN inn ELSE 0 END AS b, CASE WHEN b THEN inn ELSE i END AS c FROM t',
  'SELECT COALESCE(s, snn) AS a, COALESCE(s, vc) AS b, IFNULL(i, inn) AS c, NULLIF(inn, 1) AS d FROM t',
  'SELECT IF(b, inn, 1) AS a, IF(inn > 1, inn, 1) AS b, GREATEST(inn, i) AS c, LEAST(inn, 1) AS d FROM t',
  'SELECT inn + 1 AS a, inn + i AS b, snn || s AS c, UPPER(snn) AS d, inn > 1 AS e, i IN (1, 2) AS f FROM t',
  'SELECT CAST(inn AS STRING) AS a, TRY_CAST(snn AS INT) AS b, CAST(s AS INT) AS c, CAST(snn AS INT) AS d FROM t',
  'SELECT s IS NULL AS a, b IS TRUE AS b, s IS DISTINCT FROM snn AS c, b AND inn > 1 AS d, NOT b AS e FROM t',
  "SELECT window_start, window_end, window_time, customer, COUNT(*) AS n FROM TABLE(TUMBLE(TABLE o, DESCRIPTOR(ts), INTERVAL '1' HOUR)) GROUP BY window_start, window_end, window_time, customer",
  "SELECT TUMBLE_START(ts, INTERVAL '1' HOUR) AS a, TUMBLE_ROWTIME(ts, INTERVAL '1' HOUR) AS b, MAX(qty) AS c FROM o GROUP BY TUMBLE(ts, INTERVAL '1' HOUR)",
  'SELECT inn FROM t UNION ALL SELECT i FROM t',
  'SELECT inn FROM t UNION SELECT 1 FROM t',
  'SELECT inn FROM t INTERSECT SELECT i FROM t',
  'SELECT inn FROM t EXCEPT SELECT i FROM t',
  'SELECT inn, (SELECT MAX(inn) FROM t) AS m, (SELECT COUNT(*) FROM t) AS n FROM t',
  'SELECT inn FROM t WHERE inn IN (SELECT i FROM t) AND EXISTS (SELECT 1 FROM o WHERE o.qty = t.inn)',
  'SELECT id, COUNT(*) OVER w AS b, SUM(qty) OVER w AS c FROM o WINDOW w AS (PARTITION BY id ORDER BY ts)',
  'SELECT inn, n FROM (SELECT inn, ROW_NUMBER() OVER (PARTITION BY snn ORDER BY i DESC) AS n FROM t) WHERE n <= 3',
  'SELECT o.id, x.sku, x.n FROM o CROSS JOIN UNNEST(items) AS x (sku, n)',
  'SELECT o.id, x.sku, x.n FROM o LEFT JOIN UNNEST(items) AS x (sku, n) ON TRUE',
  'SELECT c.a, c.id, a.x, (a).deep.z AS z FROM rr',
  "SELECT r.a, ai[1] AS e, mp['k'] AS m, CARDINALITY(ai) AS c FROM t",
  "SELECT * FROM (VALUES (1, 'a'), (2, CAST(NULL AS STRING))) AS v (a, b)",
  "SELECT p, t3, CURRENT_TIMESTAMP AS a, ROW(inn, s) AS r, ARRAY[inn, i] AS l, MAP['a', inn] AS m FROM t",
];

/** A type as the planner writes it, without the mark of a time attribute. */
function withoutTime(type: string): string {
  return type.replace(/ \*\w+\*$/, '');
}

const topic = "'topic' = 'x', 'properties.bootstrap.servers' = 'x', 'properties.group.id' = 'x'";

/** A table of the queries with a connector that the planner has. */
function withConnector(table: string): string {
  return table
    .replace(
      "'connector'='x', 'mode'='upsert'",
      `'connector' = 'upsert-kafka', ${topic}, 'key.format' = 'json', 'value.format' = 'json'`,
    )
    .replace("'connector'='x'", `'connector' = 'kafka', ${topic}, 'format' = 'json'`);
}

describePlanner('columns of queries', '2.2.0', (planner) => {
  it.each(queries)('have nulls where those of the planner have: %s', async (sql) => {
    const answer = await planner().plan([...base.map(withConnector), sql]);
    if (!answer.ok) throw new Error(answer.message);
    const [found] = await sqlModels(base, [sql]);
    expect(found?.columns?.columns.map(({ name, type }) => `${name} ${printType(type)}`)).toEqual(
      answer.columns?.map(({ name, type }) => `${name} ${withoutTime(type)}`),
    );
  });
});

describePlanner('columns of jobs', '2.2.0', (planner) => {
  it('have nulls where those of the planner have', async () => {
    const { models } = await constructJobs('2.2');
    const all = [...(await compiledProjects()).flatMap((project) => [...project.models]), ...models];
    const found: Difference[] = [];
    let compared = 0;
    for (const [id, model] of all) {
      const some = model.output.complete ? await differences(planner(), id, model) : undefined;
      found.push(...(some ?? []));
      if (some !== undefined) compared += 1;
    }
    expect(compared).toBeGreaterThan(70);
    expect(found).toEqual([]);
  }, 300_000);
});
