import { type JobTable, watermarkOf } from '../create-table.ts';
import type { EngineTarget } from '../engine-target.ts';
import type { Job, JobSettings } from '../job.ts';
import type { ModelPlan } from '../model-job.ts';
import { needsTime } from './needs-time.ts';

/** How many tasks a job has, and how many of them read topics. */
interface JobReaders extends Pick<Job, 'readers' | 'narrowest'> {
  /** Of the job; undefined leaves it to the cluster. */
  readonly parallelism: number | undefined;
  /** What tables say of it; undefined: as many as the job has. */
  readonly ofTables: number | undefined;
}

/**
 * A task that reads no partition holds back the time of all others, so that no window of its job ever ends. Where models need event
 * time, no more tasks read a topic than it has partitions: one where the project does not say how many. Versions before 2.0 cannot
 * say it of a table, and get it as the parallelism of the whole job.
 */
export function jobReaders(
  plans: readonly ModelPlan[],
  { parallelism }: JobSettings,
  { takesReaders }: EngineTarget,
): JobReaders {
  const [narrowest] = plans
    .flatMap(({ topics, within }) => [...topics.values()].filter(({ node }) => !within.has(node)))
    .filter(({ eventTime }) => eventTime !== undefined)
    .sort((one, other) => (one.partitions ?? 1) - (other.partitions ?? 1));
  if (narrowest === undefined || !plans.some(needsTime))
    return { parallelism, readers: undefined, narrowest: undefined, ofTables: undefined };
  const { node, partitions } = narrowest;
  const tasks = parallelism ?? 1;
  const readers = Math.min(tasks, partitions ?? 1);
  const found = { readers, narrowest: { node, partitions } };
  return takesReaders && readers < tasks
    ? { ...found, parallelism: tasks, ofTables: readers }
    : { ...found, parallelism: readers, ofTables: undefined };
}

/** A table that is read by so many tasks, if event time is read from it. */
export function withReaders(table: JobTable, readers: number | undefined): JobTable {
  return readers === undefined || watermarkOf(table) === undefined ? table : { ...table, readers };
}
