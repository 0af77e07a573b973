import { expect, test } from 'vitest';
import { entryOf } from '../src/index.ts';
import { sqlProject, type TestTable } from './column-support/sql-project.ts';

const tables: Readonly<Record<string, TestTable>> = {
  'source:o': {
    columns: [
      ['id', 'STRING'],
      ['k', 'STRING'],
      ['q', 'INT'],
      ['ts', 'TIMESTAMP(3)'],
    ],
    watermark: ['ts', 5000],
  },
};

async function look(sql: string) {
  const { diagnostics, columns } = await sqlProject(sql, tables);
  return { names: diagnostics.map(({ code }) => entryOf(code).name), columns };
}

const named = 'FROM {{ source("o") }} WINDOW w AS (PARTITION BY k ORDER BY ts)';

test('an OVER window in place equals the named window that says the same', async () => {
  const sql = `SELECT SUM(q) OVER w AS s, COUNT(*) OVER (PARTITION BY k ORDER BY ts) AS n ${named}`;
  expect((await look(sql)).names).toEqual([]);
});

test('an OVER window in place differs from a named window with other columns', async () => {
  const sql = `SELECT SUM(q) OVER w AS s, COUNT(*) OVER (PARTITION BY id ORDER BY ts) AS n ${named}`;
  expect((await look(sql)).names).toEqual(['over-window']);
});

test('a named window is looked at for columns that are not there, once', async () => {
  const sql = `SELECT SUM(q) OVER w AS s, COUNT(*) OVER w AS n ${named.replace('k ORDER', 'kk ORDER')}`;
  expect((await look(sql)).names).toEqual(['unknown-column']);
});

test('the columns of a named window decide about rows, as those of a window in place do', async () => {
  const inPlace = await look(`SELECT SUM(q) OVER (PARTITION BY k ORDER BY ts) AS s FROM {{ source("o") }}`);
  const byName = await look(`SELECT SUM(q) OVER w AS s ${named}`);
  expect(byName.columns?.influences).toEqual(inPlace.columns?.influences);
  expect(byName.columns?.influences).not.toEqual([]);
});

test('a window that names itself ends', async () => {
  const sql = 'SELECT SUM(q) OVER w AS s FROM {{ source("o") }} WINDOW w AS (w ORDER BY ts)';
  expect((await look(sql)).names).toEqual([]);
});
