import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createTopic, readTopicsToEnd } from '@levada/kafka-testkit';
import { type Manifest, readJson } from '../engine/deployed-project.ts';
import type { BatchRows } from './batch-judge.ts';
import { compileCase, ownSourceTopic, type RunNames, sourceTopic } from './case-project.ts';
import { foldTopic } from './folded-topic.ts';
import type { CaseOutcome, ModelOutcome, Row, RowsCase, RowsSource, SourceRow } from './rows-case.ts';
import {
  cancelJob,
  drainJob,
  forgetPositions,
  type RunningJob,
  type Surroundings,
  startJob,
  stopJob,
  untilCaughtUp,
  untilTimeIsKnown,
} from './running-job.ts';
import { writeRows, writeSource } from './source-topics.ts';

/** What happens to the jobs when they have read the first rows. */
export type Middle = 'no restart' | 'restart with state' | 'restart without state';

/** A run of cases. */
export interface CasesRun extends Surroundings, RunNames {
  readonly cases: readonly RowsCase[];
  readonly sources: Readonly<Record<string, RowsSource>>;
  readonly batch: BatchRows;
  readonly middle: Middle;
}

/** Slots of the cluster that cases take at the same time; a job takes one for each subtask. */
const SLOTS = 30;

/** A case that runs, or why it does not. */
interface RunningCase {
  readonly one: RowsCase;
  build: string;
  jobs: readonly RunningJob[];
  problem?: string;
}

/** Runs cases, several at a time, from their compiled files alone. */
export async function runCases(run: CasesRun): Promise<readonly CaseOutcome[]> {
  const outcomes: CaseOutcome[] = [];
  for (const [wave, cases] of waves(run).entries())
    outcomes.push(...(await runWave({ ...run, run: `${run.run}-${wave}`, cases })));
  return outcomes;
}

/** Cases that fit into the cluster at the same time. */
function waves({ cases, parallelism }: CasesRun): readonly (readonly RowsCase[])[] {
  const made: RowsCase[][] = [];
  let free = 0;
  for (const one of cases) {
    const slots = one.models.length * parallelism;
    if (slots > free) {
      made.push([]);
      free = SLOTS;
    }
    made.at(-1)?.push(one);
    free -= slots;
  }
  return made;
}

async function runWave(run: CasesRun): Promise<readonly CaseOutcome[]> {
  const used = [...new Set(run.cases.flatMap((one) => one.sources))];
  for (const name of used) {
    const source = run.sources[name];
    if (source === undefined) throw new Error(`no source "${name}"`);
    await writeSource(run.broker, sourceTopic(run, name), source.partitions, source.before);
  }
  const running: RunningCase[] = run.cases.map((one) => ({ one, build: '', jobs: [] }));
  const each = async (step: (one: RunningCase) => Promise<void>) => {
    await Promise.all(
      running.map(async (one) => {
        if (one.problem !== undefined) return;
        await step(one).catch((error: unknown) => {
          one.problem = error instanceof Error ? error.message : String(error);
        });
      }),
    );
  };
  const untilRead = async ({ jobs }: RunningCase) => {
    for (const job of jobs) await untilCaughtUp(run, job);
    for (const job of jobs) await untilTimeIsKnown(run, job);
  };
  await each(async (one) => startCase(run, one));
  await each(async (one) => {
    await untilRead(one);
    await interrupt(run, one);
  });
  await writeAfter(run, used, ({ late }) => late === undefined);
  // What is late has to be late in each run, whatever was restarted: not all states have the watermark.
  await each(untilRead);
  await writeAfter(run, used, ({ late }) => late !== undefined);
  await each(async ({ jobs }) => {
    for (const job of jobs) {
      await untilCaughtUp(run, job);
      await drainJob(run, job);
    }
  });
  for (const { problem, jobs } of running)
    if (problem !== undefined) await Promise.all(jobs.map((job) => cancelJob(run, job)));
  return Promise.all(running.map((one) => outcomeOf(run, one)));
}

/** Writes rows that come after the first ones. */
async function writeAfter(
  run: CasesRun,
  shared: readonly string[],
  isWritten: (row: SourceRow) => boolean,
): Promise<void> {
  for (const name of shared)
    await writeRows(run.broker, sourceTopic(run, name), (run.sources[name]?.after ?? []).filter(isWritten));
  for (const one of run.cases)
    for (const [name, { after }] of Object.entries(one.project?.sources ?? {}))
      await writeRows(run.broker, ownSourceTopic(run, one, name), after.filter(isWritten));
}

async function startCase(run: CasesRun, running: RunningCase): Promise<void> {
  const folder = join(run.folder, run.run, running.one.name);
  await mkdir(folder, { recursive: true });
  for (const [name, { partitions, before }] of Object.entries(running.one.project?.sources ?? {}))
    await writeSource(run.broker, ownSourceTopic(run, running.one, name), partitions, before);
  running.build = await compileCase(running.one, run, run.sources, folder);
  const { artifacts } = (await readJson(join(running.build, 'manifest.json'))) as Manifest;
  for (const { name } of artifacts.topics) {
    const { partitions, config } = (await readJson(join(running.build, 'topics', `${name}.json`))) as {
      readonly partitions: number;
      readonly config: Readonly<Record<string, string>>;
    };
    await createTopic(run.broker, name, { partitions, config });
  }
  for (const { name } of artifacts.jobs)
    running.jobs = [...running.jobs, await startJob(run, { build: running.build, name, kind: 'model' })];
  for (const { name, type } of artifacts.tests)
    if (type === 'continuous')
      running.jobs = [...running.jobs, await startJob(run, { build: running.build, name, kind: 'test' })];
  running.jobs = inOrder(running.jobs);
}

/** Jobs so that each one comes after those that write what it reads: only then is its input complete when they have ended. */
function inOrder(jobs: readonly RunningJob[]): readonly RunningJob[] {
  const ordered = new Set<RunningJob>();
  const add = (job: RunningJob) => {
    if (ordered.has(job)) return;
    const read = new Set(job.topics.reads.map(({ topic }) => topic));
    for (const other of jobs)
      if (other !== job && other.topics.writes.some(({ topic }) => read.has(topic))) add(other);
    ordered.add(job);
  };
  for (const job of jobs) add(job);
  return [...ordered];
}

async function interrupt(run: CasesRun, running: RunningCase): Promise<void> {
  if (run.middle === 'no restart') return;
  const jobs: RunningJob[] = [];
  for (const job of running.jobs) {
    const { files } = job;
    if (run.middle === 'restart with state') {
      jobs.push(await startJob(run, files, { savepoint: await stopJob(run, job) }));
    } else {
      await cancelJob(run, job);
      await forgetPositions(run, job);
      jobs.push(await startJob(run, files));
    }
    running.jobs = [...jobs, ...running.jobs.slice(jobs.length)];
  }
  if (run.middle === 'restart with state') return;
  for (const job of running.jobs) await untilCaughtUp(run, job);
  for (const job of running.jobs) await untilTimeIsKnown(run, job);
}

async function outcomeOf(run: CasesRun, { one, jobs, problem }: RunningCase): Promise<CaseOutcome> {
  if (problem !== undefined) return { name: one.name, problem, models: [] };
  try {
    const written = jobs.flatMap(({ topics }) => topics.writes);
    const read = await readTopicsToEnd(run.broker, [...new Set(written.map(({ topic }) => topic))]);
    const models = one.models.map(({ name, unlike = [] }): ModelOutcome => {
      const topics = written.filter((wrote) => wrote.topic.endsWith(`.${one.name}.${name}`));
      const [topic] = topics;
      if (topic === undefined) throw new Error(`no job writes model "${name}"`);
      const changes = topics.some(({ rows }) => rows === 'upsert') ? 'upsert' : topic.rows;
      const rows = foldTopic(read.get(topic.topic) ?? [], changes).map((row) => withoutColumns(row, unlike));
      return { model: name, changes, rows, ...expectedRows(run, one, name) };
    });
    return { name: one.name, models };
  } catch (error) {
    return { name: one.name, problem: error instanceof Error ? error.message : String(error), models: [] };
  }
}

function withoutColumns(row: Row, columns: readonly string[]): Row {
  return Object.fromEntries(Object.entries(row).filter(([name]) => !columns.includes(name)));
}

function expectedRows(
  { batch }: CasesRun,
  one: RowsCase,
  model: string,
): Pick<ModelOutcome, 'judge' | 'expected'> {
  if (one.judge !== undefined && one.judge !== 'batch')
    return { judge: 'by hand', expected: one.judge[model] ?? [] };
  const rows = batch.get(one.name);
  if (rows instanceof Error) throw new Error(`no batch run: ${rows.message}`);
  return { judge: 'batch', expected: [...(rows?.get(model) ?? []), ...(one.lateRows?.[model] ?? [])] };
}
