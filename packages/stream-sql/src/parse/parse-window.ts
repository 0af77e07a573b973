import type { FrameBound, WindowFrame, WindowSpecification } from '../tree/call.ts';
import type { Expression } from '../tree/expression.ts';
import type { OrderItem } from '../tree/query.ts';
import { closeParenthesis, parseList } from './lists.ts';
import { POWER } from './operators.ts';
import { parseExpression } from './parse-expression.ts';
import { atName, parseName } from './parse-names.ts';
import type { TokenCursor } from './token-cursor.ts';

/** Parses `(w PARTITION BY a ORDER BY b ROWS 5 PRECEDING)`. */
export function parseWindow(cursor: TokenCursor): WindowSpecification {
  const { start } = cursor.token;
  const opened = cursor.expectSymbol('(');
  const content = cursor.parseNested(() => {
    const base = atName(cursor) ? parseName(cursor) : undefined;
    const partitionBy = parsePartitionBy(cursor);
    return { base, partitionBy, orderBy: parseOrderItems(cursor), frame: parseFrame(cursor) };
  });
  if (opened) closeParenthesis(cursor);
  return { kind: 'window-specification', ...content, start, end: cursor.lastEnd };
}

function parseFrame(cursor: TokenCursor): WindowFrame | undefined {
  const { start } = cursor.token;
  const unit = cursor.takeOneOf(['ROWS', 'RANGE']);
  if (unit === undefined) return undefined;
  const between = cursor.takeWords('BETWEEN');
  const lower = parseBound(cursor);
  if (between) cursor.expectWords('AND');
  const upper = between ? parseBound(cursor) : undefined;
  const partial = cursor.takeOneOf(['ALLOW PARTIAL', 'DISALLOW PARTIAL']);
  return {
    kind: 'window-frame',
    unit,
    lower,
    upper,
    partial: partial === undefined ? undefined : partial === 'ALLOW PARTIAL',
    start,
    end: cursor.lastEnd,
  };
}

function parseBound(cursor: TokenCursor): FrameBound {
  const { start } = cursor.token;
  const fixed = cursor.takeOneOf(['UNBOUNDED PRECEDING', 'UNBOUNDED FOLLOWING', 'CURRENT ROW']);
  if (fixed !== undefined) {
    return { kind: 'frame-bound', bound: fixed, offset: undefined, start, end: cursor.lastEnd };
  }
  // Binds more tightly than AND, which separates the bounds
  const offset = parseExpression(cursor, POWER.LIKE + 1);
  const bound = cursor.takeOneOf(['PRECEDING', 'FOLLOWING']);
  if (bound === undefined) cursor.fail('PRECEDING, FOLLOWING or CURRENT ROW');
  return { kind: 'frame-bound', bound: bound ?? 'PRECEDING', offset, start, end: cursor.lastEnd };
}

/** Parses `ORDER BY a DESC, b`; empty if absent. */
export function parseOrderItems(cursor: TokenCursor): OrderItem[] {
  return takeBy(cursor, 'ORDER') ? parseList(cursor, () => parseOrderItem(cursor)) : [];
}

/** Parses `PARTITION BY a, b`; empty if absent. */
export function parsePartitionBy(cursor: TokenCursor): Expression[] {
  return takeBy(cursor, 'PARTITION') ? parseList(cursor, () => parseExpression(cursor)) : [];
}

/** Takes a keyword and the BY that must follow it. */
export function takeBy(cursor: TokenCursor, keyword: 'GROUP' | 'ORDER' | 'PARTITION'): boolean {
  if (!cursor.takeWords(keyword)) return false;
  cursor.expectWords('BY');
  return true;
}

/** Parses `a DESC NULLS LAST`. */
export function parseOrderItem(cursor: TokenCursor): OrderItem {
  const { start } = cursor.token;
  const expression = parseExpression(cursor);
  const direction = cursor.takeOneOf(['ASC', 'DESC']);
  let nulls: OrderItem['nulls'];
  if (cursor.takeWords('NULLS')) {
    nulls = cursor.takeOneOf(['FIRST', 'LAST']);
    if (nulls === undefined) cursor.fail('FIRST or LAST');
  }
  return { kind: 'order-item', expression, direction, nulls, start, end: Math.max(start, cursor.lastEnd) };
}
