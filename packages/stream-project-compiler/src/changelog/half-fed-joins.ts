import type { Expression, Join } from '@levada/stream-sql';
import { resolvedIn } from '../columns/relations/relation-time.ts';
import type { ExpressionPlace } from '../columns/scope/expression-use.ts';
import { type Changes, isAppend } from './changes.ts';
import type { ChangesPlace } from './changes-context.ts';

/** Whether a join has rows for matches alone. */
export function isInner({ type }: Join): boolean {
  return type === 'INNER' || type === 'CROSS' || type === 'COMMA';
}

/**
 * Whether the planner leaves out rows before each change that the join needs: an outer join counts matches by them, and a condition
 * other than "=" of two columns finds with them which of its rows hold no longer.
 */
export function isHalfFed(
  join: Join,
  sides: { readonly one: Changes; readonly other: Changes; readonly conditions: readonly Expression[] },
  { context, at }: Pick<ChangesPlace, 'context'> & { readonly at: ExpressionPlace },
): boolean {
  if (isAppend(sides.one) && isAppend(sides.other)) return false;
  if (!isInner(join)) return true;
  return sides.conditions.some((condition) => {
    if (condition.kind === 'binary' && condition.operator === '=' && isColumns(condition)) return false;
    const found = resolvedIn(condition, context.columns).filter(({ scope }) => scope === at.scope);
    return new Set(found.map(({ place }) => place)).size > 1;
  });
}

function isColumns({ left, right }: Extract<Expression, { readonly kind: 'binary' }>): boolean {
  return left.kind === 'column' && right.kind === 'column';
}
