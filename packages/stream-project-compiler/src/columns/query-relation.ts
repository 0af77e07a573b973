import type { OrderItem, Query, QueryBody, SetOperation } from '../sql/tree/query.ts';
import type { ExpressionPlace } from './expression-use.ts';
import { useOf } from './expression-use.ts';
import { FromScope } from './from-scope.ts';
import { influencesBy, mergeInfluences } from './merge-origins.ts';
import type { ColumnInfluence } from './node-columns.ts';
import type { CommonTables, QueryPlace } from './query-context.ts';
import { type Relation, relationOf } from './relation.ts';
import { renamed } from './rename-columns.ts';
import { selectRelation } from './select-relation.ts';
import { setRelation } from './set-relation.ts';
import { namedTable } from './table-relation.ts';
import { valuesRelation } from './values-relation.ts';

/** The result of a query. */
export function queryRelation(query: Query, place: QueryPlace): Relation {
  const within = query.with.length === 0 ? place : { ...place, common: commonTables(query, place) };
  const { relation, scope } = bodyRelation(query.body, within);
  const influences = orderInfluences(query.orderBy, relation, { ...within, scope });
  if (influences.length === 0) return relation;
  return relationOf({ ...relation, influences: mergeInfluences([relation.influences, influences]) });
}

/** Each may read those before it. */
function commonTables(query: Query, place: QueryPlace): CommonTables {
  const common: CommonTables = { tables: new Map(), outer: place.common };
  for (const { name, columns, query: inner } of query.with) {
    const relation = queryRelation(inner, { ...place, common });
    common.tables.set(name.name, renamed(relation, columns, place.context));
  }
  return common;
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

/** A name of the select list wins over a column of the tables. */
function orderInfluences(
  items: readonly OrderItem[],
  relation: Relation,
  place: ExpressionPlace,
): readonly ColumnInfluence[] {
  const lists = items.map(({ expression }) => {
    const [name, another] = expression.kind === 'column' ? expression.path : [];
    const selected = name === undefined || another !== undefined ? undefined : relation.find(name.name);
    if (selected === 'ambiguous' || expression.kind === 'literal') return [];
    if (selected !== undefined) return influencesBy('order', selected.origins);
    const { origins, influences } = useOf(expression, place);
    return mergeInfluences([influencesBy('order', origins), influences]);
  });
  return mergeInfluences(lists);
}
