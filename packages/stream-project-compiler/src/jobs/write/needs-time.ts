import { functionKind, type OrderItem, walkSql } from '@levada/stream-sql';
import type { QueryContext } from '../../columns/query-context.ts';
import { comparesTimes, isEventTime, joinsByTime } from '../../infer/time-joins.ts';
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

/** Of several columns the first decides whether rows wait for event time. */
function ordersByTime([first]: readonly OrderItem[], context: QueryContext): boolean {
  return first !== undefined && isEventTime(first.expression, context);
}
