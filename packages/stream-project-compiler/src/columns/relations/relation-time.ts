import { type Expression, type Join, type Select, walkSql } from '@levada/stream-sql';
import type { QueryContext, ResolvedColumn } from '../query-context.ts';
import type { ExpressionPlace } from '../scope/expression-use.ts';
import type { RelationColumn, TimeState } from './relation.ts';

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
function mayBindTime(condition: Expression, context: QueryContext): boolean {
  return conjuncts(condition).some((part) => {
    const columns = resolvedIn(part, context);
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
    const columns = resolvedIn(part, context);
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

/** The columns that an expression names, those of queries within it left out. */
export function resolvedIn(expression: Expression, context: QueryContext): readonly ResolvedColumn[] {
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
  const kinds = (isLeft: boolean) =>
    times
      .filter(({ place }) => place !== undefined && place < before === isLeft)
      .map(({ column }) => column.time);
  const right = kinds(false);
  // An event time and a processing time bind nothing
  return kinds(true).some((time) =>
    right.some((other) => time === other || time === 'uncertain' || other === 'uncertain'),
  );
}

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

/**
 * Groups and DISTINCT leave no time attribute but that of the window by which rows are grouped. A query in place of a value is a
 * join, which leaves none.
 */
export function timeAfterGroups(
  { groupBy, quantifier, items }: Select,
  columns: readonly RelationColumn[],
  { scope, context }: ExpressionPlace,
): readonly RelationColumn[] {
  if (items.some(({ expression }) => hasQuery(expression))) {
    return columns.map((column) => ({ ...column, time: undefined }));
  }
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

/** Functions whose value is a time attribute. */
const attributes: ReadonlyMap<string, TimeState> = new Map([
  ['PROCTIME', 'processing'],
  ['TUMBLE_ROWTIME', 'event'],
  ['HOP_ROWTIME', 'event'],
  ['SESSION_ROWTIME', 'event'],
  ['MATCH_ROWTIME', 'event'],
  ['TUMBLE_PROCTIME', 'processing'],
  ['HOP_PROCTIME', 'processing'],
  ['SESSION_PROCTIME', 'processing'],
  ['MATCH_PROCTIME', 'processing'],
]);

/** Whether a value is a time attribute: a column that is one, as it is, or a function that gives one. */
export function timeOf(expression: Expression, source: RelationColumn | undefined): TimeState {
  if (expression.kind === 'column') return source === undefined ? 'uncertain' : source.time;
  if (expression.kind !== 'call') return undefined;
  return attributes.get(expression.name.at(-1)?.name.toUpperCase() ?? '');
}
