import { describe, expect, it } from 'vitest';
import { outcomeOf, refusedModels } from './job-reasons/refused-models.ts';

describe.each(refusedModels)('$sql', ({ reason, hint, repaired, ...model }) => {
  it('LV5001 gives the reason why the model has no job', async () => {
    const { errors, refused, job } = await outcomeOf(model, '2.2');
    expect({ errors, refused, job }).toEqual({
      errors: [],
      refused: { message: reason, hint },
      job: undefined,
    });
  });

  it('the model has a job once the hint is followed', async () => {
    const { errors, refused, job } = await outcomeOf({ ...model, ...repaired }, '2.2');
    expect({ errors, refused }).toEqual({ errors: [], refused: undefined });
    expect(job?.name).toBe('m');
  });
});

it('EXISTS takes a query for all columns of a table that declares none', async () => {
  const sql = 'SELECT s.a FROM S AS s WHERE EXISTS (SELECT * FROM T AS t WHERE t.a = s.a)';
  const { errors, refused, job } = await outcomeOf({ sql }, '2.2');
  expect({ errors, refused }).toEqual({ errors: [], refused: undefined });
  expect(job?.statements.at(-1)).toContain('EXISTS (SELECT * FROM `t_source` AS t');
});

it('a job reads a column of USING from both sides', async () => {
  const { job } = await outcomeOf({ sql: 'SELECT s.b FROM S AS s JOIN T AS t USING (a)' }, '2.2');
  const tables = job?.statements.filter((statement) => /TABLE `[st]_source`/.test(statement)) ?? [];
  expect(tables.map((statement) => statement.includes('`a` STRING'))).toEqual([true, true]);
});

it('a job reads undeclared columns of nested arithmetic as numbers', async () => {
  const { refused, job } = await outcomeOf({ sql: 'SELECT a * b - c AS k FROM S' }, '2.2');
  expect(refused).toBeUndefined();
  expect(job?.statements.join('\n')).toMatch(/`a` DOUBLE,\s+`b` DOUBLE,\s+`c` DOUBLE/);
});

it('a number after the columns of an undeclared source keeps the first row of each key', async () => {
  const sql =
    'SELECT a, b FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY a ORDER BY b DESC) AS n FROM S) WHERE n = 1';
  const { errors, refused, job } = await outcomeOf({ sql }, '2.2');
  expect({ errors, refused }).toEqual({ errors: [], refused: undefined });
  expect(job?.statements.at(-1)).toContain('WHERE n = 1');
});

it.each([
  'SELECT ARRAY[] AS k, a FROM S',
  'SELECT ARRAY[NULL] AS k, a FROM S',
  'SELECT MAP[] AS k, a FROM S',
])('%s is an error, as for the engine', async (sql) => {
  expect((await outcomeOf({ sql }, '2.2')).errors).toHaveLength(1);
});
