import { expect, it } from 'vitest';
import { checkProject } from '../src/compile.ts';
import { loadProject } from '../src/index.ts';
import { memoryFileSystem } from './project-support/memory-file-system.ts';
import { testJobs } from './test-jobs/compiled-tests.ts';
import { lines, projectWith } from './validate-support/validate-files.ts';

/** A test of source `events` with this query, from line 5 of its file on. */
function files(sql: string) {
  return {
    'stream_project.yml': projectWith().replace('type: rest', "type: rest\n        version: '2.2'"),
    'models/m.yml': lines(
      'sources:',
      '  - name: events',
      '    topic: events',
      '    columns: [{name: g, type: STRING}, {name: k, type: INT}, {name: v, type: INT}, {name: s, type: STRING}, {name: t, type: TIMESTAMP(6)}]',
      'models:',
      '  - name: items',
      '    sql: SELECT g, k, LAST_VALUE(v) AS v FROM {{ source("events") }} GROUP BY g, k',
    ),
    'tests/t.yml': lines(
      'tests:',
      '  - name: t',
      '    model: events',
      '    type: continuous',
      '    assertions:',
      '      - custom_sql:',
      '          sql: |',
      `            ${sql}`,
    ),
  };
}

it.each([
  [
    'SELECT s FROM {{ model }} WHERE UNIX_TIMESTAMP(s) < 0',
    'NULLIF(UNIX_TIMESTAMP(s), -9223372036854775807 - 1) < 0',
  ],
  [
    'SELECT v FROM {{ model }} WHERE TRY_CAST(v AS SMALLINT) IS NULL',
    'TRY_CAST(CAST(v AS STRING) AS SMALLINT)',
  ],
  ["SELECT t FROM {{- model -}} WHERE CAST(t AS DATE) < DATE '1970-01-01'", 'CAST(FLOOR(t TO DAY) AS DATE)'],
  [
    'SELECT g, MIN(k) AS lo FROM {{ ref("items") }} GROUP BY g',
    'MIN(k) FILTER (WHERE IF(`items`.`v` IS NULL, TRUE, TRUE))',
  ],
])('the job of a test avoids defects of the engine: %s', async (sql, written) => {
  const { jobs, errors } = await testJobs(files(sql));
  expect(errors).toEqual([]);
  expect(jobs.get('t')?.statements.at(-1)).toContain(written);
});

it('a defect that no rewrite avoids is reported at its place in the test', async () => {
  const sql = 'SELECT g, STDDEV_POP(v) AS d FROM {{ model }} GROUP BY g';
  const loaded = await loadProject({ fileSystem: memoryFileSystem(files(sql)) });
  const { diagnostics } = checkProject(loaded);
  const found = diagnostics.filter(({ code }) => code === 'LV4162');
  expect(found).toMatchObject([
    {
      object: 'test:t',
      path: 'tests[0].assertions[0].custom_sql.sql',
      range: { file: 'tests/t.yml', start: { line: 8, column: 23 } },
      hint: 'write "STDDEV_POP(CAST(... AS DOUBLE))"',
    },
  ]);
});
