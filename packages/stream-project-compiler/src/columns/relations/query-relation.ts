import type {
  Expression,
  Identifier,
  Literal,
  OrderItem,
  Query,
  QueryBody,
  SetOperation,
  Values,
} from '@levada/stream-sql';
import { quote } from '../../diagnostics/quote.ts';
import { commonType } from '../../types/common-type.ts';
import type { ColumnInfluence } from '../nodes/node-columns.ts';
import type { CommonTables, QueryPlace } from '../query-context.ts';
import { expressionType } from '../scope/expression-type.ts';
import { type ExpressionPlace, useOf } from '../scope/expression-use.ts';
import { FromScope } from '../scope/from-scope.ts';
import { influencesBy, mergeInfluences, mergeOrigins } from './merge-origins.ts';
import { type Relation, relationOf } from './relation.ts';
import { renamed } from './rename-columns.ts';
import { selectRelation } from './select-relation.ts';
import { setRelation } from './set-relation.ts';
import { namedTable } from './table-relation.ts';

/** The result of a query. */
export function queryRelation(query: Query, place: QueryPlace): Relation {
  const within = query.with.length === 0 ? place : { ...place, common: commonTables(query, place) };
  const { relation, scope } = bodyRelation(query.body, within);
  const influences = orderInfluences(query.orderBy, relation, { ...within, scope });
  if (query.body.kind === 'select') {
    const { body: select, orderBy } = query;
    place.context.parts.push({ kind: 'order', select, orderBy, place: { ...within, scope } });
  }
  checkLimit(query, place.context);
  if (influences.length === 0) return relation;
  return relationOf({ ...relation, influences: mergeInfluences([relation.influences, influences]) });
}

/** Reports rows that are left out of a stream without end. */
function checkLimit({ limit }: Query, { report }: QueryPlace['context']): void {
  if (limit?.offset === undefined || limit.count !== undefined) return;
  report({
    name: 'offset-without-limit',
    message: 'OFFSET without LIMIT',
    hint: 'write LIMIT and the number of rows before OFFSET',
    start: limit.start,
    end: limit.end,
  });
}

/** Each may read those before it. */
function commonTables(query: Query, place: QueryPlace): CommonTables {
  const common: CommonTables = { tables: new Map(), outer: place.common };
  for (const { name, columns, query: inner } of query.with) {
    const relation = queryRelation(inner, { ...place, common });
    const named = renamed(relation, columns, place.context);
    if (columns.length === 0) checkNames(name, named, place.context);
    common.tables.set(name.name, named);
  }
  return common;
}

/** A common table has one column of each name, even if no query reads it. */
function checkNames(table: Identifier, { columns, find }: Relation, context: QueryPlace['context']): void {
  const column = columns.find(({ name }) => find(name) === 'ambiguous');
  if (column === undefined) return;
  const shown = quote(column.written ?? column.name);
  context.report({
    name: 'duplicate-table-column',
    message: `the common table ${quote(context.shown(table))} has more than one column ${shown}`,
    hint: 'add AS with another name to one of them',
    start: table.start,
    end: table.end,
  });
}

/** The rows of a query's body, and the tables that its `ORDER BY` may name columns of. */
function bodyRelation(body: QueryBody, place: QueryPlace): { relation: Relation; scope: FromScope } {
  if (body.kind === 'select') return selectRelation(body, place);
  const relation = otherBody(body, place);
  const scope = new FromScope(place.outer);
  scope.add({ alias: undefined, relation });
  return { relation, scope };
}

function otherBody(body: Exclude<QueryBody, { kind: 'select' }>, place: QueryPlace): Relation {
  if (body.kind === 'query') return queryRelation(body, place);
  if (body.kind === 'values') return valuesRelation(body, place);
  if (body.kind === 'explicit-table') return namedTable(body.table, place);
  return setOperation(body, place);
}

function setOperation(node: SetOperation, place: QueryPlace): Relation {
  const operands = node.operands.map((body) => ({ body, relation: bodyRelation(body, place).relation }));
  return setRelation(node, operands, place.context);
}

/** Names of the select list win over columns of the tables, within expressions as well. */
function orderInfluences(
  items: readonly OrderItem[],
  relation: Relation,
  place: ExpressionPlace,
): readonly ColumnInfluence[] {
  if (items.length === 0) return [];
  const scope = new FromScope(place.scope);
  const columns = relation.columns.filter(({ name }) => relation.find(name) !== 'ambiguous');
  scope.add({ alias: undefined, relation: relationOf({ columns }) });
  const lists = items.map(({ expression }) => {
    const [name, another] = expression.kind === 'column' ? expression.path : [];
    const selected = name === undefined || another !== undefined ? undefined : relation.find(name.name);
    if (selected === 'ambiguous') return [];
    if (expression.kind === 'literal') return reportOrdinal(expression, relation, place);
    const { origins, influences } = useOf(expression, { ...place, scope });
    return mergeInfluences([influencesBy('order', origins), influences]);
  });
  return mergeInfluences(lists);
}

/** Reports a number after ORDER BY that is not the position of a column. */
function reportOrdinal(
  { type, value, start, end }: Literal,
  { columns, open }: Relation,
  { context }: ExpressionPlace,
): readonly ColumnInfluence[] {
  if (type !== 'integer' || open !== undefined) return [];
  const number = Number(value);
  if (number >= 1 && number <= columns.length) return [];
  context.report({
    name: 'unknown-column',
    message: `ORDER BY a number that is not a column, the result has ${columns.length}`,
    hint: 'write the name of the column',
    start,
    end,
  });
  return [];
}

/** Rows that are written out. Columns are called `EXPR$0`, `EXPR$1`, as the engine does. */
function valuesRelation({ rows }: Values, place: QueryPlace): Relation {
  const within = { ...place, scope: new FromScope(place.outer) };
  const first = fieldsOf(rows[0]);
  const odd = rows.find((row) => fieldsOf(row).length !== first.length);
  if (odd !== undefined) {
    reportRow(
      odd,
      `a row of VALUES has ${fieldsOf(odd).length}, expected ${first.length} as the first one has`,
      place,
    );
  }
  const columns = first.map((field, index) => {
    const values = rows.flatMap((row) => fieldsOf(row)[index] ?? []);
    const uses = values.map((value) => useOf(value, within));
    const type = commonType(values.map((value) => expressionType(value, within)));
    if (type === 'none') {
      reportRow(field, `the values of column ${index + 1} of VALUES have no common type`, place);
    }
    return {
      name: `EXPR$${index}`,
      type: type === 'none' ? undefined : type,
      time: undefined,
      origins: mergeOrigins(uses.map(({ origins }) => origins)),
      span: { start: field.start, end: field.end },
    };
  });
  return relationOf({ columns });
}

/** `VALUES (1, 2)` gives two columns, `VALUES 1` gives one. */
function fieldsOf(row: Expression | undefined): readonly Expression[] {
  if (row === undefined) return [];
  return row.kind === 'row' ? row.fields : [row];
}

function reportRow({ start, end }: Expression, message: string, { context }: QueryPlace): void {
  context.report({ name: 'type-mismatch', message, hint: 'convert them with CAST', start, end });
}
