import { describePlanner, plannerVersions } from '@levada/test-peers/engine';
import { expect, it } from 'vitest';
import { compareConstructs } from './changelog/construct-changes.ts';
import {
  compareChanges,
  differences,
  differs,
  ownQueries,
  plannedQueries,
} from './changelog/planned-changes.ts';
import { refusedJobs } from './jobs/planned-jobs.ts';

for (const [turn, version] of plannerVersions.entries()) {
  describePlanner('changes of rows', version, (planner) => {
    it('are those of the planner, for every kind of query and a third of the others', async () => {
      const some = plannedQueries.filter((_, index) => index % plannerVersions.length === turn);
      const compared = await compareChanges(planner(), [...ownQueries, ...some]);
      expect(differences(compared)).toEqual([]);
    }, 300_000);

    it('have the keys of the planner in every construct, and all jobs of constructs are planned', async () => {
      const { changing, jobs } = await compareConstructs(planner());
      expect(changing.filter(differs)).toEqual([]);
      expect(changing.length).toBeGreaterThan(10);
      expect(await refusedJobs(planner(), jobs)).toEqual([]);
      expect(jobs.length).toBeGreaterThan(90);
    }, 300_000);
  });
}
