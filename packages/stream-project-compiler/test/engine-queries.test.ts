import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { type Diagnostic, entryOf } from '../src/index.ts';
import { printType } from '../src/types/print-type.ts';
import { type SqlModel, sqlModels } from './column-support/sql-models.ts';
import { jsonRows } from './rows.ts';

interface PlannedQuery {
  readonly sql: string;
  /** Names and types of its columns, when the planner takes it. */
  readonly columns?: string;
  readonly refused?: string;
}

interface Divergence {
  readonly sql: string;
  readonly ours: string;
  readonly reason: string;
}

const base = readFileSync(new URL('engine-queries/tables.sql', import.meta.url), 'utf8').split(/;\n/);
const queries = jsonRows<PlannedQuery>('engine-queries/queries.jsonl');
const divergences = new Map(
  jsonRows<Divergence>('engine-queries/divergences.jsonl').map(({ sql, ours }) => [sql, ours]),
);
const unreported = jsonRows<Pick<PlannedQuery, 'sql'>>('engine-queries/unreported.jsonl');
const planned = queries.filter(({ columns }) => columns !== undefined);
const refused = queries.filter((query) => query.refused !== undefined);

/** The columns as the file writes them, or the codes of errors. */
function says({ columns, diagnostics }: SqlModel): string {
  const errors = diagnostics.filter(({ severity }) => severity === 'error').map(({ code }) => code);
  if (errors.length > 0) return [...new Set(errors)].join(' ');
  const list = columns?.columns.map(({ name, type }) => `${name} ${printType(type)}`) ?? [];
  return columns?.incomplete === undefined ? list.join(', ') : 'incomplete';
}

it('gives queries that the planner takes its columns, and no error', async () => {
  const found = await sqlModels(
    base,
    planned.map(({ sql }) => sql),
  );
  const pairs = planned.map(({ sql, columns }, index) => ({
    sql,
    wanted: divergences.get(sql) ?? columns,
    found: says(found[index] ?? { columns: undefined, diagnostics: [] }),
  }));
  expect(pairs.filter((pair) => pair.found !== pair.wanted)).toEqual([]);
  expect(planned.length).toBeGreaterThan(500);
});

it('reports all queries that the planner refuses but those that are listed', async () => {
  const found = await sqlModels(
    base,
    refused.map(({ sql }) => sql),
  );
  // A missing key of the model is nothing that the planner refuses a query for
  const isOfQuery = ({ severity, code }: Diagnostic) =>
    severity !== 'info' && entryOf(code).name !== 'key-of-changes';
  const missed = refused.filter((_, index) => found[index]?.diagnostics.some(isOfQuery) !== true);
  expect(refused.length).toBeGreaterThan(300);
  expect(missed.map(({ sql }) => sql)).toEqual(unreported.map(({ sql }) => sql));
});

it('knows every divergence', () => {
  const known = new Map(queries.map(({ sql, columns }) => [sql, columns]));
  for (const [sql, said] of divergences) {
    expect(known.has(sql)).toBe(true);
    expect(known.get(sql)).not.toBe(said);
  }
});
