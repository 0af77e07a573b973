import { describe, expect, it } from 'vitest';
import { parseSql } from '../parse-sql.ts';
import type { Query } from '../tree/query.ts';
import { outputColumns } from './output-columns.ts';
import { queryFeatures, queryKind } from './query-kind.ts';
import { tableReferences } from './table-references.ts';

function queryOf(text: string): Query {
  const { query } = parseSql(text);
  if (query === undefined) throw new Error(`no query: ${text}`);
  return query;
}

describe('tableReferences', () => {
  const references = (text: string) =>
    tableReferences(queryOf(text)).map(({ kind, name, places }) => [
      kind,
      name,
      ...places.map(({ start, end }) => text.slice(start, end)),
    ]);

  it('the model of a machine-learning function is not a table reference', () => {
    const text = 'SELECT 1 FROM ML_PREDICT(TABLE {{ source("a") }}, MODEL fraud, DESCRIPTOR(b))';
    expect(references(text)).toEqual([['source', 'a', 'a']]);
  });

  it('each table is listed once, in order of first use, with every place', () => {
    expect(
      references('SELECT 1 FROM {{ ref("b") }} JOIN {{ source("a") }} ON TRUE JOIN {{ ref(\'b\') }} ON TRUE'),
    ).toEqual([
      ['ref', 'b', 'b', 'b'],
      ['source', 'a', 'a'],
    ]);
  });

  it('tables in common tables, subqueries, windows and set operations are found', () => {
    const text = `WITH c AS (SELECT * FROM {{ source("one") }})
      SELECT (SELECT MAX(x) FROM {{ ref("two") }}) FROM TABLE(TUMBLE(TABLE {{ ref("three") }}, DESCRIPTOR(ts), INTERVAL '1' DAY))
      WHERE a IN (TABLE {{ ref("four") }}) UNION ALL SELECT * FROM c`;
    expect(references(text).map(([, name]) => name)).toEqual(['one', 'two', 'three', 'four']);
  });

  it('a source and a model of the same name are two tables', () => {
    expect(references('SELECT 1 FROM {{ ref("x") }}, {{ source("x") }}').map(([kind]) => kind)).toEqual([
      'ref',
      'source',
    ]);
  });

  it('tables without a macro are listed, except common tables in their scope', () => {
    expect(
      references('WITH a AS (SELECT 1 FROM a), b AS (SELECT 1 FROM a) SELECT 1 FROM b, `x`.`y`'),
    ).toEqual([
      ['table', 'a', 'a'],
      ['table', 'x.y', '`x`.`y`'],
    ]);
    expect(references('SELECT 1 FROM (WITH a AS (SELECT 1) SELECT * FROM a), a')).toEqual([
      ['table', 'a', 'a'],
    ]);
  });

  it('macros in comments and strings are not tables', () => {
    expect(references('SELECT \'{{ ref("x") }}\' /* {{ ref("y") }} */ FROM t -- {{ ref("z") }}')).toEqual([
      ['table', 't', 't'],
    ]);
  });
});

describe('queryKind', () => {
  const features = (text: string) => [
    ...new Set(queryKind(queryOf(text)).facts.map(({ feature }) => feature)),
  ];

  it.each([
    ['SELECT a, UPPER(b) FROM t WHERE c IN (1, 2) AND d IS DISTINCT FROM e', []],
    ["SELECT 'GROUP BY x', `count` FROM t -- JOIN u", []],
    ['SELECT COUNT(*) FROM t', ['aggregate']],
    ['SELECT my_sum(DISTINCT a) FROM t', ['aggregate']],
    ['SELECT a FROM t GROUP BY a', ['group-by']],
    ['SELECT a FROM t HAVING b > 1', ['group-by']],
    ['SELECT a FROM t, u', ['join']],
    ['SELECT a FROM t JOIN u USING (a)', ['join']],
    ['SELECT DISTINCT a FROM t', ['distinct']],
    ['SELECT a FROM t UNION ALL SELECT b FROM u', ['set-operation']],
    ['SELECT SUM(a) OVER (ORDER BY b) FROM t', ['over']],
    ['SELECT a FROM t ORDER BY a', ['order-by']],
    ['SELECT a FROM t WHERE b IN (SELECT c FROM u)', ['subquery']],
    ['SELECT a FROM t WHERE EXISTS (SELECT c FROM u)', ['subquery']],
    ['SELECT a FROM t WHERE b > ALL (SELECT c FROM u)', ['subquery']],
    ['SELECT (SELECT 1) FROM t', ['subquery']],
    ['SELECT ARRAY(SELECT 1) FROM t', ['subquery']],
    ['SELECT a FROM t CROSS JOIN UNNEST(b) AS u (a)', ['join', 'unnest']],
    ['SELECT a FROM t, LATERAL TABLE(f(b)) AS u (a)', ['join', 'table-function']],
    ["SELECT a FROM TABLE(HOP(TABLE t, DESCRIPTOR(ts), INTERVAL '1' DAY, INTERVAL '2' DAY))", ['window']],
    ["SELECT a FROM t GROUP BY TUMBLE(ts, INTERVAL '1' DAY), a", ['group-by', 'window']],
    ['SELECT a FROM t MATCH_RECOGNIZE (PATTERN (A) DEFINE A AS TRUE)', ['match-recognize']],
    ["SELECT ML_PREDICT('m', a) FROM t", ['ml-call']],
    ['SELECT a FROM (SELECT b FROM t)', ['derived-table']],
    ['WITH a AS (SELECT 1 FROM t) SELECT b FROM a', ['cte']],
    ['SELECT a FROM t LIMIT 1', ['limit']],
  ])('the query %s has the features %j', (text, expected) => {
    expect(features(text)).toEqual(expected);
  });

  it('all features but three need a job', () => {
    const free = Object.entries(queryFeatures).filter(([, { needsEngine }]) => !needsEngine);
    expect(free.map(([feature]) => feature)).toEqual(['derived-table', 'cte', 'limit']);
  });

  it('the reason for a job is the first use of a feature that needs one', () => {
    const text = 'WITH a AS (SELECT 1 FROM t) SELECT b FROM a CROSS JOIN c GROUP BY b';
    const { reason } = queryKind(queryOf(text));
    expect(reason?.feature).toBe('join');
    expect(text.slice(reason?.start, reason?.end)).toBe('CROSS JOIN');
  });

  it('a query without FROM reads no table', () => {
    expect(queryKind(queryOf('SELECT 1')).readsTable).toBe(false);
    expect(queryKind(queryOf('VALUES (1)')).readsTable).toBe(false);
    expect(queryKind(queryOf('TABLE t')).readsTable).toBe(true);
    expect(queryKind(queryOf('SELECT 1 FROM t')).readsTable).toBe(true);
  });
});

describe('outputColumns', () => {
  it.each([
    ['SELECT a, t.b, t.c.d, `e f`, (g) FROM t', ['a', 'b', 'd', 'e f', 'g']],
    [
      'SELECT 1, a + 1, COUNT(*), a[1], CURRENT_DATE FROM t',
      [undefined, undefined, undefined, undefined, undefined],
    ],
    ['SELECT a AS b, 1 c, f(x) AS `d` FROM t', ['b', 'c', 'd']],
    ['SELECT *, t.*, a FROM t', ['*', 't.*', 'a']],
    ['SELECT a FROM t UNION ALL SELECT b FROM u', ['a']],
    ['(SELECT a FROM t) UNION SELECT b FROM u ORDER BY 1', ['a']],
    ['VALUES (1, 2), (3, 4)', [undefined, undefined]],
    ['VALUES 1', [undefined]],
    ['TABLE t', ['*']],
  ])('the query %s has the columns %j', (text, expected) => {
    const columns = outputColumns(queryOf(text));
    expect(
      columns.map((column) => (column.kind === 'star' ? [...column.qualifier, '*'].join('.') : column.name)),
    ).toEqual(expected);
  });
});
