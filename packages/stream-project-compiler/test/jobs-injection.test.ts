import { describePlanner } from '@levada/test-peers/engine';
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { identifier, literal } from '../src/jobs/text/sql-words.ts';
import { interpolate } from '../src/parse/interpolate.ts';
import { deployed } from './jobs/compiled-jobs.ts';
import { expectedTokens, plainTokens } from './jobs/expected-tokens.ts';
import { hostileJob, hostileProject, hostileText } from './jobs/hostile-texts.ts';

/** The text after variables were replaced; there must be none in it. */
function afterVariables(text: string): string {
  const found = interpolate(text, new Map([['HOME', 'replaced']]));
  expect(found?.variables ?? []).toEqual([]);
  return found?.text ?? text;
}

describe('names and literals of jobs', () => {
  it('are one quoted text that says the same, whatever they are', () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        expect(plainTokens(afterVariables(identifier(text)))).toEqual([`\`${text}`]);
        expect(plainTokens(afterVariables(literal(text)))).toEqual([`'${text}`]);
      }),
      { numRuns: 1000 },
    );
  });
});

test('jobs are the expected statements, whatever names, types, users and comments are', async () => {
  await fc.assert(
    fc.asyncProperty(hostileProject, async (project) => {
      const job = await hostileJob(project);
      expect(deployed(job ?? { statements: [] }).map(plainTokens)).toEqual(expectedTokens(project));
    }),
    { numRuns: 200 },
  );
});

describePlanner('hostile texts in jobs', '2.2.0', (planner) => {
  test('come back from the planner unchanged as names, whatever is in comments', async () => {
    await fc.assert(
      fc.asyncProperty(hostileProject, async (project) => {
        const statements = deployed((await hostileJob(project)) ?? { statements: [] });
        const answer = await planner().plan([...statements, 'SELECT * FROM `s`']);
        expect(answer).toMatchObject({ ok: true });
        expect(answer.ok ? answer.columns?.map(({ name }) => name) : []).toEqual(
          project.columns.map(({ name }) => name),
        );
      }),
      { numRuns: 60 },
    );
  }, 120_000);

  test('come back from the planner unchanged as literals', async () => {
    const texts = fc.sample(hostileText, 300);
    const answer = await planner().plan([
      `SELECT ${texts.map((text) => afterVariables(literal(text))).join(', ')}`,
    ]);
    expect(answer.ok ? answer.literals : answer).toEqual(texts);
  }, 120_000);
});
