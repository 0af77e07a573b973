import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { compile, loadProject, projectArtifacts } from '../src/index.ts';
import { memoryFileSystem } from './project-support/memory-file-system.ts';

const project = `project: {name: shop, version: 1.2.0}
runtime:
  platform: {bootstrap_servers: "localhost:9092"}
  engine: {clusters: {main: {type: rest}}}
  connect: {clusters: {files: {rest_url: "http://localhost:8083"}}}
  vendor:
    gateway: {admin_url: "http://localhost:8888", proxy_bootstrap: "localhost:6969", password: "\${GATEWAY}"}
defaults:
  topic: {partitions: 3}
  models: {topic: {replication_factor: 2}}
`;

const models = `sources:
  - name: payments
    topic: payments.\${STAGE}.v1
    description: Rows of \${STAGE}
    columns: [{name: id, type: BIGINT}, {name: total, type: "DECIMAL(10,2)"}]
models:
  - name: clean
    owner: billing
    tags: [daily]
    sql: SELECT id, total FROM {{ source("payments") }} WHERE total > 0
    advanced:
      topic:
        name: payments.clean.v1
        config: {retention.ms: 9223372036854775807, cleanup.policy: compact, flush: "\${FLUSH}", pause: .5, on: true}
  - name: visible
    sql: SELECT * FROM {{ ref("clean") }}
    advanced: {gateway: {virtual_topic: {name: payments.visible, compression: lz4}}}
  - name: alias
    from: visible
    advanced: {gateway: {virtual_topic: {compression: zstd}}}
  - name: store
    from: [{ref: visible}, {ref: clean}]
    sink:
      connector: http-sink
      config:
        tasks.max: 4
        connection.password: \${DB_PASSWORD}
        login.password: \${file:/run/secrets:login}
        topics.list: [a, b]
        escaped: $\${NOT_ONE}
        provided: \${file:/run/secrets:key}
tests:
  - {name: ids, model: clean, type: sample, assertions: [{not_null: {columns: [id]}}]}
exposures:
  - {name: board, type: dashboard, consumes: [{ref: clean}], owner: sales}
`;

const environment = {
  STAGE: 'canary-stage',
  FLUSH: 'canary-flush',
  GATEWAY: 'canary-gateway',
  DB_PASSWORD: 'canary-password',
};

async function compiled(files: Readonly<Record<string, string>> = {}, options = {}) {
  const entries = { 'stream_project.yml': project, 'models/all.yml': models, ...files };
  return compile(await loadProject({ fileSystem: memoryFileSystem(entries), environment }), {
    today: '2025-01-01',
    ...options,
  });
}

/** Lets secrets pass that the project's own files hold. */
const clear = { policy: { 'secret-in-clear': 'warning' as const } };

function json(text: string | undefined): unknown {
  return JSON.parse(text ?? '');
}

describe('the artifacts of a project', () => {
  test('lists output topics, with numbers from defaults and configuration as text', async () => {
    const { manifest } = await compiled();
    expect(manifest?.artifacts.topics).toEqual([
      {
        name: 'payments.clean.v1',
        owner: { project: 'shop', node: 'model:clean' },
        format: 'json',
        key_format: 'none',
        partitions: 3,
        replication_factor: 2,
        config: {
          'cleanup.policy': 'compact',
          'retention.ms': '9223372036854775807',
          // biome-ignore lint/suspicious/noTemplateCurlyInString: a variable of the project
          flush: '${FLUSH}',
          pause: '0.5',
          on: 'true',
        },
      },
    ]);
  });

  test('lists virtual topics, each with the physical topic below all virtual topics that it reads', async () => {
    const { manifest } = await compiled();
    expect(manifest?.artifacts.virtual_topics).toEqual([
      { model: 'alias', name: 'alias', physical_topic: 'payments.clean.v1', compression: 'zstd' },
      { model: 'visible', name: 'payments.visible', physical_topic: 'payments.clean.v1', compression: 'lz4' },
    ]);
  });

  test('lists connectors, with what they read and variables as they are written', async () => {
    const { manifest } = await compiled();
    expect(manifest?.artifacts.connectors).toEqual([
      {
        name: 'store',
        connector: 'http-sink',
        cluster: 'files',
        owner: { project: 'shop', node: 'model:store' },
        topics: ['payments.visible', 'payments.clean.v1'],
        config: {
          // biome-ignore-start lint/suspicious/noTemplateCurlyInString: variables of the project
          'connection.password': '${DB_PASSWORD}',
          escaped: '$${NOT_ONE}',
          'login.password': '${file:/run/secrets:login}',
          provided: '${file:/run/secrets:key}',
          'tasks.max': '4',
          'topics.list': 'a,b',
          // biome-ignore-end lint/suspicious/noTemplateCurlyInString: variables of the project
        },
      },
    ]);
  });
});

describe('what a model reads', () => {
  async function artifactsOf(more: string) {
    const { project } = await compiled({ 'models/more.yml': `models:\n${more}` });
    return projectArtifacts(project);
  }

  const sink = 'sink: {connector: com.example.Sink, config: {a: b}}';

  test('reads a topic by its own name where neither a model nor a source has it', async () => {
    const { connectors } = await artifactsOf(`  - {name: s, from: raw.topic, ${sink}}\n`);
    expect(connectors[0]).toEqual({
      name: 's',
      connector: 'com.example.Sink',
      cluster: 'files',
      owner: { project: 'shop', node: 'model:s' },
      topics: ['raw.topic'],
      config: { a: 'b' },
    });
  });

  test('reads the topic of each source once', async () => {
    const from = '[{source: payments}, {source: payments}]';
    const { connectors } = await artifactsOf(`  - {name: s, from: ${from}, advanced: {${sink}}}\n`);
    expect(connectors[0]?.topics).toEqual(['payments.canary-stage.v1']);
  });

  test('reads nothing for virtual topics that read each other', async () => {
    const gateway = 'advanced: {gateway: {virtual_topic: {compression: lz4}}}';
    const { virtual_topics } = await artifactsOf(
      `  - {name: a, from: b, ${gateway}}\n  - {name: b, from: a, ${gateway}}\n  - {name: c, from: a, ${gateway}}\n`,
    );
    expect(virtual_topics.map(({ name }) => name)).toEqual(['alias', 'payments.visible']);
  });
});

describe('the files of a project', () => {
  test('hold no value of a variable but in names of topics', async () => {
    const { files } = await compiled();
    const all = [...files.values()].join('');
    expect(all).not.toMatch(/canary-(?:flush|gateway|password)/);
    expect(all.replaceAll('payments.canary-stage.v1', '')).not.toContain('canary-stage');
    expect(all).toContain('payments.canary-stage.v1');
  });

  test('writes a connector as its runtime takes it', async () => {
    const { files, secretFiles } = await compiled();
    expect(json(files.get('connectors/store.json'))).toMatchObject({
      name: 'store',
      config: {
        name: 'store',
        'connector.class': 'io.aiven.kafka.connect.http.HttpSinkConnector',
        topics: 'payments.visible,payments.clean.v1',
        'tasks.max': '4',
      },
    });
    expect([...secretFiles]).toEqual([]);
  });

  test('prefers the connector class of the caller to that of the project', async () => {
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a variable of the project
    const own = '  connect: {connector_classes: {http-sink: "${JDBC_CLASS:-com.example.Jdbc}"}, ';
    const withClasses = { 'stream_project.yml': project.replace('  connect: {', own) };
    const [inProject, fromCaller] = [
      await compiled(withClasses),
      await compiled(withClasses, { connectorClasses: { 'http-sink': 'com.example.Other' } }),
    ];
    expect(inProject.files.get('connectors/store.json')).toContain('"connector.class": "com.example.Jdbc"');
    expect(fromCaller.files.get('connectors/store.json')).toContain('"com.example.Other"');
  });

  test('writes a class that the sink names itself unchanged', async () => {
    const named = models.replace('connector: http-sink', 'connector: com.example.Own');
    const { files } = await compiled({ 'models/all.yml': named });
    expect(files.get('connectors/store.json')).toContain('"connector.class": "com.example.Own"');
  });

  test('end with a line end', async () => {
    const { files } = await compiled();
    expect([...files.values()].filter((text) => !/[};]\n$/.test(text))).toEqual([]);
  });

  test('writes files that do not depend on the order of definitions', async () => {
    const [head = '', rest = ''] = models.split('tests:\n');
    const moved = await compiled({ 'models/all.yml': `tests:\n${rest}`, 'sources/a.yml': head });
    const { files } = await compiled();
    // Where a job's query is in the project is part of its file
    const without = (text = '') =>
      text.replaceAll(/"file": ".*"/g, '').replaceAll(/("path": "jobs.*json",\s+)"sha256": ".*"/g, '$1');
    expect(without(moved.files.get('manifest.json'))).toBe(without(files.get('manifest.json')));
  });
});

describe('the manifest', () => {
  test('writes the graph to the manifest, in ids and in an order that follows it', async () => {
    const { manifest } = await compiled();
    expect(manifest?.edges).toEqual([
      ['model:clean', 'exposure:board'],
      ['model:clean', 'model:store'],
      ['model:clean', 'model:visible'],
      ['model:visible', 'model:alias'],
      ['model:visible', 'model:store'],
      ['source:payments', 'model:clean'],
    ]);
    expect(manifest?.order).toEqual(['model:clean', 'model:visible', 'model:alias', 'model:store']);
  });

  test('writes the facts of each definition to the manifest, with variables as they are written', async () => {
    const { manifest } = await compiled();
    const [clean] = manifest?.models.filter(({ name }) => name === 'clean') ?? [];
    const from = (column: string) => [{ node: 'source:payments', column, through: 'identity' }];
    expect(clean).toEqual({
      name: 'clean',
      file: 'models/all.yml',
      owner: 'billing',
      tags: ['daily'],
      materialized: 'topic',
      reason: 'its SQL handles rows one by one',
      dependencies: ['source:payments'],
      cluster: 'main',
      topic: 'payments.clean.v1',
      settings: { partitions: 3, replication_factor: 2 },
      masks: [],
      changes: { kind: 'append', keys: [] },
      influences: [{ node: 'source:payments', column: 'total', by: 'filter' }],
      columns: [
        { name: 'id', type: 'BIGINT', origins: from('id') },
        { name: 'total', type: 'DECIMAL(10, 2)', origins: from('total') },
      ],
    });
    expect(manifest?.sources).toMatchObject([
      // biome-ignore lint/suspicious/noTemplateCurlyInString: a variable of the project
      { name: 'payments', topic: 'payments.canary-stage.v1', description: 'Rows of ${STAGE}' },
    ]);
    expect(manifest?.tests).toEqual([
      {
        name: 'ids',
        file: 'models/all.yml',
        type: 'sample',
        target: 'model:clean',
        assertions: [{ not_null: { columns: ['id'] } }],
      },
    ]);
    expect(manifest?.exposures).toEqual([
      {
        name: 'board',
        file: 'models/all.yml',
        type: 'dashboard',
        owner: 'sales',
        consumes: ['model:clean'],
        produces: [],
      },
    ]);
    expect(manifest?.project).toEqual({ name: 'shop', version: '1.2.0' });
    expect(manifest?.models.find(({ name }) => name === 'store')?.cluster).toBe('files');
  });

  test('says what a deployer needs of each definition: runtime, event time, masks, assertions, promises', async () => {
    const more = `sources:
  - name: orders
    topic: orders.v1
    cluster: eu
    schema: {registry: default, subject: orders-value, format: avro}
    columns:
      - {name: id, type: STRING, description: What is ordered}
      - {name: mail, type: STRING, classification: sensitive}
      - {name: ts, type: TIMESTAMP(3)}
    freshness: {max_lag_seconds: 60}
    event_time: {column: ts, watermark: {max_out_of_orderness_ms: 250}}
models:
  - name: seen
    key: id
    columns: [{name: id, classification: internal}]
    security: {policies: [{mask: {column: mail, method: null, for_roles: [analyst]}}]}
    deprecation: {v1: {sunset_date: 2030-01-01}}
    sql: SELECT id, mail, ts FROM {{ source("orders") }}
    advanced: {engine: {parallelism: 2, checkpoint_interval_ms: 500, state_ttl_ms: 1000, state_backend: rocksdb}}
tests:
  - name: late
    model: seen
    type: continuous
    assertions: [{max_lag: {column: ts, max_seconds: 9}}]
    on_failure: {severity: warning, actions: [{alert: {type: chat, webhook: "https://example.com/x"}}]}
exposures:
  - name: scores
    type: api
    produces: [{source: orders}]
    consumes: [{ref: seen}]
    url: https://example.com
    sla: {max_lag_minutes: 5}
    contracts: {schema: orders-value, compatibility: FULL}
    access: {roles: [analyst], purpose: scoring}
`;
    const { manifest, files } = await compiled({ 'models/more.yml': more }, clear);
    const named = <T extends { readonly name: string }>(list: readonly T[] | undefined, name: string) =>
      list?.find((one) => one.name === name);
    const event_time = { column: 'ts', strategy: 'bounded_out_of_orderness', delay_ms: 250 };
    expect(manifest?.runtime).toMatchObject({
      platform: { bootstrap_servers: 'localhost:9092' },
      // biome-ignore lint/suspicious/noTemplateCurlyInString: a variable of the project
      vendor: { gateway: { password: '${GATEWAY}' } },
    });
    expect(named(manifest?.sources, 'orders')).toMatchObject({
      cluster: 'eu',
      event_time,
      schema: { registry: 'default', subject: 'orders-value', format: 'avro' },
      freshness: { max_lag_seconds: 60 },
      columns: [
        { name: 'id', description: 'What is ordered' },
        { name: 'mail', classification: 'sensitive' },
        { name: 'ts' },
      ],
    });
    expect(named(manifest?.models, 'seen')).toMatchObject({
      key: 'id',
      event_time,
      settings: { parallelism: 2, checkpoint_interval_ms: 500, state_ttl_ms: 1000 },
      masks: [{ column: 'mail', method: 'null', for_roles: ['analyst'] }],
      deprecation: { v1: { sunset_date: '2030-01-01' } },
      columns: [{ name: 'id', classification: 'internal' }, {}, {}],
    });
    expect(named(manifest?.tests, 'late')).toMatchObject({
      cluster: 'main',
      assertions: [{ max_lag: { column: 'ts', max_seconds: 9 } }],
      on_failure: { severity: 'warning', actions: [{ alert: { type: 'chat', webhook: '***' } }] },
    });
    expect(named(manifest?.exposures, 'scores')).toMatchObject({
      produces: ['source:orders'],
      sla: { max_lag_minutes: 5 },
      contracts: { schema: 'orders-value', compatibility: 'FULL' },
      access: { roles: ['analyst'], purpose: 'scoring' },
    });
    expect([...files.values()].join('')).not.toContain('rocksdb');
  });

  test('lists every other file with the hash of its bytes, and no hash of a file with a secret', async () => {
    const { manifest, files, secretFiles } = await compiled(
      {
        'models/all.yml': models.replace('tasks.max: 4', 'tasks.max: 4\n        trust.password: hunter2'),
      },
      clear,
    );
    expect([...secretFiles]).toEqual(['connectors/store.json']);
    const expected = [...files]
      .filter(([path]) => path !== 'manifest.json')
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([path, text]) =>
        secretFiles.has(path) ? { path } : { path, sha256: createHash('sha256').update(text).digest('hex') },
      );
    expect(manifest?.files).toEqual(expected);
    expect(expected.length).toBeGreaterThan(4);
  });
});
