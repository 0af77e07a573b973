import { describe, expect, test } from 'vitest';
import { printType } from '../src/types/print-type.ts';
import { sqlProject, type TestTable } from './column-support/sql-project.ts';
import { withMacros } from './column-support/with-macros.ts';
import { jsonRows } from './rows.ts';

/** What the engine's planner, version 2.2.0, makes of a query. */
interface PlannedQuery {
  readonly sql: string;
  /** Names and types of its columns, or what it says when it refuses the query. */
  readonly columns?: string;
  readonly refused?: string;
}

const cases = jsonRows<PlannedQuery>('column-planner/cases.jsonl');

const tables: Readonly<Record<string, TestTable>> = {
  'source:o': {
    columns: [
      ['id', 'STRING'],
      ['k', 'STRING'],
      ['q', 'INT'],
      ['tags', 'ARRAY<STRING>'],
      ['items', 'ARRAY<ROW<sku STRING, n INT>>'],
      ['m', 'MAP<STRING, INT>'],
      ['addr', 'ROW<street STRING, geo ROW<lat DOUBLE>>'],
      ['ts', 'TIMESTAMP(3)'],
      ['pt', 'PROCTIME'],
    ],
    watermark: ['ts', 5000],
  },
  'source:p': {
    columns: [
      ['oid', 'STRING'],
      ['v', 'INT'],
      ['k', 'STRING'],
      ['pts', 'TIMESTAMP(3)'],
    ],
    watermark: ['pts', 5000],
  },
};

describe('columns are those of the planner', () => {
  test.each(cases.flatMap((one) => (one.columns === undefined ? [] : { ...one, wanted: one.columns })))(
    '$sql',
    async ({ sql, wanted }) => {
      const { columns, diagnostics } = await sqlProject(withMacros(sql, tables), tables);
      expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
      const found = columns?.columns.map(({ name, type }) => `${name} ${printType(type)}`).join(', ');
      expect(found?.replaceAll('`', '')).toBe(wanted.replaceAll('`', ''));
    },
  );
});

describe('what the planner refuses is reported', () => {
  test.each(cases.filter(({ refused }) => refused !== undefined))('$sql', async ({ sql }) => {
    const { diagnostics } = await sqlProject(withMacros(sql, tables), tables);
    expect(diagnostics.some(({ severity }) => severity === 'error')).toBe(true);
  });
});
