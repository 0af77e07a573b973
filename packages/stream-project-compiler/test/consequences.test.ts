// biome-ignore-all lint/suspicious/noTemplateCurlyInString: a variable of the project
import { describe, expect, test } from 'vitest';
import { lines, validateFiles } from './validate-support/validate-files.ts';

/** A project that uses much of the format, and of which nothing is to be said. */
const files: Readonly<Record<string, string>> = {
  'stream_project.yml': lines(
    'project: {name: shop}',
    'runtime:',
    '  platform: {bootstrap_servers: "localhost:9092"}',
    '  schema_registry: {url: "http://localhost:8081", username: reader, password: "${PASSWORD}"}',
    '  engine:',
    '    default: main',
    '    clusters:',
    '      main: {type: managed}',
    '      other: {type: rest}',
    '  connect:',
    '    default: sinks',
    '    clusters:',
    '      sinks: {rest_url: "http://localhost:8083"}',
    '      more: {rest_url: "http://localhost:8084"}',
    '  vendor:',
    '    gateway: {admin_url: "http://localhost:8888", proxy_bootstrap: "localhost:6969"}',
    'defaults: {models: {topic: {partitions: 1}}}',
    'rules:',
    '  topics: {naming_pattern: "[a-z]+\\\\.v1", required_config: [retention.ms], forbidden_prefixes: [m], min_partitions: 6}',
    '  models: {require_tests: true}',
    '  security: {require_classification: true}',
  ),
  'sources/s.yml': lines(
    'sources:',
    '  - name: raw',
    '    topic: raw.v1',
    '    columns:',
    '      - {name: id, type: STRING, classification: internal}',
    '      - {name: card, type: STRING, classification: sensitive}',
    '      - {name: ts, type: TIMESTAMP(3), classification: internal}',
    '    event_time: {column: ts}',
  ),
  'models/m.yml': lines(
    'models:',
    '  - name: model_a',
    '    version: 2',
    '    deprecation: {v1: {message: gone}, v2: {message: soon}}',
    '    ml_outputs: {fraud: {columns: [{name: score, type: DOUBLE}]}}',
    '    sql: >',
    "      SELECT id, card, window_start, ML_PREDICT('fraud', card) AS p",
    '      FROM TABLE(TUMBLE(TABLE {{ source("raw") }}, DESCRIPTOR(ts), INTERVAL \'1\' MINUTE))',
    '    columns: [{name: p, classification: internal}]',
    '    security: {policies: [{mask: {column: card, method: hash}}]}',
    '    advanced:',
    '      engine_cluster: main',
    '      topic: {name: a.v1, partitions: 6, config: {retention.ms: "1"}}',
    '  - name: view',
    '    sql: SELECT * FROM {{ source("raw") }}',
    '    advanced: {gateway: {virtual_topic: {name: view.v1}}}',
    '  - name: out',
    '    from: [{source: raw}]',
    '    sink: {connector: jdbc-sink, config: {topic2table.map: "raw.v1:t"}}',
    '    security: {policies: [{mask: {column: card, method: redact}}]}',
    '    advanced: {connect_cluster: sinks}',
  ),
  'tests/t.yml': lines(
    'tests:',
    '  - name: t',
    '    model: model_a',
    '    type: sample',
    '    assertions:',
    '      - distribution: {column: p.score, buckets: [{max: 1, max_ratio: 0.5}, {min: 1, max_ratio: 0.5}]}',
    '  - {name: u, model: view, type: schema, assertions: [{not_null: {columns: [id]}}]}',
    '  - {name: v, model: out, type: schema, assertions: [{not_null: {columns: [id]}}]}',
  ),
};

async function saidOf(from: string, to: string): Promise<readonly string[]> {
  const changed = Object.entries(files).map(([path, text]) => [path, text.replace(from, () => to)]);
  const { names } = await validateFiles(Object.fromEntries(changed), { environment: { PASSWORD: 'x' } });
  return names.filter((name) => name !== 'test-of-sink');
}

test('nothing is said of the project as it is', async () => {
  expect(await saidOf('', '')).toEqual([]);
});

describe('a key that is misspelt is reported, and nothing that seems absent for it', () => {
  test.each([
    ['password:', 'pasword:'],
    ['default: main', 'defaut: main'],
    ['clusters:\n      main', 'cluster:\n      main'],
    ['type: managed', 'typ: managed'],
    ['engine:', 'engin:'],
    ['connect:', 'conect:'],
    ['clusters:\n      sinks', 'cluster:\n      sinks'],
    ['vendor:', 'vendr:'],
    ['gateway: {admin', 'gatewy: {admin'],
    ['name: card', 'nme: card'],
    ['classification: sensitive', 'clasification: sensitive'],
    ['event_time:', 'event_tme:'],
    ['{column: ts}', '{colum: ts}'],
    ['version: 2', 'versoin: 2'],
    ['ml_outputs', 'ml_output'],
    ['sql: SELECT', 'sq: SELECT'],
    ['policies: [{mask: {column: card, method: redact', 'polices: [{mask: {column: card, method: redact'],
    ['engine_cluster: main', 'engine_clustr: main'],
    ['topic: {name: a.v1', 'topc: {name: a.v1'],
    ['{name: a.v1', '{nme: a.v1'],
    ['config: {retention', 'confg: {retention'],
    ['partitions: 6,', 'partition: 6,'],
    ['gateway: {virtual', 'gatway: {virtual'],
    ['virtual_topic: {name', 'virtual_topic: {nam'],
    ['from: [{source', 'from: [{sorce'],
    ['connect_cluster', 'conect_cluster'],
    ['model: model_a', 'modl: model_a'],
    ['buckets: [{max', 'buckets: [{maxx'],
    ['runtime:', 'runtimes:'],
    ['rest_url:', 'url:'],
    ['advanced: {gateway: {virtual_topic: {name: view.v1}}}', 'gateway: {virtual_topic: {name: view.v1}}'],
    ['  engine:\n', '  flow:\n'],
    ['  vendor:\n', '  seller:\n'],
  ])('reports only the unknown key when "%s" becomes "%s"', async (from, to) => {
    expect(await saidOf(from, to)).toEqual(['unknown-key']);
  });
});

describe('a value that is wrong is reported, and nothing that would hold without it', () => {
  test.each([
    ['main: {type: managed}', 'main: managed'],
    ['name: card', 'name: [card]'],
    ['{column: ts}', '{column: [ts]}'],
    ['{name: a.v1', '{name: [a.v1]'],
    ['partitions: 6,', 'partitions: [6],'],
    ['virtual_topic: {name: view.v1}', 'virtual_topic: {name: [view.v1]}'],
    ['engine_cluster: main', 'engine_cluster: [main]'],
    ['{max: 1, max', '{max: [1], max'],
    ['from: [{source: raw}]', 'from: [{source: [raw]}]'],
  ])('reports only the wrong type when "%s" becomes "%s"', async (from, to) => {
    expect(await saidOf(from, to)).toEqual(['wrong-type']);
  });
});

test('reports no missing column for a query without FROM', async () => {
  expect(await saidOf('SELECT * FROM {{ source("raw") }}', 'SELECT id, r.card')).toEqual(['sql-no-from']);
});

describe('windows are not reported when the event time cannot be determined', () => {
  const source =
    'sources: [{name: s, topic: s.v1, columns: [{name: id, type: STRING}, {name: ts, type: TIMESTAMP(3)}], event_time: {column: ts}}]';
  const model = 'models: [{name: m, sql: \'SELECT id, ts FROM {{ source("s") }}\'}]';
  const window =
    'tests: [{name: t, model: m, type: continuous, assertions: [{unique_key: {key: id, window: 1 HOUR}}]}]';

  test.each([
    ['event_time: {column: ts}', 'event_time: {column: tss}', ['event-time-column']],
    ['event_time: {column: ts}', 'event_time: {allowed_lateness_ms: 1}', ['missing-key', 'parsed-only']],
    ['event_time: {column: ts}', 'event_time: {field: ts}', ['missing-key', 'unknown-key']],
    ['source("s")', 'source("x")', ['unknown-source']],
    [', event_time: {column: ts}', '', ['window-without-event-time']],
    ['name: t,', 'name: t,', []],
  ])('%s → %s', async (from, to, expected) => {
    const { names } = await validateFiles({
      'sources/s.yml': `${source.replace(from, () => to)}\n`,
      'models/m.yml': `${model.replace(from, () => to)}\n`,
      'tests/t.yml': `${window.replace(from, () => to)}\n`,
    });
    expect(names.toSorted()).toEqual(expected);
  });
});

test('reports only the ambiguity of a model that is two things at once', async () => {
  const both = 'from: [{source: raw}]\n    sql: SELECT id, card FROM {{ source("raw") }}';
  expect(await saidOf('from: [{source: raw}]', both)).toEqual(['conflicting-keys']);
});

test('reports nothing about readers of a column that is misspelt', async () => {
  const { diagnostics } = await validateFiles({
    'sources/s.yml': lines(
      'sources: [{name: s, topic: s.v1, columns: [{name: id, type: STRING}, {name: qty, type: INT}]}]',
    ),
    'models/m.yml': lines(
      'models:',
      '  - {name: m, key: id, sql: \'SELECT idd, qty FROM {{ source("s") }}\'}',
      '  - {name: n, sql: \'SELECT id, qty FROM {{ ref("m") }}\'}',
      '  - {name: o, sql: \'SELECT id, n.qty FROM {{ ref("n") }} AS n\'}',
      'tests: [{name: t, model: m, type: schema, assertions: [{not_null: {columns: [id, qty]}}]}]',
    ),
  });
  expect(diagnostics.map(({ message }) => message)).toEqual(['no table in FROM has a column "idd"']);
});
