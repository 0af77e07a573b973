import { describeEngine } from '@levada/test-peers/engine';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { literal } from '../src/jobs/text/sql-words.ts';
import { deployed } from './jobs/compiled-jobs.ts';
import { expectedTokens, plainTokens } from './jobs/expected-tokens.ts';
import { hostileJob, hostileProject, hostileText } from './jobs/hostile-texts.ts';

test('jobs are the expected statements, whatever 10,000 names, types, users and comments are', async () => {
  let texts = 0;
  await fc.assert(
    fc.asyncProperty(hostileProject, async (project) => {
      const job = await hostileJob(project);
      expect(deployed(job ?? { statements: [] }).map(plainTokens)).toEqual(expectedTokens(project));
      texts += 2 * project.columns.length + 2;
    }),
    { numRuns: 1500 },
  );
  expect(texts).toBeGreaterThan(10_000);
}, 300_000);

describeEngine('literals of jobs', '2.2.0', (engine) => {
  test('come back unchanged from a query that runs, 10,000 of them', async () => {
    const texts = fc.sample(hostileText, 10_000);
    const session = await engine().session();
    for (let first = 0; first < texts.length; first += 2500) {
      const some = texts.slice(first, first + 2500);
      const rows = some.map((text, index) => `(${index}, ${literal(text)})`);
      const [query = ''] = deployed({ statements: [`SELECT * FROM (VALUES ${rows.join(', ')})`] });
      expect((await session.run(query)).rows).toEqual(some.map((text, index) => [index, text]));
    }
  }, 300_000);
});
