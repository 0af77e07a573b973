import { checkProject, loadProject } from '../../src/index.ts';
import { type ProjectJobs, projectJobs } from '../../src/jobs/project-jobs.ts';
import { memoryFileSystem } from '../project-support/memory-file-system.ts';

/** A project whose runtime has a registry; `VERSION` is that of its cluster. */
export const runtime = `project: { name: shop }
runtime:
  platform: { bootstrap_servers: "localhost:9092" }
  schema_registry: { url: "http://localhost:8081" }
  engine: { clusters: { main: { type: rest, version: "VERSION" } } }
`;

/** A source with a column of every type that Avro can have. */
export const sources = `sources:
  - name: orders
    topic: orders.v1
    columns:
      - { name: id, type: BIGINT NOT NULL }
      - { name: customer, type: VARCHAR(20) }
      - { name: amount, type: "DECIMAL(10, 2)" }
      - { name: small, type: SMALLINT }
      - { name: flag, type: BOOLEAN NOT NULL }
      - { name: raw, type: BINARY(3) }
      - { name: the_day, type: DATE }
      - { name: address, type: "ROW<street STRING NOT NULL, geo ROW<lat DOUBLE, names ARRAY<STRING NOT NULL> NOT NULL>>" }
      - { name: lines, type: "ARRAY<ROW<sku CHAR(3), quantity TINYINT>>" }
      - { name: attributes, type: "MAP<STRING, MAP<STRING, INT>>" }
      - { name: ts, type: TIMESTAMP(3) }
    event_time: { column: ts }
`;

/** Models that are written in Avro, and read again. */
export const models = String.raw`models:
  - name: all.columns
    key: id
    schema: { format: avro, key_format: avro, subject: orders-of-the-shop }
    description: Orders as they are
    columns: [{ name: id, description: "Number of the \"order\"" }]
    sql: SELECT * FROM {{ source("orders") }}
  - name: again
    schema: { format: avro }
    sql: SELECT address.geo.lat AS lat, lines, amount * 2 AS twice, ts FROM {{ ref("all.columns") }}
  - name: windows
    schema: { format: avro }
    sql: |
      SELECT window_start, customer, COUNT(*) AS n, MIN(the_day) AS first_day
      FROM TABLE(TUMBLE(TABLE {{ ref("all.columns") }}, DESCRIPTOR(ts), INTERVAL '1' MINUTE))
      GROUP BY window_start, window_end, customer
  - name: totals
    schema: { format: avro, key_format: avro }
    sql: SELECT customer, flag, COUNT(*) AS n, SUM(amount) AS total FROM {{ ref("all.columns") }} GROUP BY customer, flag
  - name: totals_again
    schema: { key_format: json }
    sql: SELECT customer, flag, n FROM {{ ref("totals") }} WHERE n > 1
  - name: masked
    schema: { format: avro }
    sql: SELECT id, customer, address FROM {{ source("orders") }}
    security: { policies: [{ mask: { column: customer, method: hash } }, { mask: { column: address, method: "null" } }] }
`;

/** The jobs of these models on a version of the engine. */
export async function avroJobs(version: string): Promise<ProjectJobs> {
  const files = {
    'stream_project.yml': runtime.replace('VERSION', version),
    'sources/s.yml': sources,
    'models/m.yml': models,
  };
  return projectJobs(checkProject(await loadProject({ fileSystem: memoryFileSystem(files) })).project);
}
