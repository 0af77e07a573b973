import type { Expression } from '../tree/expression.ts';
import type { OrderItem } from '../tree/query.ts';
import { parseList } from './lists.ts';
import { parseExpression } from './parse-expression.ts';
import type { TokenCursor } from './token-cursor.ts';

/** Parses `ORDER BY a DESC, b`, or nothing where there is none. */
export function parseOrderItems(cursor: TokenCursor): OrderItem[] {
  return takeBy(cursor, 'ORDER') ? parseList(cursor, () => parseOrderItem(cursor)) : [];
}

/** Parses `PARTITION BY a, b`, or nothing where there is none. */
export function parsePartitionBy(cursor: TokenCursor): Expression[] {
  return takeBy(cursor, 'PARTITION') ? parseList(cursor, () => parseExpression(cursor)) : [];
}

/** Passes a word and the BY that must be behind it. */
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
