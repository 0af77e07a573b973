import type { Planner } from '@levada/test-peers/engine';
import type { Job } from '../../src/jobs/job.ts';
import { deployed } from './compiled-jobs.ts';

/** A job that a planner refuses. */
export interface RefusedJob {
  readonly id: string;
  readonly message: string;
}

/** Plans jobs, and answers those that the planner refuses. */
export async function refusedJobs(
  planner: Planner,
  jobs: readonly (readonly [id: string, job: Pick<Job, 'statements'>])[],
): Promise<readonly RefusedJob[]> {
  const refused: RefusedJob[] = [];
  for (const [id, job] of jobs) {
    const answer = await planner.plan(deployed(job));
    if (!answer.ok) refused.push({ id, message: answer.message.split('\n')[0] ?? '' });
  }
  return refused;
}
