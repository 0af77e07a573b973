import { type Expression, type Join, walkSql } from '@levada/stream-sql';
import type { QueryContext, ResolvedColumn } from '../query-context.ts';
import type { ExpressionPlace } from '../scope/expression-use.ts';

/**
 * Says what a join leaves of time attributes: those of the left side of a temporal join, and both of a join that is bound
 * by time. `unbounded` when only WHERE may still bind it.
 */
export function timeAfterJoin(
  join: Join,
  before: number,
  { scope, context }: ExpressionPlace,
): 'unbounded' | 'done' {
  const { right, type, condition } = join;
  if (right.kind === 'table') {
    if (right.asOf !== undefined) {
      scope.loseTime('lost', { from: before });
      return 'done';
    }
    if (right.source.kind === 'unnest') {
      scope.loseTime('lost');
      return 'done';
    }
    if (right.lateral) {
      scope.loseTime('uncertain');
      return 'done';
    }
  }
  const link = condition === undefined ? 'none' : timeLink(condition, before, context);
  if (link === 'bound') return 'done';
  if (link === 'maybe') scope.loseTime('uncertain');
  else if (type === 'INNER' || type === 'CROSS' || type === 'COMMA') return 'unbounded';
  else scope.loseTime('lost');
  return 'done';
}

/** Whether a part of a condition has times of more than one table. */
export function mayBindTime(condition: Expression, context: QueryContext): boolean {
  return conjuncts(condition).some((part) => {
    const columns = columnsIn(part, context);
    const times = columns.filter(({ column }) => column.time !== undefined || column.edge !== undefined);
    return new Set(times.map(({ place }) => place)).size > 1;
  });
}

/** Whether conditions bind two sides by time: from both ends, maybe, or not at all. */
type TimeLink = 'bound' | 'maybe' | 'none';

/** How a condition binds tables from `before` on with those before it. */
function timeLink(condition: Expression, before: number, context: QueryContext): TimeLink {
  let ends = 0;
  let windows = false;
  for (const part of conjuncts(condition)) {
    const columns = columnsIn(part, context);
    if (!linksTimes(columns, before)) {
      windows ||= columns.length > 1 && columns.every(({ column }) => column.edge !== undefined);
    } else if (part.kind === 'between') ends += 2;
    else if (part.kind === 'binary') ends += part.operator === '=' ? 2 : 1;
  }
  if (ends >= 2) return 'bound';
  return ends > 0 || windows ? 'maybe' : 'none';
}

/** What must all be true, of AND within AND as well. */
export function conjuncts(condition: Expression): readonly Expression[] {
  if (condition.kind !== 'logical' || condition.operator !== 'AND') return [condition];
  return condition.operands.flatMap(conjuncts);
}

function columnsIn(expression: Expression, context: QueryContext): readonly ResolvedColumn[] {
  const found: ResolvedColumn[] = [];
  walkSql(expression, (node) => {
    if (node.kind === 'query') return 'skip';
    const resolved = node.kind === 'column' ? context.columns.get(node) : undefined;
    if (resolved !== undefined) found.push(resolved);
    return undefined;
  });
  return found;
}

function linksTimes(columns: readonly ResolvedColumn[], before: number): boolean {
  const times = columns.filter(({ column }) => column.time !== undefined);
  return (
    times.some(({ place }) => place !== undefined && place < before) &&
    times.some(({ place }) => place !== undefined && place >= before)
  );
}
