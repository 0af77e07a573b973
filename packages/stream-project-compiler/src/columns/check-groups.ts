import { quote } from '../diagnostics/quote.ts';
import { functionKind } from '../sql/analysis/function-kinds.ts';
import { childNodes, walkSql } from '../sql/analysis/walk-sql.ts';
import type { Call } from '../sql/tree/call.ts';
import type { Column, Expression } from '../sql/tree/expression.ts';
import type { Select } from '../sql/tree/query.ts';
import type { SqlNode } from '../sql/tree/sql-node.ts';
import { engineFunction } from '../types/functions/engine-functions.ts';
import { type ExpressionIds, expressionIds } from './expression-ids.ts';
import { aggregates, type ExpressionPlace } from './expression-use.ts';
import { groupedExpressions } from './grouped-expressions.ts';
import { hasUnresolved } from './has-unresolved.ts';

interface Groups {
  readonly ids: ExpressionIds;
  /** Of the expressions by which rows are grouped. */
  readonly grouped: ReadonlySet<number>;
  readonly place: ExpressionPlace;
}

/** Reports columns of a grouped SELECT that have no one value in a group: neither grouped nor within an aggregate. */
export function checkGroups(select: Select, place: ExpressionPlace): void {
  const items = groupedExpressions(select.groupBy?.items ?? []);
  const expressions = [
    ...select.items.map(({ expression }) => expression),
    ...(select.having === undefined ? [] : [select.having]),
  ];
  if (select.groupBy === undefined && !expressions.some(hasAggregate)) return;
  if (items.some((item) => hasUnresolved(item, place.context))) return;
  const ids = expressionIds(place.context);
  const flat = items.flatMap((item) => (item.kind === 'row' ? item.fields : [item]));
  const groups: Groups = { ids, grouped: new Set([...items, ...flat].map(ids)), place };
  for (const expression of expressions) checkExpression(expression, groups, flat);
}

/** Reports an aggregate in WHERE, which looks at single rows. */
export function checkWhere({ where }: Select, { report }: ExpressionPlace['context']): void {
  if (where === undefined || !hasAggregate(where)) return;
  report({
    name: 'aggregate-in-where',
    message: 'WHERE has an aggregate function, but it looks at single rows',
    hint: 'write the condition in HAVING',
    start: where.start,
    end: where.end,
  });
}

/** Whether an aggregate is in it that is no OVER window and not in a query of its own. */
function hasAggregate(expression: Expression): boolean {
  let found = false;
  walkSql(expression, (node) => {
    if (node.kind === 'query') return 'skip';
    found ||= node.kind === 'call' && isAggregate(node);
    return found ? 'skip' : undefined;
  });
  return found;
}

function isAggregate(call: Call): boolean {
  return call.over === undefined && aggregates(call);
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
