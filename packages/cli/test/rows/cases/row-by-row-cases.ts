import type { RowsCase } from '../rows-case.ts';
import { ORDERS as O, PAYMENTS as P, type SingleCase, single } from './single-case.ts';

/** Row by row: nothing waits for time, so late rows are rows. */
export const rowByRowCases: readonly RowsCase[] = (
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
      sql: `SELECT id, amount FROM ${O} UNION ALL SELECT oid, paid FROM ${P}`,
    },
    {
      name: 'in_list',
      construct: 'IN, NOT IN of values',
      sql: `SELECT id FROM ${O} WHERE product IN ('apple', 'fig') AND quantity NOT IN (1, 2)`,
    },
  ] satisfies readonly SingleCase[]
).map((one) => single({ late: 'kept', ...one }));
