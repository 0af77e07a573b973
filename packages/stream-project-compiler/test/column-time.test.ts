import { describe, expect, test } from 'vitest';
import { entryOf } from '../src/index.ts';
import { sqlProject, type TestTable } from './column-support/sql-project.ts';

const tables: Readonly<Record<string, TestTable>> = {
  'source:o': {
    columns: [
      ['id', 'STRING'],
      ['k', 'STRING'],
      ['q', 'INT'],
      ['tags', 'ARRAY<STRING>'],
      ['ts', 'TIMESTAMP(3)'],
      ['pt', 'PROCTIME'],
    ],
    watermark: ['ts', 5000],
  },
  'source:p': {
    columns: [
      ['oid', 'STRING'],
      ['v', 'INT'],
      ['pts', 'TIMESTAMP(3)'],
    ],
    watermark: ['pts', 1000],
  },
};

const o = '{{ source("o") }}';
const p = '{{ source("p") }}';
const window = `FROM TABLE(TUMBLE(TABLE ${o}, DESCRIPTOR(ts), INTERVAL '1' MINUTE))`;

/** What a window over the column `t` of a query says: the engine asks for a time attribute there. */
async function windowOver(query: string) {
  const sql = `WITH c AS (${query}) SELECT window_start, window_end, COUNT(*) AS n
    FROM TABLE(TUMBLE(TABLE c, DESCRIPTOR(t), INTERVAL '1' HOUR)) GROUP BY window_start, window_end`;
  const { diagnostics } = await sqlProject(sql, tables);
  return diagnostics.map(({ code }) => entryOf(code).name);
}

describe('a time attribute stays one through', () => {
  test.each([
    ['a projection', `SELECT id, ts AS t FROM ${o}`],
    ['WHERE', `SELECT ts AS t FROM ${o} WHERE q > 1`],
    ['a query in FROM', `SELECT x.ts AS t FROM (SELECT * FROM ${o}) AS x`],
    ['UNION ALL', `SELECT ts AS t FROM ${o} UNION ALL SELECT pts FROM ${p}`],
    ['OVER', `SELECT ts AS t, COUNT(*) OVER (PARTITION BY k ORDER BY ts) AS n FROM ${o}`],
    [
      'the first row of each key',
      `SELECT ts AS t FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY k ORDER BY ts) AS rn FROM ${o}) WHERE rn = 1`,
    ],
    [
      'an interval join, of its left side',
      `SELECT a.ts AS t FROM ${o} AS a JOIN ${p} AS b ON a.id = b.oid AND b.pts BETWEEN a.ts AND a.ts + INTERVAL '1' HOUR`,
    ],
    [
      'an interval join, of its right side',
      `SELECT b.pts AS t FROM ${o} AS a JOIN ${p} AS b ON a.id = b.oid AND a.ts >= b.pts AND a.ts < b.pts + INTERVAL '1' HOUR`,
    ],
    [
      'an interval join whose bounds are in WHERE',
      `SELECT a.ts AS t FROM ${o} AS a, ${p} AS b WHERE a.id = b.oid AND b.pts BETWEEN a.ts AND a.ts + INTERVAL '1' HOUR`,
    ],
    [
      'a temporal join, of its left side',
      `SELECT a.ts AS t FROM ${o} AS a JOIN ${p} FOR SYSTEM_TIME AS OF a.ts AS b ON a.id = b.oid`,
    ],
    [
      'a window, as window_time',
      `SELECT window_time AS t, COUNT(*) AS n ${window} GROUP BY window_start, window_end, window_time`,
    ],
    [
      'a window of GROUP BY, as TUMBLE_ROWTIME',
      `SELECT TUMBLE_ROWTIME(ts, INTERVAL '1' MINUTE) AS t, COUNT(*) AS n FROM ${o} GROUP BY TUMBLE(ts, INTERVAL '1' MINUTE)`,
    ],
    ['the engine itself, as PROCTIME()', `SELECT id, PROCTIME() AS t FROM ${o}`],
    ['a column of processing time', `SELECT pt AS t FROM ${o}`],
  ])('accepts a window over event time from %s', async (_, query) => {
    expect(await windowOver(query)).toEqual([]);
  });
});

describe('a time attribute is lost through', () => {
  test.each([
    ['arithmetic', `SELECT ts + INTERVAL '1' SECOND AS t FROM ${o}`],
    ['COALESCE', `SELECT COALESCE(ts, ts) AS t FROM ${o}`],
    ['FLOOR', `SELECT FLOOR(ts TO HOUR) AS t FROM ${o}`],
    ['a regular join', `SELECT a.ts AS t FROM ${o} AS a JOIN ${p} AS b ON a.id = b.oid`],
    ['a comma', `SELECT a.ts AS t FROM ${o} AS a, ${p} AS b WHERE a.id = b.oid`],
    ['IN', `SELECT ts AS t FROM ${o} WHERE id IN (SELECT oid FROM ${p})`],
    [
      'EXISTS',
      `SELECT ts AS t FROM ${o} AS a WHERE EXISTS (SELECT 1 AS n FROM ${p} AS b WHERE b.oid = a.id)`,
    ],
    ['UNNEST', `SELECT ts AS t, tag FROM ${o} CROSS JOIN UNNEST(tags) AS x(tag)`],
    ['DISTINCT', `SELECT DISTINCT ts AS t FROM ${o}`],
    ['GROUP BY', `SELECT ts AS t, COUNT(*) AS n FROM ${o} GROUP BY ts`],
    ['an aggregate', `SELECT k, MAX(ts) AS t FROM ${o} GROUP BY k`],
    [
      'a window, as window_start',
      `SELECT window_start AS t, COUNT(*) AS n ${window} GROUP BY window_start, window_end`,
    ],
    [
      'a temporal join, of its right side',
      `SELECT b.pts AS t FROM ${o} AS a JOIN ${p} FOR SYSTEM_TIME AS OF a.ts AS b ON a.id = b.oid`,
    ],
  ])('reports a window over a column that is no event time after %s', async (_, query) => {
    expect(await windowOver(query)).toEqual(['window-without-time-attribute']);
  });

  test.each([
    ['CAST, even to the same type', `SELECT CAST(ts AS TIMESTAMP(3)) AS t FROM ${o}`],
    ['TRY_CAST', `SELECT TRY_CAST(ts AS TIMESTAMP(3)) AS t FROM ${o}`],
  ])('%s, which is named', async (_, query) => {
    expect(await windowOver(query)).toEqual(['event-time-lost']);
  });
});

describe('the event time of a model', () => {
  const eventTime = async (sql: string) => (await sqlProject(sql, tables)).inferred.eventTimes.get('model:m');

  test('takes the event time of a model from the source whose time attribute its SQL passes on', async () => {
    expect(await eventTime(`SELECT id, ts AS happened FROM ${o}`)).toMatchObject({
      column: 'happened',
      strategy: 'bounded_out_of_orderness',
      delayMs: 5000,
      inherited: true,
      origin: { path: 'sources[0].event_time.column' },
    });
  });

  test('takes the event time of a model from the window by which it groups', async () => {
    const sql = `SELECT window_time AS t, COUNT(*) AS n ${window} GROUP BY window_start, window_end, window_time`;
    expect(await eventTime(sql)).toMatchObject({ column: 't', delayMs: 5000, inherited: true });
  });

  test('gives a model no event time when no time attribute is passed on', async () => {
    expect(await eventTime(`SELECT id, MAX(ts) AS t FROM ${o} GROUP BY id`)).toBeUndefined();
    expect(await eventTime(`SELECT id, pt FROM ${o}`)).toBeUndefined();
  });
});
