import { childNodes, type Expression, type GroupingItem, type SqlNode } from '@levada/stream-sql';
import type { QueryContext } from '../query-context.ts';

/** A number for each expression: the same for expressions that mean the same, as GROUP BY compares them. */
export type ExpressionIds = (node: SqlNode) => number;

const places = new Set(['start', 'end', 'nameStart', 'nameEnd', 'operatorStart', 'operatorEnd', 'quoted']);

/** Numbers for the expressions of one query, whose columns are resolved. Each part is looked at once. */
export function expressionIds({ columns }: QueryContext): ExpressionIds {
  const known = new Map<SqlNode, number>();
  const byKey = new Map<string, number>();
  const idOf = (node: SqlNode): number => {
    const before = known.get(node);
    if (before !== undefined) return before;
    const column = node.kind === 'column' ? columns.get(node) : undefined;
    const key =
      column === undefined
        ? `${facts(node)} ${childNodes(node).map(idOf).join(' ')}`
        : `column ${column.id} ${column.scope.depth}`;
    const id = byKey.get(key) ?? byKey.size;
    byKey.set(key, id);
    known.set(node, id);
    return id;
  };
  return idOf;
}

/** What a node says by itself. Names of functions are of any case of letters. */
function facts(node: SqlNode): string {
  const own = Object.entries(node).filter(
    ([key, value]) => !places.has(key) && (typeof value !== 'object' || value === null),
  );
  const text = own.map(([key, value]) => `${key}=${String(value)}`).join(',');
  return node.kind === 'identifier' ? text.toUpperCase() : text;
}

/** The expressions of a GROUP BY, those of its sets as well. */
export function groupedExpressions(items: readonly GroupingItem[]): readonly Expression[] {
  return items.flatMap((item) => {
    if (item.kind === 'grouping-sets') return groupedExpressions(item.items);
    return item.kind === 'empty-grouping' ? [] : [item];
  });
}
