type Json = Record<string, unknown>;

/** Variables, since secrets are shown as nothing else. */
export const [secret = '', otherSecret = ''] = ['ONE', 'TWO'].map((name) => `\${${name}}`);

const columns = [
  { name: 'id', type: 'STRING', description: 'Which', classification: 'internal' },
  { name: 'amount', type: 'INT', classification: 'confidential' },
  { name: 'ts', type: 'TIMESTAMP(3)' },
];
const lateness = (strategy: string) => ({
  watermark: { strategy, max_out_of_orderness_ms: 1000, idle_timeout_ms: 60_000 },
  allowed_lateness_ms: 10,
});
const words = ['warehouse', 'query-engine', 'object-store', 'bucket', 'jdbc', 'search', 'http'];

/** A project that has every key of the format, most of them in a place where they count. */
export const everyKey: Json = {
  project: { name: 'shop', version: '1.0.0', description: 'Orders' },
  runtime: {
    platform: {
      bootstrap_servers: 'localhost:9092',
      security_protocol: 'SASL_SSL',
      sasl_mechanism: 'PLAIN',
      sasl_username: 'shop',
      sasl_password: secret,
    },
    schema_registry: { url: 'http://registry:8081', username: 'shop', password: secret },
    engine: {
      default: 'main',
      functions: ['NEAR_BY'],
      clusters: {
        main: {
          type: 'managed',
          rest_url: 'http://engine:8081',
          sql_gateway_url: 'http://engine:8083',
          version: '2.2',
          environment: 'test',
          api_key: secret,
        },
        second: { type: 'rest' },
      },
    },
    connect: {
      default: 'files',
      clusters: { files: { rest_url: 'http://connect:8083' }, second: { rest_url: 'http://connect:8084' } },
      connector_classes: Object.fromEntries(words.map((word) => [`${word}-sink`, 'com.example.Sink'])),
    },
    vendor: {
      gateway: {
        admin_url: 'http://gateway:8888',
        proxy_bootstrap: 'gateway:6969',
        username: 'admin',
        password: secret,
        virtual_cluster: 'one',
      },
    },
  },
  defaults: {
    topic: { partitions: 3, replication_factor: 3 },
    models: { cluster: 'main', topic: { partitions: 4, replication_factor: 2 } },
    tests: { engine_cluster: 'main', violations_topic: 'violations.v1' },
  },
  rules: {
    topics: {
      min_partitions: 1,
      max_partitions: 90,
      min_replication_factor: 1,
      required_config: ['retention.ms'],
      naming_pattern: '.*',
      forbidden_prefixes: ['tmp.'],
    },
    models: { require_description: false, require_owner: false, require_tests: false, max_dependencies: 9 },
    sources: { require_schema: false, require_freshness: false },
    security: { require_classification: false, sensitive_columns_require_masking: false },
  },
  sources: [
    {
      name: 'orders',
      topic: 'orders.v1',
      partitions: 6,
      description: 'Orders',
      cluster: 'eu',
      owner: 'shop',
      tags: ['raw'],
      schema: { registry: 'default', subject: 'orders-value', format: 'avro', definition: '{}' },
      columns: [...columns, { name: 'mail', type: 'STRING', classification: 'sensitive' }],
      freshness: { max_lag_seconds: 60, warn_after_seconds: 30 },
      event_time: { column: 'ts', ...lateness('bounded_out_of_orderness') },
    },
    {
      name: 'payments',
      topic: 'payments.v1',
      columns: [...columns, { name: 'pt', proctime: true }],
      event_time: { column: 'ts' },
      advanced: { event_time: lateness('bounded_out_of_orderness') },
    },
    {
      name: 'stock',
      topic: 'stock.v1',
      changelog: 'upsert',
      key: ['id', 'shop'],
      schema: { format: 'protobuf', key_format: 'json', message_class: 'com.example.Stock' },
      columns: [
        { name: 'id', type: 'STRING' },
        { name: 'shop', type: 'STRING' },
        { name: 'pieces', type: 'BIGINT' },
        { name: 'written', metadata: 'timestamp' },
        { name: 'pairs', expression: 'pieces / 2' },
      ],
    },
    {
      name: 'refunds',
      topic: 'refunds.v1',
      changelog: 'debezium',
      key: 'id',
      schema: { embedded: true },
      columns: [
        { name: 'id', type: 'STRING' },
        { name: 'amount', type: 'INT' },
      ],
    },
  ],
  models: [
    {
      name: 'clean',
      description: 'Orders that count',
      owner: 'shop',
      tags: ['daily'],
      access: 'public',
      schema: { format: 'json', key_format: 'json', subject: 'clean-records' },
      group: 'sales',
      version: 1,
      key: 'id',
      sql: 'SELECT id, amount, ts FROM {{ source("orders") }}',
      columns: [{ name: 'id', description: 'Which', classification: 'internal' }],
      security: {
        classification: { amount: 'internal' },
        policies: [{ mask: { column: 'id', method: 'hash', for_roles: ['analyst'] } }],
      },
      deprecation: { v1: { sunset_date: '2031-01-01', message: 'Use v2' } },
      advanced: {
        engine: {
          parallelism: 2,
          checkpoint_interval_ms: 1000,
          state_backend: 'rocksdb',
          state_ttl_ms: 10_000,
          start: 'resume',
          delivery: 'exactly_once',
          ends_job: true,
        },
        engine_cluster: 'main',
        topic: { name: 'clean.v1', partitions: 5, replication_factor: 1, config: { 'retention.ms': 5 } },
        event_time: { column: 'ts', ...lateness('bounded_out_of_orderness') },
      },
    },
    ...['ref("clean")', 'source("orders")', 'source("payments")'].map((table, index) => ({
      name: `counted_${index}`,
      sql: `SELECT window_start, COUNT(*) AS n FROM TABLE(TUMBLE(TABLE {{ ${table} }}, DESCRIPTOR(ts), INTERVAL '1' MINUTE)) GROUP BY window_start, window_end`,
      security: { policies: [{ mask: { column: 'n', method: 'hash', secret } }] },
      advanced: { engine: { parallelism: 9, start_timestamp_ms: 1_700_000_000_000 } },
    })),
    {
      name: 'scored',
      sql: `SELECT p.id, s.score FROM {{ source("payments") }} AS p, LATERAL TABLE(ML_PREDICT('risk', p.id)) AS s`,
      ml_outputs: { risk: { description: 'A score', columns: [{ name: 'score', type: 'DOUBLE' }] } },
    },
    {
      name: 'alias',
      sql: 'SELECT * FROM {{ ref("clean") }}',
      advanced: { gateway: { virtual_topic: { name: 'alias.v1', compression: 'lz4' } } },
    },
    {
      name: 'store',
      from: [{ ref: 'clean' }, { source: 'orders' }],
      sink: { connector: 'jdbc-sink', config: { 'tasks.max': 1 } },
      advanced: { connect_cluster: 'files' },
    },
    {
      name: 'archive',
      from: [{ ref: 'clean' }],
      advanced: { sink: { connector: 'jdbc-sink', config: { 'tasks.max': 1 } } },
    },
    { name: 'all_stock', sql: 'SELECT * FROM {{ source("stock") }}' },
    { name: 'all_refunds', sql: 'SELECT * FROM {{ source("refunds") }}' },
  ],
  tests: [
    {
      name: 'all',
      model: 'clean',
      type: 'continuous',
      description: 'Everything',
      engine_cluster: 'main',
      assertions: [
        { not_null: { columns: ['id'] } },
        { accepted_values: { column: 'id', values: ['a'] } },
        { accepted_types: { types: { amount: 'INT' } } },
        { range: { column: 'amount', min: 1, max: 5 } },
        { unique_key: { key: 'id', window: '1 HOUR', tolerance: 0.1 } },
        { max_lag: { column: 'ts', max_seconds: 5 } },
        { throughput: { min_per_second: 1, max_per_second: 5 } },
        {
          distribution: {
            column: 'amount',
            buckets: [
              { min: 1, max: 5, expected_ratio: 0.5, tolerance: 0.1 },
              { min: 6, max: 9, min_ratio: 0.1, max_ratio: 0.5 },
            ],
          },
        },
        { foreign_key: { column: 'id', ref_model: 'scored', ref_key: 'id' } },
        { custom_sql: { sql: 'SELECT id FROM {{ ref("clean") }}', expect: 0 } },
        { freshness: { column: 'ts', max_age_minutes: 5 } },
        { positive: { column: 'amount', allow_zero: true } },
      ],
      on_failure: {
        severity: 'error',
        actions: [
          {
            alert: {
              type: 'chat',
              channel: '#orders',
              message: 'look',
              url: secret,
              webhook: secret,
              routing_key: secret,
            },
          },
          { dlq: { topic: 'failed.v1' } },
        ],
      },
    },
    {
      name: 'some',
      model: 'orders',
      type: 'sample',
      sample_size: 5,
      assertions: [{ not_null: { columns: ['id'] } }],
    },
    { name: 'default', model: 'clean', type: 'continuous', assertions: [{ not_null: { columns: ['id'] } }] },
  ],
  exposures: [
    {
      name: 'board',
      type: 'dashboard',
      role: 'both',
      description: 'Revenue',
      owner: 'sales',
      url: 'https://example.com',
      repo: 'https://example.com/repo',
      language: 'python',
      tool: 'charts',
      schedule: '0 * * * *',
      consumes: [{ ref: 'clean' }, { source: 'orders' }],
      produces: [{ ref: 'scored' }, { source: 'payments' }],
      consumer_group: 'board',
      sla: {
        availability: '99%',
        max_lag_messages: 1,
        max_lag_minutes: 1,
        max_produce_latency_ms: 1,
        max_end_to_end_latency_ms: 1,
        max_error_rate: 0.1,
      },
      contracts: { schema: 'orders-value', compatibility: 'FULL' },
      access: { roles: ['analyst'], purpose: 'charts' },
    },
  ],
};
