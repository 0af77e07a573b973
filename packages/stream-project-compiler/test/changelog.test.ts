import { describePlanner, plannerVersions } from '@levada/test-peers/engine';
import { describe, expect, it } from 'vitest';
import { compareRecorded } from './changelog/construct-changes.ts';
import {
  compareChanges,
  differences,
  differs,
  ownQueries,
  plannedQueries,
} from './changelog/planned-changes.ts';

describePlanner('changes of rows', '2.2.0', (planner) => {
  it('are those of the planner, for every kind of query and a tenth of the others', async () => {
    const some = plannedQueries.filter((_, index) => index % 10 === 0);
    const compared = await compareChanges(planner(), [...ownQueries, ...some]);
    expect(differences(compared)).toEqual([]);
    expect(compared.length).toBeGreaterThan(150);
  }, 180_000);
});

describe('changes of the rows of constructs', () => {
  it.each(plannerVersions)(
    'are those that the planner of %s said',
    async (version) => {
      const compared = await compareRecorded(version);
      expect(compared.filter(differs)).toEqual([]);
      expect(compared.length).toBeGreaterThan(90);
    },
    60_000,
  );
});
