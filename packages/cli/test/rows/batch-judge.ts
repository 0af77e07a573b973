import { createTopic, readTopicsToEnd } from '@levada/kafka-testkit';
import { StatementError } from '@levada/test-peers/engine';
import { foldTopic } from './folded-topic.ts';
import type { Row, RowsCase, RowsSource } from './rows-case.ts';
import type { Surroundings } from './running-job.ts';
import { writeSource } from './source-topics.ts';

/** Batch jobs that run at the same time. */
const SIDE_BY_SIDE = 4;
const kinds = ['kept', 'dropped'] as const;

/** Rows that batch runs answer, by case and model; or why the engine refuses. */
export type BatchRows = ReadonlyMap<string, ReadonlyMap<string, readonly Row[]> | Error>;

/** Runs the SQL of cases as batch jobs on the same rows, with and without those that are late. */
export async function judgeCases(
  around: Surroundings,
  cases: readonly RowsCase[],
  sources: Readonly<Record<string, RowsSource>>,
): Promise<BatchRows> {
  const prefix = `batch-${around.engine.version}`;
  const used = new Set(cases.flatMap((one) => one.sources));
  for (const name of used) {
    const source = sources[name];
    if (source?.batchColumns === undefined) continue;
    for (const late of kinds) {
      const rows = [...source.before, ...source.after].filter((row) => late === 'kept' || row.late !== true);
      await writeSource(around.broker, `${prefix}.${name}.${late}`, source.partitions, rows);
    }
  }
  const judged = cases.filter(({ judge = 'batch' }) => judge === 'batch');
  const written = new Map<string, ReadonlyMap<string, string> | Error>();
  const waiting = judged.values();
  const work = async () => {
    for (const one of waiting)
      written.set(one.name, await runBatch(around, one, sources, prefix).catch(refusalOf));
  };
  await Promise.all(Array.from({ length: SIDE_BY_SIDE }, work));
  const topics = [...written.values()].flatMap((answer) => (answer instanceof Error ? [] : [...answer.values()]));
  const read = await readTopicsToEnd(around.broker, topics);
  const rowsOf = (topic: string) => foldTopic(read.get(topic) ?? [], 'append');
  return new Map(
    [...written].map(([name, answer]) => [
      name,
      answer instanceof Error ? answer : new Map([...answer].map(([model, topic]) => [model, rowsOf(topic)])),
    ]),
  );
}

function refusalOf(error: unknown): Error {
  if (error instanceof StatementError) return error;
  throw error;
}

/** Writes what each model of a case answers to a topic of its own. */
async function runBatch(
  around: Surroundings,
  one: RowsCase,
  sources: Readonly<Record<string, RowsSource>>,
  prefix: string,
): Promise<ReadonlyMap<string, string>> {
  const session = await around.engine.session();
  const connector = `'connector' = 'kafka', 'properties.bootstrap.servers' = '${around.broker.bootstrap}', 'format' = 'json'`;
  const settings = {
    'execution.runtime-mode': 'batch',
    'table.dml-sync': 'true',
    'table.local-time-zone': 'UTC',
    'parallelism.default': '1',
  };
  for (const [key, value] of Object.entries(settings)) await session.run(`SET '${key}' = '${value}'`);
  for (const name of one.sources) {
    const topic = `${prefix}.${name}.${one.late ?? 'dropped'}`;
    await session.run(
      `CREATE TABLE \`${name}\` (${sources[name]?.batchColumns ?? ''}) WITH (${connector}, 'topic' = '${topic}', 'scan.startup.mode' = 'earliest-offset', 'scan.bounded.mode' = 'latest-offset')`,
    );
  }
  const topics = new Map<string, string>();
  for (const { name, sql } of one.models) {
    const query = sql.replaceAll(/\{\{-?\s*(?:source|ref)\(["'](\w+)["']\)\s*-?\}\}/g, '`$1`');
    const topic = `${prefix}.${one.name}.${name}`;
    topics.set(name, topic);
    await createTopic(around.broker, topic);
    await session.run(`CREATE TABLE \`${name}_rows\` WITH (${connector}, 'topic' = '${topic}') AS ${query}`);
    const isRead = one.models.some((model) => model.sql.includes(`ref("${name}")`));
    if (isRead) await session.run(`CREATE TEMPORARY VIEW \`${name}\` AS ${query}`);
  }
  return topics;
}
