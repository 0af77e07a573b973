import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { outputColumns, parseSql, queryKind, tableReferences } from '../src/index.ts';
import { loadLimits } from '../src/load/limits.ts';
import { yamlLimits } from '../src/parse/read-yaml-tokens.ts';
import { MAX_SQL_DEPTH, MAX_SQL_HEIGHT } from '../src/sql/parse/token-cursor.ts';
import { MAX_SQL_DIAGNOSTICS } from '../src/sql/sql-diagnostic.ts';
import { MAX_SQL_TOKENS } from '../src/sql/tokens/tokenize-sql.ts';

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
const [whole = '', sql = ''] = [...readme.matchAll(/```ts\n([\s\S]*?)```/g)].map((match) => match[1]);
const shop = fileURLToPath(new URL('../../../examples/shop-project', import.meta.url));

describe('the README', () => {
  it('says the limits', () => {
    const said = readme.replaceAll(',', '').replaceAll(/\s+/g, ' ');
    const { tokens, lines, entries, depth } = yamlLimits;
    const mebibytes = (bytes: number) => `${bytes / 2 ** 20} MiB`;
    for (const limit of [
      `${loadLimits.files} files ${mebibytes(loadLimits.projectBytes)}`,
      `${mebibytes(loadLimits.fileBytes)} ${lines} lines ${tokens} keys values and signs ${entries} entries nesting of ${depth} levels`,
      `${MAX_SQL_TOKENS} tokens nesting of ${MAX_SQL_DEPTH} levels ${MAX_SQL_HEIGHT} operators in a row ${MAX_SQL_DIAGNOSTICS} mistakes`,
    ])
      expect(said).toContain(limit);
  });

  it('says what its example prints', () => {
    const code = whole.replace("'shop'", JSON.stringify(shop));
    const printed = execFileSync(process.execPath, ['--input-type=module', '--eval', code], {
      cwd: fileURLToPath(new URL('..', import.meta.url)),
      encoding: 'utf8',
      env: { ...process.env, NODE_OPTIONS: '' },
    });
    const said = [...whole.matchAll(/^console\.log.*\/\/ (.*)$/gm)].map((match) => match[1]);
    expect(printed.trim().split('\n')).toEqual(said);
  });

  it('says what its example of SQL gives', () => {
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
    for (const text of shown) expect(sql.replaceAll(/\W/g, '')).toContain(text);
  });
});
