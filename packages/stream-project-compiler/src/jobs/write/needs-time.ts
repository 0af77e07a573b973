import { type Expression, functionKind, type Join, type OrderItem, walkSql } from '@levada/stream-sql';
import type { QueryContext } from '../../columns/query-context.ts';
import type { TimeState } from '../../columns/relations/relation.ts';
import { conjuncts, resolvedIn, timeOf } from '../../columns/relations/relation-time.ts';
import type { ModelPlan } from '../model-job.ts';

/** Whether the query of a model has something that waits for event time, or may have. */
export function needsTime({ query, inference }: Pick<ModelPlan, 'query' | 'inference'>): boolean {
  const context = inference.selected?.inferred?.context;
  if (context === undefined) return true;
  const parts = new Map(context.parts.flatMap((part) => (part.kind === 'join' ? [[part.join, part]] : [])));
  let found = false;
  walkSql(query, (node) => {
    if (node.kind === 'table-function' || node.kind === 'match-recognize') found = true;
    if (node.kind === 'join') found ||= joinsByTime(node, parts.get(node), context);
    if (node.kind === 'select' && node.where !== undefined) found ||= comparesTimes(node.where, context);
    if (node.kind === 'query') found ||= ordersByTime(node.orderBy, context);
    if (node.kind === 'call') {
      const name = node.name.at(-1)?.name.toUpperCase() ?? '';
      found ||= functionKind(name) === 'window' || name === 'CURRENT_WATERMARK';
      if (node.over !== undefined)
        found ||= !('orderBy' in node.over) || ordersByTime(node.over.orderBy, context);
    }
    return found ? 'skip' : undefined;
  });
  return found;
}

/** Whether a join is a temporal one, or one of an interval: others take rows in any order of their times. */
function joinsByTime(
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
function comparesTimes(condition: Expression, context: QueryContext): boolean {
  return conjuncts(condition).some((part) => {
    const times = resolvedIn(part, context).filter(({ column }) => mayBeEventTime(column.time));
    return new Set(times.map(({ place }) => place)).size > 1;
  });
}

/** Of several columns the first decides whether rows wait for event time. */
function ordersByTime([first]: readonly OrderItem[], context: QueryContext): boolean {
  return first !== undefined && isEventTime(first.expression, context);
}

function isEventTime(expression: Expression, { columns }: QueryContext): boolean {
  return mayBeEventTime(
    timeOf(expression, expression.kind === 'column' ? columns.get(expression)?.column : undefined),
  );
}

function mayBeEventTime(time: TimeState): boolean {
  return time === 'event' || time === 'uncertain';
}
