import { type Expression, type Select, walkSql } from '@levada/stream-sql';
import type { RelationColumn } from '../relations/relation.ts';
import type { ExpressionPlace } from '../scope/expression-use.ts';
import { mayBindTime } from './join-time.ts';

/** Says what WHERE leaves of time attributes: a subquery in it is a join, and a bound of time may make one of joined tables. */
export function timeAfterWhere(
  where: Expression | undefined,
  unbounded: number,
  { scope, context }: ExpressionPlace,
): void {
  if (unbounded > 0) {
    const linked = where !== undefined && mayBindTime(where, context);
    scope.loseTime(linked ? 'uncertain' : 'lost', { before: unbounded });
  }
  if (where === undefined || !hasQuery(where)) return;
  const windowed = scope.tables.some(({ relation }) =>
    relation.columns.some(({ edge }) => edge !== undefined),
  );
  scope.loseTime(windowed ? 'uncertain' : 'lost');
}

function hasQuery(expression: Expression): boolean {
  let found = false;
  walkSql(expression, (node) => {
    found ||= node.kind === 'query';
    return found ? 'skip' : undefined;
  });
  return found;
}

/** Groups and DISTINCT leave no time attribute but that of the window by which rows are grouped. */
export function timeAfterGroups(
  { groupBy, quantifier }: Select,
  columns: readonly RelationColumn[],
  { scope, context }: ExpressionPlace,
): readonly RelationColumn[] {
  if (groupBy === undefined && quantifier !== 'DISTINCT') return columns;
  const byWindow = groupBy?.items.some(
    (item) => item.kind === 'column' && context.columns.get(item)?.column.edge !== undefined,
  );
  const open = scope.tables.some(({ relation }) => relation.open !== undefined);
  if (byWindow === true && quantifier !== 'DISTINCT') return columns;
  const time = open ? 'uncertain' : undefined;
  return columns.map((column) => (isHandedOn(column) ? { ...column, time } : column));
}

/** A time attribute that the SELECT only hands on; one of a function, such as `TUMBLE_ROWTIME`, is made by the groups. */
function isHandedOn({ time, origins }: RelationColumn): boolean {
  return time !== undefined && origins.every(({ through }) => through === 'identity');
}
