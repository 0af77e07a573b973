import { describePlanner, type Planner, plannerVersions } from '@levada/test-peers/engine';
import { expect, it } from 'vitest';
import { printType } from '../src/types/print-type.ts';
import { type SaidChanges, saidChanges, saidOfPlanner } from './changelog/planned-changes.ts';
import { deployed } from './jobs/compiled-jobs.ts';
import { refusedJobs } from './jobs/planned-jobs.ts';
import { readingModels, sourceProject, withMacros } from './source-forms/source-project.ts';

interface Compared {
  readonly name: string;
  readonly changes: SaidChanges;
  /** Names with their types. */
  readonly columns: readonly string[];
}

const models = readingModels.map(({ name, sql }) => ({ name, sql: withMacros(sql) }));

/** What we and a planner say of the queries of all models. */
async function compare(
  planner: Planner,
): Promise<readonly { readonly ours: Compared; readonly planner: Compared }[]> {
  const { jobs, project } = await sourceProject(models, { version: planner.version });
  const compared = [];
  for (const { name } of models) {
    const job = jobs.get(name);
    if (job === undefined) throw new Error(`no job of ${name}`);
    const statements = deployed(job).filter((sql) => !sql.startsWith(`CREATE TEMPORARY TABLE \`${name}\``));
    const view =
      job.statements.findLast((sql) => sql.startsWith('CREATE TEMPORARY VIEW'))?.split('`')[1] ?? name;
    const answer = await planner.plan(
      statements.map((sql) =>
        sql
          .replace(/^INSERT INTO `\w+`\n/, '')
          .replace(/\nON CONFLICT DO DEDUPLICATE$/, '')
          // Rows with a null key are written apart, from a view of the query
          .replace(/^EXECUTE STATEMENT SET\n[\s\S]*$/, `SELECT * FROM \`${view}\``),
      ),
    );
    if (!answer.ok) throw new Error(`${name}: ${answer.message}`);
    const columns = project.columns.get(`model:${name}`)?.columns ?? [];
    const ours = {
      name,
      changes: saidChanges(
        project.nodes.get(`model:${name}`)?.changes,
        columns.map((column) => column.name),
      ),
      columns: columns.map((column) => `${column.name} ${printType(column.type)}`),
    };
    const said = {
      name,
      changes: saidOfPlanner(answer),
      columns: (answer.columns ?? []).map(
        ({ name: column, type }) => `${column} ${type.replace(/ \*\w+\*$/, '')}`,
      ),
    };
    compared.push({ ours, planner: said });
  }
  return compared;
}

for (const version of plannerVersions) {
  describePlanner('sources as they are', version, (planner) => {
    it('the planner takes every job, and finds the changes, keys and types that we find', async () => {
      const compared = await compare(planner());
      const kinds = (which: 'ours' | 'planner') =>
        compared.map((one) => [one[which].name, one[which].changes.kinds]);
      expect(kinds('ours')).toEqual(kinds('planner'));
      const keys = (which: 'ours' | 'planner') =>
        compared
          .filter(({ ours }) => ours.changes.kinds !== 'append')
          .map((one) => [one[which].name, one[which].changes.keys]);
      expect(keys('ours')).toEqual(keys('planner'));
      const columns = (which: 'ours' | 'planner') =>
        compared.map((one) => [one[which].name, one[which].columns]);
      expect(columns('ours')).toEqual(columns('planner'));
      const { jobs, refused } = await sourceProject(models, { version });
      expect([...refused]).toEqual([]);
      expect(await refusedJobs(planner(), [...jobs])).toEqual([]);
    }, 180_000);
  });
}
