import { describePlanner } from '@levada/test-peers/engine';
import { beforeAll, describe, expect, it } from 'vitest';
import { refusedJobs } from './jobs/planned-jobs.ts';
import { assertionProjects } from './test-jobs/assertion-projects.ts';
import { corpusTests, type NamedTest, testJobs } from './test-jobs/compiled-tests.ts';
import { constructFiles } from './test-jobs/construct-tests.ts';
import { lines, projectWith } from './validate-support/validate-files.ts';

describePlanner('jobs of tests', '2.2.0', (planner) => {
  it('are planned, those of the corpus and the example, and a tenth of all assertions by type', async () => {
    const some: NamedTest[] = [...(await corpusTests())];
    expect(some.length).toBeGreaterThan(4);
    for (const [type, files] of assertionProjects('2.2').filter((_, index) => index % 10 === 6)) {
      const { jobs, errors } = await testJobs(files);
      expect(errors).toEqual([]);
      some.push(...[...jobs].map(([name, job]) => [`${type} ${name}`, job] as const));
    }
    expect(await refusedJobs(planner(), some)).toEqual([]);
  }, 180_000);

  it('are planned for every kind of record under test', async () => {
    const { jobs, errors } = await testJobs(constructFiles('2.2'));
    expect({ errors, tests: jobs.size }).toEqual({ errors: [], tests: 10 });
    expect(await refusedJobs(planner(), [...jobs])).toEqual([]);
  }, 180_000);
});

const orders = lines(
  'sources:',
  '  - name: orders',
  '    topic: orders.v1',
  '    columns:',
  '      - {name: id, type: BIGINT}',
  '      - {name: email, type: STRING, classification: sensitive}',
  '      - {name: amount, type: "DECIMAL(10, 2)"}',
  '      - {name: ts, type: TIMESTAMP(3)}',
  '    event_time: {column: ts}',
);

/** The statements of a test of the source `orders`, by what they begin with. */
async function statementsOf(...more: readonly string[]) {
  const test = ['tests:', '  - name: t', '    model: orders', '    type: continuous', ...more];
  const files = {
    'stream_project.yml': projectWith(),
    'sources/s.yml': orders,
    'tests/t.yml': lines(...test),
  };
  const { jobs, errors } = await testJobs(files);
  expect(errors).toEqual([]);
  const statements = jobs.get('t')?.statements ?? [];
  return {
    last: statements.at(-1) ?? '',
    table: (name: string) =>
      statements.find((sql) => sql.startsWith(`CREATE TEMPORARY TABLE \`${name}\``)) ?? '',
    all: statements.join('\n'),
  };
}

/** What follows WHERE in each SELECT of an assertion. */
async function conditionsOf(assertion: string) {
  const { last } = await statementsOf('    assertions:', `      - ${assertion}`);
  return [...last.matchAll(/\nWHERE (.*)/g)].map(([, condition]) => condition);
}

describe('the job of a continuous test', () => {
  it('adds a violation with the record for each record that fails, its sensitive columns hidden', async () => {
    const { last, table } = await statementsOf(
      '    assertions: [not_null: {columns: [id]}]',
      '    on_failure: {severity: warning}',
    );
    expect(last).toBe(
      lines(
        'INSERT INTO `violations`',
        "SELECT 't', 'not_null', 'id', 'warning', 'not null',",
        "  ROW(`id`, IF(`email` IS NULL, CAST(NULL AS STRING), '***'), `amount`, `ts`),",
        '  CURRENT_TIMESTAMP',
        'FROM `orders`',
        'WHERE `id` IS NULL',
      ).trimEnd(),
    );
    expect(table('violations')).toContain("'topic' = 'shop.test-violations'");
    expect(table('violations')).toContain(
      '`record` ROW<`id` BIGINT, `email` STRING, `amount` DECIMAL(10, 2), `ts` TIMESTAMP(3)>',
    );
  });

  it('reads records from its start on, and queries and keys of other models from the beginning', async () => {
    const { jobs } = await testJobs(constructFiles('2.2'));
    const tables = [...(jobs.get('of_latest_rows')?.statements ?? [])].filter((sql) =>
      sql.startsWith('CREATE TEMPORARY TABLE'),
    );
    const start = (name: string) =>
      /'connector' = '([a-z-]+)'[\s\S]*?(?:'scan.startup.mode' = '([a-z-]+)'|$)/
        .exec(tables.find((sql) => sql.includes(`TABLE \`${name}\``)) ?? '')
        ?.slice(1);
    expect(start('totals')).toEqual(['kafka', 'group-offsets']);
    expect(start('totals_model')).toEqual(['upsert-kafka', undefined]);
    expect(start('known_customers')).toEqual(['kafka', 'earliest-offset']);
  });

  it('writes a record that fails once for all assertions on it alone, with its key and everything in it', async () => {
    const { last, table } = await statementsOf(
      '    assertions:',
      '      - not_null: {columns: [id, amount]}',
      '      - throughput: {max_per_second: 5}',
      '    on_failure: {actions: [dlq: {topic: orders.failed}]}',
    );
    expect(last.match(/INSERT INTO `failed_records`/g)).toHaveLength(1);
    expect(last).toContain(
      'SELECT `record_key`, `id`, `email`, `amount`, `ts`\nFROM `orders`\nWHERE (`id` IS NULL)\n  OR (`amount` IS NULL);',
    );
    for (const name of ['orders', 'failed_records'])
      expect(table(name)).toContain("'key.fields' = 'record_key'");
  });

  it('copies records of which not everything is declared as they are', async () => {
    const { jobs } = await testJobs(constructFiles('2.2'));
    const statements = jobs.get('of_undeclared')?.statements ?? [];
    expect(statements.at(-1)).toContain(
      'INSERT INTO `failed_records`\nSELECT `record_key`, `record`\nFROM `anything_rows`',
    );
    expect(statements.at(-2)).toContain('WHERE `record` IS NOT NULL');
  });

  it('reads rows that were replaced as records, and changes as the rows after them', async () => {
    const { jobs } = await testJobs(constructFiles('2.2'));
    const changes = jobs.get('of_changes')?.statements ?? [];
    expect(changes.at(-2)).toContain("FROM `joined`\nWHERE `op` = 'c'");
    const [latest] = jobs.get('of_latest_rows')?.reads ?? [];
    expect(latest).toMatchObject({ topic: 'totals', rows: 'append' });
  });

  it('withdraws the violation of a query whose answer becomes the expected one', async () => {
    const { last, table } = await statementsOf(
      '    assertions:',
      '      - custom_sql: {sql: "SELECT COUNT(*) AS n FROM {{ model }} WHERE id IS NULL -- none", expect: 0}',
      '      - custom_sql: {sql: "SELECT email, COUNT(*) AS n FROM {{ model }} GROUP BY email HAVING COUNT(*) > 9"}',
      '      - custom_sql: {sql: "SELECT id FROM {{ model }} WHERE id < 0;"}',
    );
    expect(table('violations_of_query_1')).toContain('PRIMARY KEY (`violation`) NOT ENFORCED');
    expect(last).toContain(') AS `answer` (`n`)\nWHERE `n` IS DISTINCT FROM 0;');
    expect(last).toContain("SELECT 't/2' || JSON_ARRAY(SHA256(CAST(`email` AS STRING)) NULL ON NULL), 't',");
    expect(table('violations_of_query_3')).toContain("'connector' = 'kafka'");
    expect(last).toContain("SELECT 't', 'custom_sql', CAST(NULL AS STRING), 'error', 'no row',");
  });

  it('has the engine withdraw violations by their key, in 2.3 without asking what to do on a conflict', async () => {
    const settings = async (version: string, test: string) => {
      const { jobs } = await testJobs(constructFiles(version));
      return (jobs.get(test)?.statements ?? []).filter((sql) => sql.startsWith("SET 'table.exec.sink"));
    };
    const byKey = "SET 'table.exec.sink.upsert-materialize' = 'NONE'";
    expect(await settings('2.2', 'of_queries')).toEqual([byKey]);
    expect(await settings('2.3', 'of_queries')).toEqual([
      byKey,
      "SET 'table.exec.sink.require-on-conflict' = 'false'",
    ]);
    expect(await settings('2.3', 'of_masked')).toEqual([]);
  });

  it('holds variables as they are written, and the value of none', async () => {
    const { jobs, files } = await testJobs(constructFiles('2.2'));
    const statements = [...jobs.values()].flatMap((job) => job.statements).join('\n');
    expect(statements + [...files.values()].join('\n')).not.toContain('canary');
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a variable of the project
    expect(statements).toContain("`kind` NOT IN ('${KIND:-x}', 'y')");
  });

  it.each([
    ['range: {column: amount, min: 0, max: 10.50}', ['`amount` < 0 OR `amount` > 10.50']],
    ['positive: {column: amount, allow_zero: true}', ['`amount` < 0']],
    [
      'accepted_values: {column: id, values: [1, null, 9007199254740993]}',
      ['`id` IS NOT NULL AND `id` NOT IN (1, 9007199254740993)'],
    ],
    ['accepted_values: {column: email, values: [null]}', ['`email` IS NOT NULL']],
    [
      'accepted_values: {column: ts, values: ["2026-11-22T10:00"]}',
      ["`ts` IS NOT NULL AND `ts` NOT IN (TIMESTAMP '2026-11-22 10:00:00')"],
    ],
    [
      'accepted_types: {types: {email: int}}',
      [
        '`email` IS NOT NULL AND (TRY_CAST(`email` AS DECIMAL(38, 28)) IS NULL OR CAST(TRY_CAST(`email` AS INT) AS DECIMAL(38, 28)) IS DISTINCT FROM TRY_CAST(`email` AS DECIMAL(38, 28)))',
      ],
    ],
    [
      'accepted_types: {types: {id: int}}',
      ['`id` IS NOT NULL AND CAST(TRY_CAST(`id` AS INT) AS BIGINT) IS DISTINCT FROM `id`'],
    ],
    ['max_lag: {column: ts, max_seconds: 0.5}', ["`ts` < LOCALTIMESTAMP - INTERVAL '0.500' SECOND"]],
    [
      'distribution: {column: amount, buckets: [{min: 0, expected_ratio: 0.3, tolerance: 0.1}]}',
      ['`measured` < CAST(0.2 AS DOUBLE) OR `measured` > CAST(0.4 AS DOUBLE)'],
    ],
    ['unique_key: {key: id, window: 1 HOUR}', ['`repeats` > 1']],
    [
      'unique_key: {key: "id, email", window: 1 HOUR, tolerance: 0.05}',
      ['`measured` > CAST(0.05 AS DOUBLE)'],
    ],
    [
      'throughput: {min_per_second: 1}',
      ['(`measured` < CAST(1 AS DOUBLE) AND `previous_end` = `window_start`)'],
    ],
  ])('finds the violations of %s', async (assertion, conditions) => {
    expect(await conditionsOf(assertion)).toEqual(conditions);
  });

  it('has no statements for what the types of columns say', async () => {
    const tests = ['    assertions: [accepted_types: {types: {id: number, email: text}}]'];
    expect((await statementsOf(...tests)).all).toBe('');
  });
});

describe('an assertion that cannot run continuously', () => {
  let all: readonly string[];
  beforeAll(async () => {
    all = (await testJobs({ 'stream_project.yml': projectWith(), 'models/m.yml': impossible })).errors;
  });

  it.each([
    [
      '"unique_key" of test "a"',
      'rows of the model are written again when they change, so that each key comes many times',
    ],
    [
      '"foreign_key" of test "b"',
      'the model under test has no event time, so it is not known when a key of "totals" must be there',
    ],
    [
      '"foreign_key" of test "c"',
      'model "timeless" has no event time, so it is not known when a key of it is there',
    ],
    ['"foreign_key" of test "d"', 'rows of model "totals" change, and their key is not "total"'],
    ['"max_lag" of test "c"', 'it is about 2000 days, and the engine counts 999 at most'],
    ['"accepted_values" of test "c"', '"soon" cannot be compared with a column of type TIMESTAMP(3)'],
    ['"accepted_types" of test "c"', 'the engine cannot read TIMESTAMP(3) as BOOLEAN'],
    ['"custom_sql" of test "c"', '"expect" is not one value'],
    [
      '"custom_sql" of test "d"',
      'its rows change (LEFT JOIN) and have no key by which an earlier one is found',
    ],
  ])('is an error: %s, %s', (assertion, reason) => {
    expect(all).toContain(`${assertion} cannot run continuously: ${reason}`);
  });
});

const impossible = `sources:
  - name: orders
    topic: orders.v1
    columns: [{name: id, type: STRING}, {name: total, type: BIGINT}, {name: ts, type: TIMESTAMP(3)}]
    event_time: {column: ts}
  - name: old
    topic: old.v1
    columns: [{name: id, type: STRING}]
models:
  - {name: totals, sql: 'SELECT id, SUM(total) AS total, MAX(ts) AS ts FROM {{ source("orders") }} GROUP BY id'}
  - {name: timeless, sql: 'SELECT id FROM {{ source("old") }}'}
tests:
  - {name: a, model: totals, type: continuous, assertions: [{unique_key: {key: id}}]}
  - {name: b, model: timeless, type: continuous, assertions: [{foreign_key: {column: id, ref_model: totals, ref_key: id}}]}
  - name: c
    model: orders
    type: continuous
    assertions:
      - foreign_key: {column: id, ref_model: timeless, ref_key: id}
      - max_lag: {column: ts, max_seconds: 172800000}
      - accepted_values: {column: ts, values: [soon]}
      - accepted_types: {types: {ts: bool}}
      - custom_sql: {sql: 'SELECT id FROM {{ model }}', expect: [1]}
  - name: d
    model: orders
    type: continuous
    assertions:
      - foreign_key: {column: total, ref_model: totals, ref_key: total}
      - custom_sql: {sql: 'SELECT o.id FROM {{ model }} o LEFT JOIN {{ source("old") }} p ON o.id = p.id WHERE p.id IS NULL'}
`;

describe('tests of other types', () => {
  it('are data, with their values and variables as they are written', async () => {
    const test = lines(
      'tests:',
      '  - name: sampled',
      '    model: orders',
      '    type: sample',
      '    sample_size: 50',
      // biome-ignore lint/suspicious/noTemplateCurlyInString: a variable of the project
      '    assertions: [accepted_values: {column: email, values: ["${SECRET}", a]}]',
      '    on_failure: {actions: [alert: {type: chat, channel: "#orders"}]}',
      '  - {name: declared, model: orders, type: schema, assertions: [not_null: {columns: [id]}]}',
    );
    const { files } = await testJobs({
      'stream_project.yml': projectWith(),
      'sources/s.yml': orders,
      'tests/t.yml': test,
    });
    expect([...files.keys()].filter((path) => path.startsWith('tests/'))).toEqual([
      'tests/declared.json',
      'tests/sampled.json',
    ]);
    expect(JSON.parse(files.get('tests/sampled.json') ?? '')).toEqual({
      schema: 'levada.test/1',
      test: 'sampled',
      file: 'tests/t.yml',
      type: 'sample',
      target: 'source:orders',
      topic: 'orders.v1',
      sample_size: 50,
      severity: 'error',
      actions: [{ alert: { type: 'chat', channel: '#orders' } }],
      assertions: [
        // biome-ignore lint/suspicious/noTemplateCurlyInString: a variable of the project
        { assertion: 'accepted_values', value: { column: 'email', values: ['${SECRET}', 'a'] } },
      ],
    });
  });
});
