import type { Expression, Join } from '@levada/stream-sql';
import type { QueryContext } from '../columns/query-context.ts';
import type { TimeState } from '../columns/relations/relation.ts';
import { conjuncts, resolvedIn, timeOf } from '../columns/relations/relation-time.ts';

/** Whether a join is a temporal one, or one of an interval: others take rows in any order of their times. */
export function joinsByTime(
  { right, condition, natural, using }: Join,
  part: Extract<QueryContext['parts'][number], { kind: 'join' }> | undefined,
  context: QueryContext,
): boolean {
  if (right.kind === 'table' && right.asOf !== undefined && isEventTime(right.asOf, context)) return true;
  if (condition !== undefined) return comparesTimes(condition, context);
  if (!natural && using.length === 0) return false;
  if (part === undefined) return true;
  const { before, place } = part;
  const names = natural ? place.scope.sharedNames(before) : using.map(({ name }) => name);
  return names.some((name) => {
    const found = place.scope.findAmong(name, 0, before);
    return found.kind !== 'column' || found.column.type?.name.startsWith('TIMESTAMP') !== false;
  });
}

/** Whether a condition compares event times of several tables, which makes a join one of an interval. */
export function comparesTimes(condition: Expression, context: QueryContext): boolean {
  return conjuncts(condition).some((part) => {
    const times = resolvedIn(part, context).filter(({ column }) => mayBeEventTime(column.time));
    return new Set(times.map(({ place }) => place)).size > 1;
  });
}

/** Whether a value is an event time, or may be one. */
export function isEventTime(expression: Expression, { columns }: QueryContext): boolean {
  return mayBeEventTime(
    timeOf(expression, expression.kind === 'column' ? columns.get(expression)?.column : undefined),
  );
}

function mayBeEventTime(time: TimeState): boolean {
  return time === 'event' || time === 'uncertain';
}
