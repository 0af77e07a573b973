import { describePlanner, sourceFormsYaml } from '@levada/test-peers/engine';
import { describe, expect, it } from 'vitest';
import { compile, loadProject } from '../src/index.ts';
import { deployed } from './jobs/compiled-jobs.ts';
import { memoryFileSystem } from './project-support/memory-file-system.ts';
import { readingModels, sourceProject, withMacros } from './source-forms/source-project.ts';
import { testJobs } from './test-jobs/compiled-tests.ts';
import { projectWith } from './validate-support/validate-files.ts';

/** The statement of a source's table in the job of a model that reads all of it, a line each. */
async function tableOf(source: string, sources?: string): Promise<readonly string[]> {
  const models = [{ name: 'reader', sql: withMacros(`SELECT * FROM @${source}`) }];
  const { jobs, refused } = await sourceProject(models, sources === undefined ? {} : { sources });
  expect([...refused]).toEqual([]);
  const statements = jobs.get('reader')?.statements ?? [];
  const found = statements.find((sql) => sql.startsWith(`CREATE TEMPORARY TABLE \`${source}\``)) ?? '';
  return found.split('\n').map((line) => line.trim().replace(/,$/, ''));
}

describe('the table of a source', () => {
  it('is an upsert table by its key, which is in the record key, in the value, or in both', async () => {
    const customers = await tableOf('customers');
    expect(customers).toContain('PRIMARY KEY (`id`) NOT ENFORCED');
    expect(customers).toContain("'connector' = 'upsert-kafka'");
    expect(customers).toContain("'key.format' = 'raw'");
    expect(customers).not.toContain("'value.fields-include' = 'EXCEPT_KEY'");
    const prices = await tableOf('prices');
    expect(prices).toContain('PRIMARY KEY (`shop`, `product`) NOT ENFORCED');
    expect(prices).toContain("'value.fields-include' = 'EXCEPT_KEY'");
  });

  it("reads Debezium's envelope in JSON, with and without schemas, and in Avro by the registry", async () => {
    const orders = await tableOf('orders');
    expect(orders).toContain("'format' = 'debezium-json'");
    expect(orders).toContain("'debezium-json.schema-include' = 'true'");
    expect(await tableOf('audit')).not.toContain("'debezium-json.schema-include' = 'true'");
    const payments = await tableOf('payments');
    expect(payments).toContain("'format' = 'debezium-avro-confluent'");
    expect(payments).toContain("'debezium-avro-confluent.url' = 'http://localhost:8081'");
  });

  it('has metadata that nothing writes, and computed columns with the comments of their expression', async () => {
    const clicks = await tableOf('clicks');
    expect(clicks).toContain("`written` TIMESTAMP_LTZ(3) NOT NULL METADATA FROM 'timestamp' VIRTUAL");
    expect(await tableOf('payments')).toContain("`written` TIMESTAMP(3) METADATA FROM 'timestamp' VIRTUAL");
    expect(clicks).toContain("`host` AS PARSE_URL(url, 'HOST') -- without the path");
    expect(clicks).toContain("WATERMARK FOR `time` AS `time` - INTERVAL '5' SECOND");
    expect(clicks).toContain("'key.fields' = 'visitor'");
  });

  it('reads Protobuf by the class that the project names', async () => {
    const sources =
      'sources: [{name: p, topic: p, schema: {format: protobuf, message_class: com.shop.P}, columns: [{name: id, type: INT}]}]';
    expect(await tableOf('p', sources)).toContain("'protobuf.message-class-name' = 'com.shop.P'");
    const models = [{ name: 'reader', sql: withMacros('SELECT id FROM @p') }];
    const { refused } = await sourceProject(models, {
      sources: sources.replace(', message_class: com.shop.P', ''),
    });
    expect(refused.get('reader')?.hint).toBe('name the class in "schema.message_class" of the source');
  });

  it('keeps variables of an expression as they are written', async () => {
    const factor = '$'.concat('{FACTOR}');
    const files = {
      'stream_project.yml': projectWith(),
      'sources/s.yml': `sources: [{name: s, topic: s, columns: [{name: a, type: INT}, {name: b, expression: "a * ${factor}"}]}]`,
      'models/m.yml': 'models: [{name: m, sql: "SELECT b FROM {{ source(\'s\') }}"}]',
    };
    const loaded = await loadProject({ fileSystem: memoryFileSystem(files), environment: { FACTOR: '7' } });
    const compiled = compile(loaded, { today: '2026-01-01' });
    expect(compiled.files.get('jobs/m.sql')).toContain(`\`b\` AS a * ${factor}`);
    expect(compiled.project.columns.get('source:s')?.byName.get('b')?.type?.name).toBe('INT');
  });
});

it('a job that reads changes with a key drops those that Debezium delivers twice', async () => {
  const models = readingModels.map(({ name, sql }) => ({ name, sql: withMacros(sql) }));
  const { jobs } = await sourceProject(models);
  const setting = "SET 'table.exec.source.cdc-events-duplicate' = 'true'";
  const withSetting = [...jobs]
    .filter(([, { statements }]) => statements.includes(setting))
    .map(([name]) => name);
  expect(withSetting).toEqual([
    'all_orders',
    'orders_by_customer',
    'all_payments',
    'orders_by_minute',
    'orders_with_payments',
    'orders_with_customers',
  ]);
});

it('the lineage of a computed column leads to the columns of its expression', async () => {
  const { project } = await sourceProject([]);
  const column = project.columns.get('source:orders')?.byName.get('placed');
  expect(column?.origins).toEqual([
    { node: 'source:orders', column: 'placed_us', through: 'transformation' },
  ]);
});

/** What is said of a source with these keys. */
async function saidOf(source: object, models: readonly object[] = []): Promise<readonly string[]> {
  const sources = JSON.stringify({ sources: [{ name: 's', topic: 't', ...source }] });
  const { diagnostics } = await sourceProject(models, { sources });
  return diagnostics.map(
    ({ code, path, message, hint }) => `${code} ${path}: ${message}${hint === undefined ? '' : ` — ${hint}`}`,
  );
}

const id = { name: 'id', type: 'BIGINT' };

it('metadata is read by one column, as the engine has it', async () => {
  const columns = [id, ...['a', 'b'].map((name) => ({ name, metadata: 'timestamp' }))];
  expect(await saidOf({ columns })).toEqual([
    'LV4197 sources[0].columns[2].metadata: source "s": metadata "timestamp" is that of an earlier column — remove one of them, and write `AS` in the SQL of a model for another name',
  ]);
  const keys = ['a', 'b'].map((name) => ({ name, type: 'INT', metadata: 'key' }));
  expect(await saidOf({ columns: [id, ...keys] })).toEqual([]);
});

describe('a computed column', () => {
  it.each([
    ['id +', 'cannot be read: unexpected'],
    ['id, id', 'is not one expression'],
    ['id AS other', 'cannot be read'],
    ['*', 'is not one expression'],
    ['id FROM x --', 'cannot be read'],
    ['DISTINCT id', 'is not one expression'],
    ['(SELECT MAX(id) FROM x)', 'has a query, which the engine does not compute for single rows'],
    ['COUNT(*)', 'has COUNT, which'],
    ['ROW_NUMBER() OVER (ORDER BY id)', 'has OVER, which'],
  ])('is refused where it is no expression of one row: %s', async (expression, says) => {
    const said = await saidOf({ columns: [id, { name: 'c', expression }] });
    expect(said).toHaveLength(1);
    expect(said[0]).toMatch(
      /^LV4195 sources\[0\]\.columns\[1\]\.expression: computed column "c" of source "s" /,
    );
    expect(said[0]).toContain(says);
  });

  it('is refused where it reads what is no column, or another computed one', async () => {
    const two = [id, { name: 'b', expression: 'id + 1' }, { name: 'c', expression: 'b + 1' }];
    expect(await saidOf({ columns: two })).toEqual([
      'LV4101 sources[0].columns[2].expression: no table in FROM has a column "b"',
    ]);
    expect((await saidOf({ columns: [{ name: 'id' }, { name: 'c', expression: 'id' }] }))[0]).toContain(
      'has a type that is not known — declare the type of each column that it reads, or write CAST',
    );
  });

  it('is the event time where its type can be', async () => {
    const columns = [id, { name: 'c', expression: 'id * 2' }];
    expect((await saidOf({ columns, event_time: { column: 'c' } }))[0]).toMatch(/^LV3244 .*has type BIGINT/);
    const times = [id, { name: 'c', expression: 'TO_TIMESTAMP_LTZ(id, 3)' }];
    expect(await saidOf({ columns: times, event_time: { column: 'c' } })).toEqual([]);
    expect(
      await saidOf({ columns: [{ name: 'c', metadata: 'timestamp' }], event_time: { column: 'c' } }),
    ).toEqual([]);
  });

  it.each([
    [{ proctime: true, metadata: 'timestamp' }, 'metadata'],
    [{ proctime: true, expression: '1' }, 'expression'],
    [{ metadata: 'timestamp', expression: '1' }, 'expression'],
    [{ expression: '1', type: 'INT' }, 'type'],
  ])('is one kind of column only: %j', async (keys, second) => {
    const said = await saidOf({ columns: [id, { name: 'c', ...keys }] });
    expect(said[0]).toMatch(new RegExp(`^LV1309 sources\\[0\\]\\.columns\\[1\\]\\.${second}: `));
  });
});

const changes = { changelog: 'debezium', key: 'id' };

describe('a source', () => {
  it.each<[what: string, source: object, says: string]>([
    [
      'without the key of its upsert topic',
      { changelog: 'upsert', columns: [id] },
      'LV4196 sources[0].changelog',
    ],
    [
      'with a key that it does not declare',
      { ...changes, key: ['id', 'x'], columns: [id] },
      'LV4196 sources[0].key[1]',
    ],
    [
      'with a computed key',
      { ...changes, key: 'c', columns: [id, { name: 'c', expression: 'id' }] },
      'LV4196 sources[0].key',
    ],
    [
      'with a part of its key in record keys',
      { changelog: 'upsert', key: ['id', 'b'], columns: [id, { name: 'b', type: 'INT', metadata: 'key' }] },
      'LV4196 sources[0].columns[0].name',
    ],
    [
      'with the key of Debezium in record keys',
      { ...changes, columns: [{ ...id, metadata: 'key' }] },
      'LV4197 sources[0].columns[0].metadata',
    ],
    [
      'with metadata of another type',
      { columns: [{ name: 'm', metadata: 'offset', type: 'STRING' }] },
      'LV4197 sources[0].columns[0].type',
    ],
    [
      'with metadata of changes in Avro',
      { ...changes, schema: { format: 'avro' }, columns: [id, { name: 'm', metadata: 'source.table' }] },
      'LV4197 sources[0].columns[1].metadata',
    ],
    [
      'with metadata of changes without a key',
      { changelog: 'debezium', columns: [id, { name: 'm', metadata: 'offset' }] },
      'LV4197 sources[0].columns[1].metadata',
    ],
    [
      'of Debezium in Protobuf',
      { ...changes, schema: { format: 'protobuf' }, columns: [id] },
      'LV4198 sources[0].schema.format',
    ],
    [
      'of plain records with schemas',
      { schema: { embedded: true }, columns: [id] },
      'LV4198 sources[0].schema.embedded',
    ],
    [
      'with a class of another format',
      { schema: { message_class: 'A' }, columns: [id] },
      'LV4198 sources[0].schema.message_class',
    ],
    [
      'with a registry and a class',
      { schema: { format: 'protobuf', registry: 'r', message_class: 'A' }, columns: [id] },
      'LV1309 sources[0].schema.message_class',
    ],
  ])('%s is refused', async (_, source, says) => {
    expect((await saidOf(source)).map((said) => said.split(': ')[0])).toEqual([says]);
  });
});

const joined = (on: string) =>
  `SELECT c.visitor, p.price FROM @clicks AS c JOIN @rates FOR SYSTEM_TIME AS OF c.\`time\` AS p ON ${on}`;
const rates = `  - name: rates
    topic: rates.v1
    changelog: upsert
    key: [shop, product]
    columns:
      - {name: shop, type: STRING}
      - {name: product, type: BIGINT}
      - {name: price, type: INT}
      - {name: set_at, type: TIMESTAMP_LTZ(3)}
    event_time: {column: set_at}
`;

describe('versions of a model', () => {
  const latest = (condition: string) =>
    withMacros(
      `SELECT shop, product, price, set_at FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY shop, product ORDER BY set_at DESC) AS n FROM @rates) WHERE n = 1${condition}`,
    );
  const reader = withMacros(joined('c.visitor = p.shop AND c.`at` = p.product')).replace(
    '{{ source("rates") }}',
    '{{ ref("prices") }}',
  );

  it.each([
    ['are reported where rows are withdrawn', ' AND price > 0', ['LV4200']],
    ['are complete where each row is replaced', '', []],
  ])('%s', async (_, condition, codes) => {
    const models = [
      { name: 'prices', sql: latest(condition) },
      { name: 'm', sql: reader },
    ];
    const appended = rates.replace('    changelog: upsert\n', '');
    const { diagnostics } = await sourceProject(models, { sources: sourceFormsYaml + appended });
    expect(diagnostics.map(({ code }) => code).filter((code) => code === 'LV4200')).toEqual(codes);
    expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  });
});

describePlanner('a temporal join', '2.2.0', (planner) => {
  const accepted = [
    'c.visitor = p.shop AND c.`at` = p.product',
    'c.`at` = p.product AND p.shop = c.visitor AND c.url <> CAST(p.price AS STRING)',
  ];
  const refusedConditions = [
    ['c.visitor = p.shop', '"product"'],
    ['c.`at` = p.price', '"shop" and "product"'],
    ['c.visitor = p.shop AND p.product > c.`at`', '"product"'],
  ] as const;

  it.each([rates, rates.replace('    changelog: upsert\n', ''), rates.replace('upsert', 'debezium')])(
    'compares the whole key of its versions, as the engine asks for',
    async (form) => {
      const conditions = [...accepted, ...refusedConditions.map(([on]) => on)];
      const models = conditions.map((on, index) => ({ name: `m${index}`, sql: withMacros(joined(on)) }));
      const { diagnostics, jobs } = await sourceProject(models, { sources: sourceFormsYaml + form });
      const found = diagnostics
        .filter(({ code }) => code === 'LV4183')
        .map(({ object, message }) => [object, message]);
      expect(found).toEqual(
        refusedConditions.map(([, names], index) => [
          `model:m${index + accepted.length}`,
          `the temporal join does not compare the key ${names} of the versions with "="`,
        ]),
      );
      const [first = ''] = accepted;
      for (const [index, on] of conditions.entries()) {
        const statements = deployed({ statements: jobs.get('m0')?.statements ?? [] });
        const answer = await planner().plan(statements.map((sql) => sql.replace(first, on)));
        expect({ on, isTaken: answer.ok }).toEqual({ on, isTaken: index < accepted.length });
      }
    },
    120_000,
  );

  it('is planned for tests of sources of every form', async () => {
    const columns = {
      customers: 'name',
      prices: 'price',
      orders: 'placed',
      payments: 'order_id',
      audit: 'who',
      clicks: 'host',
    };
    const tests = Object.entries(columns).map(([model, column]) => ({
      name: `t_${model}`,
      model,
      type: 'continuous',
      assertions: [{ not_null: { columns: [column] } }],
    }));
    const files = {
      'stream_project.yml': projectWith().replace(
        'engine:',
        'schema_registry: {url: "http://localhost:8081"}\n  engine:',
      ),
      'sources/s.yml': sourceFormsYaml,
      'tests/t.yml': JSON.stringify({ tests }),
    };
    const { jobs, errors } = await testJobs(files);
    expect(errors).toEqual([]);
    expect(jobs.size).toBe(tests.length);
    for (const [name, job] of jobs) {
      const answer = await planner().plan(deployed(job));
      expect(answer.ok ? name : answer.message).toBe(name);
    }
  }, 120_000);
});
