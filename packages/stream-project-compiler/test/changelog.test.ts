import { describePlanner } from '@levada/test-peers/engine';
import { expect, it } from 'vitest';
import { compareChanges, differences, ownQueries, plannedQueries } from './changelog/planned-changes.ts';

describePlanner('changes of rows', '2.2.0', (planner) => {
  it('are those of the planner, for every kind of query and a tenth of the others', async () => {
    const some = plannedQueries.filter((_, index) => index % 10 === 0);
    const compared = await compareChanges(planner(), [...ownQueries, ...some]);
    expect(differences(compared)).toEqual([]);
    expect(compared.length).toBeGreaterThan(150);
  }, 180_000);
});
