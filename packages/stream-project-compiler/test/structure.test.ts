// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the texts speak of variables
import { describe, expect, test } from 'vitest';
import { model, modelsSay, select, sink } from './validate-support/models-say.ts';
import { lines, projectWith, validateFiles } from './validate-support/validate-files.ts';

const systems = {
  gateway: ['  vendor:', '    gateway: {admin_url: "http://gw:8888", proxy_bootstrap: "gw:6969"}'],
};

function writing(name: string, topic: string, from = '{{ source("payments") }}'): string {
  return model(name, `sql: 'SELECT id FROM ${from}', advanced: {topic: {name: ${topic}}}`);
}

describe('clusters', () => {
  test('every place that names one is looked at', async () => {
    const project = projectWith('defaults: {models: {cluster: a}, tests: {engine_cluster: b}}')
      .replace('    clusters:\n      main', '    default: c\n    clusters:\n      main')
      .replace('    clusters:\n      sinks', '    default: d\n    clusters:\n      sinks');
    const { diagnostics } = await modelsSay(
      [
        model('one', `${select}, advanced: {engine_cluster: e}`),
        model(
          'two',
          'from: payments, sink: {connector: http-sink, config: {a: b}}, advanced: {connect_cluster: f}',
        ),
        model('three'),
      ],
      {
        'stream_project.yml': project,
        'tests/t.yml': lines(
          'tests:',
          '  - {name: t, model: one, type: continuous, engine_cluster: g, assertions: [{not_null: {columns: [id]}}]}',
        ),
      },
    );
    const clusters = diagnostics.filter(({ message }) => message.includes('is not defined in'));
    expect(clusters.map(({ path, severity }) => `${path} ${severity}`)).toEqual([
      'runtime.engine.default warning',
      'runtime.connect.default warning',
      'defaults.models.cluster error',
      'defaults.tests.engine_cluster warning',
      'models[0].advanced.engine_cluster error',
      'models[1].advanced.connect_cluster error',
      'tests[0].engine_cluster error',
    ]);
  });

  test('a system that is missing altogether is reported once for what needs it', async () => {
    const { names } = await modelsSay(
      [
        model(
          'total',
          `key: n, sql: 'SELECT COUNT(*) AS n FROM {{ source("payments") }}', advanced: {engine_cluster: x}`,
        ),
        model(
          'out',
          'from: payments, sink: {connector: http-sink, config: {a: b}}, advanced: {connect_cluster: x}',
        ),
      ],
      { 'stream_project.yml': 'project: {name: a}\nruntime: {platform: {bootstrap_servers: "k:9092"}}\n' },
    );
    expect(names).toEqual(['engine-required', 'connect-required']);
  });

  test('does not call a cluster unknown because of a mistake in "runtime"', async () => {
    const project = projectWith().replace('      main:\n        type: rest', '      - main');
    const { names } = await modelsSay([model('one', `${select}, advanced: {engine_cluster: main}`)], {
      'stream_project.yml': project,
    });
    expect(names).not.toContain('unknown-cluster');
  });

  test('the name that a variable gives is not shown', async () => {
    const { text } = await modelsSay(
      [model('one', `${select}, advanced: {engine_cluster: "\${CLUSTER}"}`)],
      {},
      { environment: { CLUSTER: 'hidden-name' } },
    );
    expect(text).toContain('cluster "${CLUSTER}" is not defined');
    expect(text).not.toContain('hidden-name');
  });

  test('a default, or a single cluster, chooses for all', async () => {
    const count = model('total', `key: n, sql: 'SELECT COUNT(*) AS n FROM {{ source("payments") }}'`);
    expect((await modelsSay([count])).names).toEqual([]);
    const two = projectWith().replace('      main:', '      other: {type: rest}\n      main:');
    expect((await modelsSay([count], { 'stream_project.yml': two })).names).toEqual(['cluster-not-chosen']);
    const chosen = two.replace('  engine:\n', '  engine:\n    default: main\n');
    expect((await modelsSay([count], { 'stream_project.yml': chosen })).names).toEqual([]);
  });
});

describe('topics', () => {
  test('a virtual topic and a topic share their names', async () => {
    const { names } = await modelsSay(
      [
        writing('one', 'all.v1'),
        model('view', 'from: refunds, advanced: {gateway: {virtual_topic: {name: all.v1}}}'),
      ],
      { 'stream_project.yml': projectWith(...systems.gateway) },
    );
    expect(names).toEqual(['topic-collision']);
  });

  test('sinks make no topic', async () => {
    const out = model(
      'out',
      'from: payments, sink: {connector: http-sink, config: {a: b}}, advanced: {topic: {name: all}}',
    );
    expect((await modelsSay([writing('one', 'all'), out])).names).toEqual(['no-effect']);
  });

  test('a name is taken by another model as it is by a source', async () => {
    const found = await modelsSay([
      writing('one', 'a.b_c'),
      writing('two', 'a_b.c'),
      writing('three', 'a-b-c'),
    ]);
    expect(found.names).toEqual(['similar-topic']);
    expect(found.diagnostics[0]?.object).toBe('model:two');
  });

  test('topics of another platform cluster are others', async () => {
    const other = lines('sources:', '  - {name: far, topic: far.v1, cluster: elsewhere}');
    const { names } = await modelsSay([writing('one', 'far.v1'), writing('two', 'far_v1')], {
      'sources/o.yml': other,
    });
    expect(names).toEqual(['similar-topic']);
  });

  test('a model reads what it writes through others', async () => {
    const found = await modelsSay([
      model('one'),
      model('two', `sql: 'SELECT id FROM {{ ref("one") }}'`),
      writing('three', 'payments.v1', '{{ ref("two") }}'),
    ]);
    expect(found.names).toEqual(['topic-loop']);
    expect(found.text).toContain('of source "payments", which it also reads through 2 other models');
  });

  test('each of two models that write what they read is in a loop of its own', async () => {
    const found = await modelsSay([writing('one', 'payments.v1'), writing('two', 'payments.v1')]);
    expect(found.names.toSorted()).toEqual(['topic-collision', 'topic-loop', 'topic-loop']);
    expect(found.text).not.toContain('through');
  });

  test('a circle that is reported anyway is no loop', async () => {
    const { names } = await modelsSay([
      writing('one', 'payments.v1', '{{ ref("two") }} JOIN {{ source("payments") }} USING (id)'),
      model('two', `sql: 'SELECT id FROM {{ ref("one") }}'`),
    ]);
    expect(names).toContain('cycle');
    expect(names).not.toContain('topic-loop');
  });

  test('names of one kind are compared without case, those of two kinds are not', async () => {
    const found = await modelsSay([model('Payments')]);
    expect(found.names).toEqual([]);
  });
});

describe('sinks', () => {
  test.each(['1', '"4"', '"${TASKS}"'])('tasks.max may be %s', async (value) => {
    const found = await modelsSay([sink('out', `tasks.max: ${value}`)], {}, { environment: { TASKS: '7' } });
    expect(found.names).toEqual([]);
  });

  test.each(['0', '-1', '1.5', '"1e3"', 'true', '[1]', '{a: 1}', '2147483648'])(
    'tasks.max may not be %s',
    async (value) => {
      expect((await modelsSay([sink('out', `tasks.max: ${value}`)])).names).toEqual(['tasks-max']);
    },
  );

  test('a mapping takes topics of models, sources and texts, and patterns', async () => {
    const from = '[{ref: orders}, {source: payments}]';
    const mapping = 'topic2TableMap: "orders.v1:A,payments.v1: B ,pay.*:C"';
    const orders = writing('orders', 'orders.v1');
    expect((await modelsSay([orders, sink('out', mapping, from)])).names).toEqual([]);
  });

  test('a mapping that takes the name of a model gets a hint with the topic', async () => {
    const mapping = 'topic2table.map: "orders:A"';
    const found = await modelsSay([writing('orders', 'sales.v1'), sink('out', mapping, '[{ref: orders}]')]);
    expect(found.text).toContain(
      'maps topic "orders", which the sink does not read — the sink reads "sales.v1"',
    );
  });

  test('a sink may be the target of an exposure', async () => {
    const exposures = lines('exposures:', '  - {name: board, type: dashboard, consumes: [{ref: out}]}');
    expect((await modelsSay([sink('out', 'a: b')], { 'exposures/e.yml': exposures })).names).toEqual([]);
  });

  test.each(['name', 'connector.class', 'topics', 'topics.regex'])('%s comes from the model', async (key) => {
    expect((await modelsSay([sink('out', `${key}: x`)])).names).toEqual(['reserved-config']);
  });
});

test('a model without its sink, or has SQL beside it, gets no consequences of that', async () => {
  const project = 'project: {name: a}\nruntime: {platform: {bootstrap_servers: "k:9092"}}\n';
  const lacking = model('one', 'from: payments, key: id, advanced: {topic: {partitions: 3}}');
  const reader = model('two', `sql: 'SELECT id FROM {{ ref("one") }}'`);
  expect((await modelsSay([lacking, reader], { 'stream_project.yml': project })).names).toEqual([
    'missing-key',
  ]);
  const both = model(
    'one',
    `${select}, from: [{source: refunds}], sink: {connector: http-sink, config: {a: b}}`,
  );
  expect((await modelsSay([both])).names).toEqual(['conflicting-keys']);
});

describe('virtual topics', () => {
  async function viewFindings(sql: string) {
    const view = model('view', `sql: '${sql}', advanced: {gateway: {virtual_topic: {name: view.v1}}}`);
    return await modelsSay([view], { 'stream_project.yml': projectWith(...systems.gateway) });
  }

  async function viewSays(sql: string) {
    return (await viewFindings(sql)).names;
  }

  test.each([
    'SELECT * FROM {{ source("payments") }}',
    'SELECT p.* FROM {{ source("payments") }} AS p',
    '(SELECT ALL * FROM {{ source("payments") }})',
    'SELECT * FROM {{ source("payments") }} WHERE amount > 100',
    'SELECT id, p.amount AS total FROM {{ source("payments") }} p WHERE NOT (p.id IN (1, 2)) OR amount IS NULL',
  ])('a virtual topic carries %s', async (sql) => {
    expect(await viewSays(sql)).toEqual([]);
  });

  test.each([
    ['SELECT *, amount FROM {{ source("payments") }}', '"*" beside other columns'],
    ['SELECT id, amount * 2 AS twice FROM {{ source("payments") }}', 'arithmetic'],
    ['SELECT * FROM {{ source("payments") }} WHERE ABS(amount) > 100', 'a function'],
    ['SELECT * FROM {{ source("payments") }} WHERE CAST(id AS INT) = 1', 'CAST'],
    ['SELECT * FROM {{ source("payments") }} WHERE amount IS DISTINCT FROM 5', '"IS DISTINCT FROM"'],
    ['SELECT * FROM {{ source("payments") }} WHERE amount = NULL', 'a fixed value'],
    ['SELECT * FROM {{ source("payments") }} WHERE amount BETWEEN SYMMETRIC 5 AND 1', 'BETWEEN SYMMETRIC'],
    ['SELECT * FROM {{ source("payments") }} AS p (a, b)', 'names for the columns of its table'],
    ['SELECT COUNT(*) AS n FROM {{ source("payments") }}', 'an aggregate function'],
    ['SELECT a.id FROM {{ source("payments") }} a, {{ source("refunds") }} b', 'a join'],
    ['SELECT * FROM {{ source("payments") }} LIMIT 5', 'LIMIT'],
    ['WITH p AS (SELECT id FROM {{ source("payments") }}) SELECT * FROM p', 'WITH'],
    ['SELECT DISTINCT * FROM {{ source("payments") }}', 'DISTINCT'],
  ])('refuses %s in a virtual topic, which does not support it', async (sql, what) => {
    const { names, text } = await viewFindings(sql);
    expect(names).toEqual(['gateway-sql']);
    expect(text).toContain(`which does not support ${what} in its SQL`);
  });

  test('refuses every policy of a virtual topic but masks', async () => {
    const view = model(
      'view',
      'from: payments, security: {policies: [{mask: {column: id, method: hash}}, {allow: {roles: [a]}}]}, advanced: {gateway: {virtual_topic: {name: view.v1}}}',
    );
    const found = await modelsSay([view], { 'stream_project.yml': projectWith(...systems.gateway) });
    expect(found.names).toEqual(['virtual-topic-policy']);
    expect(found.valid).toBe(false);
  });

  test('names what a virtual topic would lose where the gateway is missing, and reports it once', async () => {
    const sql = 'SELECT * FROM {{ source("payments") }} WHERE ABS(amount) > 100';
    const view = model('view', `sql: '${sql}', advanced: {gateway: {virtual_topic: {name: view.v1}}}`);
    const found = await modelsSay([view]);
    expect(found.names).toEqual(['gateway-required']);
    expect(found.text).toContain(
      'remove "advanced.gateway": a virtual topic does not support a function in its SQL',
    );
  });

  test('an alias of one topic needs no SQL', async () => {
    const alias = model('view', 'from: payments, advanced: {gateway: {virtual_topic: {name: view.v1}}}');
    const found = await modelsSay([alias], { 'stream_project.yml': projectWith(...systems.gateway) });
    expect(found.names).toEqual([]);
  });

  test('a view of nothing is refused', async () => {
    const view = model('view', 'advanced: {topic: {name: a}, gateway: {virtual_topic: {name: view.v1}}}');
    const found = await modelsSay([view], { 'stream_project.yml': projectWith(...systems.gateway) });
    expect(found.names).toEqual(['virtual-topic-input']);
  });
});

describe('settings', () => {
  test('"from" beside SQL is not asked for while the SQL names something unknown', async () => {
    const { names } = await modelsSay([
      model('one', `sql: 'SELECT id FROM {{ source("refund") }}', from: [{source: refunds}]`),
    ]);
    expect(names).toEqual(['unknown-source']);
  });

  test('each setting without effect is reported, with what the model is', async () => {
    const { text } = await modelsSay([
      model(
        'out',
        'from: payments, key: id, sink: {connector: http-sink, config: {a: b}}, advanced: {topic: {partitions: 3}, engine: {parallelism: 2}}',
      ),
    ]);
    for (const key of ['key', 'advanced.topic', 'advanced.engine']) {
      expect(text).toContain(
        `"${key}" has no effect: model "out" is a sink because it has "from" and no "sql"`,
      );
    }
  });

  test('a second is long enough for state', async () => {
    const ttl = (ms: number) => model('one', `${select}, advanced: {engine: {state_ttl_ms: ${ms}}}`);
    expect((await modelsSay([ttl(1000)])).names).toEqual([]);
    expect((await modelsSay([ttl(999)])).names).toEqual(['state-ttl-short']);
  });

  test.each([
    ['  schema_registry: {url: "http://r:8081", password: "${SET}"}', ['incomplete-credentials']],
    ['  schema_registry: {url: "http://r:8081", username: me, password: "${SET}"}', []],
    ['  vendor: {gateway: {admin_url: "http://g", proxy_bootstrap: "g:1", password: "${SET}"}}', []],
    [
      '  vendor: {gateway: {admin_url: "http://g", proxy_bootstrap: "g:1", username: x}}',
      ['incomplete-credentials'],
    ],
  ])('credentials: %s', async (line, expected) => {
    const files = { 'stream_project.yml': projectWith(line) };
    expect((await validateFiles(files, { environment: { SET: 'x' } })).names).toEqual(expected);
  });

  test('SASL needs a mechanism, SSL does not', async () => {
    const withProtocol = (protocol: string) =>
      projectWith().replace('9092\n', `9092\n    security_protocol: ${protocol}\n`);
    expect((await validateFiles({ 'stream_project.yml': withProtocol('SASL_SSL') })).names).toEqual([
      'incomplete-credentials',
    ]);
    expect((await validateFiles({ 'stream_project.yml': withProtocol('SSL') })).names).toEqual([]);
  });

  test.each([
    ['webhok', 'did you mean "webhook"?'],
    ['Pager', 'did you mean "pager"?'],
    ['pagre', 'did you mean "pager"?'],
  ])('an alert of type %s is nearly known', async (type, hint) => {
    const tests = lines(
      'tests:',
      '  - name: t',
      '    model: payments',
      '    type: sample',
      '    assertions: [{not_null: {columns: [id]}}]',
      `    on_failure: {actions: [{alert: {type: ${type}, channel: ops}}]}`,
    );
    const found = await modelsSay([], { 'tests/t.yml': tests, 'models/m.yml': '' });
    expect(found.text).toContain(`unknown alert kind "${type}" — ${hint}`);
  });

  test('policies and alerts of other kinds are left alone', async () => {
    const { names } = await modelsSay([
      model('one', `${select}, security: {policies: [{encrypt: {column: id}}]}`),
    ]);
    expect(names).not.toContain('near-word');
  });
});

test('a private model of another group is not read through "from" either', async () => {
  const { names } = await modelsSay([
    model('inner', `${select}, access: private, group: a`),
    sink('out', 'a: b', '[{ref: inner}]'),
  ]);
  expect(names).toEqual(['access-denied']);
});
