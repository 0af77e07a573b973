import { describe, expect, it } from 'vitest';
import { parseSql } from '../parse-sql.ts';
import { type SqlDiagnosticCode, sqlDiagnosticTitles } from './sql-diagnostic.ts';

interface Mistake {
  readonly code: SqlDiagnosticCode;
  readonly text: string;
  /** The text that the diagnostic points at. */
  readonly at: string;
  readonly message: string;
  readonly hint?: string;
}

const mistakes: readonly Mistake[] = [
  {
    code: 'sql-character',
    text: 'SELECT a\u00a0FROM t',
    at: '\u00a0',
    message: 'character U+00A0, which has no meaning here',
    hint: 'put a space in its place, or nothing',
  },
  {
    code: 'sql-character',
    text: 'SELECT ¬ FROM t',
    at: '¬',
    message: 'character "¬" (U+00AC), which has no meaning here',
  },
  {
    code: 'sql-unterminated',
    text: "SELECT 'a FROM t",
    at: "'a FROM t",
    message: 'string without its closing quote, "\'" was expected',
    hint: "a quote inside of a string is written twice: ''",
  },
  {
    code: 'sql-unterminated',
    text: 'SELECT 1 /* FROM t',
    at: '/*',
    message: 'comment without its end, "*/" was expected',
  },
  {
    code: 'sql-unterminated',
    text: 'SELECT a FROM {{ ref("x")',
    at: '{{ ref("x")',
    message:
      'template without its "}}" on the same line, only {{ source("name") }} and {{ ref("name") }} were expected',
  },
  {
    code: 'sql-double-quotes',
    text: 'SELECT a FROM t WHERE b = "x"',
    at: '"x"',
    message: 'double quotes, which stand for neither a string nor a name',
    hint: "write 'x' for a string, `x` for a name",
  },
  {
    code: 'sql-template',
    text: 'SELECT a FROM {{ config.table }}',
    at: '{{ config.table }}',
    message:
      'template expression "config.table", only {{ source("name") }} and {{ ref("name") }} were expected',
  },
  {
    code: 'sql-template',
    text: 'SELECT a FROM {{ ref("a", "b") }}',
    at: '{{ ref("a", "b") }}',
    message:
      'macro "ref" without exactly one name in quotes, only {{ source("name") }} and {{ ref("name") }} were expected',
  },
  {
    code: 'sql-template',
    text: 'SELECT {{ ref("x") }}.a FROM {{ ref("x") }}',
    at: '{{ ref("x") }}',
    message: 'macro "ref" where a value was expected, it names a table',
    hint: 'give the table an alias in FROM, and write alias.column',
  },
  {
    code: 'sql-syntax',
    text: 'SELECT a, FROM t',
    at: 'FROM',
    message: 'unexpected "FROM", an expression was expected',
    hint: 'remove the comma before FROM',
  },
  {
    code: 'sql-syntax',
    text: 'SELECT a FORM t',
    at: 't',
    message: 'unexpected "t", "," or FROM was expected',
    hint: 'write FROM for "FORM"',
  },
  {
    code: 'sql-syntax',
    text: 'SELECT COUNT(a FROM t',
    at: 'FROM',
    message: 'unexpected "FROM", ")" was expected',
  },
  {
    code: 'sql-syntax',
    text: 'SELECT a FROM t WHERE',
    at: '',
    message: 'unexpected end of the text, an expression was expected',
  },
  {
    code: 'sql-reserved-word',
    text: 'SELECT value FROM t',
    at: 'value',
    message: '"value" is a reserved word, a name was expected',
    hint: 'write `value` in backticks',
  },
  {
    code: 'sql-dialect',
    text: 'SELECT a FROM t WHERE a != 1',
    at: '!=',
    message: 'operator "!=", which the engine does not have',
    hint: 'write <>',
  },
  {
    code: 'sql-dialect',
    text: 'SELECT a FROM t LIMIT 5, 10',
    at: ',',
    message: '"LIMIT start, count", which the engine does not have',
    hint: 'write LIMIT count OFFSET start',
  },
  {
    code: 'sql-dialect',
    text: "SELECT a AT TIME ZONE 'UTC' FROM t",
    at: "AT TIME ZONE 'UTC'",
    message: 'AT TIME ZONE, which the engine does not have',
    hint: 'write CONVERT_TZ, or cast to TIMESTAMP_LTZ',
  },
  {
    code: 'sql-type',
    text: 'SELECT CAST(a AS TEXT) FROM t',
    at: 'TEXT',
    message: 'type "TEXT", which the engine does not have',
    hint: 'write STRING',
  },
  {
    code: 'sql-statement',
    text: 'INSERT INTO t SELECT 1',
    at: 'INSERT',
    message: 'statement "INSERT", a query (SELECT, VALUES, WITH) was expected',
    hint: 'write the SELECT alone; where its rows go is said beside it',
  },
  {
    code: 'sql-recursive',
    text: 'WITH RECURSIVE a AS (SELECT 1) SELECT * FROM a',
    at: 'RECURSIVE',
    message: 'RECURSIVE, which the engine refuses',
    hint: 'write it without recursion',
  },
  {
    code: 'sql-too-deep',
    text: `SELECT ${'-'.repeat(1)} ${'('.repeat(400)}`,
    at: '(',
    message: 'nesting deeper than 256 levels, the rest of the text is not read',
  },
  {
    code: 'sql-too-long',
    text: `SELECT ${'a,'.repeat(50_000)}a FROM t`,
    at: '',
    message: 'more than 100,000 words and symbols, the text is not read',
  },
];

describe('mistakes in a query', () => {
  it.each(mistakes)('$code: $message', ({ text, code, message, at, hint }) => {
    const shown = parseSql(text).diagnostics.map(({ start, end, ...rest }) => ({
      code: rest.code,
      message: rest.message,
      at: text.slice(start, end),
      hint: rest.hint,
    }));
    expect(shown).toEqual([{ code, message, at, hint }]);
  });

  it.each([
    ['SELECT value, t.hour FROM order AS user', 'SELECT `value`, t.`hour` FROM `order` AS `user`'],
    ['SELECT a FROM t WHERE a != 1 && !(b == 2)', 'SELECT a FROM t WHERE a <> 1 AND NOT(b = 2)'],
    [
      'SELECT CAST(a AS TEXT), CAST(b AS DATETIME) FROM t',
      'SELECT CAST(a AS STRING), CAST(b AS TIMESTAMP(3)) FROM t',
    ],
    ['SELECT a FROM t MINUS SELECT b FROM u', 'SELECT a FROM t EXCEPT SELECT b FROM u'],
  ])('%s is corrected to %s', (text, corrected) => {
    const { diagnostics } = parseSql(text);
    const fixed = diagnostics.reduceRight(
      (rest, { start, end, fix }) => rest.slice(0, start) + (fix ?? '') + rest.slice(end),
      text,
    );
    expect(fixed).toBe(corrected);
    expect(parseSql(fixed).diagnostics).toEqual([]);
  });

  it('a text gets at most a hundred diagnostics, and the last one says so', () => {
    const { diagnostics } = parseSql(`SELECT ${'value, '.repeat(200)}a FROM t`);
    expect(diagnostics).toHaveLength(101);
    expect(diagnostics.filter(({ code }) => code === 'sql-too-many')).toHaveLength(1);
  });

  it('every code has an example', () => {
    // Only a file has folded comments
    const elsewhere = ['sql-too-many', 'sql-folded-comment'];
    const shown = new Set<string>([...mistakes.map(({ code }) => code), ...elsewhere]);
    expect(Object.keys(sqlDiagnosticTitles).filter((code) => !shown.has(code))).toEqual([]);
  });

  it('the parser continues after a mistake and reports one in every clause', () => {
    const text = `SELECT value, a b c FROM order WHERE x != 1 GROUP BY f(a HAVING b ORDER c LIMIT x`;
    expect(parseSql(text).diagnostics.map(({ start, end }) => text.slice(start, end))).toEqual([
      'value',
      'c',
      'order',
      '!=',
      'HAVING',
      'c',
      'x',
    ]);
  });

  it('a text with mistakes gives a tree of the parts that could be parsed', () => {
    const { query } = parseSql('SELECT a, b + FROM {{ ref("x") }} JOIN {{ source("y") } WHERE c = 1');
    expect(query?.body).toMatchObject({
      items: [{ expression: { path: [{ name: 'a' }] } }, { expression: { operator: '+' } }],
      from: { left: { source: { kind: 'macro', name: 'x' } } },
    });
  });
});
