import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createTopic, readTopicsToEnd } from '@levada/kafka-testkit';
import { type Manifest, readJson } from '../engine/deployed-project.ts';
import type { BatchRows } from './batch-judge.ts';
import { type CompiledCase, compileCase, type RunNames, sourceTopic } from './case-project.ts';
import { foldTopic } from './folded-topic.ts';
import type { CaseOutcome, ModelOutcome, Row, RowsCase, RowsSource, SourceRow } from './rows-case.ts';
import {
  cancelJob,
  drainJob,
  forgetPositions,
  type JobFiles,
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

/** Slots of the cluster; a job takes one for each subtask. */
const SLOTS = 30;

/** A case that was compiled, and its jobs. */
interface RunningCase extends CompiledCase {
  readonly one: RowsCase;
  readonly manifest: Manifest;
  jobs: readonly RunningJob[];
}

/** Runs cases from their compiled files alone, as many at a time as the cluster has slots for. */
export async function runCases(run: CasesRun): Promise<readonly CaseOutcome[]> {
  const slots = new Slots(SLOTS);
  const outcomes: Promise<CaseOutcome>[] = [];
  for (const one of run.cases) {
    try {
      const running = await compile(run, one);
      const taken = Math.min(SLOTS, jobFiles(running).length * run.parallelism);
      await slots.take(taken);
      outcomes.push(runCase(run, running).finally(() => slots.give(taken)));
    } catch (error) {
      outcomes.push(Promise.resolve(failed(one, error)));
    }
  }
  return Promise.all(outcomes);
}

/** Slots that are free, given to those that wait in their order. */
class Slots {
  #free: number;
  readonly #waiting: { readonly wanted: number; readonly begin: () => void }[] = [];

  constructor(free: number) {
    this.#free = free;
  }

  async take(wanted: number): Promise<void> {
    const { promise, resolve: begin } = Promise.withResolvers<void>();
    this.#waiting.push({ wanted, begin });
    this.give(0);
    await promise;
  }

  give(slots: number): void {
    this.#free += slots;
    for (
      let next = this.#waiting[0];
      next !== undefined && next.wanted <= this.#free;
      [next] = this.#waiting
    ) {
      this.#waiting.shift();
      this.#free -= next.wanted;
      next.begin();
    }
  }
}

async function compile(run: CasesRun, one: RowsCase): Promise<RunningCase> {
  const folder = join(run.folder, run.run, one.name);
  await mkdir(folder, { recursive: true });
  const compiled = await compileCase(one, run, run.sources, folder);
  const manifest = (await readJson(join(compiled.build, 'manifest.json'))) as Manifest;
  return { one, ...compiled, manifest, jobs: [] };
}

function jobFiles({ build, manifest: { artifacts } }: RunningCase): readonly JobFiles[] {
  const tests = artifacts.tests.filter(({ type }) => type === 'continuous');
  return [
    ...artifacts.jobs.map(({ name }): JobFiles => ({ build, name, kind: 'model' })),
    ...tests.map(({ name }): JobFiles => ({ build, name, kind: 'test' })),
  ];
}

async function runCase(run: CasesRun, running: RunningCase): Promise<CaseOutcome> {
  try {
    await startCase(run, running);
    await untilRead(run, running);
    await interrupt(run, running);
    await writeAfter(run, running, ({ late }) => late === undefined);
    // What is late has to be late in each run, whatever was restarted: not all states have the watermark.
    await untilRead(run, running);
    await writeAfter(run, running, ({ late }) => late !== undefined);
    for (const job of running.jobs) {
      await untilCaughtUp(run, job);
      await drainJob(run, job);
    }
    return await outcomeOf(run, running);
  } catch (error) {
    await Promise.all(running.jobs.map((job) => cancelJob(run, job)));
    return failed(running.one, error, running.findings);
  }
}

function failed({ name }: RowsCase, error: unknown, findings: readonly string[] = []): CaseOutcome {
  return { name, problem: error instanceof Error ? error.message : String(error), models: [], findings };
}

async function untilRead(run: CasesRun, { jobs }: RunningCase): Promise<void> {
  for (const job of jobs) await untilCaughtUp(run, job);
  for (const job of jobs) await untilTimeIsKnown(run, job);
}

/** Sources of a case by their names. */
function sourcesOf(
  { sources }: CasesRun,
  { project, sources: names }: RowsCase,
): readonly (readonly [string, Pick<RowsSource, 'partitions' | 'before' | 'after'>])[] {
  if (project !== undefined) return Object.entries(project.sources);
  return names.map((name) => {
    const source = sources[name];
    if (source === undefined) throw new Error(`no source "${name}"`);
    return [name, source];
  });
}

/** Writes rows that come after the first ones. */
async function writeAfter(
  run: CasesRun,
  { one }: RunningCase,
  isWritten: (row: SourceRow) => boolean,
): Promise<void> {
  for (const [name, { after }] of sourcesOf(run, one))
    await writeRows(run.broker, sourceTopic(run, one, name), after.filter(isWritten));
}

async function startCase(run: CasesRun, running: RunningCase): Promise<void> {
  const { one, build, manifest } = running;
  for (const [name, { partitions, before }] of sourcesOf(run, one))
    await writeSource(run.broker, sourceTopic(run, one, name), partitions, before);
  for (const { name } of manifest.artifacts.topics) {
    const { partitions, config } = (await readJson(join(build, 'topics', `${name}.json`))) as {
      readonly partitions: number;
      readonly config: Readonly<Record<string, string>>;
    };
    await createTopic(run.broker, name, { partitions, config });
  }
  for (const files of jobFiles(running)) running.jobs = [...running.jobs, await startJob(run, files)];
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
  await untilRead(run, running);
}

async function outcomeOf(run: CasesRun, running: RunningCase): Promise<CaseOutcome> {
  const { one, jobs, findings } = running;
  const nullKeys = await nullKeysOf(running);
  const written = jobs.flatMap(({ topics }) => topics.writes);
  const read = await readTopicsToEnd(run.broker, [...new Set(written.map(({ topic }) => topic))]);
  const models = one.models.map(({ name, unlike = [] }): ModelOutcome => {
    const topics = written.filter((wrote) => wrote.topic.endsWith(`.${one.name}.${name}`));
    const [topic] = topics;
    if (topic === undefined) throw new Error(`no job writes model "${name}"`);
    const changes = topics.some(({ rows }) => rows === 'upsert') ? 'upsert' : topic.rows;
    const rows = foldTopic(read.get(topic.topic) ?? [], changes).map((row) => withoutColumns(row, unlike));
    const { judge, expected } = expectedRows(run, one, name);
    const key = nullKeys.get(name) ?? [];
    const whole = expected.filter((row) => key.every((column) => row[column] !== null));
    return { model: name, changes, rows, judge, expected: whole };
  });
  return { name: one.name, models, findings };
}

/** Columns of keys, by model, where rows with a null in one are counted and not written. */
async function nullKeysOf({ build, manifest }: RunningCase): Promise<ReadonlyMap<string, readonly string[]>> {
  const found = new Map<string, readonly string[]>();
  for (const { name } of manifest.artifacts.jobs) {
    const { models } = (await readJson(join(build, 'jobs', `${name}.json`))) as {
      readonly models: readonly {
        readonly model: string;
        readonly null_keys?: { readonly columns: readonly string[] };
      }[];
    };
    for (const { model, null_keys: keys } of models) if (keys !== undefined) found.set(model, keys.columns);
  }
  return found;
}

function withoutColumns(row: Row, columns: readonly string[]): Row {
  return Object.fromEntries(Object.entries(row).filter(([name]) => !columns.includes(name)));
}

function expectedRows(
  { batch, middle }: CasesRun,
  one: RowsCase,
  model: string,
): Pick<ModelOutcome, 'judge' | 'expected'> {
  const repeated = middle === 'restart without state' ? one.repeated?.[model] : undefined;
  if (repeated !== undefined) return { judge: 'by hand', expected: repeated };
  const byHand = one.judge !== undefined && one.judge !== 'batch';
  const answer = byHand ? undefined : batch.get(one.name);
  if (answer instanceof Error) throw new Error(`no batch run: ${answer.message}`);
  const rows = byHand ? one.judge[model] : answer?.get(model);
  // An empty topic would be right for a name that is misspelt
  if (rows === undefined || rows.length === 0)
    throw new Error(`the judge of case "${one.name}" has no rows for model "${model}"`);
  return {
    judge: byHand ? 'by hand' : 'batch',
    expected: [...rows, ...(one.lateRows?.[model] ?? [])],
  };
}
