import { type Expression, type Join, walkSql } from '@levada/stream-sql';
import type { QueryContext } from '../query-context.ts';

/** Reports joins without the condition that they take, and outer ones that the engine does not run. */
export function checkJoin(join: Join, context: QueryContext): void {
  const { operatorStart: start, operatorEnd: end } = join;
  const message = missing(join) ?? refused(join, context);
  if (message === undefined) return;
  context.report({ name: 'join-condition', ...message, start, end });
}

interface Message {
  readonly message: string;
  readonly hint: string;
}

function missing({ type, natural, condition, using }: Join): Message | undefined {
  const has = natural || condition !== undefined || using.length > 0;
  if (type === 'COMMA' || has === (type !== 'CROSS')) return undefined;
  return has
    ? {
        message: 'CROSS JOIN has a condition, but joins every row with every other one',
        hint: 'write JOIN instead of CROSS JOIN',
      }
    : {
        message: `${type === 'INNER' ? 'JOIN' : `${type} JOIN`} has no condition, ON or USING was expected`,
        hint: 'write ON and what the rows have in common, or CROSS JOIN',
      };
}

function refused({ type, right }: Join, context: QueryContext): Message | undefined {
  if ((type !== 'RIGHT' && type !== 'FULL') || right.kind !== 'table') return undefined;
  const { source, asOf } = right;
  const what =
    asOf !== undefined
      ? 'a table as of a time'
      : source.kind === 'unnest' && source.collections.some((part) => hasColumn(part, context))
        ? 'UNNEST'
        : undefined;
  if (what === undefined) return undefined;
  return {
    message: `${type} JOIN with ${what}, which is read for each row of the left side`,
    hint: 'write JOIN or LEFT JOIN',
  };
}

function hasColumn(expression: Expression, { columns }: QueryContext): boolean {
  let found = false;
  walkSql(expression, (node) => {
    found ||= node.kind === 'column' && columns.get(node) !== undefined;
    return found ? 'skip' : undefined;
  });
  return found;
}
