import type { GroupBy, GroupingItem } from '../tree/query.ts';
import { parseList, parseParenthesized } from './lists.ts';
import { parseExpression } from './parse-expression.ts';
import { takeBy } from './parse-order.ts';
import type { TokenCursor } from './token-cursor.ts';

/** Parses `GROUP BY a, ROLLUP(b)`, or nothing where there is none. */
export function parseGroupBy(cursor: TokenCursor): GroupBy | undefined {
  const { start } = cursor.token;
  if (!takeBy(cursor, 'GROUP')) return undefined;
  const quantifier = cursor.takeOneOf(['DISTINCT', 'ALL']);
  const items = parseList(cursor, () => parseGroupingItem(cursor));
  return { kind: 'group-by', quantifier, items, start, end: cursor.lastEnd };
}

function parseGroupingItem(cursor: TokenCursor): GroupingItem {
  const { start } = cursor.token;
  if (cursor.atSymbol('(') && cursor.atSymbol(')', 1)) {
    cursor.advance();
    cursor.advance();
    return { kind: 'empty-grouping', start, end: cursor.lastEnd };
  }
  const type = cursor.takeOneOf(['ROLLUP', 'CUBE', 'GROUPING SETS']);
  if (type === undefined) return parseExpression(cursor);
  const items = parseParenthesized(cursor, () => parseList(cursor, () => parseGroupingItem(cursor))) ?? [];
  return { kind: 'grouping-sets', type, items, start, end: cursor.lastEnd };
}
