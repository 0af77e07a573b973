import { expect, test } from 'vitest';
import {
  checkProject,
  explainModel,
  formatExplanation,
  loadProject,
  type ModelExplanation,
  modelExplanationJsonSchema,
} from '../src/index.ts';
import { memoryFileSystem } from './project-support/memory-file-system.ts';

const files = {
  'stream_project.yml': `project:
  name: shop
runtime:
  platform:
    bootstrap_servers: localhost:9092
  engine:
    clusters:
      main: { type: docker }
defaults:
  topic:
    partitions: 6
    replication_factor: \${REPLICAS}
`,
  'sources/raw.yml': `sources:
  - name: orders_raw
    topic: orders.raw.v1
    columns:
      - { name: id, type: STRING }
      - { name: amount, type: "DECIMAL(10, 2)" }
      - { name: ts, type: TIMESTAMP(3) }
    event_time: { column: ts }
`,
  'models/orders.yml': `models:
  - name: orders_clean
    description: Orders that are real
    security:
      classification: { id: sensitive }
      policies:
        - mask: { column: id, method: hash, for_roles: [support] }
    deprecation:
      v1: { sunset_date: 2030-01-01, message: use v2 }
    sql: SELECT id, amount, ts FROM {{ source("orders_raw") }} WHERE amount > 0
  - name: revenue
    advanced:
      topic: { partitions: 3 }
    sql: |
      SELECT id, SUM(amount) AS total
      FROM {{ ref("orders_clean") }}
      GROUP BY id
  - name: export
    from: [{ ref: revenue }]
    sink:
      connector: http-sink
      config: { connection.password: "\${SECRET}", topics: revenue }
`,
  'tests/t.yml': `tests:
  - { name: keyed, model: orders_clean, type: sample, assertions: [{ not_null: { columns: [id] } }] }
`,
  'exposures/e.yml': 'exposures: [{ name: board, type: dashboard, consumes: [{ ref: revenue }] }]\n',
};

async function explained(name: string, more: Readonly<Record<string, string>> = {}) {
  const environment = { SECRET: 'hunter2', REPLICAS: '3' };
  const loaded = await loadProject({ fileSystem: memoryFileSystem({ ...files, ...more }), environment });
  return explainModel(checkProject(loaded, { today: '2026-01-01' }).project, name);
}

test('a model says what it becomes, because of which line', async () => {
  expect((await explained('revenue'))?.materialized).toEqual({
    kind: 'engine',
    reason: 'its SQL has an aggregate function',
    at: { file: 'models/orders.yml', line: 15, column: 18 },
    line: 'SELECT id, SUM(amount) AS total',
  });
});

test('each value names the file, line and path that it comes from, its own before defaults', async () => {
  const values = (await explained('revenue'))?.values;
  expect(values).toEqual([
    {
      what: 'topic',
      value: 'revenue',
      path: 'models[1].name',
      at: { file: 'models/orders.yml', line: 11, column: 11 },
    },
    {
      what: 'partitions',
      value: 3,
      path: 'models[1].advanced.topic.partitions',
      at: { file: 'models/orders.yml', line: 13, column: 28 },
    },
    {
      what: 'replication factor',
      value: `\${REPLICAS}`,
      path: 'defaults.topic.replication_factor',
      at: { file: 'stream_project.yml', line: 12, column: 25 },
    },
    {
      what: 'engine cluster',
      value: 'main',
      path: 'runtime.engine.clusters.main',
      at: { file: 'stream_project.yml', line: 8, column: 7 },
    },
  ]);
});

test('a secret, and what a variable was replaced by, is not part of it', async () => {
  const explanation = await explained('export');
  expect(JSON.stringify(explanation)).not.toContain('hunter2');
  expect(explanation?.values).toContainEqual(
    expect.objectContaining({ what: 'connector config connection.password', value: '***' }),
  );
  expect(explanation?.values.map(({ what }) => what)).not.toContain('topic');
});

test('inputs, readers and tests are listed with their places', async () => {
  const clean = await explained('orders_clean');
  expect(clean?.inputs).toEqual([
    {
      id: 'source:orders_raw',
      name: 'orders_raw',
      use: 'sql',
      at: { file: 'models/orders.yml', line: 10, column: 48 },
    },
  ]);
  expect(clean?.readBy).toEqual(['model:revenue']);
  expect(clean?.tests).toEqual([
    { name: 'keyed', type: 'sample', at: { file: 'tests/t.yml', line: 2, column: 7 } },
  ]);
  expect((await explained('revenue'))?.readBy).toEqual(['model:export', 'exposure:board']);
});

test('a column has its type, what it is made of, and how sensitive that is', async () => {
  expect((await explained('orders_clean'))?.columns[0]).toMatchObject({
    name: 'id',
    type: 'STRING',
    origins: [{ node: 'source:orders_raw', column: 'id', through: 'identity' }],
    classification: { level: 'sensitive', masked: false },
  });
  const revenue = await explained('revenue');
  expect(revenue?.columns).toMatchObject([
    {
      name: 'id',
      classification: { level: 'sensitive', from: { node: 'model:orders_clean', column: 'id' } },
    },
    { name: 'total', origins: [{ node: 'model:orders_clean', column: 'amount', through: 'aggregation' }] },
  ]);
  expect(revenue?.influences).toContainEqual({ node: 'model:orders_clean', column: 'id', by: 'group' });
});

test('a sink has the columns of what it reads', async () => {
  expect((await explained('export'))?.columns).toMatchObject([
    { name: 'id', type: 'STRING', origins: [{ node: 'model:revenue', column: 'id', through: 'identity' }] },
    { name: 'total', type: 'DECIMAL(38, 2)' },
  ]);
});

test('the watermark names the place that it comes from, also when the SQL hands it on', async () => {
  expect((await explained('orders_clean'))?.watermark).toMatchObject({
    column: 'ts',
    delayMs: 5000,
    inherited: true,
    at: { file: 'sources/raw.yml' },
  });
});

test('masks and versions that will go are listed', async () => {
  const clean = await explained('orders_clean');
  expect(clean?.masks).toMatchObject([{ column: 'id', method: 'hash', forRoles: ['support'] }]);
  expect(clean?.deprecation).toMatchObject([{ version: 'v1', sunsetDate: '2030-01-01', message: 'use v2' }]);
});

test('explains a model with mistakes as far as possible', async () => {
  const broken = 'models: [{ name: broken, advanced: { topic: { partitions: many } }, sql: SELEC }]\n';
  const explanation = await explained('broken', { 'models/b.yml': broken });
  expect(explanation).toMatchObject({ id: 'model:broken', inputs: [], readBy: [], tests: [] });
  // The number is wrong, and the default is not what is meant
  expect(explanation?.values.map(({ what }) => what)).toEqual([
    'topic',
    'replication factor',
    'engine cluster',
  ]);
  expect(explanation).not.toHaveProperty('materialized');
});

test('a name that no model has gives nothing', async () => {
  expect(await explained('orders_raw')).toBeUndefined();
});

test('prints the facts of the explanation as text', async () => {
  const text = formatExplanation((await explained('revenue')) as ModelExplanation);
  expect(text).toContain('model revenue  models/orders.yml:11:11\n');
  expect(text).toContain(
    'becomes a job on the engine, because its SQL has an aggregate function\n  models/orders.yml:15:18  SELECT id, SUM(amount) AS total\n',
  );
  expect(text).toContain(
    '  partitions          3            models/orders.yml:13:28  models[1].advanced.topic.partitions\n',
  );
  expect(text).toContain('\nread by\n  model:export\n  exposure:board\n');
});

test.each(['orders_clean', 'revenue', 'export'])(
  'the explanation of %s is of the published shape',
  async (name) => {
    expect(misfits(await explained(name), modelExplanationJsonSchema)).toEqual([]);
  },
);

/** Places of a value that are not as a schema of our own says, which has no other words than these. */
function misfits(value: unknown, schema: unknown, at = '$'): readonly string[] {
  const { $ref, ...said } = schema as Readonly<Record<string, unknown>>;
  if ($ref === '#/$defs/place') return misfits(value, definitionOfPlace(), at);
  if ('const' in said) return value === said['const'] ? [] : [at];
  if (Array.isArray(said['enum'])) return said['enum'].includes(value) ? [] : [at];
  if (said['type'] === 'array') {
    if (!Array.isArray(value)) return [at];
    return value.flatMap((item, index) => misfits(item, said['items'], `${at}[${index}]`));
  }
  if (said['type'] !== 'object') return [said['type']].flat().includes(typeof value) ? [] : [at];
  const properties = said['properties'] as Readonly<Record<string, unknown>>;
  const given = value as Readonly<Record<string, unknown>>;
  const missing = (said['required'] as readonly string[]).filter((key) => !(key in given));
  const wrong = Object.keys(given).flatMap((key) =>
    key in properties ? misfits(given[key], properties[key], `${at}.${key}`) : [`${at}.${key} unknown`],
  );
  return [...missing.map((key) => `${at}.${key} missing`), ...wrong];
}

function definitionOfPlace(): unknown {
  return (modelExplanationJsonSchema['$defs'] as Readonly<Record<string, unknown>>)['place'];
}

test('a model says how its rows change, why, and by which keys', async () => {
  const found = await explained('revenue');
  expect(found?.changes).toEqual({
    kind: 'upsert',
    cause: 'GROUP BY',
    at: { file: 'models/orders.yml', line: 17, column: 7 },
    keys: [['id']],
  });
  expect(found === undefined ? '' : formatExplanation(found)).toContain(
    '\nrows\n  updated: GROUP BY  models/orders.yml:17:7\n  key: id\n',
  );
  expect((await explained('orders_clean'))?.changes).toEqual({ kind: 'append', keys: [] });
});
