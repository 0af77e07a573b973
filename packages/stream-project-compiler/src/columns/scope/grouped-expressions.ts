import type { Expression, GroupingItem } from '@levada/stream-sql';

/** The expressions of a GROUP BY, those of its sets as well. */
export function groupedExpressions(items: readonly GroupingItem[]): readonly Expression[] {
  return items.flatMap((item) => {
    if (item.kind === 'grouping-sets') return groupedExpressions(item.items);
    return item.kind === 'empty-grouping' ? [] : [item];
  });
}
