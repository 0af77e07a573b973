import type { RowsCase } from '../rows-case.ts';
import { jsonLines, partition, projectFile } from './project-rows.ts';

const files = {
  'stream_project.yml': projectFile('tables'),
  'sources/tables.yml': `sources:
  - name: orders_raw
    topic: PREFIX.source.orders
    columns:
      - { name: order_id, type: BIGINT }
      - { name: customer_id, type: BIGINT }
      - { name: amount, type: "DECIMAL(10, 2)" }
      - { name: status, type: STRING }
      - { name: updated_at, type: TIMESTAMP(3) }
      - { name: __deleted, type: BOOLEAN }
    event_time: { column: updated_at }
  - name: customers_raw
    topic: PREFIX.source.customers
    columns:
      - { name: customer_id, type: BIGINT }
      - { name: country, type: STRING }
      - { name: updated_at, type: TIMESTAMP(3) }
      - { name: __deleted, type: BOOLEAN }
    event_time: { column: updated_at }
`,
  'models/tables.yml': `models:
  - name: orders_now
    key: order_id
    sql: |
      SELECT order_id, customer_id, amount, status
      FROM (
        SELECT *, ROW_NUMBER() OVER (PARTITION BY order_id ORDER BY updated_at DESC) AS version
        FROM {{ source("orders_raw") }}
        WHERE order_id IS NOT NULL
      )
      WHERE version = 1 AND __deleted = FALSE
    advanced: { topic: { name: PREFIX.orders_now } }

  - name: customers_now
    key: customer_id
    sql: |
      SELECT customer_id, country
      FROM (
        SELECT *, ROW_NUMBER() OVER (PARTITION BY customer_id ORDER BY updated_at DESC) AS version
        FROM {{ source("customers_raw") }}
      )
      WHERE version = 1 AND __deleted = FALSE
    advanced: { topic: { name: PREFIX.customers_now } }

  - name: orders_with_country
    key: order_id
    sql: |
      SELECT o.order_id, o.amount, o.status, c.country
      FROM {{ ref("orders_now") }} AS o
      LEFT JOIN {{ ref("customers_now") }} AS c ON o.customer_id = c.customer_id
    advanced: { topic: { name: PREFIX.orders_with_country } }

  - name: open_by_country
    key: country
    sql: |
      SELECT COALESCE(country, 'unknown') AS country, COUNT(*) AS orders, SUM(amount) AS amount, MAX(order_id) AS latest
      FROM {{ ref("orders_with_country") }}
      WHERE status = 'open'
      GROUP BY COALESCE(country, 'unknown')
    advanced: { topic: { name: PREFIX.open_by_country } }

  - name: largest_orders
    sql: |
      SELECT order_id, amount, place
      FROM (
        SELECT order_id, amount, ROW_NUMBER() OVER (ORDER BY amount DESC, order_id) AS place
        FROM {{ ref("orders_now") }}
        WHERE amount IS NOT NULL
      )
      WHERE place <= 2
    advanced: { topic: { name: PREFIX.largest_orders } }
`,
};

/** Tables of a database as change capture with `__deleted` writes them: their rows now, joined, counted and ranked. */
export const tables: RowsCase = {
  name: 'tables',
  construct: 'project: tables that change, with deletions',
  sources: [],
  models: [
    { name: 'orders_now' },
    { name: 'customers_now' },
    { name: 'orders_with_country' },
    { name: 'open_by_country' },
    { name: 'largest_orders' },
  ],
  project: {
    files,
    sources: {
      orders: {
        partitions: 2,
        before: [
          ...partition(
            0,
            `
{"order_id":1,"customer_id":1,"amount":10,"status":"open","updated_at":"2026-03-29 00:00:00","__deleted":false}
{"order_id":1,"customer_id":1,"amount":15,"status":"open","updated_at":"2026-03-29 01:30:00","__deleted":false}
{"order_id":2,"customer_id":1,"amount":500,"status":"open","updated_at":"2026-03-29 02:30:00","__deleted":false}
{"order_id":2,"customer_id":1,"amount":500,"status":"open","updated_at":"2026-03-29 02:30:01","__deleted":true}
{"order_id":3,"customer_id":null,"amount":7,"status":"open","updated_at":"2026-03-29 03:00:00","__deleted":false}
{"order_id":3,"customer_id":null,"amount":7,"status":"open","updated_at":"2026-03-29 03:00:00","__deleted":false}`,
          ),
          ...partition(
            1,
            `
{"order_id":4,"customer_id":2,"amount":null,"status":"open","updated_at":"2026-03-29 00:00:00","__deleted":false}
{"order_id":5,"customer_id":2,"amount":60,"status":null,"updated_at":"2026-03-29 00:00:00","__deleted":false}
{"order_id":6,"customer_id":9,"amount":70,"status":"open","updated_at":"2026-03-29 00:00:00","__deleted":false}
{"order_id":null,"customer_id":1,"amount":80,"status":"open","updated_at":"2026-03-29 00:00:00","__deleted":false}`,
          ),
        ],
        after: [
          ...partition(
            0,
            `
{"order_id":2,"customer_id":1,"amount":20,"status":"open","updated_at":"2026-03-29 04:00:00","__deleted":false}
{"order_id":1,"customer_id":1,"amount":15,"status":"paid","updated_at":"2026-03-29 04:00:01","__deleted":false}`,
          ),
          ...partition(
            1,
            `
{"order_id":6,"customer_id":9,"amount":70,"status":"open","updated_at":"2026-03-29 04:00:00","__deleted":true}
{"order_id":7,"customer_id":2,"amount":5,"status":"open","updated_at":"2026-03-29 04:00:02","__deleted":false}`,
          ),
          // Older than what is known of the order: the last version stays.
          ...partition(
            0,
            '{"order_id":1,"customer_id":1,"amount":99,"status":"open","updated_at":"2026-03-29 01:00:00","__deleted":false}',
            'key',
          ),
        ],
      },
      customers: {
        partitions: 2,
        before: [
          ...partition(
            0,
            `
{"customer_id":1,"country":"PT","updated_at":"2026-03-29 00:00:00","__deleted":false}
{"customer_id":9,"country":"FR","updated_at":"2026-03-29 00:00:00","__deleted":false}
{"customer_id":9,"country":"FR","updated_at":"2026-03-29 01:00:00","__deleted":true}`,
          ),
          ...partition(
            1,
            '{"customer_id":2,"country":null,"updated_at":"2026-03-29 00:00:00","__deleted":false}',
          ),
        ],
        after: partition(
          0,
          '{"customer_id":1,"country":"ES","updated_at":"2026-03-29 04:00:00","__deleted":false}',
        ),
      },
    },
  },
  judge: {
    orders_now: jsonLines(`
{"order_id":1,"customer_id":1,"amount":15,"status":"paid"}
{"order_id":2,"customer_id":1,"amount":20,"status":"open"}
{"order_id":3,"customer_id":null,"amount":7,"status":"open"}
{"order_id":4,"customer_id":2,"amount":null,"status":"open"}
{"order_id":5,"customer_id":2,"amount":60,"status":null}
{"order_id":7,"customer_id":2,"amount":5,"status":"open"}`),
    customers_now: jsonLines(`
{"customer_id":1,"country":"ES"}
{"customer_id":2,"country":null}`),
    orders_with_country: jsonLines(`
{"order_id":1,"amount":15,"status":"paid","country":"ES"}
{"order_id":2,"amount":20,"status":"open","country":"ES"}
{"order_id":3,"amount":7,"status":"open","country":null}
{"order_id":4,"amount":null,"status":"open","country":null}
{"order_id":5,"amount":60,"status":null,"country":null}
{"order_id":7,"amount":5,"status":"open","country":null}`),
    open_by_country: jsonLines(`
{"country":"ES","orders":1,"amount":20,"latest":2}
{"country":"unknown","orders":3,"amount":12,"latest":7}`),
    largest_orders: jsonLines(`
{"order_id":5,"amount":60,"place":1}
{"order_id":2,"amount":20,"place":2}`),
  },
};
