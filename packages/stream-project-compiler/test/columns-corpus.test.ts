import { describe, expect, test } from 'vitest';
import type { SqlType } from '../src/index.ts';
import { printType } from '../src/types/print-type.ts';
import { sqlProject, type TestTable } from './column-support/sql-project.ts';
import { jsonRows } from './rows.ts';

interface SqlCase {
  readonly id: string;
  readonly sql: string;
  readonly tables?: Readonly<Record<string, TestTable>>;
  readonly expect: {
    readonly columns?: readonly (readonly [name: string | null, type: string])[];
    readonly engine_rejects?: 'syntax' | 'semantic';
  };
}

const cases = jsonRows<SqlCase>('corpus/sql.jsonl');

describe('columns of the corpus', () => {
  test.each(cases.filter((one) => one.expect.columns !== undefined))(
    '$id',
    async ({ sql, tables, expect: wanted }) => {
      const { columns, text } = await sqlProject(sql, tables);
      expect(text).not.toContain('error');
      expect(columns?.incomplete).toBeUndefined();
      const found = columns?.columns.map(({ name, type }) => [name, corpusType(type)]);
      expect(found).toEqual(
        wanted.columns?.map(([name], at) => [name ?? found?.[at]?.[0], wanted.columns?.[at]?.[1]]),
      );
    },
  );
});

/** Types as the corpus writes them: without NOT NULL, and text of any length as STRING. */
function corpusType(type: SqlType | undefined): string {
  return printType(type)
    .replaceAll(' NOT NULL', '')
    .replaceAll(/\b(VARCHAR|CHAR)\(\d+\)/g, 'STRING');
}
