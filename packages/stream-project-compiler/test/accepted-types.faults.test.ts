import { describeEngine, plannerVersions } from '@levada/test-peers/engine';
import { expect, test } from 'vitest';
import { projectJobs } from '../src/jobs/project-jobs.ts';
import { projectTests } from '../src/test-jobs/project-tests.ts';
import { compileFiles } from './resolve-support/compile-files.ts';

/** Texts by type that a value of it can be, and texts that look like one. */
const cases = [
  { type: 'int', fits: ['2', ' 2 ', '-2', '+2', '2.0'], not: ['2.5', '.5', 'x', '', '2147483648', '1_0'] },
  { type: 'TINYINT', fits: ['127'], not: ['128', '1.5'] },
  { type: 'bigint', fits: ['9223372036854775807'], not: ['9223372036854775808', '2.5', '2L'] },
  { type: 'DECIMAL(10, 2)', fits: ['2.55', '1e3', '-0.1'], not: ['2.555', 'x', 't', '2L', '123456789'] },
  { type: 'DECIMAL(38, 18)', fits: ['2.555'], not: ['x'] },
  { type: 'date', fits: ['2026-01-01'], not: ['2026-01-01 10:00:00', '2', 'x'] },
  { type: 'number', fits: ['2.5', '1e3'], not: ['x'] },
  { type: 'bool', fits: ['true', 'no'], not: ['2', 'x'] },
] as const;

/** What comes after WHERE in the job of a continuous test. */
async function condition(type: string): Promise<string> {
  const { inferred } = await compileFiles({
    'stream_project.yml': JSON.stringify({
      project: { name: 'types' },
      runtime: { platform: { bootstrap_servers: 'localhost:9092' }, engine: { clusters: { main: {} } } },
      sources: [{ name: 's', topic: 's.v1', columns: [{ name: 'c', type: 'STRING' }] }],
      tests: [
        {
          name: 't',
          model: 's',
          type: 'continuous',
          assertions: [{ accepted_types: { types: { c: type } } }],
        },
      ],
    }),
  });
  const statements = projectTests(inferred, projectJobs(inferred)).tests.get('t')?.job?.statements ?? [];
  const where = /\nWHERE ([^;]*)/.exec(statements.at(-1) ?? '')?.[1];
  if (where === undefined) throw new Error(`no condition for ${type}`);
  return where;
}

for (const version of plannerVersions) {
  describeEngine('accepted types of text', version, (engine) => {
    test.each(cases)(
      'count as $type what is one, and nothing else',
      async ({ type, fits, not }) => {
        const session = await engine().session();
        const texts = [...fits, ...not];
        const rows = texts.map((text) => `(CAST('${text}' AS STRING))`).join(', ');
        const found = await session.run(
          `SELECT c FROM (VALUES ${rows}) AS v (c) WHERE ${await condition(type)}`,
        );
        expect(new Set(found.rows.map(([text]) => text))).toEqual(new Set(not));
      },
      120_000,
    );
  });
}
