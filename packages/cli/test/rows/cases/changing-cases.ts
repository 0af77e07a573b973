import type { RowsCase } from '../rows-case.ts';
import { ORDERS as O, PAYMENTS as P, type SingleCase, single } from './single-case.ts';

/** Rows that change with every row that comes. */
export const changingCases: readonly RowsCase[] = (
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
      construct: 'DISTINCT',
      sql: `SELECT DISTINCT customer_id, product FROM ${O}`,
    },
    {
      name: 'union_distinct',
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
