import { checkProject, loadProject } from '../../src/index.ts';
import { type ProjectJobs, projectJobs } from '../../src/jobs/project-jobs.ts';
import { memoryFileSystem } from '../project-support/memory-file-system.ts';

/** Types that both formats have. */
export const commonTypes: readonly string[] = [
  'STRING',
  'CHAR(3)',
  'BYTES',
  'BOOLEAN',
  'TINYINT',
  'BIGINT',
  'FLOAT',
  'DOUBLE',
  'DECIMAL(38, 38)',
  'DATE',
  'TIME(3)',
  'TIMESTAMP(0)',
  'TIMESTAMP(3)',
  'ARRAY<STRING>',
  'MAP<STRING, INT>',
  'MULTISET<STRING>',
  'ROW<a INT, b ARRAY<STRING>>',
];

/** Types that JSON has and Avro does not. */
export const jsonTypes: readonly string[] = [
  'TIMESTAMP(6)',
  'TIMESTAMP_LTZ(3)',
  'ARRAY<TIMESTAMP(9)>',
  'ROW<a TIMESTAMP_LTZ(3)>',
  'ROW<`a b` INT>',
];

/** Types that neither has. */
export const otherTypes: readonly string[] = ['MAP<INT, STRING>', 'MULTISET<INT>', 'ARRAY<MAP<DATE, INT>>'];

/** Settings of jobs that are as small and as large as the project format takes them. */
export const extremeSettings: readonly Readonly<Record<string, number>>[] = [
  { parallelism: 1, checkpoint_interval_ms: 10, state_ttl_ms: 1 },
  { parallelism: 32_768, checkpoint_interval_ms: 1500, state_ttl_ms: 5_400_000 },
  { checkpoint_interval_ms: Number.MAX_SAFE_INTEGER, state_ttl_ms: Number.MAX_SAFE_INTEGER },
  { checkpoint_interval_ms: 86_400_000, state_ttl_ms: 604_800_000 },
];

/** Delays of watermarks, in milliseconds. */
const delays = [0, 1, 999, 60_000, 100_000, 999_999, 1_000_000, 86_400_000, 8_640_000_000];

function projectFile(version: string): string {
  return JSON.stringify({
    project: { name: 'types' },
    runtime: {
      platform: { bootstrap_servers: 'localhost:9092' },
      schema_registry: { url: 'http://localhost:8081' },
      engine: { clusters: { main: { version } } },
    },
  });
}

async function jobsOf(version: string, parts: object): Promise<ProjectJobs> {
  const files = { 'stream_project.yml': projectFile(version), 'models/m.yml': JSON.stringify(parts) };
  const loaded = await loadProject({ fileSystem: memoryFileSystem(files), environment: {} });
  return projectJobs(checkProject(loaded, { today: '2025-01-01' }).project);
}

/** Jobs that read, write, group by and mask a column of each type. Their names begin with `t` and the place of the type. */
export function typedJobs(
  version: string,
  types: readonly string[],
  format: 'json' | 'avro',
): Promise<ProjectJobs> {
  const columns = (type: string) => [
    { name: 'id', type: 'STRING' },
    { name: 'c', type },
  ];
  const sources = types.map((type, at) => ({
    name: `s${at}`,
    topic: `s${at}`,
    columns: columns(type),
    schema: { registry: 'default', format },
  }));
  const models = types.flatMap((_, at) => {
    const read = `{{ source("s${at}") }}`;
    return [
      { name: `t${at}_keyed`, key: 'c', sql: `SELECT id, c FROM ${read}` },
      { name: `t${at}_grouped`, sql: `SELECT c, COUNT(*) AS n FROM ${read} GROUP BY c` },
      { name: `t${at}_read_back`, sql: `SELECT c, n FROM {{ ref("t${at}_grouped") }}` },
      ...['hash', 'partial', 'redact', 'null'].map((method) => ({
        name: `t${at}_${method}`,
        sql: `SELECT id, c FROM ${read}`,
        security: { policies: [{ mask: { column: 'c', method } }] },
      })),
    ];
  });
  return jobsOf(version, { sources, models });
}

/** Jobs with settings and delays of watermarks at the ends of their ranges. */
export function settingJobs(version: string): Promise<ProjectJobs> {
  const sources = delays.map((delay, at) => ({
    name: `s${at}`,
    topic: `s${at}`,
    columns: [
      { name: 'id', type: 'STRING' },
      { name: 'ts', type: 'TIMESTAMP(3)' },
    ],
    event_time: { column: 'ts', watermark: { max_out_of_orderness_ms: delay } },
  }));
  const models = sources.map(({ name }, at) => ({
    name: `m${at}`,
    sql: `SELECT id, COUNT(*) AS n FROM {{ source("${name}") }} GROUP BY id`,
    advanced: { engine: extremeSettings[at % extremeSettings.length] },
  }));
  return jobsOf(version, { sources, models });
}
