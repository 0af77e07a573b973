import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { type ReachableBroker, withAdmin } from '@levada/kafka-testkit';
import { type Engine, innermostCause } from '@levada/test-peers/engine';
import { fromTheBeginning, jobStatements, testJob, withVariables } from '../engine/deployed-project.ts';
import { type JobTopics, jobTopics } from './job-text.ts';

const CAUGHT_UP_LIMIT_MS = 120_000;
const STOP_LIMIT_MS = 60_000;
const POLL_MS = 100;
/** A source commits its offsets with each checkpoint. */
const CHECKPOINT_INTERVAL = '500 ms';
/** Watermarks that are due are emitted between two checkpoints. */
const WATERMARK_INTERVAL = '50 ms';

/** Where jobs run. */
export interface Surroundings {
  readonly broker: ReachableBroker;
  readonly engine: Engine;
  readonly parallelism: number;
  /** Where savepoints are. */
  readonly folder: string;
}

/** A job of a compiled project that runs. */
export interface RunningJob {
  readonly id: string;
  readonly files: JobFiles;
  readonly statements: readonly string[];
  readonly topics: JobTopics;
}

/** What a job begins with. */
export type Start = { readonly savepoint: string } | undefined;

/** Files of a job. */
export interface JobFiles {
  /** Folder that a project was compiled to. */
  readonly build: string;
  readonly name: string;
  readonly kind: 'model' | 'test';
}

/** Starts a job from its files. A test reads from the beginning. */
export async function startJob(around: Surroundings, files: JobFiles, start?: Start): Promise<RunningJob> {
  const { build, name } = files;
  const variables = { BOOTSTRAP_SERVERS: around.broker.bootstrap };
  const test = files.kind === 'test' ? await testJob(build, name) : undefined;
  const statements = (test?.statements ?? (await jobStatements(build, name))).map((sql) =>
    withVariables(sql, variables),
  );
  if (start === undefined)
    for (const { topic } of test?.reads ?? [])
      await fromTheBeginning(around.broker, test?.group ?? '', topic);
  const session = await around.engine.session();
  const settings = {
    'parallelism.default': String(around.parallelism),
    'execution.checkpointing.interval': CHECKPOINT_INTERVAL,
    'pipeline.auto-watermark-interval': WATERMARK_INTERVAL,
    'restart-strategy.type': 'none',
    ...(start === undefined ? {} : { 'execution.state-recovery.path': start.savepoint }),
  };
  const own = Object.entries(settings).map(([key, value]) => `SET '${key}' = '${value}'`);
  const begin = statements.findIndex((statement) => !statement.startsWith('SET '));
  let id = '';
  for (const statement of [...statements.slice(0, begin), ...own, ...statements.slice(begin)]) {
    const { columns, rows } = await session.run(statement);
    const answered = columns.indexOf('job id');
    if (answered >= 0) id = String(rows[0]?.[answered]);
  }
  return { id, files, statements, topics: jobTopics(statements) };
}

/** Waits until a job has read all that its topics have, and wrote what follows from it. Rejects when it has failed. */
export async function untilCaughtUp({ broker, engine }: Surroundings, job: RunningJob): Promise<void> {
  await withAdmin(broker, async (admin) => {
    const isCaughtUp = async () => {
      await checkJob(engine, job);
      for (const { topic, group } of job.topics.reads) {
        const ends = await admin.fetchTopicOffsets(topic);
        // The first group of a broker has no coordinator for a moment
        const found = admin.fetchOffsets({ groupId: group, topics: [topic] });
        const [read] = await found.catch((error: { readonly retriable?: boolean }) => {
          if (error.retriable === true) return [];
          throw error;
        });
        const at = new Map(read?.partitions.map(({ partition, offset }) => [partition, Number(offset)]));
        if (ends.some(({ partition, low, high }) => high !== low && (at.get(partition) ?? -1) < Number(high)))
          return false;
      }
      return true;
    };
    await until(isCaughtUp, CAUGHT_UP_LIMIT_MS, `job "${job.files.name}" at the end of its topics`);
  });
}

/** Waits until a job has announced the time of all that it has read. */
export async function untilTimeIsKnown({ engine }: Surroundings, job: RunningJob): Promise<void> {
  const completed = async () => {
    await checkJob(engine, job);
    const { counts } = (await get(engine, `/jobs/${job.id}/checkpoints`)) as {
      readonly counts: { readonly completed: number };
    };
    return counts.completed;
  };
  // The one under way may be older than what was read last.
  const enough = (await completed()) + 3;
  await until(
    async () => (await completed()) >= enough,
    STOP_LIMIT_MS,
    `checkpoints of job "${job.files.name}"`,
  );
}

/** Forgets how far groups have read, so that {@link untilCaughtUp} waits for a job that begins again. */
export async function forgetPositions({ broker }: Surroundings, job: RunningJob): Promise<void> {
  await withAdmin(broker, async (admin) => {
    await admin.deleteGroups([...new Set(job.topics.reads.map(({ group }) => group))]);
  });
}

/** Ends a job with what has no end in its topics: time moves to its end, so that every window and join writes what it has. */
export async function drainJob(around: Surroundings, job: RunningJob): Promise<void> {
  await stopJob(around, job, true);
}

/** Stops a job; resolves with where its state is. */
export async function stopJob(
  { engine, folder }: Surroundings,
  job: RunningJob,
  drain = false,
): Promise<string> {
  const targetDirectory = `file://${join(folder, 'savepoints')}`;
  const asked = await fetch(`${engine.cluster}/jobs/${job.id}/stop`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ targetDirectory, drain }),
  });
  const text = await asked.text();
  if (!asked.ok) throw new Error(`job "${job.files.name}": ${text}`);
  const trigger = (JSON.parse(text) as { readonly 'request-id': string })['request-id'];
  let location: string | undefined;
  const isStopped = async () => {
    const { operation } = (await get(engine, `/jobs/${job.id}/savepoints/${trigger}`)) as {
      readonly operation?: { readonly location?: string; readonly 'failure-cause'?: unknown };
    };
    if (operation?.['failure-cause'] !== undefined) {
      await checkJob(engine, job);
      throw new Error(
        `job "${job.files.name}": ${JSON.stringify(operation['failure-cause']).slice(0, 2000)}`,
      );
    }
    location = operation?.location;
    return location !== undefined && (await stateOf(engine, job)) === 'FINISHED';
  };
  await until(isStopped, STOP_LIMIT_MS, `end of job "${job.files.name}"`);
  return location ?? '';
}

/** Ends a job without a trace of its state. */
export async function cancelJob({ engine }: Surroundings, job: RunningJob): Promise<void> {
  await fetch(`${engine.cluster}/jobs/${job.id}`, { method: 'PATCH' });
  const ended = ['CANCELED', 'FINISHED', 'FAILED'];
  await until(
    async () => ended.includes(await stateOf(engine, job)),
    STOP_LIMIT_MS,
    `end of job "${job.files.name}"`,
  );
}

async function stateOf(engine: Engine, job: RunningJob): Promise<string> {
  return ((await get(engine, `/jobs/${job.id}`)) as { readonly state: string }).state;
}

async function checkJob(engine: Engine, job: RunningJob): Promise<void> {
  const state = await stateOf(engine, job);
  if (!['FAILING', 'FAILED', 'RESTARTING'].includes(state)) return;
  const { exceptionHistory } = (await get(engine, `/jobs/${job.id}/exceptions`)) as {
    readonly exceptionHistory?: { readonly entries: readonly { readonly stacktrace: string }[] };
  };
  const trace = exceptionHistory?.entries[0]?.stacktrace;
  throw new Error(
    `job "${job.files.name}" is ${state}: ${trace === undefined ? 'no reason' : innermostCause(trace)}`,
  );
}

async function until(condition: () => Promise<boolean>, limitMs: number, what: string): Promise<void> {
  const deadline = performance.now() + limitMs;
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error(`not within ${limitMs} ms: ${what}`);
    await wait(POLL_MS);
  }
}

async function get(engine: Engine, path: string): Promise<unknown> {
  const response = await fetch(`${engine.cluster}${path}`);
  const text = await response.text();
  if (!response.ok) throw new Error(text);
  return JSON.parse(text) as unknown;
}
