import { describePlanner, plannerVersions } from '@levada/test-peers/engine';
import { expect, it } from 'vitest';
import { compiledProjects, namedJobs } from './jobs/compiled-jobs.ts';
import { constructJobs } from './jobs/construct-projects.ts';
import { refusedJobs } from './jobs/planned-jobs.ts';
for (const version of plannerVersions) describePlanner('jobs', version, (planner) => {
  it('all', async () => {
    const jobs = namedJobs(await compiledProjects());
    console.log(version, await refusedJobs(planner(), jobs));
    const c = await constructJobs(version);
    console.log(version, await refusedJobs(planner(), [...c.jobs]));
  }, 300_000);
});
