import { checkProject, loadProject } from '../../src/index.ts';
import type { Job } from '../../src/jobs/job.ts';
import { projectJobs } from '../../src/jobs/project-jobs.ts';
import { memoryFileSystem } from '../project-support/memory-file-system.ts';

/** The model `m` over the sources `s` and `t`, which declare these columns. */
interface Written {
  readonly sql: string;
  /** Default: none. */
  readonly columns?: readonly { readonly name: string; readonly type: string }[];
  /** The event time of both sources. */
  readonly time?: string;
}

/** A model without a job, its LV5001, and the same model once the hint is followed. */
export interface RefusedModel extends Written {
  readonly reason: string;
  readonly hint: string;
  readonly repaired: Partial<Written>;
}

const partly = 'the columns of source "s" are not all known';
const declare = 'declare all columns of the source with their types';
const select = `${declare}, or name the columns in the SELECT`;

function lackType(column: string): Pick<RefusedModel, 'reason' | 'hint'> {
  return {
    reason: `nothing declares the type of "${column}", and none that a job may assume suits the query`,
    hint: 'declare it in "columns" of the source, with its type',
  };
}

function lackTime(column: string): Pick<RefusedModel, 'reason' | 'hint'> {
  return {
    reason: `nothing says that "${column}" is an event time, which the query needs`,
    hint: 'name the column in "event_time" of the source',
  };
}

function needColumns(
  what: string,
  or = 'name the columns in the SELECT',
): Pick<RefusedModel, 'reason' | 'hint'> {
  return { reason: `${what} needs every column, and ${partly}`, hint: `${declare}, or ${or}` };
}

const all = [
  { name: 'a', type: 'STRING' },
  { name: 'b', type: 'DOUBLE' },
];

function declareType(name: string, type: string): Partial<Written> {
  return { columns: [{ name, type }] };
}

/** `S` and `T` are the sources. */
export const refusedModels: readonly RefusedModel[] = [
  { sql: 'SELECT *, UPPER(a) AS u FROM S', reason: partly, hint: select, repaired: { columns: all } },
  {
    sql: 'SELECT * FROM S LIMIT 5',
    reason: partly,
    hint: select,
    repaired: { sql: 'SELECT a FROM S LIMIT 5' },
  },
  {
    sql: 'SELECT * FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY a ORDER BY b DESC) AS n FROM S) WHERE n = 1',
    reason: partly,
    hint: select,
    repaired: { columns: all },
  },
  {
    sql: 'SELECT DISTINCT * FROM S',
    ...needColumns('DISTINCT'),
    repaired: { sql: 'SELECT DISTINCT a FROM S' },
  },
  {
    sql: 'SELECT COUNT(*) AS n FROM (SELECT DISTINCT * FROM S)',
    ...needColumns('DISTINCT'),
    repaired: { columns: all },
  },
  {
    sql: 'SELECT a FROM (SELECT * FROM S UNION SELECT * FROM T)',
    ...needColumns('UNION'),
    repaired: { sql: 'SELECT a FROM (SELECT a FROM S UNION SELECT a FROM T)' },
  },
  {
    sql: 'SELECT a FROM (SELECT * FROM S UNION ALL SELECT * FROM T)',
    ...needColumns('UNION ALL'),
    repaired: { columns: all },
  },
  {
    sql: 'SELECT a FROM (SELECT * FROM S EXCEPT SELECT * FROM T)',
    ...needColumns('EXCEPT'),
    repaired: { columns: all },
  },
  {
    sql: 'SELECT s.a FROM S AS s NATURAL JOIN T AS t',
    ...needColumns('NATURAL JOIN', 'write USING'),
    repaired: { sql: 'SELECT s.a FROM S AS s JOIN T AS t USING (a)' },
  },
  {
    sql: 'SELECT a FROM T WHERE a IN (SELECT * FROM S)',
    ...needColumns('a query in place of a value'),
    repaired: { sql: 'SELECT a FROM T WHERE a IN (SELECT a FROM S)' },
  },
  {
    sql: 'SELECT a, x FROM S CROSS JOIN UNNEST(l) AS u (x)',
    ...lackType('l'),
    repaired: { columns: [...all, { name: 'l', type: 'ARRAY<INT>' }] },
  },
  { sql: 'SELECT s.r.f AS f FROM S AS s', ...lackType('r'), repaired: declareType('r', 'ROW<f STRING>') },
  { sql: "SELECT m['k'] AS k FROM S", ...lackType('m'), repaired: declareType('m', 'MAP<STRING, INT>') },
  { sql: 'SELECT CARDINALITY(l) AS n FROM S', ...lackType('l'), repaired: declareType('l', 'ARRAY<INT>') },
  {
    sql: 'SELECT ARRAY_CONTAINS(l, 1) AS y FROM S',
    ...lackType('l'),
    repaired: declareType('l', 'ARRAY<INT>'),
  },
  { sql: "SELECT DECODE(v, 'UTF-8') AS k FROM S", ...lackType('v'), repaired: declareType('v', 'BYTES') },
  {
    sql: "SELECT a FROM S WHERE a = 1 AND UPPER(a) = 'X'",
    ...lackType('a'),
    repaired: { ...declareType('a', 'STRING'), sql: "SELECT a FROM S WHERE a = '1' AND UPPER(a) = 'X'" },
  },
  {
    sql: "SELECT window_start, COUNT(*) AS n FROM TABLE(TUMBLE(TABLE S, DESCRIPTOR(ts), INTERVAL '1' MINUTE)) GROUP BY window_start, window_end",
    ...lackTime('ts'),
    repaired: { time: 'ts' },
  },
  {
    sql: 'SELECT * FROM S MATCH_RECOGNIZE (PARTITION BY a ORDER BY ts MEASURES X.b AS b ONE ROW PER MATCH PATTERN (X Y) DEFINE X AS X.b > 1) AS m',
    ...lackTime('ts'),
    repaired: { time: 'ts' },
  },
  {
    sql: "SELECT a, INTERVAL '1' DAY AS k FROM S",
    reason: 'its column "k" has an interval, which no table of the engine has',
    hint: 'write CAST(... AS STRING), or TIMESTAMPDIFF for a number',
    repaired: { sql: "SELECT a, CAST(INTERVAL '1' DAY AS STRING) AS k FROM S" },
  },
  {
    sql: 'SELECT ROW(NULL, a) AS k FROM S',
    reason: 'its column "k" has a NULL without a type',
    hint: 'write CAST(NULL AS STRING), or the type that is meant',
    repaired: { sql: 'SELECT ROW(CAST(NULL AS STRING), a) AS k FROM S' },
  },
  {
    sql: 'SELECT COUNT(*) AS n, CURRENT_TIMESTAMP AS t FROM S',
    reason:
      'its rows change, it has no key, and CURRENT_TIMESTAMP has another value for a row that is withdrawn than for the row that was written',
    hint: 'use a column in place of CURRENT_TIMESTAMP, or a query with a key that its rows are written by',
    repaired: { sql: 'SELECT a, COUNT(*) AS n, CURRENT_TIMESTAMP AS t FROM S GROUP BY a' },
  },
];

/** The job of a model, its errors and its LV5001. */
export interface ModelOutcome {
  readonly job: Job | undefined;
  readonly errors: readonly string[];
  readonly refused: { readonly message: string; readonly hint: string | undefined } | undefined;
}

export async function outcomeOf(
  { sql, columns = [], time }: Written,
  version: string,
): Promise<ModelOutcome> {
  const source = (name: string) => ({
    name,
    topic: name,
    ...(columns.length === 0 ? {} : { columns }),
    ...(time === undefined ? {} : { event_time: { column: time } }),
  });
  const written = sql.replaceAll(/(?<= )[ST](?=\b)/g, (name) => `{{ source("${name.toLowerCase()}") }}`);
  const project = {
    project: { name: 'shop' },
    runtime: { platform: { bootstrap_servers: 'x:9092' }, engine: { clusters: { main: { version } } } },
    sources: [source('s'), source('t')],
    models: [{ name: 'm', sql: written }],
  };
  const fileSystem = memoryFileSystem({ 'stream_project.yml': JSON.stringify(project) });
  const report = checkProject(await loadProject({ fileSystem }));
  const finding = report.diagnostics.find(({ code }) => code === 'LV5001');
  return {
    job: projectJobs(report.project).jobs.get('m'),
    errors: report.diagnostics.flatMap(({ severity, message }) => (severity === 'error' ? message : [])),
    refused: finding && {
      message: finding.message.replace('model "m" has no job: ', ''),
      hint: finding.hint,
    },
  };
}
