import type { RowsCase } from '../rows-case.ts';
import { ORDERS as O, PAYMENTS as P, type SingleCase, single } from './single-case.ts';

const tumble = (table: string, size = "INTERVAL '1' MINUTE") =>
  `TABLE(TUMBLE(TABLE ${table}, DESCRIPTOR(ts), ${size}))`;

/** Rows of time: late rows are dropped. */
export const timedCases: readonly RowsCase[] = (
  [
    {
      name: 'tumble',
      construct: 'TUMBLE',
      quick: true,
      sql: `SELECT window_start, window_end, product, COUNT(*) AS n, SUM(amount) AS total, MAX(quantity) AS most FROM ${tumble(O)} GROUP BY window_start, window_end, product`,
    },
    {
      name: 'tumble_all',
      construct: 'TUMBLE without a key',
      sql: `SELECT window_start, window_end, window_time, COUNT(*) AS n, COUNT(DISTINCT customer_id) AS customers FROM ${tumble(O)} GROUP BY window_start, window_end, window_time`,
    },
    {
      name: 'tumble_offset',
      construct: 'TUMBLE with an offset',
      sql: `SELECT window_start, window_end, SUM(quantity) AS q FROM TABLE(TUMBLE(TABLE ${O}, DESCRIPTOR(ts), INTERVAL '10' MINUTE, INTERVAL '3' MINUTE)) GROUP BY window_start, window_end`,
    },
    {
      name: 'tumble_sets',
      construct: 'TUMBLE with GROUPING SETS',
      sql: `SELECT window_start, window_end, product, COUNT(*) AS n FROM ${tumble(O)} GROUP BY window_start, window_end, GROUPING SETS ((product), ())`,
    },
    {
      name: 'tumble_having',
      construct: 'TUMBLE with HAVING',
      sql: `SELECT window_start, window_end, customer_id, COUNT(*) AS n FROM ${tumble(O, "INTERVAL '5' MINUTE")} GROUP BY window_start, window_end, customer_id HAVING COUNT(*) > 1`,
    },
    {
      name: 'hop',
      construct: 'HOP',
      sql: `SELECT window_start, window_end, product, COUNT(*) AS n, SUM(amount) AS total FROM TABLE(HOP(TABLE ${O}, DESCRIPTOR(ts), INTERVAL '1' MINUTE, INTERVAL '3' MINUTE)) GROUP BY window_start, window_end, product`,
    },
    {
      name: 'cumulate',
      construct: 'CUMULATE',
      sql: `SELECT window_start, window_end, COUNT(*) AS n, SUM(amount) AS total FROM TABLE(CUMULATE(TABLE ${O}, DESCRIPTOR(ts), INTERVAL '1' MINUTE, INTERVAL '5' MINUTE)) GROUP BY window_start, window_end`,
    },
    {
      name: 'legacy_tumble',
      construct: 'GROUP BY TUMBLE(…)',
      sql: `SELECT TUMBLE_START(ts, INTERVAL '1' MINUTE) AS w, product, SUM(quantity) AS q FROM ${O} GROUP BY TUMBLE(ts, INTERVAL '1' MINUTE), product`,
    },
    {
      name: 'legacy_hop',
      construct: 'GROUP BY HOP(…)',
      sql: `SELECT HOP_START(ts, INTERVAL '1' MINUTE, INTERVAL '2' MINUTE) AS w, COUNT(*) AS n FROM ${O} GROUP BY HOP(ts, INTERVAL '1' MINUTE, INTERVAL '2' MINUTE)`,
    },
    {
      name: 'window_top_n',
      construct: 'window top N',
      sql: `SELECT window_start, window_end, product, q, rn FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY window_start, window_end ORDER BY q DESC, product) AS rn FROM (SELECT window_start, window_end, product, SUM(quantity) AS q FROM ${tumble(O)} WHERE product IS NOT NULL GROUP BY window_start, window_end, product)) WHERE rn <= 2`,
    },
    {
      name: 'window_dedup',
      construct: 'window deduplication',
      sql: `SELECT window_start, customer_id, id FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY window_start, window_end, customer_id ORDER BY ts DESC) AS rn FROM ${tumble(O, "INTERVAL '5' MINUTE")} WHERE id <> 37) WHERE rn = 1`,
    },
    {
      name: 'window_join',
      construct: 'window join',
      sql: `SELECT l.id, r.pid, l.window_start FROM (SELECT * FROM ${tumble(O)}) AS l JOIN (SELECT * FROM TABLE(TUMBLE(TABLE ${P}, DESCRIPTOR(pts), INTERVAL '1' MINUTE))) AS r ON l.id = r.oid AND l.window_start = r.window_start AND l.window_end = r.window_end`,
    },
    {
      name: 'window_left_join',
      construct: 'window left join',
      sql: `SELECT l.id, r.pid, l.window_start FROM (SELECT * FROM ${tumble(O)}) AS l LEFT JOIN (SELECT * FROM TABLE(TUMBLE(TABLE ${P}, DESCRIPTOR(pts), INTERVAL '1' MINUTE))) AS r ON l.id = r.oid AND l.window_start = r.window_start AND l.window_end = r.window_end`,
    },
    {
      name: 'window_anti_join',
      construct: 'window NOT EXISTS',
      sql: `SELECT id, window_start FROM (SELECT * FROM ${tumble(O, "INTERVAL '5' MINUTE")}) AS l WHERE NOT EXISTS (SELECT 1 FROM (SELECT * FROM TABLE(TUMBLE(TABLE ${P}, DESCRIPTOR(pts), INTERVAL '5' MINUTE))) AS r WHERE l.id = r.oid AND l.window_start = r.window_start AND l.window_end = r.window_end)`,
    },
    {
      name: 'window_of_window',
      construct: 'window of a window',
      sql: `WITH m AS (SELECT window_start AS ws, window_end AS we, window_time AS wt, SUM(quantity) AS q FROM ${tumble(O)} GROUP BY window_start, window_end, window_time) SELECT window_start, window_end, SUM(q) AS q, COUNT(*) AS n FROM TABLE(TUMBLE(TABLE m, DESCRIPTOR(wt), INTERVAL '5' MINUTE)) GROUP BY window_start, window_end`,
    },
    {
      name: 'window_filtered',
      construct: 'window over a filter in a CTE',
      sql: `WITH big AS (SELECT id, ts, amount FROM ${O} WHERE amount > 4 AND __deleted = FALSE) SELECT window_start, window_end, COUNT(*) AS n FROM TABLE(TUMBLE(TABLE big, DESCRIPTOR(ts), INTERVAL '1' MINUTE)) GROUP BY window_start, window_end`,
    },
    {
      name: 'interval_join',
      construct: 'interval join',
      quick: true,
      sql: `SELECT o.id, p.pid, o.ts FROM ${O} AS o JOIN ${P} AS p ON o.id = p.oid AND p.pts BETWEEN o.ts AND o.ts + INTERVAL '10' MINUTE`,
    },
    {
      name: 'interval_left_join',
      construct: 'interval left join',
      lateRows: {
        result: [31, 32].map((id) => ({ id, amount: id === 31 ? 1000 : 2000, pid: null, paid: null })),
      },
      sql: `SELECT o.id, o.amount, p.pid, p.paid FROM ${O} AS o LEFT JOIN ${P} AS p ON o.id = p.oid AND p.pts BETWEEN o.ts AND o.ts + INTERVAL '10' MINUTE`,
    },
    {
      name: 'interval_full_join',
      construct: 'interval full join',
      lateRows: {
        result: [
          { id: 31, pid: null },
          { id: 32, pid: null },
          { id: null, pid: 121 },
        ],
      },
      sql: `SELECT o.id, p.pid FROM ${O} AS o FULL JOIN ${P} AS p ON o.id = p.oid AND p.pts BETWEEN o.ts - INTERVAL '1' MINUTE AND o.ts + INTERVAL '1' MINUTE`,
    },
    {
      name: 'over_rows',
      construct: 'OVER … ROWS',
      late: 'dropped by key',
      sql: `SELECT id, SUM(quantity) OVER (PARTITION BY customer_id ORDER BY ts ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) AS s FROM ${O} WHERE id NOT IN (8, 9, 26, 37)`,
    },
    {
      name: 'over_unbounded',
      construct: 'OVER … UNBOUNDED',
      sql: `SELECT id, COUNT(*) OVER w AS n, MAX(amount) OVER w AS most FROM ${O} WINDOW w AS (PARTITION BY product ORDER BY ts RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)`,
    },
    {
      name: 'lag',
      construct: 'LAG',
      sql: `SELECT id, LAG(id) OVER (PARTITION BY customer_id ORDER BY ts) AS previous FROM ${O} WHERE id NOT IN (1, 2, 22, 8, 26, 37)`,
    },
    {
      name: 'row_number',
      construct: 'ROW_NUMBER without a filter',
      sql: `SELECT customer_id, ROW_NUMBER() OVER (PARTITION BY customer_id ORDER BY ts) AS rn FROM ${O}`,
    },
    { name: 'order_by_time', construct: 'ORDER BY time', sql: `SELECT id, ts FROM ${O} ORDER BY ts` },
  ] satisfies readonly SingleCase[]
).map(single);
