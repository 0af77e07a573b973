import { describe, expect, test } from 'vitest';
import { compile, loadProject } from '../src/index.ts';
import { memoryFileSystem } from './project-support/memory-file-system.ts';

interface Sink {
  /** What the model says beside its SQL. */
  readonly model?: string;
  readonly sql?: string;
  readonly connector?: string;
  readonly config?: string;
  readonly from?: string;
  readonly registry?: string;
  /** Further keys of the sink. */
  readonly more?: string;
  /** Further keys of two sources: one has changes, the other the latest rows. */
  readonly cdc?: string;
  readonly ups?: string;
}

const select = 'SELECT id, who FROM {{ source("people") }}';
const count = 'SELECT who, COUNT(*) AS n FROM {{ source("people") }} GROUP BY who';
const masked = ', security: {policies: [{mask: {column: who, method: redact}}]}';
const avro = 'schema: {format: avro}';
const avroKeys = 'schema: {format: avro, key_format: avro}';
const jdbc = 'com.example.Sink';

/** A project with a sink over one model, or over what `from` says. */
async function compiled({
  model = '',
  sql = select,
  connector = jdbc,
  config = 'a: b',
  from = '[{ref: made}]',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a variable of the project
  registry = '{url: "${REGISTRY:-http://r:8081}"}',
  more = '',
  cdc = '',
  ups = '',
}: Sink) {
  const files = {
    'stream_project.yml': `project: {name: shop}
runtime:
  platform: {bootstrap_servers: "b:9092"}
  schema_registry: ${registry}
  engine: {clusters: {main: {type: rest}}}
  connect: {clusters: {main: {rest_url: "http://c:8083"}}}
defaults: {topic: {replication_factor: 3}}
sources:
  - name: people
    topic: people.v1
    columns: [{name: id, type: BIGINT}, {name: who, type: STRING}]
  - name: cdc
    topic: cdc.v1
    changelog: debezium
    key: id
    columns: [{name: id, type: BIGINT}, {name: who, type: STRING}]
    ${cdc}
  - name: ups
    topic: ups.v1
    changelog: upsert
    key: code
    columns: [{name: code, type: STRING, metadata: key}, {name: who, type: STRING}]
    ${ups}
  - {name: keyed, topic: keyed.v1, key: id, columns: [{name: id, type: BIGINT}]}
  - {name: bare, topic: bare.v1, schema: {format: json}}
  - {name: protos, topic: protos.v1, schema: {format: protobuf}}
models:
  - {name: made, ${model === '' ? '' : `${model}, `}sql: '${sql}'}
  - {name: other, sql: '${select}'}
  - {name: out, from: ${from}, sink: {connector: ${connector}, config: {${config}}}${more}}
`,
  };
  return compile(
    await loadProject({ fileSystem: memoryFileSystem(files), environment: { USER: 'u', PASSWORD: 'p' } }),
    { today: '2025-01-01' },
  );
}

async function configOf(sink: Sink): Promise<Record<string, string>> {
  const { files, diagnostics } = await compiled(sink);
  const text = files.get('connectors/out.json');
  if (text === undefined) throw new Error(diagnostics.map(({ message }) => message).join('\n'));
  return (JSON.parse(text) as { readonly config: Record<string, string> }).config;
}

/** The part of a configuration under a prefix. */
function under(config: Record<string, string>, prefix: string): Record<string, string> {
  return Object.fromEntries(
    Object.entries(config).flatMap(([key, value]) =>
      key.startsWith(prefix) ? [[key.slice(prefix.length), value]] : [],
    ),
  );
}

async function namesOf(sink: Sink): Promise<readonly string[]> {
  return (await compiled(sink)).diagnostics.map(({ code }) => code);
}

const json = { '': 'org.apache.kafka.connect.json.JsonConverter', '.schemas.enable': 'false' };
const text = { '': 'org.apache.kafka.connect.storage.StringConverter' };
const registry = {
  '': 'io.confluent.connect.avro.AvroConverter',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a variable of the project
  '.schema.registry.url': '${REGISTRY:-http://r:8081}',
};

describe('converters of a sink', () => {
  test.each([
    ['JSON without a key', '', select, { value: json, key: text }],
    ['JSON with a key of one text', 'key: who', select, { value: json, key: text }],
    ['JSON with a key of a number', 'key: id', select, { value: json, key: json }],
    ['Avro with a key in JSON', `key: id, ${avro}`, select, { value: registry, key: json }],
    ['Avro with a key in Avro', `key: id, ${avroKeys}`, select, { value: registry, key: registry }],
    ['rows that change', '', count, { value: json, key: text }],
  ])('fit topics with %s', async (_, model, sql, { key, value }) => {
    const config = await configOf({ model, sql });
    expect(under(config, 'value.converter')).toEqual(value);
    expect(under(config, 'key.converter')).toEqual(key);
  });

  test('Protobuf of the engine is left in bytes, and that of others is read through the registry', async () => {
    const own = await configOf({ model: 'schema: {format: protobuf}' });
    expect(own['value.converter']).toBe('org.apache.kafka.connect.converters.ByteArrayConverter');
    const other = await configOf({ from: '[{source: protos}]' });
    expect(under(other, 'value.converter')).toEqual({
      ...registry,
      '': 'io.confluent.connect.protobuf.ProtobufConverter',
    });
  });

  test('what the project does not say of a topic is left to the worker', async () => {
    expect(under(await configOf({ from: '[{source: people}]' }), 'value.converter')).toEqual({});
    expect(under(await configOf({ from: '[{source: bare}]' }), 'key.converter')).toEqual({});
  });

  test('the registry is reached with its credentials as they are written', async () => {
    const config = await configOf({
      model: avro,
      // biome-ignore lint/suspicious/noTemplateCurlyInString: variables of the project
      registry: '{url: "http://r:8081", username: "${USER}", password: "${PASSWORD}"}',
    });
    expect(under(config, 'value.converter.')).toEqual({
      'schema.registry.url': 'http://r:8081',
      'basic.auth.credentials.source': 'USER_INFO',
      // biome-ignore lint/suspicious/noTemplateCurlyInString: variables of the project
      'basic.auth.user.info': '${USER}:${PASSWORD}',
    });
  });

  test('a converter of the sink wins, with nothing of the one that it replaces', async () => {
    const config = await configOf({ model: avro, config: 'value.converter: com.example.Own' });
    expect(under(config, 'value.converter')).toEqual({ '': 'com.example.Own' });
    const enveloped = await configOf({ config: 'value.converter.schemas.enable: true' });
    expect(under(enveloped, 'value.converter')).toEqual({ ...json, '.schemas.enable': 'true' });
  });

  test('a connector gets its topics from the model alone', async () => {
    const config = await configOf({ config: 'topics.regex: "all.*", topics: other' });
    expect(under(config, 'topics')).toEqual({ '': 'made' });
  });

  test('a sink that needs a schema over rows that change without a key asks for the key', async () => {
    const sql = count.replace('SELECT who, COUNT', 'SELECT COUNT');
    const { diagnostics } = await compiled({ connector: 'jdbc-sink', model: avro, sql });
    expect(diagnostics.map(({ hint }) => hint)).toContain(
      'write a "key" and "schema: { format: avro }" in model "made"',
    );
  });

  test('a sink that can read records without a schema is configured to', async () => {
    expect(await configOf({ connector: 'search-sink' })).toMatchObject({ 'schema.ignore': 'true' });
    expect(await configOf({ connector: 'search-sink', model: avro })).not.toHaveProperty(['schema.ignore']);
  });
});

describe('errors of a sink', () => {
  test('a record that cannot be read ends the task', async () => {
    expect(under(await configOf({}), 'errors.')).toEqual({ tolerance: 'none', 'log.enable': 'true' });
  });

  test('a topic for dead letters gets them, with where they are from', async () => {
    const config = await configOf({ config: 'errors.deadletterqueue.topic.name: dead.v1' });
    expect(under(config, 'errors.')).toEqual({
      tolerance: 'all',
      'log.enable': 'true',
      'deadletterqueue.topic.name': 'dead.v1',
      'deadletterqueue.topic.replication.factor': '3',
      'deadletterqueue.context.headers.enable': 'true',
    });
  });
});

test('dead letters of a sink that masks a column have it in clear, which is a warning', async () => {
  const sink = { config: 'errors.deadletterqueue.topic.name: dead.v1', more: masked };
  expect(await namesOf(sink)).toContain('LV4192');
  expect(await namesOf({ ...sink, config: 'a: b' })).not.toContain('LV4192');
});

describe('keys of a sink for tables', () => {
  const debezium = 'io.debezium.connector.jdbc.JdbcSinkConnector';
  const changes = { 'insert.mode': 'upsert', 'delete.enabled': 'true' };

  test.each([
    ['jdbc-sink', 'pk.mode'],
    [debezium, 'primary.key.mode'],
  ])('%s replaces and deletes rows that change', async (connector, keyMode) => {
    const config = await configOf({ connector, sql: count, model: avroKeys });
    expect(config).toMatchObject({ ...changes, [keyMode]: 'record_key' });
  });

  test('rows that are only appended are inserted', async () => {
    const config = await configOf({ connector: 'jdbc-sink', model: `key: id, ${avroKeys}` });
    expect(Object.keys(config).filter((key) => /^(?:insert|delete|pk)\./.test(key))).toEqual([]);
  });

  test.each([
    [`key: id, ${avroKeys}`, { 'pk.mode': 'record_key' }],
    [`key: id, ${avro}`, { 'pk.mode': 'record_value', 'pk.fields': 'id' }],
  ])('the key of the model finds rows that the sink asks to replace: %s', async (model, expected) => {
    const config = await configOf({ connector: 'jdbc-sink', model, config: 'insert.mode: upsert' });
    expect(config).toMatchObject(expected);
  });

  test.each(['delete.enabled: false', 'insert.mode: insert', 'pk.mode: record_value'])(
    'a setting that loses deletions is an error: %s',
    async (config) => {
      const sink = { connector: 'jdbc-sink', sql: count, model: avroKeys, config };
      expect(await namesOf(sink)).toContain('LV4187');
      const filter = `${config}, transforms: f, transforms.f.type: org.apache.kafka.connect.transforms.Filter`;
      expect(await namesOf({ ...sink, config: filter })).not.toContain('LV4187');
    },
  );

  test('deleting rows needs the keys of records', async () => {
    const config = 'delete.enabled: true, pk.mode: record_value';
    expect(await namesOf({ connector: 'jdbc-sink', model: `key: id, ${avroKeys}`, config })).toContain(
      'LV4188',
    );
  });
});

describe('a sink over a source whose rows change', () => {
  const debezium = 'io.debezium.connector.jdbc.JdbcSinkConnector';
  const changes = { 'insert.mode': 'upsert', 'delete.enabled': 'true' };
  const [ofChanges, ofLatest] = ['[{source: cdc}]', '[{source: ups}]'];

  test.each([
    ['latest rows with keys in Avro', { from: ofLatest, ups: avroKeys }, 'pk.mode'],
    ['changes in Avro', { from: ofChanges, cdc: avro, connector: debezium }, 'primary.key.mode'],
  ] as const)('a sink for tables replaces and deletes %s', async (_, sink, keyMode) => {
    const config = await configOf({ connector: 'jdbc-sink', ...sink });
    expect(config).toMatchObject({ ...changes, [keyMode]: 'record_key' });
    expect(await namesOf({ connector: 'jdbc-sink', ...sink, config: 'delete.enabled: false' })).toContain(
      'LV4187',
    );
  });

  test('keys in text of the latest rows are an error', async () => {
    const { diagnostics } = await compiled({ connector: 'jdbc-sink', from: ofLatest, ups: avro });
    expect(diagnostics.map(({ message }) => message)).toContain(
      'sink "out" reads source "ups", whose rows are updated and deleted, but keys in text have no schema, so that the connector does not find the row',
    );
  });

  test('a sink that needs a schema refuses changes in JSON, unless each carries its schema', async () => {
    const sink = { connector: debezium, from: ofChanges };
    expect(await namesOf(sink)).toContain('LV4185');
    const embedded = { ...sink, cdc: 'schema: {format: json, embedded: true}' };
    expect(await namesOf(embedded)).not.toContain('LV4185');
    expect(under(await configOf(embedded), 'value.converter')).toEqual({
      ...json,
      '.schemas.enable': 'true',
    });
  });

  test('changes need a transformation, unless the connector takes them apart', async () => {
    const sink = { from: ofChanges, cdc: avro };
    const config = 'transforms: u, transforms.u.type: io.debezium.transforms.ExtractNewRecordState';
    expect(await namesOf({ ...sink, connector: 'jdbc-sink' })).toContain('LV4187');
    expect(await namesOf({ ...sink, connector: 'jdbc-sink', config })).not.toContain('LV4187');
    expect(await namesOf({ ...sink, connector: debezium })).not.toContain('LV4187');
  });

  test('a sink replaces appended rows by the key that the source declares', async () => {
    const appended = {
      connector: 'jdbc-sink',
      from: '[{source: keyed}]',
      config: 'insert.mode: upsert',
    };
    expect(await configOf(appended)).toMatchObject({ 'pk.mode': 'record_value', 'pk.fields': 'id' });
    expect(await namesOf(appended)).not.toContain('LV4188');
  });
});

describe('a sink that needs a schema', () => {
  test.each([
    'jdbc-sink',
    'io.debezium.connector.jdbc.JdbcSinkConnector',
    'io.aiven.connect.jdbc.JdbcSinkConnector',
  ])('is an error over JSON: %s', async (connector) => {
    expect(await namesOf({ connector })).toContain('LV4185');
    expect(await namesOf({ connector, model: 'schema: {format: protobuf}' })).toContain('LV4185');
    expect(await namesOf({ connector, from: '[{source: bare}]' })).toContain('LV4185');
  });

  test('is right over Avro, over what is not known, and with a converter of its own', async () => {
    const connector = 'jdbc-sink';
    expect(await namesOf({ connector, model: avro })).not.toContain('LV4185');
    expect(await namesOf({ connector, from: '[{source: people}]' })).not.toContain('LV4185');
    expect(await namesOf({ connector, config: 'value.converter: com.example.Own' })).not.toContain('LV4185');
  });

  test('keys in different formats are an error, unless the sink names a converter', async () => {
    const sink = { model: 'key: id', from: '[{ref: made}, {ref: keyed}]' };
    const { diagnostics } = await compiled({
      ...sink,
      model: `key: id, sql: '${select}'}\n  - {name: keyed, key: who`,
    });
    expect(diagnostics.map(({ code }) => code)).toContain('LV4186');
  });
});
