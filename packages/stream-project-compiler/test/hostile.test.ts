import {
  outputColumns,
  parseSql,
  queryKind,
  type SqlNode,
  tableReferences,
  walkSql,
} from '@levada/stream-sql';
import { describe, expect, it } from 'vitest';

/** Long enough that anything that takes more than linear time would not end within the time of a test. */
const LENGTH = 1 << 18;

function repeated(part: string): string {
  return part.repeat(Math.ceil(LENGTH / part.length));
}

const texts: Readonly<Record<string, string>> = {
  'parentheses without end': `SELECT ${repeated('(')}`,
  'parentheses as a query': repeated('('),
  'closing parentheses': `SELECT 1${repeated(')')}`,
  'tables in parentheses': `SELECT 1 FROM ${repeated('(')}`,
  'queries within queries': repeated('SELECT * FROM ('),
  'subqueries within subqueries': `SELECT ${repeated('(SELECT ')}`,
  'EXISTS within EXISTS': `SELECT ${repeated('EXISTS (SELECT ')}`,
  'IN within IN': `SELECT a ${repeated('IN (')}`,
  'CASE within CASE': `SELECT ${repeated('CASE WHEN ')}`,
  'CAST within CAST': `SELECT ${repeated('CAST(')}`,
  'INTERVAL within INTERVAL': `SELECT ${repeated('INTERVAL ')}`,
  'windows within windows': `SELECT ${repeated('f(a) OVER (')}`,
  'grouping sets within one another': `SELECT 1 FROM t GROUP BY ${repeated('ROLLUP(')}`,
  'types within types': `SELECT CAST(a AS ${repeated('ROW<a ')}`,
  'arrays of arrays': `SELECT CAST(a AS INT ${repeated('ARRAY ')}`,
  'patterns within patterns': `SELECT * FROM t MATCH_RECOGNIZE (PATTERN (${repeated('(')}`,
  'a long pattern': `SELECT * FROM t MATCH_RECOGNIZE (PATTERN (${repeated('A ')}`,
  'NOT before NOT': `SELECT ${repeated('NOT ')}`,
  'minus before minus': `SELECT ${repeated('- ')}`,
  'a long sum': `SELECT ${repeated('a + ')}a`,
  'a long chain of tests': `SELECT a ${repeated('IS NULL ')}`,
  'a long chain of LIKE': `SELECT a ${repeated('LIKE a ')}`,
  'elements of elements': `SELECT a${repeated('[1]')}`,
  'calls within calls': `SELECT ${repeated('f(x).')}`,
  'a long path': `SELECT a${repeated('.a')}`,
  'a long list': `SELECT ${repeated('a, ')}a`,
  'a long condition': `SELECT a FROM t WHERE ${repeated('a = 1 OR ')}b`,
  'a long IN': `SELECT a IN (${repeated('1,')}1)`,
  'many unions': `${repeated('SELECT a FROM t UNION ALL ')}SELECT 1`,
  'many joins': `SELECT 1 FROM t ${repeated('JOIN u ON a = b ')}`,
  'many common tables': `WITH ${repeated('a AS (SELECT 1), ')}`,
  'many rows': `VALUES ${repeated('(1), ')}`,
  'many hints': `SELECT /*+ ${repeated('a, ')}`,
  'many macros': `SELECT * FROM ${repeated('{{ ref("x") }}, ')}`,
  'open macros on one line': repeated('{{'),
  'half macros on one line': repeated('{{ source("'),
  'template statements': repeated('{% '),
  'comments on one line': `SELECT 1 ${repeated('-- ')}`,
  'comment marks': `SELECT 1 ${repeated('/*')}`,
  backticks: repeated('`'),
  'quoted names on one line': repeated('`a` '),
  'double quotes': repeated('"'),
  quotes: repeated("'"),
  'strings that end with the line': repeated("'a\n"),
  'reserved words': `SELECT ${repeated('value, ')}`,
  clauses: repeated('GROUP BY '),
  semicolons: repeated(';'),
  digits: `SELECT ${repeated('1')}`,
  'characters without a meaning': repeated('§a'),
  'characters beyond the first plane': repeated('😀'),
  'zero bytes': repeated('\0'),
};

describe('a hostile text', () => {
  it.each(Object.entries(texts))('%s: is read to the end or given up', (_, text) => {
    const { query, diagnostics } = parseSql(text);
    expect(query !== undefined || diagnostics.length > 0).toBe(true);
    expect(diagnostics.length).toBeLessThanOrEqual(101);
    if (query === undefined) return;
    queryKind(query);
    tableReferences(query);
    outputColumns(query);
    expect(depthOf(query)).toBeGreaterThan(0);
  });

  it('nests as deeply as the limit and no deeper', () => {
    expect(parseSql(`SELECT ${'('.repeat(120)}1${')'.repeat(120)}`).diagnostics).toEqual([]);
    const { diagnostics } = parseSql(`SELECT ${'('.repeat(300)}1${')'.repeat(300)}`);
    expect(diagnostics.map(({ code }) => code)).toEqual(['sql-too-deep']);
  });
});

/** The depth of a tree, by recursion: what the parser promises to anyone who walks a tree like this. */
function depthOf(node: SqlNode): number {
  let deepest = 0;
  walkSql(node, (child) => {
    if (child === node) return undefined;
    deepest = Math.max(deepest, depthOf(child));
    return 'skip';
  });
  return deepest + 1;
}
