// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables of a project
import { describe, expect, test } from 'vitest';
import { compile, loadProject } from '../src/index.ts';
import { constructJobs } from './jobs/construct-projects.ts';
import { memoryFileSystem } from './project-support/memory-file-system.ts';

const files = {
  'stream_project.yml': `project: {name: shop}
runtime:
  platform: {bootstrap_servers: "\${SERVERS:-b:9092}", security_protocol: SASL_SSL, sasl_mechanism: PLAIN, sasl_username: u, sasl_password: "\${PASSWORD}"}
  schema_registry: {url: "http://r:8081"}
  engine: {clusters: {main: {type: rest}}}
  connect: {clusters: {sinks: {rest_url: "http://c:8083"}}}
  vendor: {gateway: {admin_url: "http://g:8888", proxy_bootstrap: "g:6969"}}
`,
  'models/m.yml': `sources:
  - {name: raw, topic: raw.v1, columns: [{name: id, type: BIGINT}, {name: who, type: STRING}]}
models:
  - name: a_totals
    sql: SELECT who, COUNT(*) AS n FROM {{ ref("z_clean") }} GROUP BY who
    schema: {format: avro, key_format: avro}
  - {name: z_clean, key: who, sql: 'SELECT id, who FROM {{ source("raw") }}'}
  - {name: apart, sql: 'SELECT id FROM {{ source("raw") }}', advanced: {engine: {}}}
  - {name: view, sql: 'SELECT id FROM {{ ref("z_clean") }}', advanced: {gateway: {virtual_topic: {name: view.v1}}}}
  - {name: out, from: [{ref: a_totals}], sink: {connector: http-sink, config: {http.url: "http://\${HOST}/\${PATH_OF}", token: "\${PASSWORD}"}}}
tests:
  - {name: whole, model: z_clean, type: continuous, assertions: [{not_null: {columns: [id]}}]}
  - {name: sampled, model: z_clean, type: sample, assertions: [{not_null: {columns: [id]}}]}
`,
};
const environment = { PASSWORD: 'p', HOST: 'h', PATH_OF: 'p' };

async function artifacts() {
  const loaded = await loadProject({ fileSystem: memoryFileSystem(files), environment });
  const { manifest, diagnostics } = compile(loaded, { today: '2025-01-01' });
  if (manifest === undefined) throw new Error(diagnostics.map(({ message }) => message).join('\n'));
  return manifest.artifacts;
}

describe('the manifest', () => {
  test('has the order in which resources are made, readers after what they read', async () => {
    expect((await artifacts()).order).toEqual([
      'topic:a_totals',
      'topic:apart',
      'topic:shop.test-violations',
      'topic:z_clean',
      'schema:a_totals-key',
      'schema:a_totals-value',
      'schema:apart-value',
      'schema:z_clean-value',
      'virtual_topic:view',
      'job:z_clean',
      'job:apart',
      'connector:out',
      'test:whole',
    ]);
  });

  test('lists variables with their places, and whether they are secret and needed', async () => {
    const { variables } = await artifacts();
    expect(variables).toEqual([
      {
        name: 'HOST',
        secret: false,
        required: true,
        places: [{ file: 'models/m.yml', path: 'model:out.sink.config.http.url' }],
      },
      {
        name: 'PASSWORD',
        secret: true,
        required: true,
        places: [
          { file: 'models/m.yml', path: 'model:out.sink.config.token' },
          { file: 'stream_project.yml', path: 'runtime.platform.sasl_password' },
        ],
      },
      {
        name: 'PATH_OF',
        secret: false,
        required: true,
        places: [{ file: 'models/m.yml', path: 'model:out.sink.config.http.url' }],
      },
      {
        name: 'SERVERS',
        secret: false,
        required: false,
        places: [{ file: 'stream_project.yml', path: 'runtime.platform.bootstrap_servers' }],
      },
    ]);
  });

  test('marks topics and connectors as those of the project, and has the formats of topics', async () => {
    const { topics, connectors } = await artifacts();
    expect(topics).toMatchObject([
      { owner: { project: 'shop', node: 'model:a_totals' }, format: 'avro', key_format: 'avro' },
      { owner: { project: 'shop', node: 'model:apart' }, format: 'json', key_format: 'none' },
      { owner: { project: 'shop' }, format: 'json' },
      { owner: { project: 'shop', node: 'model:z_clean' }, format: 'json', key_format: 'text' },
    ]);
    expect(connectors).toMatchObject([
      { name: 'out', cluster: 'sinks', owner: { project: 'shop', node: 'model:out' } },
    ]);
  });

  test('has the consumer group of each job, and the connectors and formats that it needs in the engine', async () => {
    const { jobs } = await artifacts();
    expect(jobs).toMatchObject([
      {
        name: 'apart',
        consumer_group: 'shop.apart',
        needs: { connectors: ['kafka'], formats: ['json'] },
      },
      {
        name: 'z_clean',
        consumer_group: 'shop.z_clean',
        needs: {
          connectors: ['blackhole', 'kafka', 'upsert-kafka'],
          formats: ['avro-confluent', 'json', 'raw'],
        },
      },
    ]);
  });

  test('the needs of a job follow from its tables, not from texts of its SQL', async () => {
    const sql = `SELECT id FROM {{ source("raw") }} /*
  'connector' = 'jdbc',
  'format' = 'csv'
*/`;
    const project = { models: [{ name: 'odd', sql }] };
    const fileSystem = memoryFileSystem({ ...files, 'models/odd.yml': JSON.stringify(project) });
    const { manifest } = compile(await loadProject({ fileSystem, environment }), { today: '2025-01-01' });
    const odd = manifest?.artifacts.jobs.find(({ name }) => name === 'odd');
    expect(odd?.needs).toEqual({ connectors: ['kafka'], formats: ['json'] });
  });

  test('the needs of a job are the connectors and formats that its statements name', async () => {
    const { jobs } = await constructJobs('2.2');
    const listNames = (statements: readonly string[], option: RegExp) => [
      ...new Set(statements.flatMap((sql) => [...sql.matchAll(option)].map(([, value]) => value))),
    ];
    for (const { statements, needs } of jobs.values()) {
      const tables = statements.filter((sql) => sql.startsWith('CREATE TEMPORARY TABLE'));
      expect(needs).toEqual({
        connectors: listNames(tables, /^ {2}'connector' = '([\w-]+)'/gm).sort(),
        formats: listNames(tables, /^ {2}'(?:(?:key|value)\.)?format' = '([\w-]+)'/gm).sort(),
      });
    }
  });
});
