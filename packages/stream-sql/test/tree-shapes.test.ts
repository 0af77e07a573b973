import { describe, expect, it } from 'vitest';
import { type Expression, parseSql, type Select } from '../src/index.ts';
import { bareTree } from './bare-tree.ts';

function selectOf(text: string): Select {
  const { query, diagnostics } = parseSql(text);
  if (query?.body.kind !== 'select' || diagnostics.length > 0) throw new Error(`no sound SELECT: ${text}`);
  return query.body;
}

function expressionOf(text: string): Expression {
  const [item] = selectOf(`SELECT ${text} FROM t`).items;
  if (item === undefined) throw new Error(`no expression: ${text}`);
  return item.expression;
}

const column = (...path: string[]) => ({ kind: 'column', path: path.map((name) => ({ name })) });
const string = (value: string) => ({ kind: 'literal', type: 'string', value });
const integer = (value: string) => ({ kind: 'literal', type: 'integer', value });

describe('trees of expressions', () => {
  it.each<[string, object]>([
    ["'it''s'", string("it's")],
    ["'a' 'b'", string('ab')],
    ["U&'\\0041\\\\'", string('A\\')],
    ["U&'!0041' UESCAPE '!'", string('A')],
    ["X'0A'", { kind: 'literal', type: 'binary', value: '0A' }],
    ["DATE '2026-01-01'", { kind: 'literal', type: 'date', value: '2026-01-01' }],
    ["{ts '2026-01-01 00:00:00'}", { kind: 'literal', type: 'timestamp', value: '2026-01-01 00:00:00' }],
    ['true', { kind: 'literal', type: 'boolean', value: 'TRUE' }],
    ['1.5', { kind: 'literal', type: 'decimal', value: '1.5' }],
    ['?', { kind: 'parameter' }],
    ['t.a.b', column('t', 'a', 'b')],
    ['t.*', { kind: 'star', qualifier: [{ name: 't' }] }],
    [
      "m['k'][1].f",
      { kind: 'field', name: { name: 'f' }, operand: { kind: 'element', operand: { kind: 'element' } } },
    ],
    ['(a, b)', { kind: 'row', fields: [column('a'), column('b')] }],
    ['ARRAY[1, 2]', { kind: 'collection', type: 'ARRAY', content: [integer('1'), integer('2')] }],
    ['a OR b OR c', { kind: 'logical', operator: 'OR', operands: [column('a'), column('b'), column('c')] }],
    ['a BETWEEN SYMMETRIC 1 AND 2', { kind: 'between', symmetric: true, negated: false }],
    ['a NOT IN (1, 2)', { kind: 'in', negated: true, candidates: [integer('1'), integer('2')] }],
    [
      'a = SOME (SELECT 1)',
      { kind: 'quantified', operator: '=', quantifier: 'ANY', candidates: { kind: 'query' } },
    ],
    ["a NOT LIKE 'x' ESCAPE '!'", { kind: 'like', operator: 'LIKE', negated: true, escape: string('!') }],
    ['a IS NOT JSON ARRAY', { kind: 'is', negated: true, test: 'JSON ARRAY' }],
    ['a IS JSON', { kind: 'is', negated: false, test: 'JSON VALUE' }],
    [
      'CASE a WHEN 1, 2 THEN b ELSE c END',
      {
        kind: 'case',
        operand: column('a'),
        branches: [{ when: [integer('1'), integer('2')], result: column('b') }],
        otherwise: column('c'),
      },
    ],
    [
      'TRY_CAST(a AS ROW<x INT NOT NULL>)',
      {
        kind: 'cast',
        attempt: true,
        type: { type: 'ROW', fields: [{ name: { name: 'x' }, type: { nullable: false } }] },
      },
    ],
    [
      "INTERVAL -'1 02' DAY(3) TO HOUR",
      {
        kind: 'interval',
        negative: true,
        value: string('1 02'),
        qualifier: { from: 'DAY', precision: 3, to: 'HOUR' },
      },
    ],
    ["INTERVAL '5' MINUTES", { kind: 'interval', negative: false, qualifier: { from: 'MINUTE' } }],
    [
      'EXTRACT(HOUR FROM ts)',
      {
        kind: 'call',
        name: [{ name: 'EXTRACT' }],
        arguments: [{ value: { kind: 'time-unit', unit: 'HOUR' } }, { keyword: 'FROM', value: column('ts') }],
      },
    ],
    [
      "TRIM(LEADING 'x' FROM a)",
      {
        kind: 'call',
        arguments: [
          { keyword: 'LEADING', value: string('x') },
          { keyword: 'FROM', value: column('a') },
        ],
      },
    ],
    [
      'FLOOR(ts TO DAY)',
      {
        kind: 'call',
        arguments: [{ value: column('ts') }, { keyword: 'TO', value: { kind: 'time-unit', unit: 'DAY' } }],
      },
    ],
    [
      'SUM(DISTINCT a) FILTER (WHERE b)',
      { kind: 'call', quantifier: 'DISTINCT', arguments: [{ value: column('a') }], filter: column('b') },
    ],
    ['COUNT(*)', { kind: 'call', arguments: [{ value: { kind: 'star' } }] }],
    ['CURRENT_DATE', { kind: 'call', name: [{ name: 'CURRENT_DATE' }], arguments: [] }],
    [
      "LISTAGG(a, ',') WITHIN GROUP (ORDER BY b DESC)",
      { kind: 'call', orderBy: [{ expression: column('b'), direction: 'DESC' }] },
    ],
    [
      'LAST_VALUE(a) IGNORE NULLS OVER (w PARTITION BY b ORDER BY c ROWS BETWEEN 5 PRECEDING AND CURRENT ROW)',
      {
        kind: 'call',
        nulls: 'IGNORE',
        over: {
          kind: 'window-specification',
          base: { name: 'w' },
          partitionBy: [column('b')],
          orderBy: [{ expression: column('c') }],
          frame: {
            unit: 'ROWS',
            lower: { bound: 'PRECEDING', offset: integer('5') },
            upper: { bound: 'CURRENT ROW' },
          },
        },
      },
    ],
    [
      "JSON_VALUE(a, '$.b' RETURNING INT DEFAULT 0 ON EMPTY ERROR ON ERROR)",
      {
        kind: 'call',
        json: {
          returning: { type: 'INT' },
          behaviours: [
            { action: 'DEFAULT', value: integer('0'), on: 'EMPTY' },
            { action: 'ERROR', on: 'ERROR' },
          ],
        },
      },
    ],
    [
      "JSON_OBJECT(KEY 'a' VALUE b, 'c' : d ABSENT ON NULL)",
      {
        kind: 'call',
        arguments: [
          { keyword: 'KEY', value: string('a') },
          { keyword: 'VALUE', value: column('b') },
          { keyword: 'KEY', value: string('c') },
          { keyword: 'VALUE', value: column('d') },
        ],
        json: { behaviours: [{ action: 'ABSENT', on: 'NULL' }] },
      },
    ],
  ])('the expression %s has its tree', (text, shape) => {
    expect(bareTree(expressionOf(text))).toMatchObject(shape);
  });
});

describe('trees of FROM', () => {
  const macro = (name: string) => ({ kind: 'table', source: { kind: 'macro', macro: 'ref', name } });

  it.each<[string, object]>([
    [
      '{{ ref("a") }} LEFT JOIN {{ ref("b") }} FOR SYSTEM_TIME AS OF a.ts AS b ON a.k = b.k',
      {
        kind: 'join',
        type: 'LEFT',
        left: macro('a'),
        right: { ...macro('b'), asOf: column('a', 'ts'), alias: { name: 'b' } },
        condition: { kind: 'binary', operator: '=' },
      },
    ],
    [
      'a, b NATURAL JOIN c',
      {
        kind: 'join',
        type: 'INNER',
        natural: true,
        left: { kind: 'join', type: 'COMMA' },
        right: { source: { path: [{ name: 'c' }] } },
      },
    ],
    [
      'a JOIN (b CROSS JOIN c) ON TRUE',
      { kind: 'join', type: 'INNER', right: { kind: 'join', type: 'CROSS' } },
    ],
    ['a JOIN b USING (x, y)', { kind: 'join', using: [{ name: 'x' }, { name: 'y' }] }],
    [
      'a CROSS JOIN UNNEST(b) WITH ORDINALITY AS u (c, d)',
      {
        kind: 'join',
        right: {
          source: { kind: 'unnest', collections: [column('b')], ordinality: true },
          alias: { name: 'u' },
          columns: [{ name: 'c' }, { name: 'd' }],
        },
      },
    ],
    [
      'a, LATERAL TABLE(f(a.b)) AS x',
      {
        kind: 'join',
        right: { lateral: true, source: { kind: 'table-function', call: { name: [{ name: 'f' }] } } },
      },
    ],
    [
      'TABLE(SESSION(DATA => TABLE {{ ref("a") }} PARTITION BY k, TIMECOL => DESCRIPTOR(ts), GAP => INTERVAL \'5\' MINUTE))',
      {
        kind: 'table',
        source: {
          kind: 'table-function',
          call: {
            arguments: [
              {
                name: { name: 'DATA' },
                value: {
                  kind: 'table-argument',
                  table: { kind: 'macro', name: 'a' },
                  partitionBy: [column('k')],
                },
              },
              { name: { name: 'TIMECOL' }, value: { kind: 'call', name: [{ name: 'DESCRIPTOR' }] } },
              { name: { name: 'GAP' }, value: { kind: 'interval' } },
            ],
          },
        },
      },
    ],
    [
      "a /*+ OPTIONS('k' = 'v') */ AS x",
      {
        hints: [{ name: { name: 'OPTIONS' }, options: [{ key: string('k'), value: string('v') }] }],
        alias: { name: 'x' },
      },
    ],
    [
      '((SELECT 1) UNION (SELECT 2)) x',
      { source: { kind: 'derived-table', query: { body: { kind: 'set-operation' } } } },
    ],
    [
      `a MATCH_RECOGNIZE (PARTITION BY k ORDER BY ts MEASURES FINAL LAST(B.p) AS q ONE ROW PER MATCH
        AFTER MATCH SKIP TO LAST B PATTERN (A (B | C){2,}? {- D -}) WITHIN INTERVAL '1' HOUR SUBSET S = (A, B)
        DEFINE B AS B.p > A.p) AS m`,
      {
        alias: { name: 'm' },
        matchRecognize: {
          partitionBy: [column('k')],
          measures: [{ expression: { kind: 'call', semantics: 'FINAL' }, alias: { name: 'q' } }],
          rowsPerMatch: 'ONE',
          afterMatch: { skip: 'LAST', variable: { name: 'B' } },
          pattern: {
            type: 'sequence',
            items: [
              { kind: 'pattern-variable', name: { name: 'A' } },
              { kind: 'pattern-repetition', min: 2, greedy: false, item: { type: 'alternation' } },
              { kind: 'pattern-exclusion', item: { name: { name: 'D' } } },
            ],
          },
          within: { kind: 'interval' },
          subsets: [{ name: { name: 'S' }, variables: [{ name: 'A' }, { name: 'B' }] }],
          definitions: [{ variable: { name: 'B' }, condition: { operator: '>' } }],
        },
      },
    ],
  ])('FROM %s has its tree', (text, shape) => {
    expect(bareTree(selectOf(`SELECT * FROM ${text}`).from)).toMatchObject(shape);
  });
});

describe('trees of queries', () => {
  it('INTERSECT binds more tightly than UNION, and equal operators are left-associative', () => {
    const { query } = parseSql(
      'SELECT 1 UNION SELECT 2 INTERSECT SELECT 3 UNION SELECT 4 EXCEPT ALL SELECT 5',
    );
    expect(bareTree(query)).toMatchObject({
      body: {
        operator: 'EXCEPT',
        quantifier: 'ALL',
        operands: [
          {
            operator: 'UNION',
            operands: [{ kind: 'select' }, { operator: 'INTERSECT' }, { kind: 'select' }],
          },
          { kind: 'select' },
        ],
      },
    });
  });

  it('WITH, ORDER BY and LIMIT belong to their own query', () => {
    const { query } = parseSql(
      'WITH a (x) AS (SELECT 1 LIMIT 2) (SELECT x FROM a ORDER BY x) UNION ALL TABLE b ORDER BY 1 DESC NULLS LAST OFFSET 3 ROWS FETCH NEXT 4 ROWS ONLY',
    );
    expect(bareTree(query)).toMatchObject({
      with: [{ name: { name: 'a' }, columns: [{ name: 'x' }], query: { limit: { count: integer('2') } } }],
      body: {
        operands: [
          { kind: 'query', orderBy: [{ expression: column('x') }] },
          { kind: 'explicit-table', table: { path: [{ name: 'b' }] } },
        ],
      },
      orderBy: [{ direction: 'DESC', nulls: 'LAST' }],
      limit: { count: integer('4'), offset: integer('3') },
    });
  });

  it('grouping sets, HAVING, named windows and QUALIFY are parsed', () => {
    const select = selectOf(
      'SELECT 1 FROM t GROUP BY a, GROUPING SETS ((b, c), (), ROLLUP(d)) HAVING x WINDOW w AS (PARTITION BY a) QUALIFY y',
    );
    expect(bareTree(select)).toMatchObject({
      groupBy: {
        items: [
          column('a'),
          {
            type: 'GROUPING SETS',
            items: [{ kind: 'row' }, { kind: 'empty-grouping' }, { type: 'ROLLUP', items: [column('d')] }],
          },
        ],
      },
      having: column('x'),
      windows: [{ name: { name: 'w' }, window: { partitionBy: [column('a')] } }],
      qualify: column('y'),
    });
  });

  it('hints before DISTINCT are parsed', () => {
    expect(
      bareTree(selectOf("SELECT /*+ STATE_TTL('a' = '1d'), BROADCAST(b) */ DISTINCT c FROM t")),
    ).toMatchObject({
      hints: [
        { name: { name: 'STATE_TTL' } },
        { name: { name: 'BROADCAST' }, options: [{ key: { name: 'b' } }] },
      ],
      quantifier: 'DISTINCT',
    });
  });
});
