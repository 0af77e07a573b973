import type { OrderItem, Query } from '@levada/stream-sql';
import type { QueryContext } from '../query-context.ts';
import type { Relation, RelationColumn } from '../relations/relation.ts';

/** Reports an ORDER BY of a whole stream by something other than time, which needs a LIMIT. */
export function checkOrder({ orderBy, limit }: Query, relation: Relation, context: QueryContext): void {
  const [first] = orderBy;
  if (first === undefined || limit !== undefined || isMaybeTime(first, relation, context)) return;
  context.report({
    name: 'order-without-time',
    message: 'the rows are not in ascending order of a time attribute first, any other order takes a LIMIT',
    hint: 'leave out ORDER BY, which means nothing in a stream, or add LIMIT',
    start: first.start,
    end: first.end,
  });
}

function isMaybeTime(
  { expression, direction }: OrderItem,
  relation: Relation,
  { columns }: QueryContext,
): boolean {
  if (direction === 'DESC') return false;
  if (expression.kind === 'literal')
    return relation.open !== undefined || isTime(relation.columns[Number(expression.value) - 1]);
  if (expression.kind !== 'column') return false;
  const [name, another] = expression.path;
  const selected = name === undefined || another !== undefined ? undefined : relation.find(name.name);
  if (selected === 'ambiguous') return true;
  return isTime(selected ?? columns.get(expression)?.column);
}

function isTime(column: RelationColumn | undefined): boolean {
  return column === undefined || column.time !== undefined;
}
