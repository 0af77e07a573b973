import type { RowsCase } from '../rows-case.ts';
import { partition, projectFile } from './project-rows.ts';

const files = {
  'stream_project.yml': projectFile('enrichment'),
  'sources/sources.yml': `sources:
  - name: orders
    topic: PREFIX.source.orders
    columns:
      - { name: order_id, type: BIGINT }
      - { name: customer_id, type: BIGINT }
      - { name: currency, type: STRING }
      - { name: amount, type: "DECIMAL(10, 2)" }
      - { name: ordered_at, type: TIMESTAMP(3) }
    event_time: { column: ordered_at }
  - name: customers
    topic: PREFIX.source.customers
    columns:
      - { name: customer_id, type: BIGINT }
      - { name: tier, type: STRING }
      - { name: changed_at, type: TIMESTAMP(3) }
      - { name: __deleted, type: BOOLEAN }
    event_time: { column: changed_at }
  - name: rates
    topic: PREFIX.source.rates
    columns:
      - { name: currency, type: STRING }
      - { name: rate, type: "DECIMAL(10, 4)" }
      - { name: valid_from, type: TIMESTAMP(3) }
    event_time: { column: valid_from }
`,
  'models/orders.yml': `models:
  - name: priced_orders
    key: order_id
    sql: |
      SELECT o.order_id, o.ordered_at, c.tier, CAST(o.amount * r.rate AS DECIMAL(12, 2)) AS euros
      FROM {{ source("orders") }} AS o
      LEFT JOIN {{ source("customers") }} FOR SYSTEM_TIME AS OF o.ordered_at AS c ON o.customer_id = c.customer_id
      LEFT JOIN {{ source("rates") }} FOR SYSTEM_TIME AS OF o.ordered_at AS r ON o.currency = r.currency
      WHERE o.order_id IS NOT NULL AND COALESCE(c.__deleted, FALSE) = FALSE
    advanced: { topic: { name: PREFIX.priced_orders } }

  - name: euros_per_hour
    sql: |
      SELECT window_start, window_end, COALESCE(tier, 'none') AS tier, COUNT(*) AS orders, SUM(euros) AS euros
      FROM TABLE(TUMBLE(TABLE {{ ref("priced_orders") }}, DESCRIPTOR(ordered_at), INTERVAL '1' HOUR))
      GROUP BY window_start, window_end, COALESCE(tier, 'none')
    advanced: { topic: { name: PREFIX.euros_per_hour } }
`,
};

const at = (time: string) => `2026-10-25 ${time}`;
const row = (order_id: number, time: string, tier: string | null, euros: number | null) => ({
  order_id,
  ordered_at: at(time),
  tier,
  euros,
});
const hour = (from: string, to: string, tier: string, orders: number, euros: number | null) => ({
  window_start: at(from),
  window_end: at(to),
  tier,
  orders,
  euros,
});

/** Orders with the tier of their customer and the rate of their currency as of their time, in the night in which clocks go back. */
export const enrichment: RowsCase = {
  name: 'enrichment',
  construct: 'project: two temporal joins and a window',
  sources: [],
  models: [{ name: 'priced_orders' }, { name: 'euros_per_hour' }],
  project: {
    files,
    sources: {
      orders: {
        partitions: 2,
        before: [
          ...partition(
            0,
            `
{"order_id":1,"customer_id":1,"currency":"USD","amount":100,"ordered_at":"2026-10-25 00:30:00"}
{"order_id":2,"customer_id":1,"currency":"USD","amount":100,"ordered_at":"2026-10-25 01:30:00"}
{"order_id":3,"customer_id":2,"currency":"EUR","amount":10,"ordered_at":"2026-10-25 02:30:00"}
{"order_id":4,"customer_id":null,"currency":"USD","amount":null,"ordered_at":"2026-10-25 02:30:01"}
{"order_id":5,"customer_id":9,"currency":null,"amount":7,"ordered_at":"2026-10-25 06:00:00"}`,
          ),
          ...partition(
            1,
            `
{"order_id":11,"customer_id":2,"currency":"USD","amount":50,"ordered_at":"2026-10-25 00:59:59.999"}
{"order_id":12,"customer_id":3,"currency":"EUR","amount":20,"ordered_at":"2026-10-25 01:00:00"}
{"order_id":12,"customer_id":3,"currency":"EUR","amount":20,"ordered_at":"2026-10-25 01:00:00"}
{"order_id":13,"customer_id":3,"currency":"EUR","amount":30,"ordered_at":"2026-10-25 03:30:00"}
{"order_id":null,"customer_id":1,"currency":"EUR","amount":40,"ordered_at":"2026-10-25 06:00:00"}`,
          ),
        ],
        after: partition(
          0,
          '{"order_id":6,"customer_id":1,"currency":"USD","amount":1,"ordered_at":"2026-10-25 06:30:00"}',
        ),
      },
      customers: {
        partitions: 2,
        before: [
          ...partition(
            0,
            `
{"customer_id":1,"tier":"basic","changed_at":"2026-10-25 00:00:00","__deleted":false}
{"customer_id":1,"tier":"gold","changed_at":"2026-10-25 01:00:00","__deleted":false}
{"customer_id":8,"tier":"basic","changed_at":"2026-10-25 06:00:00","__deleted":false}`,
          ),
          ...partition(
            1,
            `
{"customer_id":2,"tier":null,"changed_at":"2026-10-25 00:00:00","__deleted":false}
{"customer_id":3,"tier":"basic","changed_at":"2026-10-25 00:00:00","__deleted":false}
{"customer_id":3,"tier":"basic","changed_at":"2026-10-25 03:00:00","__deleted":true}
{"customer_id":7,"tier":"basic","changed_at":"2026-10-25 06:00:00","__deleted":false}`,
          ),
        ],
        after: partition(
          0,
          '{"customer_id":1,"tier":null,"changed_at":"2026-10-25 06:10:00","__deleted":false}',
        ),
      },
      rates: {
        partitions: 2,
        before: [
          ...partition(
            0,
            `
{"currency":"EUR","rate":1,"valid_from":"2026-10-25 00:00:00"}
{"currency":"CHF","rate":1.05,"valid_from":"2026-10-25 06:00:00"}`,
          ),
          ...partition(
            1,
            `
{"currency":"USD","rate":0.9,"valid_from":"2026-10-25 00:00:00"}
{"currency":"USD","rate":0.8,"valid_from":"2026-10-25 01:30:00"}
{"currency":"GBP","rate":null,"valid_from":"2026-10-25 06:00:00"}`,
          ),
        ],
        after: partition(1, '{"currency":"USD","rate":0.7,"valid_from":"2026-10-25 06:20:00"}'),
      },
    },
  },
  judge: {
    priced_orders: [
      row(1, '00:30:00', 'basic', 90),
      row(2, '01:30:00', 'gold', 80),
      row(3, '02:30:00', null, 10),
      row(4, '02:30:01', null, null),
      row(5, '06:00:00', null, null),
      row(6, '06:30:00', null, 0.7),
      row(11, '00:59:59.999', null, 45),
      row(12, '01:00:00', 'basic', 20),
      row(12, '01:00:00', 'basic', 20),
    ],
    euros_per_hour: [
      hour('00:00:00', '01:00:00', 'basic', 1, 90),
      hour('00:00:00', '01:00:00', 'none', 1, 45),
      hour('01:00:00', '02:00:00', 'gold', 1, 80),
      hour('01:00:00', '02:00:00', 'basic', 2, 40),
      hour('02:00:00', '03:00:00', 'none', 2, 10),
      hour('06:00:00', '07:00:00', 'none', 2, 0.7),
    ],
  },
};
