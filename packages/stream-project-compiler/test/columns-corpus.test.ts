import { describe, expect, test } from 'vitest';
import { printType } from '../src/types/print-type.ts';
import type { SqlType } from '../src/types/sql-type.ts';
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

/** Their tables have no watermark. The planner names the columns of such a window, and refuses it only when it makes a plan. */
const refused: ReadonlyMap<string, string> = new Map([
  ...['q1482428f', 'q5b7f6ee5', 'qfda644b2'].map((id) => [id, 'LV4131'] as const),
  // They number all rows in descending order
  ...['q7684be10', 'qac95b7ad'].map((id) => [id, 'LV4137'] as const),
]);

describe('columns of the corpus', () => {
  test.each(cases.filter((one) => one.expect.columns !== undefined))(
    '$id',
    async ({ id, sql, tables, expect: wanted }) => {
      const { columns, diagnostics } = await sqlProject(sql, tables);
      const errors = diagnostics.filter(({ severity }) => severity === 'error').map(({ code }) => code);
      expect(errors).toEqual([refused.get(id) ?? []].flat());
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
