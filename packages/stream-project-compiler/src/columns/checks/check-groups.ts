import {
  type Call,
  type Column,
  childNodes,
  type Expression,
  functionKind,
  type OrderItem,
  type Select,
  type SqlNode,
} from '@levada/stream-sql';
import { quote } from '../../diagnostics/quote.ts';
import { engineFunction } from '../../types/functions/engine-functions.ts';
import { type ExpressionIds, expressionIds } from '../scope/expression-ids.ts';
import type { ExpressionPlace } from '../scope/expression-use.ts';
import { groupedExpressions } from '../scope/grouped-expressions.ts';
import { hasUnresolved } from '../scope/has-unresolved.ts';
import { hasAggregate, isAggregate } from './check-aggregates.ts';

interface Groups {
  readonly ids: ExpressionIds;
  /** Of the expressions by which rows are grouped. */
  readonly grouped: ReadonlySet<number>;
  readonly place: ExpressionPlace;
}

/** Reports columns of a grouped SELECT that have no one value in a group: neither grouped nor within an aggregate. */
export function checkGroups(select: Select, place: ExpressionPlace): void {
  const having = select.having === undefined ? [] : [select.having];
  checkGrouped(select, [...valuesOf(select), ...having], place);
}

/** The same for what rows are put in order by. */
export function checkOrderGroups(
  select: Select,
  orderBy: readonly OrderItem[],
  place: ExpressionPlace,
): void {
  const expressions = orderBy.map(({ expression }) => expression);
  checkGrouped(select, expressions, place);
}

function valuesOf({ items }: Select): readonly Expression[] {
  return items.map(({ expression }) => expression);
}

function checkGrouped(select: Select, expressions: readonly Expression[], place: ExpressionPlace): void {
  const items = groupedExpressions(select.groupBy?.items ?? []);
  const having = select.having === undefined ? [] : [select.having];
  const isGrouped = select.groupBy !== undefined || having.length > 0 || valuesOf(select).some(hasAggregate);
  if (!isGrouped) return;
  if (items.some((item) => hasAggregate(item) || hasUnresolved(item, place.context))) return;
  const ids = expressionIds(place.context);
  const flat = items.flatMap((item) => (item.kind === 'row' ? item.fields : [item]));
  const groups: Groups = { ids, grouped: new Set([...items, ...flat].map(ids)), place };
  for (const expression of expressions) checkExpression(expression, groups, flat);
}

function checkExpression(expression: Expression, groups: Groups, items: readonly Expression[]): void {
  const waiting: SqlNode[] = [expression];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (groups.grouped.has(groups.ids(node)) || node.kind === 'query') continue;
    if (node.kind === 'call' && givesOneValue(node)) continue;
    if (node.kind === 'column') checkColumn(node, groups, items);
    else waiting.push(...childNodes(node));
  }
}

/** Aggregates and the windows of GROUP BY do; functions of users may be aggregates. */
function givesOneValue(call: Call): boolean {
  const name = call.name.at(-1)?.name.toUpperCase() ?? '';
  return isAggregate(call) || functionKind(name) === 'window' || engineFunction(name) === undefined;
}

function checkColumn(node: Column, { place, grouped, ids }: Groups, items: readonly Expression[]): void {
  const { context, scope } = place;
  const resolved = context.columns.get(node);
  const name = node.path.at(-1);
  // A column of the query around it has one value here
  if (resolved === undefined || resolved.scope !== scope || name === undefined) return;
  if (grouped.has(ids(node)) || scope.mergedColumns().some((merged) => merged.name === name.name)) return;
  context.report({
    name: 'not-grouped',
    message: `the column ${quote(context.shown(name))} is neither grouped nor within an aggregate function, so it has no one value in a group`,
    hint: hintFor(name.name, items, context.mayHint),
    start: node.start,
    end: node.end,
  });
}

function hintFor(name: string, items: readonly Expression[], mayHint: boolean): string | undefined {
  if (items.some((item) => item.kind === 'literal')) {
    return 'GROUP BY takes expressions, a number is none of the select list';
  }
  return mayHint ? `add ${quote(name)} to GROUP BY, or write an aggregate such as MAX(${name})` : undefined;
}
