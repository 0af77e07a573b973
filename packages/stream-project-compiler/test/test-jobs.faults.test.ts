import { describePlanner, plannerVersions } from '@levada/test-peers/engine';
import { expect, it } from 'vitest';
import { refusedJobs } from './jobs/planned-jobs.ts';
import { assertionProjects } from './test-jobs/assertion-projects.ts';
import { corpusTests, testJobs } from './test-jobs/compiled-tests.ts';
import { constructFiles } from './test-jobs/construct-tests.ts';

for (const version of plannerVersions) {
  describePlanner('jobs of tests', version, (planner) => {
    it('are planned, every assertion on columns of every type', async () => {
      for (const [type, files] of assertionProjects(version)) {
        const { jobs, errors } = await testJobs(files);
        expect({ type, errors, none: jobs.size === 0 }).toEqual({ type, errors: [], none: false });
        expect(await refusedJobs(planner(), [...jobs])).toEqual([]);
      }
    }, 300_000);

    it('are planned, for every kind of record under test, and those of the corpus', async () => {
      const { jobs } = await testJobs(constructFiles(version));
      expect(await refusedJobs(planner(), [...jobs, ...(await corpusTests())])).toEqual([]);
    }, 300_000);
  });
}
