import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { outputColumns, parseSql, queryKind, tableReferences } from '../src/index.ts';
import { MAX_SQL_DEPTH, MAX_SQL_HEIGHT } from '../src/sql/parse/token-cursor.ts';
import { MAX_SQL_DIAGNOSTICS } from '../src/sql/sql-diagnostic.ts';

describe('the README', () => {
  it('says the limits', () => {
    const said = readFileSync(new URL('../README.md', import.meta.url), 'utf8').replaceAll(',', '');
    expect(said).toContain(
      `nesting of ${MAX_SQL_DEPTH} levels ${MAX_SQL_HEIGHT} operators in a row ${MAX_SQL_DIAGNOSTICS} mistakes`,
    );
  });

  it('says what its example gives', () => {
    const { query } = parseSql('SELECT id, COUNT(*) AS n FROM {{ ref("orders") }} GROUP BY id');
    if (query === undefined) throw new Error('no query');
    const said = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
    const shown = [
      tableReferences(query),
      outputColumns(query).map((column) => column.kind === 'column' && column.name),
      queryKind(query).reason,
    ].map((value) =>
      JSON.stringify(value)
        .replaceAll(/"(\w+)":/g, '"$1":')
        .replaceAll(/\W/g, ''),
    );
    for (const text of shown) expect(said.replaceAll(/\W/g, '')).toContain(text);
  });
});
