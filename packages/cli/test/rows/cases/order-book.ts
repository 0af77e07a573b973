import type { RowsCase } from '../rows-case.ts';
import { jsonLines, partition, projectFile } from './project-rows.ts';

const files = {
  'stream_project.yml': projectFile('order-book'),
  'sources/exchange.yml': `sources:
  - name: order_events
    topic: PREFIX.source.events
    columns:
      - { name: order_id, type: BIGINT }
      - { name: side, type: STRING }
      - { name: price, type: "DECIMAL(10, 2)" }
      - { name: quantity, type: INT }
      - { name: kind, type: STRING }
      - { name: happened_at, type: TIMESTAMP(3) }
    event_time: { column: happened_at }
`,
  'models/book.yml': `models:
  - name: open_orders
    key: order_id
    sql: |
      SELECT order_id, side, price, quantity
      FROM (
        SELECT *, ROW_NUMBER() OVER (PARTITION BY order_id ORDER BY happened_at DESC) AS n
        FROM {{ source("order_events") }}
      )
      WHERE n = 1 AND kind <> 'cancel' AND quantity > 0
    advanced: { topic: { name: PREFIX.open_orders } }

  - name: levels
    sql: |
      SELECT side, price, SUM(quantity) AS quantity, COUNT(*) AS orders
      FROM {{ ref("open_orders") }}
      WHERE side IS NOT NULL AND price IS NOT NULL
      GROUP BY side, price
    advanced: { topic: { name: PREFIX.levels } }

  - name: spread
    key: book
    sql: |
      SELECT 'book' AS book,
        MAX(CASE WHEN side = 'bid' THEN price END) AS bid,
        MIN(CASE WHEN side = 'ask' THEN price END) AS ask
      FROM {{ ref("levels") }}
      GROUP BY 'book'
    advanced: { topic: { name: PREFIX.spread } }

  - name: price_range
    key: side
    sql: |
      SELECT side, MIN(price) AS lowest, MAX(price) AS highest, COUNT(*) AS prices
      FROM {{ ref("levels") }}
      GROUP BY side
    advanced: { topic: { name: PREFIX.price_range } }
`,
};

/** Orders of an exchange that come, change and go, and the prices that are left. */
export const orderBook: RowsCase = {
  name: 'order_book',
  construct: 'project: order book',
  sources: [],
  models: [{ name: 'open_orders' }, { name: 'levels' }, { name: 'spread' }, { name: 'price_range' }],
  project: {
    files,
    sources: {
      events: {
        partitions: 2,
        before: [
          ...partition(
            0,
            `
{"order_id":1,"side":"bid","price":100,"quantity":5,"kind":"new","happened_at":"2026-03-29 01:59:59.990"}
{"order_id":3,"side":"bid","price":101,"quantity":3,"kind":"new","happened_at":"2026-03-29 01:59:59.995"}
{"order_id":5,"side":"ask","price":103,"quantity":4,"kind":"new","happened_at":"2026-03-29 02:00:00"}
{"order_id":7,"side":"bid","price":null,"quantity":4,"kind":"new","happened_at":"2026-03-29 02:00:00"}
{"order_id":9,"side":"bid","price":99,"quantity":null,"kind":"new","happened_at":"2026-03-29 02:00:00.001"}`,
          ),
          ...partition(
            1,
            `
{"order_id":2,"side":"bid","price":100,"quantity":2,"kind":"new","happened_at":"2026-03-29 01:59:59.991"}
{"order_id":4,"side":"ask","price":102,"quantity":1,"kind":"new","happened_at":"2026-03-29 02:00:00"}
{"order_id":4,"side":"ask","price":102,"quantity":1,"kind":"new","happened_at":"2026-03-29 02:00:00"}
{"order_id":6,"side":"ask","price":104,"quantity":9,"kind":"new","happened_at":"2026-03-29 02:30:00"}
{"order_id":8,"side":null,"price":50,"quantity":9,"kind":"new","happened_at":"2026-03-29 02:30:00"}
{"order_id":10,"side":"bid","price":102.5,"quantity":1,"kind":"new","happened_at":"2026-03-29 02:30:00"}`,
          ),
        ],
        after: [
          ...partition(
            0,
            `
{"order_id":3,"side":"bid","price":101,"quantity":0,"kind":"change","happened_at":"2026-03-29 03:00:00"}
{"order_id":1,"side":"bid","price":100,"quantity":1,"kind":"change","happened_at":"2026-03-29 03:00:00"}
{"order_id":5,"side":"ask","price":103.5,"quantity":4,"kind":"change","happened_at":"2026-03-29 03:00:01"}`,
          ),
          ...partition(
            1,
            `
{"order_id":4,"side":"ask","price":102,"quantity":1,"kind":"cancel","happened_at":"2026-03-29 03:00:00"}
{"order_id":10,"side":"bid","price":102.5,"quantity":1,"kind":"cancel","happened_at":"2026-03-29 03:00:00"}
{"order_id":12,"side":"bid","price":98,"quantity":1,"kind":"new","happened_at":"2026-03-29 03:00:02"}`,
          ),
        ],
      },
    },
  },
  judge: {
    open_orders: jsonLines(`
{"order_id":1,"side":"bid","price":100,"quantity":1}
{"order_id":2,"side":"bid","price":100,"quantity":2}
{"order_id":5,"side":"ask","price":103.5,"quantity":4}
{"order_id":6,"side":"ask","price":104,"quantity":9}
{"order_id":7,"side":"bid","price":null,"quantity":4}
{"order_id":8,"side":null,"price":50,"quantity":9}
{"order_id":12,"side":"bid","price":98,"quantity":1}`),
    levels: jsonLines(`
{"side":"bid","price":100,"quantity":3,"orders":2}
{"side":"bid","price":98,"quantity":1,"orders":1}
{"side":"ask","price":103.5,"quantity":4,"orders":1}
{"side":"ask","price":104,"quantity":9,"orders":1}`),
    spread: jsonLines('{"book":"book","bid":100,"ask":103.5}'),
    price_range: jsonLines(`
{"side":"bid","lowest":98,"highest":100,"prices":2}
{"side":"ask","lowest":103.5,"highest":104,"prices":2}`),
  },
};
