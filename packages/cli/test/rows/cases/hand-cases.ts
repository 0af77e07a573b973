import type { Row, RowsCase } from '../rows-case.ts';

const O = '{{ source("orders") }}';

const joined = (id: number, name: string | null, country: string | null): Row => ({ id, name, country });
const ada = [1, 1, 3, 6, 22, 22].map((id) => joined(id, 'Ada', 'PT'));
const adaMoved = [10, 11, 26, 34].map((id) => joined(id, 'Ada', 'ES'));
const bob = [2, 2, 7, 8, 21, 24].map((id) => joined(id, 'Bob', 'DE'));
const others = [
  joined(5, null, 'FR'),
  joined(23, null, 'FR'),
  joined(9, 'Eve', null),
  joined(25, 'Eve', null),
  // It is late, but the only version of its customer is still known.
  joined(32, 'Eve', null),
  joined(33, 'Rob', 'DE'),
  joined(36, 'Kim', 'IT'),
  joined(37, 'Kim', 'IT'),
];
const ofDeleted = [joined(27, null, 'FR'), joined(28, null, 'FR')];
// Order 31 is late, and the version of its time is forgotten.
const without = [4, 31, 35].map((id) => joined(id, null, null));

type Session = readonly [
  customer: number | null,
  from: string,
  to: string,
  rows: number,
  total: number | null,
];

/** Sessions of each customer, that end after two minutes without an order. */
const sessions: readonly Session[] = [
  [1, '00:59:58', '01:04:00', 6, 29],
  [1, '02:30:00', '02:32:00', 1, 6],
  [1, '03:00:00', '03:02:00', 1, 42.42],
  [1, '04:00:00', '04:02:00', 1, 2],
  [1, '04:10:00', '04:12:00', 1, 13],
  [2, '00:59:59', '01:03:00', 4, 44],
  [2, '02:29:58', '02:32:00', 2, 200],
  [2, '04:00:03', '04:02:03', 1, 12],
  [3, '00:59:57', '01:01:57', 1, 8],
  [3, '01:01:59.999', '01:03:59.999', 1, 7.75],
  [3, '02:59:59.999', '03:01:59.999', 1, 11],
  [3, '04:00:00', '04:02:00', 1, 3],
  [4, '01:05:00', '01:07:00', 1, 9.99],
  [4, '02:30:00', '02:32:00', 1, -3],
  [5, '05:00:00', '05:02:00', 2, 29],
  [null, '01:00:30', '01:02:30', 1, 5.25],
  [null, '04:10:01', '04:12:01', 1, null],
];
const day = (time: string) => `2026-03-29 ${time}`;

/** Amount and number of each order and of those of its customer in the hour before it; and how many such rows there are. */
const hours: readonly (readonly [id: number, s: number | null, n: number, rows?: number])[] = [
  [1, 20, 2, 2],
  [22, 28, 4, 2],
  [3, 28, 5],
  [6, 29, 6],
  [26, 6, 1],
  [10, 48.42, 2],
  [11, 44.42, 2],
  [34, 15, 2],
  [21, 3, 1],
  [2, 44, 3, 2],
  [24, 44, 4],
  [7, 100, 1],
  [8, 200, 2],
  [33, 12, 1],
  [23, 8, 1],
  [5, 15.75, 2],
  [27, 11, 1],
  [28, 3, 1],
  [25, 9.99, 1],
  [9, -3, 1],
  // It is late, but comes after the last row of its customer, which is forgotten.
  [32, 2000, 1],
  [4, 5.25, 1],
  [35, null, 1],
  [36, 29, 2],
  [37, 29, 2],
];

/** Cases whose rows are written by hand, since batch refuses them. */
export const handCases: readonly RowsCase[] = [
  {
    name: 'over_range',
    construct: 'OVER … RANGE',
    sources: ['orders'],
    models: [
      {
        name: 'result',
        sql: `SELECT id, SUM(amount) OVER w AS s, COUNT(*) OVER w AS n FROM ${O} WINDOW w AS (PARTITION BY customer_id ORDER BY ts RANGE BETWEEN INTERVAL '1' HOUR PRECEDING AND CURRENT ROW)`,
      },
    ],
    judge: {
      result: hours.flatMap(([id, s, n, rows = 1]) => Array.from({ length: rows }, () => ({ id, s, n }))),
    },
  },
  {
    name: 'session',
    construct: 'SESSION',
    quick: true,
    sources: ['orders'],
    models: [
      {
        name: 'result',
        sql: `SELECT customer_id, window_start, window_end, COUNT(*) AS n, SUM(amount) AS total FROM TABLE(SESSION(TABLE ${O} PARTITION BY customer_id, DESCRIPTOR(ts), INTERVAL '2' MINUTE)) GROUP BY customer_id, window_start, window_end`,
      },
    ],
    judge: {
      result: sessions.map(([customer_id, from, to, n, total]) => ({
        customer_id,
        window_start: day(from),
        window_end: day(to),
        n,
        total,
      })),
    },
  },
  {
    name: 'legacy_session',
    construct: 'GROUP BY SESSION(…)',
    sources: ['orders'],
    models: [
      {
        name: 'result',
        sql: `SELECT SESSION_START(ts, INTERVAL '2' MINUTE) AS w, SESSION_END(ts, INTERVAL '2' MINUTE) AS e, customer_id, COUNT(*) AS n FROM ${O} GROUP BY SESSION(ts, INTERVAL '2' MINUTE), customer_id`,
      },
    ],
    judge: {
      result: sessions.map(([customer_id, from, to, n]) => ({ customer_id, w: day(from), e: day(to), n })),
    },
  },
  {
    name: 'match_recognize',
    construct: 'MATCH_RECOGNIZE',
    sources: ['orders'],
    models: [
      {
        name: 'result',
        sql: `SELECT * FROM ${O} MATCH_RECOGNIZE (PARTITION BY customer_id ORDER BY ts MEASURES A.id AS first_id, LAST(B.id) AS last_id, C.id AS down_id ONE ROW PER MATCH AFTER MATCH SKIP PAST LAST ROW PATTERN (A B+? C) DEFINE B AS B.quantity > A.quantity, C AS C.quantity < A.quantity) AS m`,
      },
    ],
    judge: {
      result: [
        { customer_id: 1, first_id: 22, last_id: 10, down_id: 11 },
        { customer_id: 3, first_id: 23, last_id: 5, down_id: 27 },
      ],
    },
  },
  {
    name: 'temporal_join',
    construct: 'temporal join',
    quick: true,
    sources: ['orders', 'customers'],
    models: [
      {
        name: 'result',
        sql: `SELECT o.id, c.name, c.country FROM ${O} AS o JOIN {{ source("customers") }} FOR SYSTEM_TIME AS OF o.ts AS c ON o.customer_id = c.customer_id WHERE c.__deleted = FALSE`,
      },
    ],
    judge: { result: [...ada, ...adaMoved, ...bob, ...others] },
  },
  {
    name: 'temporal_left_join',
    construct: 'temporal left join',
    sources: ['orders', 'customers'],
    models: [
      {
        name: 'result',
        sql: `SELECT o.id, c.name, c.country FROM ${O} AS o LEFT JOIN {{ source("customers") }} FOR SYSTEM_TIME AS OF o.ts AS c ON o.customer_id = c.customer_id`,
      },
    ],
    judge: { result: [...ada, ...adaMoved, ...bob, ...others, ...ofDeleted, ...without] },
  },
  {
    name: 'temporal_join_deleted',
    construct: 'temporal join of a model that withdraws rows',
    wrong: 'LV4200',
    sources: ['orders', 'customers'],
    models: [
      {
        name: 'customers_now',
        key: 'customer_id',
        sql: `SELECT customer_id, name, country, changed_at FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY customer_id ORDER BY changed_at DESC) AS rn FROM {{ source("customers") }}) WHERE rn = 1 AND __deleted = FALSE`,
      },
      {
        name: 'result',
        sql: `SELECT o.id, c.name, c.country FROM ${O} AS o JOIN {{ ref("customers_now") }} FOR SYSTEM_TIME AS OF o.ts AS c ON o.customer_id = c.customer_id`,
      },
    ],
    judge: {
      customers_now: [
        { customer_id: 1, name: 'Ada', country: 'ES', changed_at: day('02:00:00') },
        { customer_id: 2, name: 'Rob', country: 'DE', changed_at: day('04:00:02') },
        { customer_id: 4, name: 'Eve', country: null, changed_at: day('01:03:00') },
        { customer_id: 5, name: 'Kim', country: 'IT', changed_at: day('04:30:00') },
        { customer_id: 8, name: 'Yan', country: 'IT', changed_at: day('05:00:00') },
        { customer_id: 9, name: 'Zoe', country: 'IT', changed_at: day('05:00:00') },
      ],
      result: [...ada, ...adaMoved, ...bob, ...others],
    },
  },
  {
    name: 'null_time',
    construct: 'a null in an event time that is not read',
    sources: ['timeless_orders'],
    models: [{ name: 'result', sql: 'SELECT id FROM {{ source("timeless_orders") }}' }],
    judge: { result: [{ id: 1 }, { id: 2 }, { id: 3 }] },
  },
  {
    name: 'null_time_window',
    construct: 'a null in the event time of a window',
    sources: ['timeless_orders'],
    models: [
      {
        name: 'result',
        sql: `SELECT window_start, window_end, COUNT(*) AS n FROM TABLE(TUMBLE(TABLE {{ source("timeless_orders") }}, DESCRIPTOR(ts), INTERVAL '1' MINUTE)) GROUP BY window_start, window_end`,
      },
    ],
    judge: { result: [{ window_start: day('01:00:00'), window_end: day('01:01:00'), n: 2 }] },
  },
  {
    name: 'null_time_group',
    construct: 'a null in the event time of GROUP BY TUMBLE(…)',
    sources: ['timeless_orders'],
    models: [
      {
        name: 'result',
        sql: `SELECT TUMBLE_START(ts, INTERVAL '1' MINUTE) AS w, COUNT(*) AS n FROM {{ source("timeless_orders") }} GROUP BY TUMBLE(ts, INTERVAL '1' MINUTE)`,
      },
    ],
    judge: { result: [{ w: day('01:00:00'), n: 2 }] },
  },
  {
    name: 'null_time_over',
    construct: 'a null in the event time of OVER',
    sources: ['timeless_orders'],
    models: [
      {
        name: 'result',
        sql: 'SELECT id, COUNT(*) OVER (ORDER BY ts RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS n FROM {{ source("timeless_orders") }}',
      },
    ],
    judge: {
      result: [
        { id: 1, n: 2 },
        { id: 3, n: 2 },
      ],
    },
  },
  {
    name: 'null_time_last_row',
    construct: 'a null in the event time of the last row of each key',
    sources: ['timeless_orders'],
    models: [
      {
        name: 'result',
        key: 'id',
        sql: 'SELECT id, ts FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY id ORDER BY ts DESC) AS rn FROM {{ source("timeless_orders") }} WHERE id IS NOT NULL) WHERE rn = 1',
      },
    ],
    judge: {
      result: [
        { id: 1, ts: day('01:00:00') },
        { id: 2, ts: null },
        { id: 3, ts: day('01:00:00') },
      ],
    },
  },
];
