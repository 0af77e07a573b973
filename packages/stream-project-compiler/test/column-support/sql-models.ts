import type { NodeColumns } from '../../src/columns/nodes/node-columns.ts';
import type { Diagnostic } from '../../src/index.ts';
import { compileFiles } from '../resolve-support/compile-files.ts';
import { engineCase } from './engine-case.ts';
import { sourceOf, type TestTable } from './sql-project.ts';

/** What was found of one of many queries. */
export interface SqlModel {
  readonly columns: NodeColumns | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

/** Infers each query over tables that `CREATE TABLE` describes, as a model of one project. */
export async function sqlModels(
  base: readonly string[],
  queries: readonly string[],
): Promise<readonly SqlModel[]> {
  const cases = queries.map((sql) => engineCase(base, [sql]));
  const tables: Readonly<Record<string, TestTable>> = cases[0]?.tables ?? {};
  const sources = Object.entries(tables).map(([key, table]) => sourceOf(key, table));
  const models = cases.map((found, index) => ({ name: `m${index}`, sql: found?.sql ?? 'no query' }));
  const { inferred, diagnostics } = await compileFiles({
    'models/m.yml': JSON.stringify({ sources, models }, undefined, 2),
  });
  const byObject = Map.groupBy(diagnostics, ({ object }) => object);
  return queries.map((_, index) => ({
    columns: inferred.columns.get(`model:m${index}`),
    diagnostics: byObject.get(`model:m${index}`) ?? [],
  }));
}
