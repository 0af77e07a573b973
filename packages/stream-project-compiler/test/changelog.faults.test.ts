import { describePlanner, plannerVersions } from '@levada/test-peers/engine';
import { expect, it } from 'vitest';
import { compareChanges, differences, ownQueries, plannedQueries } from './changelog/planned-changes.ts';

for (const [turn, version] of plannerVersions.entries()) {
  describePlanner('changes of rows', version, (planner) => {
    it('are those of the planner, for every kind of query and a third of the others', async () => {
      const some = plannedQueries.filter((_, index) => index % plannerVersions.length === turn);
      const compared = await compareChanges(planner(), [...ownQueries, ...some]);
      expect(differences(compared)).toEqual([]);
    }, 300_000);
  });
}
