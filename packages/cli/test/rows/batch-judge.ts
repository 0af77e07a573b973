import { createTopic, readTopicsToEnd } from '@levada/kafka-testkit';
import { StatementError } from '@levada/test-peers/engine';
import { foldTopic } from './folded-topic.ts';
import type { LateRows, Row, RowsCase, RowsModel, RowsSource, SourceRow } from './rows-case.ts';
import type { Surroundings } from './running-job.ts';
import { writeSource } from './source-topics.ts';

const lateRows: readonly LateRows[] = ['kept', 'dropped', 'dropped by key'];

/** Batch jobs that run at the same time. */
const SIDE_BY_SIDE = 4;
const MACRO = /\{\{-?\s*(?:source|ref)\(["'](\w+)["']\)\s*-?\}\}/g;

/** Which late rows a batch run reads. */
const kinds: Readonly<Record<LateRows, (row: SourceRow) => boolean>> = {
  kept: () => true,
  dropped: ({ late }) => late === undefined,
  'dropped by key': ({ late }) => late !== 'key',
};

/** Rows that batch runs answer, by case and model; or why the engine refuses. */
export type BatchRows = ReadonlyMap<string, ReadonlyMap<string, readonly Row[]> | Error>;

/** Runs the SQL of cases as batch jobs on the same rows, with and without those that are late. */
export async function judgeCases(
  around: Surroundings,
  cases: readonly RowsCase[],
  sources: Readonly<Record<string, RowsSource>>,
): Promise<BatchRows> {
  const prefix = `batch-${around.engine.version}`;
  const judged = cases.filter(({ judge = 'batch' }) => judge === 'batch');
  const read = new Set(
    judged.flatMap((one) => one.sources.flatMap((name) => latesOf(one).map((late) => `${name} ${late}`))),
  );
  await Promise.all(
    Object.entries(sources).flatMap(([name, { before, after, partitions }]) =>
      lateRows
        .filter((late) => read.has(`${name} ${late}`))
        .map((late) => {
          const rows = [...before, ...after].filter(kinds[late]);
          return writeSource(around.broker, topicOf(prefix, name, late), partitions, rows);
        }),
    ),
  );
  const written = new Map<string, ReadonlyMap<string, string> | Error>();
  const waiting = judged.values();
  const work = async () => {
    for (const one of waiting)
      written.set(one.name, await runBatch(around, one, sources, prefix).catch(refusalOf));
  };
  await Promise.all(Array.from({ length: SIDE_BY_SIDE }, work));
  const topics = [...written.values()].flatMap((answer) =>
    answer instanceof Error ? [] : [...answer.values()],
  );
  const records = await readTopicsToEnd(around.broker, topics);
  const rowsOf = (topic: string) => foldTopic(records.get(topic) ?? [], 'append');
  return new Map(
    [...written].map(([name, answer]) => [
      name,
      answer instanceof Error ? answer : new Map([...answer].map(([model, topic]) => [model, rowsOf(topic)])),
    ]),
  );
}

function latesOf(one: RowsCase): readonly LateRows[] {
  return [...new Set(one.models.map((model) => lateOf(one, model)))];
}

function lateOf(one: RowsCase, model: RowsModel): LateRows {
  return model.late ?? one.late ?? 'dropped';
}

/** A source, or the view of a model, with some of its late rows. */
function tableOf(name: string, late: LateRows): string {
  return `${name} ${late}`;
}

function topicOf(prefix: string, source: string, late: string): string {
  return `${prefix}.${source}.${late.replaceAll(' ', '-')}`;
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
  const lates = latesOf(one);
  for (const name of one.sources)
    for (const late of lates)
      await session.run(
        `CREATE TABLE \`${tableOf(name, late)}\` (${sources[name]?.batchColumns ?? ''}) WITH (${connector}, 'topic' = '${topicOf(prefix, name, late)}', 'scan.startup.mode' = 'earliest-offset', 'scan.bounded.mode' = 'latest-offset')`,
      );
  const topics = new Map<string, string>();
  for (const model of one.models) {
    const topic = `${prefix}.${one.name}.${model.name}`;
    topics.set(model.name, topic);
    await createTopic(around.broker, topic);
    const query = (late: LateRows) =>
      (model.sql ?? '').replaceAll(MACRO, (_, name: string) => `\`${tableOf(name, late)}\``);
    const rows = `CREATE TABLE \`${model.name}_rows\` WITH (${connector}, 'topic' = '${topic}')`;
    await session.run(`${rows} AS ${query(lateOf(one, model))}`);
    const isRead = one.models.some(({ sql = '' }) => sql.includes(`ref("${model.name}")`));
    if (isRead)
      for (const late of lates)
        await session.run(`CREATE TEMPORARY VIEW \`${tableOf(model.name, late)}\` AS ${query(late)}`);
  }
  return topics;
}
