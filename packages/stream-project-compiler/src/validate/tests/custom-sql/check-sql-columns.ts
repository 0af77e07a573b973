import { formatPath, parsePath } from '@levada/stream-project-schema';
import type { Macro, Query, TableName } from '@levada/stream-sql';
import { createQueryContext, diagnoseMistake } from '../../../columns/create-query-context.ts';
import type { ColumnMistake } from '../../../columns/query-context.ts';
import { queryRelation } from '../../../columns/relations/query-relation.ts';
import { nodeRelation, type Relation, relationOf } from '../../../columns/relations/relation.ts';
import type { Diagnostic } from '../../../diagnostics/diagnostic.ts';
import { type NodeId, nodeId } from '../../../resolve/node-id.ts';
import { newestDialect } from '../../../types/functions/engine-dialect.ts';
import type { RuleContext } from '../../rule.ts';
import type { PlacedAssertion } from '../assertions/placed-assertion.ts';
import { type CustomSql, isModelUnderTest } from './custom-sql.ts';

/** What is known of one query. */
interface QueryFacts extends RuleContext {
  readonly assertion: PlacedAssertion;
  readonly sql: CustomSql;
}

/**
 * What is said of a query's columns. Aliases are left out, because the model under test may be named as well as `{{ model }}`, and
 * so is whatever depends on time attributes, of which a test has its own.
 */
const reported: ReadonlySet<ColumnMistake['name']> = new Set([
  'unknown-column',
  'ambiguous-column',
  'model-name-quotes',
]);

/** Reports columns that the tables of a query do not have, or several of them have. */
export function checkSqlColumns(facts: QueryFacts, query: Query): readonly Diagnostic[] {
  const { assertion, sql } = facts;
  const { definition } = assertion.test;
  const mistakes: ColumnMistake[] = [];
  const context = createQueryContext({
    sql,
    query,
    owner: definition,
    dialect: newestDialect,
    tableOf: (table) => tableOf(facts, table),
    report: (mistake) => mistakes.push(mistake),
    modelOutputs: () => undefined,
  });
  queryRelation(query, { context, common: undefined, outer: undefined });
  const place = {
    rangeOf: sql.rangeOf,
    path: formatPath([...parsePath(definition.path), ...assertion.path, 'sql']),
    object: definition.object,
  };
  return mistakes.filter(({ name }) => reported.has(name)).map((mistake) => diagnoseMistake(mistake, place));
}

function tableOf({ project, assertion, sql }: QueryFacts, table: TableName | Macro): Relation {
  const id = idOf(table, assertion.test.target);
  const columns = id === undefined ? undefined : project.columns.get(id);
  if (id !== undefined && columns !== undefined) return nodeRelation(id, columns);
  const open = { reason: 'nothing is known of a table', range: () => sql.rangeOf(table), nodes: [] };
  return relationOf({ columns: [], open });
}

function idOf(table: TableName | Macro, target: NodeId | undefined): NodeId | undefined {
  if (table.kind === 'macro') return nodeId(table.macro === 'ref' ? 'model' : 'source', table.name);
  const [name] = table.path;
  return name !== undefined && isModelUnderTest(name.name) ? target : undefined;
}
