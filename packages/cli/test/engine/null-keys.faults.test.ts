import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { createTopic, type ReachableBroker, readTopic, writeTopic } from '@levada/kafka-testkit';
import { describeWithSharedBroker } from '@levada/kafka-testkit/vitest';
import { describeEngine, type Engine, plannerVersions } from '@levada/test-peers/engine';
import { newFolder } from '@levada/test-peers/new-folder';
import { expect, it } from 'vitest';
import { runCommand } from '../run-command.ts';
import { deployProject } from './deployed-project.ts';

const PARTITIONS = 3;
const ROWS = 300;
const LIMIT_MS = 240_000;
const READ_LIMIT_MS = 90_000;
const COUNT_LIMIT_MS = 60_000;
const POLL_MS = 200;

/** A row of the source. A record lacks the columns that its row lacks. */
interface Row {
  readonly id: string;
  readonly segment?: string | null;
  readonly region?: string | null;
}

/** Every fifth row has no segment, every seventh no region: null or missing in turn. */
const rows: readonly Row[] = Array.from({ length: ROWS }, (_, at) => ({
  id: `o${at}`,
  ...(at % 5 > 0 ? { segment: `s${at % 4}` } : at % 2 > 0 ? { segment: null } : {}),
  ...(at % 7 > 0 ? { region: `r${at % 3}` } : at % 2 > 0 ? { region: null } : {}),
}));

const source = '{{ source("orders") }}';
const models = [
  {
    name: 'by_segment',
    key: 'segment',
    sql: `SELECT segment, COUNT(*) AS n FROM ${source} GROUP BY segment`,
  },
  {
    name: 'read_within',
    sql: 'SELECT segment, -n AS n FROM {{ ref("by_segment") }}',
  },
  {
    name: 'by_both',
    sql: `SELECT segment, region, COUNT(*) AS n FROM ${source} GROUP BY segment, region`,
  },
  { name: 'appended', key: 'segment', sql: `SELECT id, segment FROM ${source}` },
  {
    name: 'compacted',
    key: 'segment',
    sql: `SELECT id, segment, region FROM ${source}`,
    advanced: { topic: { config: { 'cleanup.policy': 'compact' } } },
  },
  {
    name: 'whole',
    key: 'segment',
    sql: `SELECT segment, COUNT(*) AS n FROM (SELECT COALESCE(segment, 'none') AS segment FROM ${source}) GROUP BY segment`,
  },
];

const columns = [
  { name: 'id', type: 'STRING NOT NULL' },
  { name: 'segment', type: 'STRING' },
  { name: 'region', type: 'STRING' },
];

/** Unique for each run, because all versions share one broker. */
function nameIn(version: string): (name: string) => string {
  return (name) => `${name}_${version.replaceAll('.', '_')}`;
}

function projectFile(version: string): string {
  const nameOf = nameIn(version);
  return JSON.stringify({
    project: { name: 'nulls' },
    runtime: {
      // biome-ignore lint/suspicious/noTemplateCurlyInString: a variable of the project
      platform: { bootstrap_servers: '${BROKERS}' },
      engine: { clusters: { main: { type: 'rest', version } } },
    },
    defaults: { topic: { partitions: PARTITIONS } },
    sources: [{ name: 'orders', topic: nameOf('orders'), columns }],
    models: models.map(({ name, sql, ...model }) => ({
      ...model,
      name: nameOf(name),
      sql: sql.replace('"by_segment"', `"${nameOf('by_segment')}"`),
    })),
  });
}

/** How many rows have each of some values. */
function counted(of: readonly Row[], keyOf: (row: Row) => string): Readonly<Record<string, number>> {
  return Object.fromEntries(
    Map.groupBy(of, keyOf)
      .entries()
      .map(([key, group]) => [key, group.length]),
  );
}

/** A record: its key as text, its value as JSON. */
interface Read {
  readonly key: string | null;
  readonly value: Partial<Row> & { readonly n?: number };
}

/** Reads a topic from its beginning until there are as many records, and a little longer for those that are too many. */
async function read(broker: ReachableBroker, topic: string, count: number): Promise<readonly Read[]> {
  const records = await readTopic(broker, topic, { count, withinMs: READ_LIMIT_MS, lingerMs: 500 });
  return records.map(({ key, value }) => ({
    key: key === null ? null : String(key),
    value: JSON.parse(String(value)) as Read['value'],
  }));
}

/** The last number of each key. */
function latest(records: readonly Read[]): Readonly<Record<string, number | undefined>> {
  return Object.fromEntries(records.map(({ key, value }) => [key, value.n]));
}

/** Waits until the writer of a table has got as many records. */
async function untilCounted({ cluster }: Engine, table: string, wanted: number): Promise<number> {
  const deadline = performance.now() + COUNT_LIMIT_MS;
  for (;;) {
    const found = await recordsOf(cluster, table);
    if (found === wanted || performance.now() > deadline) return found;
    await wait(POLL_MS);
  }
}

/** The records that the writer of a table got, by the metrics of its operator. */
async function recordsOf(cluster: string, table: string): Promise<number> {
  const json = async (path: string) => (await fetch(`${cluster}${path}`)).json() as Promise<unknown>;
  const { jobs } = (await json('/jobs')) as { readonly jobs: readonly { readonly id: string }[] };
  for (const { id } of jobs) {
    const { vertices } = (await json(`/jobs/${id}`)) as {
      readonly vertices: readonly { readonly id: string; readonly name: string }[];
    };
    for (const vertex of vertices.filter(({ name }) => name.includes(`${table}[`))) {
      const path = `/jobs/${id}/vertices/${vertex.id}/subtasks/metrics`;
      const metrics = (await json(path)) as readonly { readonly id: string }[];
      const metric = metrics.find((one) => one.id.includes(table) && one.id.endsWith('.numRecordsIn'));
      if (metric === undefined) continue;
      const [sums] = (await json(`${path}?get=${encodeURIComponent(metric.id)}`)) as readonly {
        readonly sum: number;
      }[];
      return sums?.sum ?? 0;
    }
  }
  return 0;
}

const isNull = (value: unknown) => value === undefined || value === null;
const withSegment = rows.filter(({ segment }) => !isNull(segment));
const withoutSegment = rows.filter(({ segment }) => isNull(segment));
const withBoth = withSegment.filter(({ region }) => !isNull(region));
const idsOf = (list: readonly { readonly id?: string }[]) => new Set(list.map(({ id }) => id));
const values = (list: readonly Read[]) => list.map(({ value }) => value);

for (const version of plannerVersions) {
  describeEngine('rows with a null key', version, (engine) => {
    describeWithSharedBroker('and a broker', { version: '3.9.1' }, (broker) => {
      it(
        'end no job: those that change are counted, appended ones are records without a key or dead letters',
        async () => {
          const nameOf = nameIn(version);
          const folder = await newFolder();
          const [project, out] = [join(folder, 'project'), join(folder, 'out')];
          await mkdir(project);
          await writeFile(join(project, 'stream_project.yml'), projectFile(version));
          const variables = { BROKERS: broker().bootstrap };
          const { code, err } = await runCommand(['project', 'compile', project, '--out', out], {
            env: variables,
          });
          expect([code, err]).toEqual([0, '']);
          await createTopic(broker(), nameOf('orders'), { partitions: PARTITIONS });
          await deployProject(out, { broker: broker(), engine: engine(), variables });
          await writeTopic(
            broker(),
            nameOf('orders'),
            rows.map((row, at) => ({ value: JSON.stringify(row), partition: at % PARTITIONS })),
          );
          const topic = (name: string, count: number) => read(broker(), nameOf(name), count);

          const bySegment = counted(withSegment, ({ segment }) => `${segment}`);
          expect(latest(await topic('by_segment', withSegment.length))).toEqual(bySegment);
          expect(latest(await topic('read_within', withSegment.length))).toEqual(
            Object.fromEntries(Object.entries(bySegment).map(([segment, n]) => [segment, -n])),
          );
          expect(latest(await topic('by_both', withBoth.length))).toEqual(
            counted(withBoth, ({ segment, region }) => JSON.stringify({ segment, region })),
          );
          expect(latest(await topic('whole', ROWS))).toEqual(
            counted(rows, ({ segment }) => segment ?? 'none'),
          );
          const appended = await topic('appended', ROWS);
          expect(idsOf(values(appended))).toEqual(idsOf(rows));
          expect(appended.every(({ key, value }) => key === (value.segment ?? null))).toBe(true);
          expect(idsOf(values(await topic('compacted', withSegment.length)))).toEqual(idsOf(withSegment));
          const dead = await read(broker(), `${nameOf('compacted')}.null-keys`, withoutSegment.length);
          expect(idsOf(values(dead))).toEqual(idsOf(withoutSegment));
          expect(dead.every(({ key }) => key === null)).toBe(true);

          const lost = withoutSegment.length;
          expect(await untilCounted(engine(), `${nameOf('by_segment')}_null_keys`, lost)).toBe(lost);
          expect(await untilCounted(engine(), `${nameOf('by_both')}_null_keys`, ROWS - withBoth.length)).toBe(
            ROWS - withBoth.length,
          );
          expect(await engine().failedJobs()).toEqual([]);
        },
        LIMIT_MS,
      );
    });
  });
}
