import { describe, expect, test } from 'vitest';
import { engineVersions, releaseOf } from '../src/types/functions/engine-dialect.ts';
import { engineFunctionNames } from '../src/types/functions/engine-functions.ts';
import { lines, projectWith, validateFiles } from './validate-support/validate-files.ts';

const o = '{{ source("o") }}';

interface Engine {
  readonly version?: string;
  readonly type?: string;
  readonly functions?: string;
}

/** What is said of a query, on a cluster of that version. */
async function findings(sql: string, { version, type = 'rest', functions }: Engine = {}) {
  const cluster = version === undefined ? `type: ${type}` : `type: ${type}\n        version: '${version}'`;
  const listed = functions === undefined ? '' : `    functions: ${functions}\n`;
  const found = await validateFiles({
    'stream_project.yml': projectWith()
      .replace('type: rest', cluster)
      .replace('    clusters:\n      main', `${listed}    clusters:\n      main`),
    'models/m.yml': lines(
      'sources:',
      '  - name: o',
      '    topic: o.v1',
      '    columns:',
      '      - {name: id, type: STRING}',
      '      - {name: q, type: INT}',
      '      - {name: ts, type: TIMESTAMP(3)}',
      '    event_time: {column: ts}',
      'models:',
      '  - name: m',
      '    sql: |',
      `      ${sql}`,
    ),
  });
  return found.diagnostics.map(({ severity, message, hint }) => `${severity}: ${message}, ${hint}`);
}

test('every function that has a signature is in the table of versions', () => {
  expect(engineFunctionNames.filter((name) => releaseOf(name) === undefined)).toEqual([]);
  expect(engineVersions[0]).toBe('1.18');
});

describe('a function that the engine does not have', () => {
  const missing = 'which the engine does not have';

  test.each([
    ['UPPR(id)', 'UPPR', 'UPPER'],
    ['LOWR(id)', 'LOWR', 'LOWER'],
    ['summ(q)', 'summ', 'SUM'],
  ])('reports an unknown function with the nearest name: %s', async (call, name, meant) => {
    expect(await findings(`SELECT ${call} AS x FROM ${o}`)).toEqual([
      `error: function ${name}, ${missing}, did you mean ${meant}?`,
    ]);
  });

  const register = 'list it in "runtime.engine.functions" if it is registered with the engine';

  test('warns about an unknown function when nothing is like it and no version is stated', async () => {
    const found = await findings(`SELECT FRAUD_SCORE(q) AS x FROM ${o}`);
    expect(found).toEqual([`warning: function FRAUD_SCORE, ${missing}, ${register}`]);
  });

  test('reports an unknown function when the functions of the version are known', async () => {
    const found = await findings(`SELECT FRAUD_SCORE(q) AS x FROM ${o}`, { version: '1.20.3' });
    expect(found).toEqual([`error: function FRAUD_SCORE, ${missing}, ${register}`]);
  });

  test('reports an unknown function in FROM as well', async () => {
    const sql = `SELECT w FROM ${o}, LATERAL TABLE(split_words(id)) AS s (w)`;
    expect(await findings(sql, { version: '2.2' })).toEqual([
      `error: function split_words, ${missing}, ${register}`,
    ]);
  });

  test('accepts a function that the project lists, in any case of letters', async () => {
    const engine = { version: '1.20', functions: '[FRAUD_SCORE]' };
    expect(await findings(`SELECT fraud_score(q) AS x FROM ${o}`, engine)).toEqual([]);
    expect(await findings(`SELECT FRAUD_SCOR(q) AS x FROM ${o}`, engine)).toEqual([
      `error: function FRAUD_SCOR, ${missing}, did you mean FRAUD_SCORE?`,
    ]);
  });

  test.each([
    ['a managed service', { type: 'managed' }],
    ['a version that is newer than those that are known', { version: '99.1' }],
  ])('assumes that %s may have more functions', async (_, engine) => {
    expect(await findings(`SELECT FRAUD_SCORE(q) AS x FROM ${o}`, engine)).toEqual([]);
    expect(await findings(`SELECT UPPR(id) AS x FROM ${o}`, engine)).toEqual([
      `warning: function UPPR, ${missing}, did you mean UPPER?`,
    ]);
  });

  test.each(['latest', '2', 'banana'])('reports %s, which is no version', async (version) => {
    expect(await findings(`SELECT id FROM ${o}`, { version })).toEqual([
      expect.stringContaining('expected a version such as "2.2", of two numbers or more'),
    ]);
  });

  test('does not suggest a function of a later version for an unknown one', async () => {
    const found = await findings(`SELECT ENDSWIT(id, 'x') AS x FROM ${o}`, { version: '1.20' });
    expect(found).toEqual([`error: function ENDSWIT, ${missing}, ${register}`]);
  });
});

const window = "DESCRIPTOR(ts), INTERVAL '1' MINUTE";

describe('what only later versions of the engine have', () => {
  test.each([
    [
      'QUALIFY',
      '1.20',
      '2.0',
      `SELECT id FROM ${o} QUALIFY ROW_NUMBER() OVER (PARTITION BY id ORDER BY ts) = 1`,
    ],
    ['function ARRAY_AGG', '1.19', '1.20', `SELECT id, ARRAY_AGG(q) AS a FROM ${o} GROUP BY id`],
    ['function BITMAP_BUILD', '2.2', '2.3', `SELECT BITMAP_BUILD(ARRAY[q]) AS a FROM ${o}`],
    [
      'a table function without TABLE( )',
      '1.20',
      '2.0',
      `SELECT window_start FROM TUMBLE(TABLE ${o}, ${window})`,
    ],
    [
      'SESSION as a table function',
      '1.18',
      '1.19',
      `SELECT window_start FROM TABLE(SESSION(TABLE ${o} PARTITION BY id, ${window}))`,
    ],
    [
      'the hint STATE_TTL',
      '1.18',
      '1.19',
      `SELECT /*+ STATE_TTL('a' = '1d') */ a.id FROM ${o} AS a JOIN ${o} AS b ON a.id = b.id`,
    ],
    [
      'RETURNING in JSON_QUERY',
      '1.19',
      '1.20',
      `SELECT JSON_QUERY(id, '$.a' RETURNING ARRAY<STRING>) AS a FROM ${o}`,
    ],
    ['the type VARIANT', '2.0', '2.1', `SELECT CAST(NULL AS VARIANT) AS a FROM ${o}`],
  ])('reports what only later versions have: %s on %s', async (what, before, since, sql) => {
    const hint = 'write it in another way, or correct "version" of the cluster';
    const says = `which the engine has since version ${since}, and the cluster "main" is of version "${before}"`;
    expect(await findings(sql, { version: before })).toEqual([`error: ${what}, ${says}, ${hint}`]);
    expect(await findings(sql, { version: since })).toEqual([]);
    expect(await findings(sql)).toEqual([]);
  });

  test('prints a version that comes from a variable as it is written', async () => {
    const version = '$' + '{ENGINE:-1.20}';
    const sql = `SELECT ENDSWITH(id, 'x') AS a FROM ${o}`;
    expect((await findings(sql, { version }))[0]).toContain(`the cluster "main" is of version "${version}"`);
  });

  test('accepts a window of GROUP BY in every version', async () => {
    const sql = `SELECT SESSION_START(ts, INTERVAL '1' MINUTE) AS s FROM ${o} GROUP BY SESSION(ts, INTERVAL '1' MINUTE)`;
    expect(await findings(sql, { version: '1.18' })).toEqual([]);
  });
});
