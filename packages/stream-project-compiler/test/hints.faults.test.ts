import { describePlanner, plannerVersions } from '@levada/test-peers/engine';
import { expect, it } from 'vitest';
import { checkProject, loadProject } from '../src/index.ts';
import { projectJobs } from '../src/jobs/project-jobs.ts';
import { refusedJobs } from './jobs/planned-jobs.ts';
import { memoryFileSystem } from './project-support/memory-file-system.ts';

type Source = Readonly<Record<string, unknown>>;
const columns = (...names: string[]) => [
  ...names.map((name) => ({ name, type: 'STRING' })),
  { name: 'ts', type: 'TIMESTAMP(3)' },
  { name: 'made', type: 'TIMESTAMP(3)' },
  { name: 'fine', type: 'TIMESTAMP(6)' },
];
const plain: Source = { name: 'plain', topic: 'plain.v1', columns: columns('id', 'k') };
const timed: Source = {
  name: 'timed',
  topic: 'timed.v1',
  columns: columns('id', 'k'),
  event_time: { column: 'ts' },
};
const window = (table: string, column: string) =>
  `SELECT window_start, COUNT(*) AS n FROM TABLE(TUMBLE(TABLE ${table}, DESCRIPTOR(${column}), INTERVAL '1' MINUTE)) GROUP BY window_start, window_end`;
const asModel = (column: string) => ({ advanced: { event_time: { column } } });
const timesOf = 'SELECT id, fine, ts FROM {{ source("timed") }}';
const joined =
  'SELECT a.id, a.ts FROM {{ source("timed") }} AS a JOIN {{ source("plain") }} AS b ON a.id = b.id';

interface Case {
  readonly code: string;
  readonly hint: string;
  /** Models as they are, and as the hint says. */
  readonly before: readonly object[];
  readonly after: readonly object[];
  readonly sources?: readonly Source[];
}

const merged = (type: string, written: string): Case => ({
  code: 'LV4103',
  hint: `write ${written}`,
  before: [
    {
      name: 'm',
      sql: `SELECT a.id FROM {{ source("timed") }} AS a ${type} JOIN {{ source("plain") }} AS \`by\` USING (k) WHERE k = 'x'`,
    },
  ],
  after: [
    {
      name: 'm',
      sql: `SELECT a.id FROM {{ source("timed") }} AS a ${type} JOIN {{ source("plain") }} AS \`by\` USING (k) WHERE ${written} = 'x'`,
    },
  ],
});

const cases: readonly Case[] = [
  merged('', 'a.k'),
  merged('LEFT', 'a.k'),
  merged('RIGHT', '`by`.k'),
  merged('FULL', 'COALESCE(a.k, `by`.k)'),
  {
    code: 'LV4103',
    hint: 'write a.k or `by`.k',
    before: [
      {
        name: 'm',
        sql: 'SELECT k FROM {{ source("timed") }} AS a JOIN {{ source("plain") }} AS `by` ON a.id = `by`.id',
      },
    ],
    after: [
      {
        name: 'm',
        sql: 'SELECT `by`.k FROM {{ source("timed") }} AS a JOIN {{ source("plain") }} AS `by` ON a.id = `by`.id',
      },
    ],
  },
  {
    code: 'LV4131',
    hint: 'name "made" in "event_time.column" of source "plain", or of a second source with its topic if it has another event time',
    before: [{ name: 'm', sql: window('{{ source("plain") }}', 'made') }],
    sources: [{ ...plain, event_time: { column: 'made' } }, timed],
    after: [{ name: 'm', sql: window('{{ source("plain") }}', 'made') }],
  },
  {
    code: 'LV4131',
    hint: 'name "made" in "event_time.column" of source "timed", or of a second source with its topic if it has another event time',
    before: [{ name: 'm', sql: window('{{ source("timed") }}', 'made') }],
    sources: [plain, timed, { ...timed, name: 'timed_made', event_time: { column: 'made' } }],
    after: [{ name: 'm', sql: window('{{ source("timed_made") }}', 'made') }],
  },
  {
    code: 'LV4131',
    hint: 'compute CAST(... AS TIMESTAMP(3)) in a model of its own, name it in "advanced.event_time.column" of that model, and read that model here',
    before: [{ name: 'm', sql: window('{{ source("timed") }}', 'fine') }],
    after: [
      {
        name: 'f',
        sql: timesOf.replace('fine', 'CAST(fine AS TIMESTAMP(3)) AS fine').replace(', ts', ''),
        ...asModel('fine'),
      },
      { name: 'm', sql: window('{{ ref("f") }}', 'fine') },
    ],
  },
  {
    code: 'LV4131',
    hint: 'in "advanced.event_time.column" of model "j"',
    before: [
      { name: 'j', sql: joined },
      { name: 'm', sql: window('{{ ref("j") }}', 'ts') },
    ],
    after: [
      { name: 'j', sql: joined, ...asModel('ts') },
      { name: 'm', sql: window('{{ ref("j") }}', 'ts') },
    ],
  },
];

async function checked(
  models: readonly object[],
  version: string,
  sources: readonly Source[] = [plain, timed],
) {
  const project = {
    project: { name: 'hints' },
    runtime: {
      platform: { bootstrap_servers: 'localhost:9092' },
      engine: { clusters: { main: { version } } },
    },
    sources,
    models,
  };
  const fileSystem = memoryFileSystem({ 'stream_project.yml': JSON.stringify(project) });
  return checkProject(await loadProject({ fileSystem }), { today: '2026-01-01' });
}

for (const version of plannerVersions) {
  describePlanner('hints', version, (planner) => {
    it.each(cases)(
      'the planner takes what "$hint" says',
      async ({ code, hint, before, after, sources }) => {
        const { diagnostics } = await checked(before, version);
        const hints = diagnostics.filter((one) => one.code === code).map((one) => one.hint);
        expect(hints.join('\n')).toContain(hint);
        const followed = await checked(after, version, sources);
        expect(followed.diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
        const { jobs, refused } = projectJobs(followed.project);
        expect([...refused]).toEqual([]);
        expect(await refusedJobs(planner(), [...jobs])).toEqual([]);
      },
      300_000,
    );
  });
}
