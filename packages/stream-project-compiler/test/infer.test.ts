import { describe, expect, test } from 'vitest';
import { entryOf } from '../src/index.ts';
import { compileFiles, projectFile } from './resolve-support/compile-files.ts';

const source = 'sources: [{name: payments, topic: payments.v1}]\n';
const gateway =
  '  vendor: {gateway: {admin_url: "http://localhost:8888", proxy_bootstrap: "localhost:6969"}}\n';

async function kindOf(...model: readonly string[]) {
  const text = model.map((line) => `    ${line}`).join('\n');
  const { inferred } = await compileFiles({
    'stream_project.yml': projectFile + gateway,
    'models/m.yml': `${source}models:\n  - name: a\n${text}\n`,
  });
  const { kind, reason, range } = inferred.materialized.get('a') ?? {};
  return { kind, reason, at: range === undefined ? undefined : `${range.start.line}:${range.start.column}` };
}

describe('what a model becomes', () => {
  const from = 'FROM {{ source("payments") }}';
  const sink = 'sink: {connector: jdbc-sink, config: {a: b}}';

  test('a virtual topic, when it has settings of the gateway, whatever its SQL', async () => {
    const found = await kindOf(
      `sql: SELECT DISTINCT x ${from}`,
      'advanced: {gateway: {virtual_topic: {name: v}}}',
    );
    expect(found).toEqual({ kind: 'virtual_topic', reason: 'it has "advanced.gateway"', at: '5:16' });
  });

  test('a virtual topic rather than a sink', async () => {
    const found = await kindOf('from: payments', 'advanced: {gateway: {virtual_topic: {name: v}}}');
    expect(found.kind).toBe('virtual_topic');
  });

  test('a sink, when it has "from" and no "sql"', async () => {
    expect(await kindOf(sink, 'from: payments')).toEqual({
      kind: 'sink',
      reason: 'it has "from" and no "sql"',
      at: '5:5',
    });
  });

  test('a topic, when it has nothing but settings of one', async () => {
    const found = await kindOf('advanced: {topic: {partitions: 1}}');
    expect(found).toEqual({ kind: 'topic', reason: 'it has neither "sql" nor "from"', at: '4:16' });
  });

  test.each([
    [
      'a window',
      `SELECT x FROM TABLE(TUMBLE(TABLE {{ source("payments") }}, DESCRIPTOR(t), INTERVAL '1' HOUR))`,
    ],
    ['GROUP BY', `SELECT x ${from} GROUP BY x`],
    ['an aggregate function', `SELECT MAX(x) ${from}`],
    ['a join', `SELECT x ${from}, t`],
    ['DISTINCT', `SELECT DISTINCT x ${from}`],
    ['a set operation', `SELECT x ${from} UNION ALL SELECT x ${from}`],
    ['an OVER window', `SELECT LAG(x) OVER (ORDER BY t) ${from}`],
    ['ORDER BY', `SELECT x ${from} ORDER BY x`],
    ['a subquery in an expression', `SELECT x ${from} WHERE x IN (SELECT x ${from})`],
    ['a call of a machine learning function', `SELECT ML_PREDICT('m', x) AS y ${from}`],
  ])('a job of the engine, because its SQL has %s', async (title, sql) => {
    const { kind, reason } = await kindOf('sql: |', `  ${sql}`);
    expect([kind, reason]).toEqual(['engine', `its SQL has ${title}`]);
  });

  test('the first construct that takes the engine is the reason, at its place in the file', async () => {
    const found = await kindOf('sql: >', '  SELECT x', `  ${from} AS p`, '  GROUP BY x', '  ORDER BY x');
    expect(found).toEqual({ kind: 'engine', reason: 'its SQL has GROUP BY', at: '7:7' });
  });

  test.each([
    `SELECT x, UPPER(y) AS z ${from} WHERE x > 1`,
    `SELECT x /* GROUP BY x */ ${from} -- JOIN`,
    `SELECT 'a JOIN b', \`ORDER BY\` ${from}`,
  ])('a topic: %s', async (sql) => {
    const found = await kindOf('sql: |', `  ${sql}`);
    expect(found).toEqual({ kind: 'topic', reason: 'its SQL handles rows one by one', at: '5:7' });
  });

  test('nothing, when its SQL is no query', async () => {
    expect((await kindOf('sql: DROP TABLE x')).kind).toBeUndefined();
  });
});

describe('what a model needs', () => {
  const files = (runtime: string) => ({
    'stream_project.yml': `project: {name: shop}\nruntime:\n  platform: {bootstrap_servers: "a:1"}\n${runtime}`,
    'models/m.yml': `${source}models:
  - name: a
    sql: SELECT ML_PREDICT('m', x) AS y FROM {{ source("payments") }}
  - name: b
    sql: SELECT x FROM {{ source("payments") }}
    advanced: {gateway: {virtual_topic: {name: v}}}
tests:
  - {name: t, model: a, type: continuous, assertions: [{not_null: {columns: [x]}}]}
  - {name: u, model: a, type: sample, assertions: [{not_null: {columns: [x]}}]}
`,
  });
  const needed = [
    'engine-required model:a',
    'managed-engine-required model:a',
    'gateway-required model:b',
    'engine-required test:t',
  ];

  test.each([
    ['nothing', '', needed],
    ['an engine without anything', '  engine: {}\n', needed],
    [
      'an engine',
      '  engine: {clusters: {c: {type: rest}}}\n',
      needed.filter((one) => !one.startsWith('engine')),
    ],
    ['a managed engine', '  engine: {clusters: {c: {type: managed}}}\n', ['gateway-required model:b']],
    ['all', `  engine: {clusters: {c: {type: managed}}}\n${gateway}`, []],
  ])('reports unmet needs of models where the project has %s', async (_, runtime, expected) => {
    const { diagnostics } = await compileFiles(files(runtime));
    expect(diagnostics.map(({ code, object }) => `${entryOf(code).name} ${object}`)).toEqual(expected);
  });

  test('does not report a need where a mistake in the section may be the cause', async () => {
    const names = async (runtime: string) =>
      (await compileFiles(files(runtime))).diagnostics.map(({ code }) => entryOf(code).name);
    expect(await names(`  engine: {clusters: {c: {type: manged}}}\n${gateway}`)).toEqual(['bad-enum']);
    expect(await names(`  engine: text\n${gateway}`)).toEqual(['wrong-type']);
    const { diagnostics } = await compileFiles({
      ...files(''),
      'stream_project.yml': 'project: {name: shop}\n',
    });
    expect(diagnostics.map(({ code, object }) => `${entryOf(code).name} ${object}`)).toEqual([
      'missing-key runtime',
    ]);
  });
});
