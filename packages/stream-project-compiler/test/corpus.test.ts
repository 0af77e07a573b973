import { outputColumns, parseSql, queryKind, tableReferences } from '@levada/stream-sql';
import { describe, expect, it } from 'vitest';
import { jsonRows } from './rows.ts';

interface Case {
  readonly id: string;
  readonly sql: string;
  readonly tables?: Readonly<Record<string, { readonly columns: readonly (readonly [string, string])[] }>>;
  readonly expect: {
    readonly refs: readonly (readonly [string, string])[];
    readonly materialized: string | readonly string[];
    readonly columns?: readonly (readonly [string | null, string])[];
    readonly engine_rejects?: 'syntax' | 'semantic';
  };
}

/** Where the corpus says otherwise, and why it is not followed. */
const divergences: Readonly<Record<string, string>> = {
  'o0b6a7a51 kind': 'IS DISTINCT FROM compares two values of one row; nothing else in the text needs a job',
};

const cases = jsonRows<Case>('corpus/sql.jsonl');

describe('every text of the corpus', () => {
  it.each(cases)('refuses the syntax of $id exactly where the engine does', (row) => {
    const { query, diagnostics } = parseSql(row.sql);
    expect(query).toBeDefined();
    expect(diagnostics.length > 0).toBe(row.expect.engine_rejects === 'syntax');
  });

  it.each(cases)('finds the tables that $id names', (row) => {
    const { query } = parseSql(row.sql);
    if (query === undefined) throw new Error('no query');
    expect(tableReferences(query).map(({ kind, name }) => [kind, name])).toEqual(row.expect.refs);
  });

  it.each(cases)('decides whether $id needs a job of the engine', (row) => {
    const { query } = parseSql(row.sql);
    if (query === undefined) throw new Error('no query');
    const kind = queryKind(query).reason === undefined ? 'topic' : 'engine';
    const allowed = [row.expect.materialized].flat();
    const diverges = `${row.id} kind` in divergences;
    expect(allowed.includes(kind)).toBe(!diverges);
  });

  it.each(cases.filter((row) => row.expect.columns !== undefined))('infers the columns of $id', (row) => {
    const { query } = parseSql(row.sql);
    if (query === undefined) throw new Error('no query');
    const known = Object.values(row.tables ?? {}).flatMap((table) => table.columns.map(([name]) => name));
    const names = outputColumns(query).flatMap((column) =>
      column.kind === 'star' ? known : [column.name ?? null],
    );
    expect(names).toEqual(row.expect.columns?.map(([name]) => name));
  });
});
