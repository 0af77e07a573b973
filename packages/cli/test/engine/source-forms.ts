import type { WrittenRecord } from '@levada/kafka-testkit';
import { sourceFormsYaml } from '@levada/test-peers/engine';
import avro from 'avsc';

/** A project with sources of every form that the engine reads, and models that read each. `VERSION` is that of its cluster. */
export const sourceFormFiles: Readonly<Record<string, string>> = {
  'stream_project.yml': `project: {name: forms}
runtime:
  platform: {bootstrap_servers: "\${BOOTSTRAP_SERVERS:-localhost:9092}"}
  schema_registry: {url: "\${SCHEMA_REGISTRY_URL:-http://localhost:8081}"}
  engine: {clusters: {main: {version: "VERSION"}}}
defaults:
  models: {topic: {partitions: 2, replication_factor: 1}}
`,
  'sources/all.yml': sourceFormsYaml,
  'models/all.yml': `models:
  - name: orders_now
    key: id
    sql: SELECT id, customer, amount, relation, changed FROM {{ source("orders") }}
  - name: spent
    key: who
    sql: |
      SELECT COALESCE(customer, 'unknown') AS who, COUNT(*) AS orders, SUM(amount) AS total
      FROM {{ source("orders") }}
      GROUP BY COALESCE(customer, 'unknown')
  - name: orders_per_minute
    sql: |
      SELECT window_start, COUNT(*) AS orders
      FROM TABLE(TUMBLE(TABLE {{ source("orders") }}, DESCRIPTOR(placed), INTERVAL '1' MINUTE))
      GROUP BY window_start, window_end
  - name: payments_now
    key: id
    sql: SELECT id, paid_by FROM {{ source("payments") }}
  - name: customers_now
    key: id
    sql: SELECT id, UPPER(name) AS name, changed FROM {{ source("customers") }}
  - name: prices_now
    sql: SELECT * FROM {{ source("prices") }}
  - name: named_orders
    key: id
    sql: |
      SELECT o.id, c.name
      FROM {{ source("orders") }} AS o
      LEFT JOIN {{ source("customers") }} AS c ON o.customer = c.id
  - name: clicks_seen
    sql: |
      SELECT visitor, url, host, \`time\`, written, part, place, origin, CAST(trace['id'] AS STRING) AS trace_id
      FROM {{ source("clicks") }}
  - name: clicks_per_minute
    sql: |
      SELECT window_start, COUNT(*) AS clicks
      FROM TABLE(TUMBLE(TABLE {{ source("clicks") }}, DESCRIPTOR(\`time\`), INTERVAL '1' MINUTE))
      GROUP BY window_start, window_end
  - name: named_clicks
    sql: |
      SELECT k.visitor, k.\`time\`, c.name
      FROM {{ source("clicks") }} AS k
      LEFT JOIN {{ source("customers") }} FOR SYSTEM_TIME AS OF k.\`time\` AS c ON k.visitor = c.id
`,
};

/** A time on the first morning of 2026, in milliseconds. */
export function at(time: string): number {
  return Date.parse(`2026-01-01T${time}Z`);
}

interface Order {
  readonly id: number;
  readonly customer: string | null;
  readonly amount: number | null;
  readonly placed: string;
}

/** A change of the table of orders as Debezium writes it in JSON with its schema, committed at 10:05. */
export function debeziumJson(
  partition: number,
  op: 'c' | 'r' | 'u' | 'd',
  before: Order | undefined,
  after: Order | undefined,
): WrittenRecord {
  const row = (order: Order | undefined) => {
    if (order === undefined) return null;
    const { placed, ...columns } = order;
    return { ...columns, placed_us: at(placed) * 1000 };
  };
  const source = { db: 'shop', schema: 'public', table: 'orders', ts_ms: at('10:05:00') };
  const payload = { before: row(before), after: row(after), source, op, ts_ms: at('10:05:01') };
  return {
    partition,
    key: JSON.stringify({ id: (after ?? before)?.id }),
    value: JSON.stringify({ schema: { type: 'struct', name: 'Envelope' }, payload }),
  };
}

const paymentEnvelope = {
  type: 'record',
  name: 'Envelope',
  namespace: 'shop.public.payments',
  fields: [
    {
      name: 'before',
      type: [
        'null',
        {
          type: 'record',
          name: 'Value',
          fields: [
            { name: 'id', type: 'long' },
            { name: 'order_id', type: ['null', 'long'], default: null },
            { name: 'paid_by', type: ['null', 'string'], default: null },
          ],
        },
      ],
      default: null,
    },
    { name: 'after', type: ['null', 'Value'], default: null },
    { name: 'op', type: 'string' },
  ],
};

/** Changes of a table of payments as Debezium writes them in Avro, with the number of their schema in the registry. */
export async function debeziumAvro(
  registry: string,
  topic: string,
  changes: readonly (readonly [
    partition: number,
    op: string,
    before: object | undefined,
    after: object | undefined,
  ])[],
): Promise<readonly WrittenRecord[]> {
  const response = await fetch(`${registry}/subjects/${topic}-value/versions`, {
    method: 'POST',
    headers: { 'content-type': 'application/vnd.schemaregistry.v1+json' },
    body: JSON.stringify({ schema: JSON.stringify(paymentEnvelope) }),
  });
  const { id } = (await response.json()) as { readonly id: number };
  const header = Buffer.alloc(5);
  header.writeInt32BE(id, 1);
  const type = avro.Type.forSchema(paymentEnvelope as unknown as avro.Schema);
  return changes.map(([partition, op, before, after]) => ({
    partition,
    value: Buffer.concat([header, type.toBuffer({ before: before ?? null, after: after ?? null, op })]),
  }));
}
