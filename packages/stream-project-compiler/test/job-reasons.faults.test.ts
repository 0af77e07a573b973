import { describePlanner, plannerVersions } from '@levada/test-peers/engine';
import { expect, it } from 'vitest';
import { outcomeOf, refusedModels } from './job-reasons/refused-models.ts';
import { refusedJobs } from './jobs/planned-jobs.ts';

for (const version of plannerVersions) {
  describePlanner('hints of models without a job', version, (planner) => {
    it('lead to jobs that are planned', async () => {
      const outcomes = await Promise.all(
        refusedModels.map(async (model) => ({
          sql: model.sql,
          ...(await outcomeOf({ ...model, ...model.repaired }, version)),
        })),
      );
      const lacking = outcomes.filter(({ job }) => job === undefined).map(({ sql }) => sql);
      expect(lacking).toEqual([]);
      const jobs = outcomes.flatMap(({ sql, job }) => (job === undefined ? [] : [[sql, job] as const]));
      expect(await refusedJobs(planner(), jobs)).toEqual([]);
    }, 300_000);
  });
}
