/** Queries in which an erratum shows, over rows that they hold themselves. Those of changing topics are in the tests of the command. */
export interface ErratumRows {
  /** The id of the erratum. */
  readonly id: string;
  /** As users write it. */
  readonly query: string;
  /** Its rows where the version has the defect. */
  readonly wrong: readonly (readonly unknown[])[];
  /** What has the right rows in every version: what the job writes, or what the table says to write. */
  readonly instead: string;
  readonly right: readonly (readonly unknown[])[];
}

const places = `(SELECT id, x, ROW_NUMBER() OVER (PARTITION BY id ORDER BY ORDERED) AS place
  FROM (VALUES (1, 10), (2, 20), (1, 5), (1, 7)) AS t (id, x)) AS n WHERE place = 1`;
const byFirst = places.replace('ORDERED', 'x ASC');
const byLast = places.replace('ORDERED', '-x DESC NULLS FIRST');
const texts = "(VALUES (CAST('bad' AS STRING)), (CAST('1970-01-01 00:00:01' AS STRING))) AS t (s)";
const times = "(VALUES (TIMESTAMP '1965-05-05 12:00:00'), (TIMESTAMP '2024-01-31 12:00:00')) AS t (x)";
const json = `(VALUES (CAST('{"a": 1234567890.12345678901}' AS STRING)), (CAST('{"a": 7}' AS STRING))) AS t (s)`;
const large = '(VALUES (2147483647), (1)) AS t (x)';
const names = "(VALUES (1, 'a'), (2, CAST(NULL AS STRING))) AS t (id, s)";

export const errataRows: readonly ErratumRows[] = [
  {
    id: 'first-rows-taken-for-appended',
    query: `SELECT COUNT(*) AS n, SUM(x) AS s FROM ${byFirst}`,
    wrong: [[3, 35]],
    instead: `SELECT COUNT(*) AS n, SUM(x) AS s FROM ${byLast}`,
    right: [[2, 25]],
  },
  {
    id: 'extremes-of-first-rows',
    query: `SELECT id, MAX(x) AS hi FROM ${byFirst} GROUP BY id`,
    wrong: [
      [1, 10],
      [2, 20],
    ],
    instead: `SELECT id, MAX(x) AS hi FROM ${byLast} GROUP BY id`,
    right: [
      [1, 5],
      [2, 20],
    ],
  },
  {
    id: 'deviations-of-whole-numbers',
    query: 'SELECT STDDEV_POP(x) AS d FROM (VALUES (1), (2)) AS t (x)',
    wrong: [[0]],
    instead: 'SELECT STDDEV_POP(CAST(x AS DOUBLE)) AS d FROM (VALUES (1), (2)) AS t (x)',
    right: [[0.5]],
  },
  {
    id: 'unix-timestamp-of-no-time',
    query: `SELECT CAST(UNIX_TIMESTAMP(s) AS STRING) AS n FROM ${texts}`,
    wrong: [['-9223372036854775808'], ['1']],
    instead: `SELECT CAST(NULLIF(UNIX_TIMESTAMP(s), -9223372036854775807 - 1) AS STRING) AS n FROM ${texts}`,
    right: [['1'], [null]],
  },
  {
    id: 'try-cast-to-narrow-numbers',
    query: `SELECT TRY_CAST(x AS SMALLINT) AS n FROM ${large}`,
    wrong: [[-1], [1]],
    instead: `SELECT TRY_CAST(CAST(x AS STRING) AS SMALLINT) AS n FROM ${large}`,
    right: [[1], [null]],
  },
  {
    id: 'days-before-1970',
    query: `SELECT CAST(x AS DATE) AS d FROM ${times}`,
    wrong: [['1965-05-06'], ['2024-01-31']],
    instead: `SELECT CAST(FLOOR(x TO DAY) AS DATE) AS d FROM ${times}`,
    right: [['1965-05-05'], ['2024-01-31']],
  },
  {
    id: 'decimals-of-json',
    query: `SELECT JSON_VALUE(s, '$.a') AS n FROM ${json}`,
    wrong: [['1.2345678901234567E9'], ['7']],
    instead: `SELECT JSON_VALUE(REPLACE(s, '1234567890.12345678901', '"1234567890.12345678901"'), '$.a') AS n FROM ${json}`,
    right: [['1234567890.12345678901'], ['7']],
  },
  {
    id: 'last-value-of-nulls',
    query: `SELECT LAST_VALUE(s) AS l FROM ${names}`,
    wrong: [['a']],
    instead: `SELECT s FROM (SELECT s, ROW_NUMBER() OVER (ORDER BY id DESC) AS place FROM ${names}) AS n WHERE place = 1`,
    right: [[null]],
  },
  {
    id: 'sums-beyond-their-type',
    query: `SELECT SUM(x) AS s FROM ${large}`,
    wrong: [[-2147483648]],
    instead: `SELECT SUM(CAST(x AS BIGINT)) AS s FROM ${large}`,
    right: [[2147483648]],
  },
  {
    id: 'long-differences',
    query: `SELECT TIMESTAMPDIFF(SECOND, TIMESTAMP '1900-01-01 12:00:00', x) AS n FROM ${times}`,
    wrong: [[-379319296], [2061936000]],
    instead: `SELECT TIMESTAMPDIFF(HOUR, TIMESTAMP '1900-01-01 12:00:00', x) AS n FROM ${times}`,
    right: [[1087680], [572760]],
  },
  {
    id: 'days-that-are-none',
    query: `SELECT CAST(TO_TIMESTAMP(s) AS STRING) AS t FROM (VALUES (CAST('2024-02-30 00:00:00' AS STRING)), (CAST('2024-02-01 00:00:00' AS STRING))) AS t (s)`,
    wrong: [['2024-02-01 00:00:00.000'], ['2024-02-29 00:00:00.000']],
    instead: `SELECT CASE WHEN TO_DATE(LEFT(s, 10)) IS NOT NULL THEN CAST(TO_TIMESTAMP(s) AS STRING) END AS t FROM (VALUES (CAST('2024-02-30 00:00:00' AS STRING)), (CAST('2024-02-01 00:00:00' AS STRING))) AS t (s)`,
    right: [['2024-02-01 00:00:00.000'], [null]],
  },
];
