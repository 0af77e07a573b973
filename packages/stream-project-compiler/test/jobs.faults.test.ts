import { describePlanner, plannerVersions } from '@levada/test-peers/engine';
import { expect, it } from 'vitest';
import { ownQueries, plannedQueries } from './changelog/planned-changes.ts';
import { avroJobs } from './jobs/avro-models.ts';
import { compiledProjects, namedJobs } from './jobs/compiled-jobs.ts';
import { constructJobs } from './jobs/construct-projects.ts';
import { refusedJobs } from './jobs/planned-jobs.ts';
import { queryJobs, readJobs } from './jobs/query-jobs.ts';
import { commonTypes, jsonTypes, settingJobs, typedJobs } from './jobs/typed-projects.ts';

/** What planners of 1.20 refuse of queries that 2.2 takes, and we do not report: HAVING alone, and fields that only a CAST names. */
const refusals120 = [
  /^Table sink .* doesn't support consuming update changes .*GroupAggregate\(select=\[\]\)/,
  /^(?:Column|Table) '\w+' not found/,
];

for (const [turn, version] of plannerVersions.entries()) {
  describePlanner('jobs', version, (planner) => {
    it('are planned, all of the corpus and the example', async () => {
      const refused = await refusedJobs(planner(), namedJobs(await compiledProjects(version.slice(0, -2))));
      expect(refused).toEqual([]);
    }, 300_000);

    it('are planned for every construct that changes how they are written', async () => {
      const { jobs, refused } = await constructJobs(version);
      expect(await refusedJobs(planner(), [...jobs])).toEqual([]);
      // It has the column of the inner window and that of the outer one under the same name
      expect([...refused.keys()]).toEqual(version === '1.20.3' ? ['windows_of_windows'] : []);
    }, 300_000);

    it('are planned where they write Avro, with the schema of the project', async () => {
      const { jobs } = await avroJobs(version);
      expect(jobs.size).toBe(2);
      expect(await refusedJobs(planner(), [...jobs])).toEqual([]);
    }, 300_000);

    it('are planned for values of every type, and settings at the ends of their ranges', async () => {
      const json = await typedJobs(version, [...commonTypes, ...jsonTypes], 'json');
      const avro = await typedJobs(version, commonTypes, 'avro');
      const settings = await settingJobs(version);
      const all = [json, avro, settings].flatMap(({ jobs }, at) =>
        [...jobs].map(([name, job]) => [`${at} ${name}`, job] as const),
      );
      expect(all.length).toBeGreaterThan(240);
      expect(await refusedJobs(planner(), all)).toEqual([]);
    }, 300_000);

    it('are planned for an eighth of the queries with a model that reads them within the job', async () => {
      const some = [...ownQueries, ...plannedQueries].filter((_, index) => index % 8 === turn);
      const jobs = await readJobs(some, version);
      expect(jobs.length).toBeGreaterThan(70);
      const refused = await refusedJobs(planner(), jobs);
      const known = version === '1.20.3' ? refusals120 : [];
      expect(refused.filter(({ message }) => !known.some((pattern) => pattern.test(message)))).toEqual([]);
    }, 300_000);

    it('are planned for a third of the queries that the planner takes', async () => {
      const some = plannedQueries.filter((_, index) => index % plannerVersions.length === turn);
      const made = await queryJobs([...ownQueries, ...some], version);
      const jobs = made.flatMap(({ sql, job }) => (typeof job === 'string' ? [] : [[sql, job] as const]));
      // Refused by the engine too, or with rows that could not be withdrawn
      expect(made.length - jobs.length).toBeLessThan(version === '1.20.3' ? 20 : 6);
      const refused = await refusedJobs(planner(), jobs);
      const known = version === '1.20.3' ? refusals120 : [];
      const unexpected = refused.filter(({ message }) => !known.some((pattern) => pattern.test(message)));
      expect(unexpected).toEqual([]);
    }, 300_000);
  });
}
