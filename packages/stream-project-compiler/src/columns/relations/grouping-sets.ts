import type { Expression, GroupBy, GroupingItem } from '@levada/stream-sql';
import type { QueryContext } from '../query-context.ts';
import { expressionIds } from '../scope/expression-ids.ts';
import { groupedExpressions } from '../scope/grouped-expressions.ts';

/**
 * Says of a part of the select list whether GROUPING SETS, ROLLUP or CUBE leave it out in some rows, where it is null. Undefined where they
 * leave out none. Columns of GROUP BY are resolved before.
 */
export function leftOutOf(
  groupBy: GroupBy | undefined,
  context: QueryContext,
): ((part: Expression) => boolean) | undefined {
  if (groupBy?.items.some((item) => item.kind === 'grouping-sets') !== true) return undefined;
  const ids = expressionIds(context);
  const always = union(groupBy.items.map((item) => inEverySet(item, ids)));
  const grouped = new Set(groupedExpressions(groupBy.items).flatMap(single).map(ids));
  const leftOut = new Set([...grouped].filter((id) => !always.has(id)));
  return (part) => leftOut.has(ids(part));
}

/** The expressions by which the rows of each set are grouped. */
function inEverySet(item: GroupingItem, ids: (part: Expression) => number): ReadonlySet<number> {
  if (item.kind === 'empty-grouping') return new Set();
  if (item.kind !== 'grouping-sets') return new Set(single(item).map(ids));
  // The last set of ROLLUP and CUBE is the empty one
  if (item.type !== 'GROUPING SETS') return new Set();
  const [first = new Set<number>(), ...others] = item.items.map((set) => inEverySet(set, ids));
  return new Set([...first].filter((id) => others.every((other) => other.has(id))));
}

function single(item: Expression): readonly Expression[] {
  return item.kind === 'row' ? item.fields : [item];
}

function union(sets: readonly ReadonlySet<number>[]): ReadonlySet<number> {
  return new Set(sets.flatMap((set) => [...set]));
}
