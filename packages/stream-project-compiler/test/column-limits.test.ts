import { expect, test } from 'vitest';
import { sqlProject, type TestTable } from './column-support/sql-project.ts';

const many = Array.from({ length: 120 }, (_, index) => index);
const tables: Readonly<Record<string, TestTable>> = {
  'source:wide': { columns: many.map((index) => [`c${index}`, 'INT']) },
};

test('no more than a hundred mistakes are reported of one query', async () => {
  const { diagnostics } = await sqlProject(
    `SELECT ${many.map((index) => `d${index}`).join(', ')} FROM {{ source("wide") }}`,
    tables,
  );
  expect(diagnostics.length).toBe(100);
  expect(diagnostics[0]?.message).toBe('no table in FROM has a column "d0"');
  expect(diagnostics[98]?.hint).toMatch(/^did you mean "c/);
});

test('the hint for an ambiguous column names five tables, however many have it', async () => {
  const joins = many.map((index) => `{{ source("wide") }} AS t${index}`);
  const { diagnostics } = await sqlProject(`SELECT c1 FROM ${joins.join(' CROSS JOIN ')}`, tables);
  expect(diagnostics.map(({ hint }) => hint)).toEqual(['write t0.c1 or t1.c1 or t2.c1 or t3.c1 or t4.c1']);
});
