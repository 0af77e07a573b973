import { checkProject, type InferredProject, loadProject } from '../../src/index.ts';
import { type ProjectJobs, projectJobs } from '../../src/jobs/project-jobs.ts';
import { memoryFileSystem } from '../project-support/memory-file-system.ts';

/** A project with every construct that changes how a job is written. `VERSION` is that of its cluster. */
const constructs = `project: { name: shop }
runtime:
  platform:
    bootstrap_servers: \${BROKERS}
    security_protocol: SASL_SSL
    sasl_mechanism: SCRAM-SHA-512
    sasl_username: shop
    sasl_password: \${BROKER_PASSWORD}
  schema_registry: { url: 'http://registry:8081', username: shop, password: '\${REGISTRY_PASSWORD}' }
  engine:
    clusters:
      main: { type: rest, version: "VERSION" }
sources:
  - name: orders
    topic: orders.v1
    schema: { registry: default, format: avro }
    columns:
      - { name: id, type: BIGINT }
      - { name: customer, type: STRING }
      - { name: amount, type: "DECIMAL(10, 2)" }
      - { name: parts, type: "ROW<a INT, b ARRAY<STRING>>" }
      - { name: ts, type: TIMESTAMP(3) }
      - { name: pt, proctime: true, type: TIMESTAMP_LTZ(3) }
    event_time: { column: ts, watermark: { max_out_of_orderness_ms: 150500 } }
  - name: payments
    topic: payments.v1
    columns:
      - { name: order_id, type: BIGINT }
      - { name: "odd \`name\` 'x'", type: "ROW<a INT, b ARRAY<STRING>>" }
      - { name: paid, type: "DECIMAL(10, 2)" }
      - { name: paid_at, type: TIMESTAMP(3) }
    event_time: { column: paid_at, watermark: { strategy: monotonously_increasing } }
  - name: customers
    topic: customers.v1
    columns:
      - { name: id, type: STRING }
      - { name: email, type: STRING }
      - { name: card, type: BIGINT }
      - { name: changed, type: TIMESTAMP(3) }
      - { name: __deleted, type: BOOLEAN }
    event_time: { column: changed, watermark: { max_out_of_orderness_ms: 86400000 } }
  - name: anything
    topic: anything.v1
models:
  - name: keyed
    key: customer
    sql: SELECT id, customer, amount, ts FROM {{ source("orders") }} WHERE amount > 0
  - name: two_times
    sql: |
      SELECT o.id, o.ts, p.paid_at, p.paid
      FROM {{ source("orders") }} o
      JOIN {{ source("payments") }} p
        ON o.id = p.order_id AND p.paid_at BETWEEN o.ts AND o.ts + INTERVAL '1' HOUR
  - name: made_times
    sql: |
      SELECT id, ts, LAG(ts) OVER (PARTITION BY customer ORDER BY ts) AS prev_ts,
        CASE WHEN amount > 9 THEN ts END AS large_ts, NULLIF(ts, TIMESTAMP '2026-01-01 00:00:00') AS known_ts,
        TIMESTAMPADD(DAY, 1, ts) AS next_ts, COALESCE(CASE WHEN amount > 9 THEN ts END, ts) AS any_ts
      FROM {{ source("orders") }}
  - name: totals
    sql: SELECT customer, SUM(amount) AS total, MAX(ts) AS last FROM {{ ref("keyed") }} GROUP BY customer
    advanced: { event_time: { column: last }, engine: { parallelism: 3, state_ttl_ms: 5400000, checkpoint_interval_ms: 1500 } }
  - name: enriched
    key: customer
    sql: |
      SELECT k.id, k.customer, k.ts, c.email FROM {{ ref("keyed") }} AS k
      JOIN {{ source("customers") }} FOR SYSTEM_TIME AS OF k.ts AS c ON k.customer = c.id
    advanced: { engine: { delivery: exactly_once, start: resume, parallelism: 2 } }
  - name: enriched_again
    sql: |
      SELECT k.id, c.card FROM {{ ref("keyed") }} AS k
      LEFT JOIN {{ source("customers") }} FOR SYSTEM_TIME AS OF k.ts AS c ON k.customer = c.id
  - name: enriched_per_minute
    sql: |
      SELECT window_start, email, COUNT(*) AS n, UUID() AS made
      FROM TABLE(TUMBLE(TABLE {{ ref("enriched") }}, DESCRIPTOR(ts), INTERVAL '1' MINUTE))
      GROUP BY window_start, window_end, email
  - name: first_of_minutes
    sql: SELECT window_start, COUNT(*) AS n FROM {{ ref("enriched_per_minute") }} GROUP BY window_start
  - name: versions
    sql: |
      SELECT id, email, changed FROM (
        SELECT *, ROW_NUMBER() OVER (PARTITION BY id ORDER BY changed DESC) AS n FROM {{ source("customers") }}
      ) WHERE n = 1
  - name: with_versions
    sql: |
      SELECT o.id, v.email FROM {{ source("orders") }} AS o
      JOIN {{ ref("versions") }} FOR SYSTEM_TIME AS OF o.ts AS v ON o.customer = v.id
  - name: alone
    sql: SELECT customer, SUM(amount) AS total FROM {{ source("orders") }} GROUP BY customer
    advanced: { engine: { parallelism: 3, state_ttl_ms: 5400000, checkpoint_interval_ms: 1500 } }
  - name: totals_by_other_key
    key: customer
    sql: SELECT customer, id, SUM(amount) AS total FROM {{ ref("keyed") }} GROUP BY customer, id
  - name: counted
    sql: SELECT COUNT(*) AS n FROM {{ source("anything") }}
  - name: outer_joined
    sql: SELECT o.id, c.email FROM {{ source("orders") }} o LEFT JOIN {{ source("customers") }} c ON o.customer = c.id
  - name: counted_changes
    sql: SELECT email, COUNT(*) AS n FROM {{ ref("outer_joined") }} GROUP BY email
  - name: as_of_topic
    sql: |
      SELECT orders.id, c.email
      FROM {{ source("orders") }}
      LEFT JOIN {{ source("customers") }} FOR SYSTEM_TIME AS OF orders.ts AS c ON orders.customer = c.id
  - name: as_of_latest
    sql: |
      SELECT o.id, totals.total -- of that time
      FROM {{ source("orders") }} AS o
      JOIN {{ ref("totals") }} FOR SYSTEM_TIME AS OF o.ts ON o.customer = totals.customer; -- the end
  - name: masked
    key: id
    sql: |
      WITH orders AS (SELECT * FROM {{ source("customers") }} WHERE __deleted = FALSE)
      SELECT *, card AS copy, email AS mail FROM orders
    security:
      policies:
        - mask: { column: email, method: hash }
        - mask: { column: card, method: partial }
        - mask: { column: copy, method: "null" }
        - mask: { column: mail, method: redact }
        - mask: { column: id, method: hash }
  - name: masked_totals
    sql: SELECT customer, COUNT(*) AS n FROM {{ source("orders") }} GROUP BY customer
    security: { policies: [{ mask: { column: customer, method: hash } }] }
  - name: redacted_totals
    sql: SELECT customer, COUNT(*) AS n FROM {{ source("orders") }} GROUP BY customer
    security: { policies: [{ mask: { column: customer, method: redact } }] }
  - name: of_redacted_totals
    sql: SELECT customer, n FROM {{ ref("redacted_totals") }}
  - name: windowed
    sql: |
      SELECT window_time, customer, COUNT(*) AS n
      FROM TABLE(TUMBLE(TABLE {{ ref("keyed") }}, DESCRIPTOR(ts), INTERVAL '1' MINUTE))
      GROUP BY window_start, window_end, window_time, customer
  - name: windows_of_windows
    sql: |
      SELECT window_start, window_end, SUM(n) AS n
      FROM TABLE(TUMBLE(TABLE {{ ref("windowed") }}, DESCRIPTOR(window_time), INTERVAL '1' HOUR))
      GROUP BY window_start, window_end
  - name: latest
    sql: |
      SELECT id, customer, ts FROM (
        SELECT *, ROW_NUMBER() OVER (PARTITION BY id ORDER BY ts DESC) AS n FROM {{ source("orders") }}
      ) WHERE n = 1
  - name: templates
    sql: |
      {# Was {{ ref("totals") }}; and 'a quote #}
      SELECT id,{# and \`one #}customer
      FROM{{- source("orders") -}}WHERE{#
        of the day #}amount > 0 {# the end; #}; {# really #}
  - name: everything
    sql: SELECT * FROM {{ source("anything") }} WHERE \`a b\` = 'x''y' AND number > 3 AND flag = TRUE
  - name: everything_again
    sql: SELECT * FROM {{ ref("everything") }}
  - name: nested
    sql: SELECT o.id, o.parts, p.\`odd \`\`name\`\` 'x'\` AS r, o.pt FROM {{ source("orders") }} AS o, {{ source("payments") }} AS p WHERE p.order_id = o.id
`;

/** The jobs of the project on a version of the engine. */
export async function constructJobs(
  version: string,
): Promise<ProjectJobs & { readonly project: InferredProject; readonly errors: readonly string[] }> {
  const files = { 'stream_project.yml': constructs.replace('VERSION', version) };
  const environment = { BROKERS: 'secret-host:9092', BROKER_PASSWORD: 'secret', REGISTRY_PASSWORD: 'secret' };
  const loaded = await loadProject({ fileSystem: memoryFileSystem(files), environment });
  const { project, diagnostics } = checkProject(loaded, { today: '2025-01-01' });
  const errors = diagnostics.flatMap(({ severity, message }) => (severity === 'error' ? [message] : []));
  return { ...projectJobs(project), project, errors };
}
