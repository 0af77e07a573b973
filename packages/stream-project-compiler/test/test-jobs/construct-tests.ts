/** A project with every kind of record under test. `VERSION` is that of its cluster. */
const constructs = `project: { name: shop }
runtime:
  platform: { bootstrap_servers: "\${BROKERS:-localhost:9092}", security_protocol: SASL_SSL, sasl_mechanism: PLAIN, sasl_username: shop, sasl_password: "\${SECRET}" }
  schema_registry: { url: 'http://registry:8081' }
  engine: { clusters: { main: { type: rest, version: "VERSION" } } }
  vendor: { gateway: { admin_url: 'http://gateway:8888', proxy_bootstrap: 'gateway:6969', password: "\${SECRET}" } }
defaults: { topic: { partitions: 3, replication_factor: 2 }, tests: { violations_topic: shop.violations.v1 } }
sources:
  - name: orders
    topic: orders.v1
    schema: { registry: default, format: avro }
    columns:
      - { name: id, type: BIGINT }
      - { name: customer, type: STRING }
      - { name: card, type: STRING, classification: highly_sensitive }
      - { name: amount, type: "DECIMAL(10, 2)" }
      - { name: parts, type: "ROW<a INT, b ARRAY<STRING>>" }
      - { name: ts, type: TIMESTAMP(3) }
      - { name: pt, proctime: true, type: TIMESTAMP_LTZ(3) }
    event_time: { column: ts }
  - name: customers
    topic: customers.v1
    columns:
      - { name: id, type: STRING }
      - { name: "odd \`name\` 'x'", type: INT }
      - { name: record_key, type: STRING }
      - { name: proc_time, type: STRING }
      - { name: repeats, type: STRING }
      - { name: changed, type: TIMESTAMP(3) }
    event_time: { column: changed }
  - name: anything
    topic: anything.v1
models:
  - name: clean
    sql: SELECT id, customer, card, amount, ts FROM {{ source("orders") }} WHERE amount > 0
    security: { policies: [{ mask: { column: card, method: hash } }] }
  - name: totals
    sql: SELECT customer, SUM(amount) AS total, MAX(ts) AS last FROM {{ ref("clean") }} GROUP BY customer
    advanced: { event_time: { column: last } }
  - name: joined
    sql: SELECT o.id, o.amount, c.changed FROM {{ source("orders") }} o LEFT JOIN {{ source("customers") }} c ON o.customer = c.id
  - name: known_customers
    sql: SELECT id, changed FROM {{ source("customers") }}
  - name: visible
    sql: SELECT * FROM {{ ref("clean") }}
    advanced: { gateway: { virtual_topic: { name: visible.v1 } } }
  - name: copied
    sql: SELECT * FROM {{ source("anything") }} WHERE kind = 'x'
tests:
  - name: of_source
    model: orders
    type: continuous
    assertions:
      - not_null: { columns: [id, parts.a] }
      - unique_key: { key: id, window: 1 HOUR }
      - foreign_key: { column: customer, ref_model: known_customers, ref_key: id }
      - foreign_key: { column: customer, ref_model: totals, ref_key: customer }
      - throughput: { max_per_second: 10 }
    on_failure: { severity: warning, actions: [{ dlq: { topic: orders.failed.v1 } }, { dlq: { topic: orders.failed-too.v1 } }] }
  - name: of_odd_names
    model: customers
    type: continuous
    assertions:
      - range: { column: "odd \`name\` 'x'", min: 1 }
      - unique_key: { key: "odd \`name\` 'x', id" }
      - freshness: { column: changed, max_age_minutes: 0.5 }
    on_failure: { actions: [{ dlq: { topic: customers.failed.v1 } }] }
  - name: of_undeclared
    model: anything
    type: continuous
    assertions:
      - not_null: { columns: [id] }
      - range: { column: amount, min: 0 }
      - accepted_values: { column: kind, values: ["\${KIND:-x}", y] }
      - accepted_values: { column: flag, values: [true] }
      - max_lag: { column: at, max_seconds: 120 }
      - distribution: { column: amount, buckets: [{ min: 0, max: 10, max_ratio: 0.5 }] }
    on_failure: { actions: [{ dlq: { topic: anything.failed.v1 } }] }
  - name: of_nothing_known
    model: anything
    type: continuous
    assertions: [{ throughput: { min_per_second: 1 } }]
  - name: of_masked
    model: clean
    type: continuous
    assertions:
      - not_null: { columns: [card] }
      - custom_sql: { sql: 'SELECT * FROM {{ model }} c WHERE c.amount < 0' }
  - name: of_latest_rows
    model: totals
    type: continuous
    assertions:
      - positive: { column: total }
      - max_lag: { column: last, max_seconds: 60 }
      - custom_sql: { sql: 'SELECT COUNT(*) FROM {{ model }}', expect: 3 }
      - custom_sql: { sql: 'SELECT totals.customer, totals.total FROM {{ ref("totals") }} WHERE total > 1000;' }
      - foreign_key: { column: customer, ref_model: known_customers, ref_key: id }
    on_failure: { actions: [{ dlq: { topic: totals.failed.v1 } }] }
  - name: of_changes
    model: joined
    type: continuous
    assertions:
      - not_null: { columns: [id] }
      - throughput: { min_per_second: 1 }
      - custom_sql: { sql: 'SELECT COUNT(*) FROM {{ model }} WHERE amount IS NULL', expect: 0 }
    on_failure: { actions: [{ dlq: { topic: joined.failed.v1 } }] }
  - name: of_virtual_topic
    model: visible
    type: continuous
    assertions: [{ not_null: { columns: [id] } }]
  - name: of_copied
    model: copied
    type: continuous
    assertions: [{ not_null: { columns: [id] } }]
  - name: of_queries
    model: orders
    type: continuous
    assertions:
      - custom_sql: { sql: 'SELECT card, customer FROM {{ model }} WHERE amount > 100' }
      - custom_sql: { sql: "SELECT o.id FROM {{ model }} AS o, {{ ref('known_customers') }} AS violations WHERE o.customer = violations.id -- not a name" }
      - custom_sql: { sql: 'SELECT card, COUNT(*) AS n FROM {{ model }} GROUP BY card' }
      - custom_sql: { sql: "SELECT window_start, COUNT(*) AS n FROM TABLE(TUMBLE(TABLE {{ model }}, DESCRIPTOR(ts), INTERVAL '1' MINUTE)) GROUP BY window_start, window_end HAVING COUNT(*) > 5" }
      - custom_sql: { sql: 'SELECT MAX(ts) FROM {{ model }}', expect: '2026-11-22 10:00:00' }
      - custom_sql: { sql: "SELECT DISTINCT customer FROM {{ model }} WHERE customer <> '\${SECRET}'" }
`;

/** The files of the project on a version of the engine. */
export function constructFiles(version: string): Readonly<Record<string, string>> {
  return { 'stream_project.yml': constructs.replace('VERSION', version) };
}
