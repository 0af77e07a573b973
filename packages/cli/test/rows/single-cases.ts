import type { RowsCase } from './rows-case.ts';

type SingleCase = Omit<RowsCase, 'models' | 'sources'> & {
  readonly sql: string;
  readonly key?: string | readonly string[];
  readonly yaml?: RowsCase['models'][number]['yaml'];
};

/** Cases of one model that reads sources. */
function single({ sql, key, yaml, ...rest }: SingleCase): RowsCase {
  const sources = [...new Set([...sql.matchAll(/source\("(\w+)"\)/g)].map(([, name = '']) => name))];
  const model = {
    name: 'result',
    sql,
    ...(key === undefined ? {} : { key }),
    ...(yaml === undefined ? {} : { yaml }),
  };
  return { ...rest, sources, models: [model] };
}

const O = '{{ source("orders") }}';
const P = '{{ source("payments") }}';

/** Row by row: nothing waits for time, so late rows are rows. */
const rowByRow: readonly RowsCase[] = (
  [
    {
      name: 'filter',
      construct: 'WHERE',
      quick: true,
      sql: `SELECT id, product, amount, ts FROM ${O} WHERE amount > 4 OR __deleted`,
    },
    {
      name: 'filter_not',
      construct: 'WHERE NOT, three-valued',
      sql: `SELECT id, amount FROM ${O} WHERE NOT (product = 'apple' AND amount > 4)`,
    },
    {
      name: 'projection',
      construct: 'projection, functions',
      sql: `SELECT id, UPPER(product) AS p, amount * quantity AS total, COALESCE(quantity, 0) AS q, CAST(amount AS STRING) AS text, CHAR_LENGTH(product) AS n, CAST(id AS STRING) || '-' || product AS code FROM ${O}`,
    },
    {
      name: 'case_when',
      construct: 'CASE',
      quick: true,
      sql: `SELECT id, CASE WHEN amount >= 10 THEN 'large' WHEN amount < 0 THEN 'negative' WHEN amount IS NULL THEN NULL ELSE 'small' END AS size, CASE product WHEN 'apple' THEN 1 WHEN 'pear' THEN 2 END AS code FROM ${O}`,
    },
    {
      name: 'times',
      construct: 'time functions',
      sql: `SELECT id, ts + INTERVAL '1' DAY AS tomorrow, FLOOR(ts TO HOUR) AS h, DATE_FORMAT(ts, 'yyyy-MM-dd HH:mm') AS f, EXTRACT(HOUR FROM ts) AS hh, TIMESTAMPDIFF(MINUTE, TIMESTAMP '2026-03-29 00:00:00', ts) AS m, CAST(ts AS DATE) AS d, CAST(ts AS TIMESTAMP_LTZ(3)) AS z FROM ${O}`,
    },
    {
      name: 'nested',
      construct: 'rows and arrays',
      sql: `SELECT id, o.address.city AS city, o.address.zip AS zip, tags[1] AS first_tag, CARDINALITY(tags) AS n, tags, address FROM ${O} AS o`,
    },
    {
      name: 'unnest',
      construct: 'UNNEST',
      quick: true,
      sql: `SELECT id, t.tag FROM ${O} CROSS JOIN UNNEST(tags) AS t(tag)`,
    },
    {
      name: 'unnest_left',
      construct: 'LEFT JOIN UNNEST',
      sql: `SELECT id, t.tag FROM ${O} LEFT JOIN UNNEST(tags) AS t(tag) ON TRUE`,
    },
    {
      name: 'keyed',
      construct: 'projection with a key',
      key: 'id',
      sql: `SELECT id, product, amount FROM ${O} WHERE product IS NOT NULL`,
    },
    {
      name: 'union_all',
      construct: 'UNION ALL',
      quick: true,
      sql: `SELECT id, amount FROM ${O} UNION ALL SELECT oid, paid FROM ${P}`,
    },
    {
      name: 'in_list',
      construct: 'IN, NOT IN of values',
      sql: `SELECT id FROM ${O} WHERE product IN ('apple', 'fig') AND quantity NOT IN (1, 2)`,
    },
  ] satisfies readonly SingleCase[]
).map((one) => single({ late: 'kept', ...one }));

/** Rows that change with every row that comes. */
const changing: readonly RowsCase[] = (
  [
    {
      name: 'group_by',
      construct: 'GROUP BY',
      quick: true,
      key: 'p',
      sql: `SELECT COALESCE(product, '-') AS p, COUNT(*) AS n, COUNT(amount) AS known, SUM(amount) AS total, MIN(amount) AS least, MAX(quantity) AS most, AVG(amount) AS mean FROM ${O} GROUP BY COALESCE(product, '-')`,
    },
    {
      name: 'group_by_null',
      open: 'a null in the key of the engine ends the job',
      construct: 'GROUP BY with a null group, no key',
      sql: `SELECT product, COUNT(*) AS n, SUM(quantity) AS q FROM ${O} GROUP BY product`,
    },
    {
      name: 'group_by_two',
      construct: 'GROUP BY two columns',
      sql: `SELECT customer_id, product, COUNT(*) AS n FROM ${O} WHERE customer_id IS NOT NULL AND product IS NOT NULL GROUP BY customer_id, product`,
    },
    {
      name: 'global_aggregate',
      construct: 'aggregate of all rows',
      sql: `SELECT COUNT(*) AS n, SUM(amount) AS total, COUNT(DISTINCT customer_id) AS customers FROM ${O}`,
    },
    {
      name: 'count_distinct',
      construct: 'COUNT(DISTINCT), FILTER',
      sql: `SELECT product, COUNT(DISTINCT customer_id) AS customers, COUNT(*) FILTER (WHERE amount > 5) AS big, SUM(DISTINCT quantity) AS q FROM ${O} WHERE product IS NOT NULL GROUP BY product`,
    },
    {
      name: 'having',
      construct: 'HAVING',
      quick: true,
      sql: `SELECT customer_id, SUM(amount) AS total FROM ${O} WHERE customer_id IS NOT NULL GROUP BY customer_id HAVING SUM(amount) BETWEEN 0 AND 130`,
    },
    {
      name: 'grouping_sets',
      construct: 'GROUPING SETS',
      sql: `SELECT product, customer_id, COUNT(*) AS n, GROUPING_ID(product, customer_id) AS g FROM ${O} GROUP BY GROUPING SETS ((product), (customer_id), ())`,
    },
    {
      name: 'rollup',
      construct: 'ROLLUP',
      sql: `SELECT product, customer_id, SUM(quantity) AS q FROM ${O} GROUP BY ROLLUP (product, customer_id)`,
    },
    {
      name: 'distinct_rows',
      open: 'a null in the key of the engine ends the job',
      construct: 'DISTINCT',
      sql: `SELECT DISTINCT customer_id, product FROM ${O}`,
    },
    {
      name: 'union_distinct',
      open: 'a null in the key of the engine ends the job',
      construct: 'UNION',
      sql: `SELECT id FROM ${O} UNION SELECT oid FROM ${P}`,
    },
    { name: 'intersect', construct: 'INTERSECT', sql: `SELECT id FROM ${O} INTERSECT SELECT oid FROM ${P}` },
    { name: 'except', construct: 'EXCEPT', sql: `SELECT id FROM ${O} EXCEPT SELECT oid FROM ${P}` },
    {
      name: 'except_all',
      construct: 'EXCEPT ALL',
      sql: `SELECT id FROM ${O} EXCEPT ALL SELECT oid FROM ${P}`,
    },
    {
      name: 'intersect_all',
      construct: 'INTERSECT ALL',
      sql: `SELECT id FROM ${O} INTERSECT ALL SELECT oid FROM ${P}`,
    },
    {
      name: 'inner_join',
      construct: 'JOIN',
      quick: true,
      sql: `SELECT o.id, o.product, p.pid, p.paid FROM ${O} AS o JOIN ${P} AS p ON o.id = p.oid`,
    },
    {
      name: 'left_join',
      construct: 'LEFT JOIN',
      sql: `SELECT o.id, o.amount, p.pid, p.paid FROM ${O} AS o LEFT JOIN ${P} AS p ON o.id = p.oid`,
    },
    {
      name: 'right_join',
      construct: 'RIGHT JOIN',
      sql: `SELECT o.id, p.pid, p.means FROM ${O} AS o RIGHT JOIN ${P} AS p ON o.id = p.oid`,
    },
    {
      name: 'full_join',
      construct: 'FULL JOIN',
      sql: `SELECT o.id, o.product, p.pid, p.means FROM ${O} AS o FULL JOIN ${P} AS p ON o.id = p.oid`,
    },
    {
      name: 'left_join_keyed',
      construct: 'LEFT JOIN of aggregates, with a key',
      key: 'id',
      sql: `SELECT o.id, o.n, p.paid FROM (SELECT id, COUNT(*) AS n FROM ${O} GROUP BY id) AS o LEFT JOIN (SELECT oid, SUM(paid) AS paid FROM ${P} GROUP BY oid) AS p ON o.id = p.oid`,
    },
    {
      name: 'join_null_safe',
      construct: 'JOIN with IS NOT DISTINCT FROM',
      sql: `SELECT o.id, p.pid FROM ${O} AS o JOIN ${P} AS p ON o.customer_id IS NOT DISTINCT FROM p.oid`,
    },
    {
      name: 'cross_join',
      construct: 'CROSS JOIN',
      sql: `SELECT o.id, p.pid FROM ${O} AS o CROSS JOIN ${P} AS p WHERE o.amount > p.paid`,
    },
    {
      name: 'in_subquery',
      construct: 'IN (SELECT)',
      sql: `SELECT id, product FROM ${O} WHERE id IN (SELECT oid FROM ${P})`,
    },
    {
      name: 'not_in_subquery',
      construct: 'NOT IN (SELECT)',
      sql: `SELECT id, product FROM ${O} WHERE id NOT IN (SELECT oid FROM ${P} WHERE oid IS NOT NULL)`,
    },
    {
      name: 'not_in_null',
      construct: 'NOT IN (SELECT) with a null',
      sql: `SELECT id FROM ${O} WHERE id NOT IN (SELECT oid FROM ${P})`,
    },
    {
      name: 'exists',
      construct: 'EXISTS',
      quick: true,
      sql: `SELECT id FROM ${O} AS o WHERE EXISTS (SELECT 1 FROM ${P} AS p WHERE p.oid = o.id AND p.paid >= 4)`,
    },
    {
      name: 'not_exists',
      construct: 'NOT EXISTS',
      sql: `SELECT id, amount FROM ${O} AS o WHERE NOT EXISTS (SELECT 1 FROM ${P} AS p WHERE p.oid = o.id)`,
    },
    {
      name: 'scalar_subquery',
      construct: 'scalar subquery',
      sql: `SELECT id, amount, (SELECT MAX(paid) FROM ${P}) AS most FROM ${O}`,
    },
    {
      name: 'top_n',
      construct: 'top N of each group',
      quick: true,
      sql: `SELECT product, id, amount, rn FROM (SELECT product, id, amount, ROW_NUMBER() OVER (PARTITION BY product ORDER BY amount DESC, id) AS rn FROM ${O} WHERE amount IS NOT NULL AND product IS NOT NULL) WHERE rn <= 2`,
    },
    {
      name: 'top_n_no_rank',
      construct: 'top N without the rank',
      sql: `SELECT product, id, amount FROM (SELECT product, id, amount, ROW_NUMBER() OVER (PARTITION BY product ORDER BY amount DESC, id) AS rn FROM ${O} WHERE amount IS NOT NULL) WHERE rn <= 2`,
    },
    {
      name: 'top_n_nulls',
      construct: 'top N over nulls',
      sql: `SELECT id, quantity, rn FROM (SELECT id, quantity, ROW_NUMBER() OVER (ORDER BY quantity, id) AS rn FROM ${O}) WHERE rn <= 5`,
    },
    {
      name: 'top_n_of_aggregate',
      construct: 'top N of an aggregate',
      sql: `SELECT customer_id, total, rn FROM (SELECT customer_id, total, ROW_NUMBER() OVER (ORDER BY total DESC, customer_id) AS rn FROM (SELECT customer_id, SUM(amount) AS total FROM ${O} GROUP BY customer_id) WHERE customer_id IS NOT NULL) WHERE rn <= 3`,
    },
    {
      name: 'rank_limit',
      construct: 'RANK top N',
      refused: 'LV4137',
      sql: `SELECT product, id, quantity, rk FROM (SELECT product, id, quantity, RANK() OVER (PARTITION BY product ORDER BY quantity DESC) AS rk FROM ${O} WHERE quantity IS NOT NULL) WHERE rk <= 1`,
    },
    {
      name: 'order_limit',
      construct: 'ORDER BY … LIMIT',
      sql: `SELECT id, amount FROM ${O} WHERE amount IS NOT NULL ORDER BY amount DESC, id LIMIT 4`,
    },
    {
      name: 'last_row',
      construct: 'last row of each key',
      quick: true,
      sql: `SELECT customer_id, id, amount, ts FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY customer_id ORDER BY ts DESC) AS rn FROM ${O} WHERE customer_id IS NOT NULL AND id <> 37) WHERE rn = 1`,
    },
    {
      name: 'first_row',
      construct: 'first row of each key',
      sql: `SELECT customer_id, id, product FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY customer_id ORDER BY ts ASC) AS rn FROM ${O} WHERE customer_id IS NOT NULL AND id <> 37) WHERE rn = 1`,
    },
    {
      name: 'aggregate_of_aggregate',
      construct: 'aggregate of an aggregate',
      sql: `SELECT n, COUNT(*) AS customers, MAX(total) AS most, MIN(total) AS least FROM (SELECT customer_id, COUNT(*) AS n, SUM(amount) AS total FROM ${O} GROUP BY customer_id) GROUP BY n`,
    },
    {
      name: 'min_max_key',
      construct: 'MIN, MAX over a key column of an aggregate',
      sql: `SELECT n, MIN(customer_id) AS least, MAX(customer_id) AS most FROM (SELECT customer_id, COUNT(*) AS n FROM ${O} WHERE customer_id IS NOT NULL GROUP BY customer_id) GROUP BY n`,
    },
    {
      name: 'window_end_only',
      construct: 'window without window_start in GROUP BY',
      sql: `SELECT window_end, COUNT(*) AS n FROM TABLE(TUMBLE(TABLE ${O}, DESCRIPTOR(ts), INTERVAL '1' MINUTE)) GROUP BY window_end`,
    },
    {
      name: 'listagg',
      construct: 'array of values',
      sql: `SELECT customer_id, CARDINALITY(ARRAY_AGG(DISTINCT product)) AS n FROM ${O} WHERE customer_id IS NOT NULL GROUP BY customer_id`,
    },
  ] satisfies readonly SingleCase[]
).map((one) => single({ late: 'kept', ...one }));

const tumble = (table: string, size = "INTERVAL '1' MINUTE") =>
  `TABLE(TUMBLE(TABLE ${table}, DESCRIPTOR(ts), ${size}))`;

/** Rows of time: late rows are dropped. */
const timed: readonly RowsCase[] = (
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
      quick: true,
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
      quick: true,
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
    {
      name: 'match_recognize',
      construct: 'MATCH_RECOGNIZE',
      sql: `SELECT * FROM ${O} MATCH_RECOGNIZE (PARTITION BY customer_id ORDER BY ts MEASURES A.id AS first_id, LAST(B.id) AS last_id, C.id AS down_id ONE ROW PER MATCH AFTER MATCH SKIP PAST LAST ROW PATTERN (A B+? C) DEFINE B AS B.quantity > A.quantity, C AS C.quantity < A.quantity) AS m`,
    },
    { name: 'order_by_time', construct: 'ORDER BY time', sql: `SELECT id, ts FROM ${O} ORDER BY ts` },
  ] satisfies readonly SingleCase[]
).map(single);

/** Cases of one model. */
export const singleCases: readonly RowsCase[] = [...rowByRow, ...changing, ...timed];
