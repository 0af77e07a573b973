import {
  type Call,
  type Column,
  childNodes,
  type Expression,
  functionKind,
  type OrderItem,
  type Select,
  type SqlNode,
  walkSql,
} from '@levada/stream-sql';
import { quote } from '../../diagnostics/quote.ts';
import { engineFunction } from '../../types/functions/engine-functions.ts';
import type { QueryContext } from '../query-context.ts';
import { type ExpressionIds, expressionIds, groupedExpressions } from '../scope/expression-ids.ts';
import { type ExpressionPlace, hasUnresolved } from '../scope/expression-use.ts';
import { hasOver } from './check-over.ts';

interface Groups {
  readonly ids: ExpressionIds;
  /** Ids of the expressions in GROUP BY. */
  readonly grouped: ReadonlySet<number>;
  readonly place: ExpressionPlace;
}

/** Reports columns of a grouped SELECT that have no one value in a group: neither grouped nor within an aggregate. */
export function checkGroups(select: Select, place: ExpressionPlace): void {
  const having = select.having === undefined ? [] : [select.having];
  checkGrouped(select, [...valuesOf(select), ...having], place);
}

/** Reports columns of ORDER BY that have no one value in a group. */
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
    message: `the column ${quote(context.shown(name))} is neither grouped nor within an aggregate function, so it has more than one value in a group`,
    hint: hintFor(name.name, items, context.mayHint),
    start: node.start,
    end: node.end,
  });
}

function hintFor(name: string, items: readonly Expression[], mayHint: boolean): string | undefined {
  if (items.some((item) => item.kind === 'literal')) {
    return 'GROUP BY takes expressions, a number does not refer to the select list';
  }
  return mayHint ? `add ${quote(name)} to GROUP BY, or write an aggregate such as MAX(${name})` : undefined;
}

/** Reports aggregates where they are not allowed: in WHERE and GROUP BY, and within each other. */
export function checkAggregates(select: Select, context: QueryContext): void {
  const { items, where, having, groupBy } = select;
  if (where !== undefined) checkPlace(where, 'WHERE', context);
  for (const item of groupedExpressions(groupBy?.items ?? [])) checkPlace(item, 'GROUP BY', context);
  for (const { expression } of items) checkNested(expression, context);
  if (having !== undefined) checkNested(having, context);
}

/** Whether rows are put together by it; with OVER they are not. */
function isAggregate(call: Call): boolean {
  if (call.over !== undefined) return false;
  const kind = functionKind(nameOf(call));
  if (kind !== undefined || engineFunction(nameOf(call)) !== undefined) return kind === 'aggregate';
  // A function of the user's own that is written as an aggregate
  return call.quantifier !== undefined || call.filter !== undefined || call.withinDistinct.length > 0;
}

/** Whether an aggregate is in it that is no OVER window and not in a query of its own. */
function hasAggregate(expression: SqlNode): boolean {
  return firstAggregate(expression) !== undefined;
}

function firstAggregate(expression: SqlNode): Call | undefined {
  let found: Call | undefined;
  walkSql(expression, (node) => {
    if (node.kind === 'query') return 'skip';
    if (node.kind === 'call' && isAggregate(node)) found ??= node;
    return found === undefined ? undefined : 'skip';
  });
  return found;
}

function checkPlace(expression: SqlNode, clause: 'WHERE' | 'GROUP BY', { report }: QueryContext): void {
  const { start, end } = expression;
  if (hasAggregate(expression)) {
    const name = clause === 'WHERE' ? 'aggregate-in-where' : 'aggregate-place';
    const message = `${clause} has an aggregate function, but it looks at single rows`;
    const hint =
      clause === 'WHERE' ? 'write the condition in HAVING' : 'aggregate in a query around this one';
    report({ name, message, hint, start, end });
  } else if (hasOver(expression)) {
    const message = `${clause} has a function with OVER, which is computed after it`;
    const hint = 'select it in a common table, and use its name in a query over that';
    report({ name: 'aggregate-place', message, hint, start, end });
  }
}

/** The walk ends at the first aggregate on each way down, and looks into its arguments. */
function checkNested(expression: SqlNode, context: QueryContext): void {
  walkSql(expression, (node) => {
    if (node.kind === 'query') return 'skip';
    if (node.kind !== 'call') return undefined;
    if (!isAggregate(node)) {
      checkPlain(node, context);
      return undefined;
    }
    const parts = [
      ...node.arguments.map(({ value }) => value),
      ...(node.filter === undefined ? [] : [node.filter]),
    ];
    for (const part of parts) {
      const inner = firstAggregate(part);
      if (inner !== undefined) reportNested(node, inner, context);
    }
    return 'skip';
  });
}

function reportNested(outer: Call, { start, end, name }: Call, { report }: QueryContext): void {
  report({
    name: 'aggregate-place',
    message: `${name.at(-1)?.name.toUpperCase()} is nested in ${nameOf(outer)}, but an aggregate function takes values of single rows`,
    hint: 'compute the inner one in a common table, and the outer one over that',
    start,
    end,
  });
}

/** FILTER, DISTINCT and OVER belong to aggregates. */
function checkPlain(call: Call, { report }: QueryContext): void {
  const name = nameOf(call);
  if (functionKind(name) !== undefined || engineFunction(name) === undefined) return;
  const clause =
    call.filter !== undefined
      ? 'FILTER'
      : call.quantifier !== undefined
        ? call.quantifier
        : call.over !== undefined
          ? 'OVER'
          : undefined;
  if (clause === undefined) return;
  const message = `${clause} requires an aggregate function, but ${quote(name)} is not one`;
  report({ name: 'aggregate-place', message, start: call.start, end: call.end });
}

function nameOf({ name }: Call): string {
  return name.at(-1)?.name.toUpperCase() ?? '';
}
