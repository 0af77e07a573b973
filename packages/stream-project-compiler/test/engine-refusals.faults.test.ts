import { describePlanner, plannerVersions } from '@levada/test-peers/engine';
import { expect, it } from 'vitest';
import { plannedTables } from './changelog/planned-changes.ts';
import { accepts, refusals } from './engine-queries/refusals.ts';

for (const version of plannerVersions) {
  describePlanner('queries that we refuse', version, (planner) => {
    it('are those that the planner refuses', async () => {
      const differing: string[] = [];
      for (const refusal of refusals) {
        const { ok } = await planner().plan([...plannedTables, refusal.sql]);
        if (ok !== accepts(refusal, version)) differing.push(refusal.sql);
      }
      expect(differing).toEqual([]);
    }, 300_000);
  });
}
