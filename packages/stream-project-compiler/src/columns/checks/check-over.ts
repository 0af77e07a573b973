import {
  type Call,
  type FrameBound,
  type Identifier,
  type OrderItem,
  type Select,
  type SqlNode,
  type WindowFrame,
  type WindowSpecification,
  walkSql,
} from '@levada/stream-sql';
import type { QueryContext } from '../query-context.ts';
import { type ExpressionIds, expressionIds } from '../scope/expression-ids.ts';

/** Ranks may be ordered in any way: with a filter by rank they form a Top-N, which is not a window. */
const ranks: ReadonlySet<string> = new Set(['ROW_NUMBER', 'RANK', 'DENSE_RANK']);

/** Functions that take no ROWS or RANGE. */
const withoutFrame: ReadonlySet<string> = new Set([...ranks, 'LAG']);

interface OverCall {
  readonly call: Call;
  readonly name: string;
  readonly window: WindowSpecification;
}

/** Reports OVER windows that the engine does not run on streams: in another order than one of time, and different ones side by side. */
export function checkOver(select: Select, context: QueryContext): void {
  const calls = overCalls(select, context);
  const aggregates = calls.filter(({ name }) => !ranks.has(name));
  for (const { window } of calls) checkOrderable(window.orderBy, context);
  for (const call of calls) if (!ranks.has(call.name) || !isOrdered(call)) checkOrder(call, context);
  for (const call of calls) {
    if (withoutFrame.has(call.name)) checkNoFrame(call, context);
    else checkFrame(call, context);
  }
  for (const call of aggregates) checkLength(call, context);
  checkOneWindow(aggregates, context);
  checkQualify(select, context);
}

/** Maps and multisets have no order. */
export function checkOrderable(orderBy: readonly OrderItem[], { columns, report }: QueryContext): void {
  for (const { expression, start, end } of orderBy) {
    const type = expression.kind === 'column' ? columns.get(expression)?.column.type : undefined;
    if (type?.name !== 'MAP' && type?.name !== 'MULTISET') continue;
    const message = `ORDER BY a value of type ${type.name}, which has no order`;
    report({ name: 'type-mismatch', message, hint: 'order by one of its values', start, end });
  }
}

function isOrdered({ window }: OverCall): boolean {
  return window.base !== undefined || window.orderBy.length > 0;
}

function checkOrder({ call, name, window }: OverCall, context: QueryContext): void {
  if (window.base !== undefined) return;
  const [first, another] = window.orderBy;
  const { start, end } = call;
  if (first === undefined || another !== undefined) {
    const what = first === undefined ? 'in no order' : 'ordered by more than one column';
    const hint = 'write ORDER BY and the column of time';
    const message = `${name} is over rows ${what}, the engine takes windows ordered by one column`;
    context.report({ name: 'over-window', message, hint, start, end });
  } else if (first.expression.kind === 'literal') {
    const message = `${name} is over rows in the order of a constant, the engine takes windows in order of time`;
    context.report({
      name: 'over-window',
      message,
      hint: 'write ORDER BY and the column of time',
      start,
      end,
    });
  } else if (first.direction === 'DESC') {
    context.report({
      name: 'over-window',
      message: `${name} is over rows in descending order, the engine takes windows in ascending order of time only`,
      hint: 'write ORDER BY without DESC',
      start,
      end,
    });
  }
}

function checkNoFrame({ call, name, window: { frame } }: OverCall, context: QueryContext): void {
  if (frame === undefined) return;
  // In WINDOW the frame may be meant for other functions
  const { start, end } = call.over?.kind === 'identifier' ? call : frame.lower;
  context.report({
    name: 'over-window',
    message: `${name} is over a window with ${frame.unit}, which the engine does not take for it`,
    hint: `write ${name} with OVER (PARTITION BY ... ORDER BY ...) alone`,
    start,
    end,
  });
}

/** Rows that come later are never all there. */
function checkFrame({ name, window: { frame } }: OverCall, context: QueryContext): void {
  const last = frame?.upper ?? frame?.lower;
  if (frame === undefined || last === undefined) return;
  const isNow = frame.upper === undefined ? !isFollowing(last) : last.bound === 'CURRENT ROW';
  if (isNow) return;
  context.report({
    name: 'over-window',
    message: `${name} is over rows after the current row, which the engine does not support on streams`,
    hint: 'write CURRENT ROW after AND',
    start: last.start,
    end: last.end,
  });
}

/** A window of some rows or of a length of time follows the time of the rows. */
function checkLength({ name, window: { orderBy, frame } }: OverCall, context: QueryContext): void {
  const [first, another] = orderBy;
  const offset = frame?.lower.bound === 'PRECEDING' ? frame.lower.offset : undefined;
  if (first === undefined || another !== undefined || frame === undefined || offset === undefined) return;
  const column = first.expression.kind === 'column' ? context.columns.get(first.expression) : undefined;
  if (first.expression.kind === 'column' && (column === undefined || column.column.time === 'uncertain'))
    return;
  const { start, end } = frame.lower;
  if (column?.column.time === undefined) {
    context.report({
      name: 'over-window',
      message: `${name} is over the last rows in an order that is not one of time`,
      hint: 'write ORDER BY and the column of time, or UNBOUNDED PRECEDING',
      start,
      end,
    });
  } else if (frame.unit === 'RANGE' && offset.kind === 'literal') {
    const message = `${name} is over a RANGE of time, expected an interval`;
    context.report({
      name: 'over-window',
      message,
      hint: "write INTERVAL '1' HOUR PRECEDING, or ROWS",
      start,
      end,
    });
  }
}

function isFollowing({ bound }: FrameBound): boolean {
  return bound === 'FOLLOWING' || bound === 'UNBOUNDED FOLLOWING';
}

function checkOneWindow(calls: readonly OverCall[], context: QueryContext): void {
  const [first, ...others] = calls.filter(({ window }) => window.base === undefined);
  if (first === undefined || others.length === 0) return;
  const ids = expressionIds(context);
  const wanted = windowKey(first.window, ids);
  const other = others.find(({ window }) => windowKey(window, ids) !== wanted);
  if (other === undefined) return;
  const { start, end } = other.call;
  context.report({
    name: 'over-window',
    message: `${other.name} is over another window than ${first.name}, the engine takes one window in each SELECT`,
    hint: 'compute one of them in a common table, and the other one over that',
    start,
    end,
  });
}

/** The order of what rows are parted by says nothing. */
function windowKey({ partitionBy, orderBy, frame }: WindowSpecification, ids: ExpressionIds): string {
  const parts = [...new Set(partitionBy.map(ids))].sort((one, other) => one - other);
  const order = orderBy.map(({ expression }) => ids(expression));
  return `${parts.join(' ')} by ${order.join(' ')} ${frameKey(frame, ids)}`;
}

/** Without a frame a window is over all rows before. */
function frameKey(frame: WindowFrame | undefined, ids: ExpressionIds): string {
  if (frame === undefined) return 'RANGE UNBOUNDED PRECEDING';
  const { bound, offset } = frame.lower;
  return `${frame.unit} ${offset === undefined ? '' : ids(offset)}${bound}`;
}

function checkQualify({ qualify, groupBy, items }: Select, { report }: QueryContext): void {
  if (qualify === undefined) return;
  const { start, end } = qualify;
  const values = items.map(({ expression }) => expression);
  if (groupBy !== undefined) {
    const message = 'the engine does not support QUALIFY together with GROUP BY';
    const hint = 'write the groups as a common table, and QUALIFY in a query over that';
    report({ name: 'over-window', message, hint, start, end });
  } else if (![qualify, ...values].some(hasOver)) {
    const message = 'QUALIFY without a function with OVER';
    report({ name: 'over-window', message, hint: 'write the condition in WHERE', start, end });
  }
}

/** Whether a function with OVER is in it, not in a query of its own. */
export function hasOver(expression: SqlNode): boolean {
  let found = false;
  walkSql(expression, (node) => {
    if (node.kind === 'query') return 'skip';
    found ||= node.kind === 'call' && node.over !== undefined;
    return found ? 'skip' : undefined;
  });
  return found;
}

function overCalls({ items, windows, qualify }: Select, context: QueryContext): readonly OverCall[] {
  const named = new Map(windows.map(({ name, window }) => [name.name, window]));
  const expressions: SqlNode[] = items.map(({ expression }) => expression);
  if (qualify !== undefined) expressions.push(qualify);
  return expressions.flatMap((expression) => {
    const calls: OverCall[] = [];
    walkSql(expression, (node) => {
      if (node.kind === 'query') return 'skip';
      if (node.kind !== 'call' || node.over === undefined) return undefined;
      const base = node.over.kind === 'identifier' ? node.over : node.over.base;
      if (base !== undefined && !named.has(base.name)) reportUnknownWindow(base, context);
      const window = node.over.kind === 'identifier' ? named.get(node.over.name) : node.over;
      const name = node.name.at(-1)?.name.toUpperCase() ?? '';
      if (window !== undefined) calls.push({ call: node, name, window });
      return undefined;
    });
    return calls;
  });
}

function reportUnknownWindow(name: Identifier, { report, shown }: QueryContext): void {
  const { start, end } = name;
  report({
    name: 'over-window',
    message: `OVER names the window "${shown(name)}", which WINDOW does not define`,
    hint: 'write WINDOW w AS (PARTITION BY ... ORDER BY ...) after FROM and WHERE',
    start,
    end,
  });
}
