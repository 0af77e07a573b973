import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createTopic, readTopicsToEnd } from '@levada/kafka-testkit';
import { type Manifest, readJson } from '../engine/deployed-project.ts';
import type { BatchRows } from './batch-judge.ts';
import { compileCase, type RunNames, sourceTopic } from './case-project.ts';
import { foldTopic } from './folded-topic.ts';
import type { CaseOutcome, ModelOutcome, RowsCase, RowsSource } from './rows-case.ts';
import {
  cancelJob,
  drainJob,
  forgetPositions,
  type RunningJob,
  startJob,
  stopJob,
  type Surroundings,
  untilCaughtUp,
  untilTimeIsKnown,
} from './running-job.ts';
import { writeRows, writeSource } from './source-topics.ts';

/** What happens to the jobs when they have read the first rows. */
export type Middle = 'none' | 'restart with state' | 'restart without state';

/** A run of cases. */
export interface CasesRun extends Surroundings, RunNames {
  readonly cases: readonly RowsCase[];
  readonly sources: Readonly<Record<string, RowsSource>>;
  readonly batch: BatchRows;
  readonly middle: Middle;
}

/** Jobs that run side by side; each takes a slot per subtask. */
const SIDE_BY_SIDE = 12;

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
  for (let from = 0; from < run.cases.length; from += SIDE_BY_SIDE) {
    const cases = run.cases.slice(from, from + SIDE_BY_SIDE);
    outcomes.push(...(await runWave({ ...run, run: `${run.run}-${from / SIDE_BY_SIDE}`, cases })));
  }
  return outcomes;
}

async function runWave(run: CasesRun): Promise<readonly CaseOutcome[]> {
  const used = [...new Set(run.cases.flatMap((one) => one.sources))];
  for (const name of used) {
    const { partitions = 1, before = [] } = run.sources[name] ?? {};
    await writeSource(run.broker, sourceTopic(run, name), partitions, before);
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
  await each(async (one) => startCase(run, one));
  await each(async (one) => {
    for (const job of one.jobs) await untilCaughtUp(run, job);
    for (const job of one.jobs) await untilTimeIsKnown(run, job);
    await interrupt(run, one);
  });
  for (const name of used) await writeRows(run.broker, sourceTopic(run, name), run.sources[name]?.after ?? []);
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

async function startCase(run: CasesRun, running: RunningCase): Promise<void> {
  const folder = join(run.folder, run.run, running.one.name);
  await mkdir(folder, { recursive: true });
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
    running.jobs = [...running.jobs, await startJob(run, { build: running.build, name })];
}

async function interrupt(run: CasesRun, running: RunningCase): Promise<void> {
  if (run.middle === 'none') return;
  const jobs: RunningJob[] = [];
  for (const job of running.jobs) {
    const files = { build: running.build, name: job.name };
    if (run.middle === 'restart with state') {
      jobs.push(await startJob(run, files, { savepoint: await stopJob(run, job) }));
    } else {
      await cancelJob(run, job);
      await forgetPositions(run, job);
      jobs.push(await startJob(run, files));
    }
    running.jobs = [...jobs, ...running.jobs.slice(jobs.length)];
  }
}

async function outcomeOf(run: CasesRun, { one, jobs, problem }: RunningCase): Promise<CaseOutcome> {
  if (problem !== undefined) return { name: one.name, problem, models: [] };
  try {
    const written = jobs.flatMap(({ topics }) => topics.writes);
    const read = await readTopicsToEnd(
      run.broker,
      written.map(({ topic }) => topic),
    );
    const models = one.models.map(({ name }): ModelOutcome => {
      const topic = written.find((wrote) => wrote.topic.endsWith(`.${one.name}.${name}`));
      if (topic === undefined) throw new Error(`no job writes model "${name}"`);
      return {
        model: name,
        rows: foldTopic(read.get(topic.topic) ?? [], topic.rows),
        ...expectedRows(run, one, name),
      };
    });
    return { name: one.name, models };
  } catch (error) {
    return { name: one.name, problem: error instanceof Error ? error.message : String(error), models: [] };
  }
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
  return { judge: 'batch', expected: rows?.get(model) ?? [] };
}
