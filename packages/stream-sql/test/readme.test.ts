import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { outputColumns, parseSql, queryKind, tableReferences } from '../src/index.ts';
import { MAX_SQL_DEPTH, MAX_SQL_HEIGHT } from '../src/parse/token-cursor.ts';
import { MAX_SQL_DIAGNOSTICS } from '../src/text/sql-diagnostic.ts';
import { MAX_SQL_TOKENS } from '../src/tokens/tokenize-sql.ts';

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
const [example = ''] = [...readme.matchAll(/```ts\n([\s\S]*?)```/g)].map((match) => match[1]);

test('the README states the limits', () => {
  const limits = `${MAX_SQL_TOKENS} tokens nesting of ${MAX_SQL_DEPTH} levels ${MAX_SQL_HEIGHT} operators in a row ${MAX_SQL_DIAGNOSTICS} mistakes`;
  expect(readme.replaceAll(',', '').replaceAll(/\s+/g, ' ')).toContain(limits);
});

test('the example of the README gives what its comments say', () => {
  const { query } = parseSql('SELECT id, COUNT(*) AS n FROM {{ ref("orders") }} GROUP BY id');
  if (query === undefined) throw new Error('no query');
  const shown = [
    tableReferences(query),
    outputColumns(query).map((column) => column.kind === 'column' && column.name),
    queryKind(query).reason,
  ].map((value) =>
    JSON.stringify(value)
      .replaceAll(/"(\w+)":/g, '"$1":')
      .replaceAll(/\W/g, ''),
  );
  for (const text of shown) expect(example.replaceAll(/\W/g, '')).toContain(text);
});
