import { type Expression, functionKind, type Join, type Select, walkSql } from '@levada/stream-sql';
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
      scope.loseTime(right.source.kind === 'derived-table' ? 'lost' : 'uncertain');
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
 * Whether aggregates or WHERE read the windows by which rows are grouped. The engine then computes the groups from single rows, not as
 * results of windows.
 */
export function readsWindows({ items, where, having }: Select, context: QueryContext): boolean {
  const parts = [...items.map(({ expression }) => expression), ...(having === undefined ? [] : [having])];
  const read: Expression[] = where === undefined ? [] : [where];
  for (const part of parts) {
    walkSql(part, (node) => {
      if (node.kind === 'query') return 'skip';
      if (node.kind !== 'call' || functionKind(node.name.at(-1)?.name ?? '') !== 'aggregate')
        return undefined;
      read.push(node);
      return 'skip';
    });
  }
  return read.some((one) =>
    resolvedIn(one, context).some(({ column }) => column.edge !== undefined || column.name === 'window_time'),
  );
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
    return columns.map(withoutTime);
  }
  if (groupBy === undefined && quantifier !== 'DISTINCT') return columns;
  const byWindow = groupBy?.items.some(
    (item) => item.kind === 'column' && context.columns.get(item)?.column.edge !== undefined,
  );
  const open = scope.tables.some(({ relation }) => relation.open !== undefined);
  if (byWindow === true && quantifier !== 'DISTINCT') return columns;
  const time = open ? 'uncertain' : undefined;
  return columns.map((column) => {
    if (!isHandedOn(column)) return column;
    return time === undefined ? withoutTime(column) : { ...column, time };
  });
}

function withoutTime(column: RelationColumn): RelationColumn {
  const { time } = column;
  if (time === undefined) return column;
  return { ...column, time: undefined, ...(time === 'uncertain' ? {} : { marked: true }) };
}

/** Functions whose value has the type of the time attribute that they are called with. */
const marking: ReadonlySet<string> = new Set(
  'FLOOR CEIL MIN MAX FIRST_VALUE LAST_VALUE LAG COALESCE IF IFNULL GREATEST LEAST TIMESTAMPADD'.split(' '),
);

/** Whether the planner takes the type of a value for that of a time attribute, although it is a plain value. */
export function isMarked(expression: Expression, context: QueryContext): boolean {
  if (expression.kind === 'column') {
    return context.columns.get(expression)?.column.marked === true;
  }
  const isTimed = (part: Expression): boolean => {
    const time = part.kind === 'column' ? context.columns.get(part)?.column.time : undefined;
    return time === 'event' || time === 'processing' || isMarked(part, context);
  };
  if (expression.kind === 'binary') return isTimed(expression.left) && /^[-+]$/.test(expression.operator);
  // The type of CASE is that of its first result
  if (expression.kind === 'case')
    return expression.branches.slice(0, 1).some(({ result }) => isTimed(result));
  if (expression.kind !== 'call') return false;
  const name = expression.name.at(-1)?.name.toUpperCase() ?? '';
  const [first] = expression.arguments;
  if (name === 'NULLIF') return first?.value.kind === 'column' && isTimed(first.value);
  if (!marking.has(name)) return false;
  return expression.arguments.some(
    ({ value }) =>
      (value.kind === 'column' ||
        value.kind === 'call' ||
        value.kind === 'binary' ||
        value.kind === 'case') &&
      isTimed(value),
  );
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
