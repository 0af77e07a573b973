import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { printType } from '../src/types/print-type.ts';
import { sqlProject, type TestTable } from './column-support/sql-project.ts';
import { aGap, withCase, withGaps, withQuotes } from './properties/spellings.ts';
import { jsonRows } from './rows.ts';

interface SqlCase {
  readonly sql: string;
  readonly tables?: Readonly<Record<string, TestTable>>;
  readonly expect: { readonly engine_rejects?: string };
}

const cases = jsonRows<SqlCase>('corpus/sql.jsonl').filter((row) => row.expect.engine_rejects !== 'syntax');
const aCase = fc.constantFrom(...cases);
const choices = fc.infiniteStream(fc.boolean());
const numRuns = 150;

/** All findings about a query, without their places and wording. */
async function said(sql: string, tables: SqlCase['tables']): Promise<unknown> {
  const { columns, inferred, diagnostics } = await sqlProject(sql, tables);
  return {
    kind: inferred.materialized.get('m')?.kind,
    edges: inferred.resolved.edges,
    columns: columns?.columns.map(({ name, type, time, origins }) => ({
      name,
      type: printType(type),
      time,
      origins,
    })),
    influences: columns?.influences,
    eventTime: inferred.eventTimes.get('model:m')?.column,
    found: diagnostics.map(({ code, object, path }) => `${code} ${object} ${path}`),
  };
}

const before = new Map<SqlCase, Promise<unknown>>();

/** The findings about the query as the corpus has it. */
function saidBefore(one: SqlCase): Promise<unknown> {
  const known = before.get(one) ?? said(one.sql, one.tables);
  before.set(one, known);
  return known;
}

describe('kind, edges, columns, types and lineage of a query', () => {
  it('do not depend on comments and white space', async () => {
    await fc.assert(
      fc.asyncProperty(aCase, fc.array(aGap, { minLength: 8, maxLength: 8 }), async (one, gaps) => {
        expect(await said(withGaps(one.sql, gaps), one.tables)).toEqual(await saidBefore(one));
      }),
      { numRuns },
    );
  });

  it('do not depend on the case of keywords', async () => {
    await fc.assert(
      fc.asyncProperty(aCase, choices, async (one, lower) => {
        const other = withCase(one.sql, () => lower.next().value === true);
        expect(await said(other, one.tables)).toEqual(await saidBefore(one));
      }),
      { numRuns },
    );
  });

  it('do not depend on backticks around names', async () => {
    await fc.assert(
      fc.asyncProperty(aCase, choices, async (one, quote) => {
        const other = withQuotes(one.sql, () => quote.next().value === true);
        expect(await said(other, one.tables)).toEqual(await saidBefore(one));
      }),
      { numRuns },
    );
  });
});
