import { describe, expect, it } from 'vitest';
import { parseSql } from './parse-sql.ts';
import type { Select } from './tree/query.ts';

function selectOf(text: string): Select {
  const body = parseSql(text).query?.body;
  if (body?.kind !== 'select') throw new Error(`no SELECT: ${text}`);
  return body;
}

describe('parseSql', () => {
  it('a macro is parsed as a table name, with the places of both', () => {
    const text = 'SELECT id FROM {{ source("orders") }} AS o';
    expect(parseSql(text).diagnostics).toEqual([]);
    expect(selectOf(text).from).toMatchObject({
      kind: 'table',
      source: {
        kind: 'macro',
        macro: 'source',
        name: 'orders',
        start: 15,
        end: 37,
        nameStart: 26,
        nameEnd: 32,
      },
      alias: { name: 'o', start: 41, end: 42 },
      start: 15,
      end: 42,
    });
  });

  it('every node has the place of the text it was parsed from', () => {
    const text = 'SELECT (a + b) * c AS d FROM t';
    const [item] = selectOf(text).items;
    expect(item?.expression).toMatchObject({ kind: 'binary', operator: '*', start: 7, end: 18 });
    expect(text.slice(item?.start, item?.end)).toBe('(a + b) * c AS d');
  });

  it('a semicolon may end the text, but no second statement may follow', () => {
    expect(parseSql('SELECT 1;').diagnostics).toEqual([]);
    expect(parseSql('SELECT 1; SELECT 2').diagnostics).toMatchObject([{ code: 'sql-statement', start: 10 }]);
  });

  it('every macro is found, even if the text around it cannot be parsed', () => {
    const text = 'INSERT INTO x SELECT a FORM {{ ref("b") }} WHERE -- {{ ref("c") }}\n {{ source("d") }}';
    expect(parseSql(text).macros.map(({ macro, name }) => [macro, name])).toEqual([
      ['ref', 'b'],
      ['source', 'd'],
    ]);
  });

  it('a text without a query gives no query', () => {
    for (const text of ['', '  ', '-- nothing', 'INSERT INTO t SELECT 1', 'DROP TABLE t', ')']) {
      const { query, diagnostics } = parseSql(text);
      expect({ text, query, mistakes: diagnostics.length }).toEqual({ text, query: undefined, mistakes: 1 });
    }
  });
});
