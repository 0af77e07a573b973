import { formatPath, parsePath } from '@levada/stream-project-schema';
import {
  type Macro,
  outputColumns,
  type Query,
  type TableName,
  type TableReference,
  tableReferences,
} from '@levada/stream-sql';
import { createQueryContext, diagnoseMistake } from '../../columns/create-query-context.ts';
import type { ColumnMistake } from '../../columns/query-context.ts';
import { queryRelation } from '../../columns/relations/query-relation.ts';
import { nodeRelation, type Relation, relationOf } from '../../columns/relations/relation.ts';
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { quote } from '../../diagnostics/quote.ts';
import { sqlMistakes } from '../../resolve/check-sql.ts';
import { type NodeId, nodeId } from '../../resolve/node-id.ts';
import { isReplaced } from '../../resolve/place-in-file.ts';
import { resolveCodes } from '../../resolve/resolve-codes.ts';
import { type PlacedAssertion, targetWords } from '../../test-jobs/assertion.ts';
import {
  type CustomSql,
  isModelUnderTest,
  readCustomSql,
  type SqlNames,
} from '../../test-jobs/custom-sql.ts';
import { newestDialect } from '../../types/functions/engine-dialect.ts';
import { at, finding, named } from '../finding.ts';
import type { RuleContext } from '../rule.ts';
import { testCodes } from './test-codes.ts';

/**
 * Checks the query of a `custom_sql`. It reads the model or source under test as `{{ model }}`, and others with
 * `{{ ref("name") }}` and `{{ source("name") }}`.
 */
export function checkCustomSql(
  context: RuleContext,
  assertion: PlacedAssertion,
  names: SqlNames,
): readonly Diagnostic[] {
  const sql = context.memory.recall(readCustomSql, assertion, []);
  if (sql === undefined) return [];
  const { definition } = assertion.test;
  const path = formatPath([...assertion.path, 'sql']);
  const mistakes = sqlMistakes(definition, path, sql);
  const unknown = names.check(assertion, sql);
  const { query } = sql.parsed;
  if (mistakes.length > 0 || query === undefined) return [...mistakes, ...unknown];
  const columns = checkSqlColumns({ ...context, assertion, sql }, query);
  const answer = checkAnswer(assertion, query);
  // What is unknown may be meant for what is under test
  if (unknown.length > 0) return [...unknown, ...columns, ...answer];
  return [...checkTables(assertion, sql, query), ...columns, ...answer];
}

/** Reports a query of several columns whose answer is compared with one value. */
function checkAnswer(
  { test: { definition }, node, path }: PlacedAssertion,
  query: Query,
): readonly Diagnostic[] {
  const expected = node.entries.get('expect')?.node;
  const columns = outputColumns(query);
  if (expected?.kind !== 'leaf' || columns.length < 2 || columns.some(({ kind }) => kind === 'star'))
    return [];
  const message = `"custom_sql" of ${named(definition)} returns ${columns.length} columns, but "expect" is one value`;
  const hint = 'select only the column that "expect" compares';
  return [finding(testCodes['custom-sql-columns'], at(definition, [...path, 'expect']), { message, hint })];
}

/** Reports tables without a macro, and a query that does not look at what is under test. */
function checkTables(assertion: PlacedAssertion, sql: CustomSql, query: Query): readonly Diagnostic[] {
  const tables = tableReferences(query);
  const plain = tables.filter(({ kind, name }) => kind === 'table' && !isModelUnderTest(name));
  if (plain.length > 0) return plain.map((table) => plainTable(assertion, sql, table));
  const { definition, target } = assertion.test;
  if (target === undefined || tables.some((table) => isUnderTest(table, target))) return [];
  const message = `"custom_sql" of ${named(definition)} does not read ${targetWords(target)}, which is under test`;
  const hint = 'use {{ model }}';
  return [
    finding(testCodes['custom-sql-target'], at(definition, [...assertion.path, 'sql']), { message, hint }),
  ];
}

function isUnderTest({ kind, name }: TableReference, target: string): boolean {
  if (kind === 'table') return isModelUnderTest(name);
  return nodeId(kind === 'ref' ? 'model' : 'source', name) === target;
}

/** Tables named without a macro are in no graph, and not known. */
function plainTable(
  { test: { definition }, path }: PlacedAssertion,
  { leaf, rangeOf, writtenAt }: CustomSql,
  { name, places: [place = { start: 0, end: 0 }] }: TableReference,
): Diagnostic {
  const shown = isReplaced(leaf) ? writtenAt(place) : name;
  const whole = at(definition, [...path, 'sql']);
  return finding(
    resolveCodes['plain-table'],
    { ...whole, range: rangeOf(place) },
    {
      message: `table ${quote(shown)} is used without a macro, expected {{ model }}, {{ ref("name") }} or {{ source("name") }}`,
      hint: definition.value?.model === name ? 'write {{ model }}' : undefined,
    },
  );
}

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
function checkSqlColumns(facts: QueryFacts, query: Query): readonly Diagnostic[] {
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
  const open = { reason: 'the columns of a table are not known', range: () => sql.rangeOf(table), nodes: [] };
  return relationOf({ columns: [], open });
}

function idOf(table: TableName | Macro, target: NodeId | undefined): NodeId | undefined {
  if (table.kind === 'macro') return nodeId(table.macro === 'ref' ? 'model' : 'source', table.name);
  const [name] = table.path;
  return name !== undefined && isModelUnderTest(name.name) ? target : undefined;
}
