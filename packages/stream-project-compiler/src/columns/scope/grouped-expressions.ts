import type { Expression } from '../../sql/tree/expression.ts';
import type { GroupingItem } from '../../sql/tree/query.ts';

/** The expressions of a GROUP BY, those of its sets as well. */
export function groupedExpressions(items: readonly GroupingItem[]): readonly Expression[] {
  return items.flatMap((item) => {
    if (item.kind === 'grouping-sets') return groupedExpressions(item.items);
    return item.kind === 'empty-grouping' ? [] : [item];
  });
}
