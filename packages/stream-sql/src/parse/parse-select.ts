import { nearestName } from '../text/nearest-name.ts';
import type { GroupBy, GroupingItem, NamedWindow, Select, SelectItem } from '../tree/query.ts';
import { parseList, parseParenthesized, skipTo } from './lists.ts';
import { parseExpression } from './parse-expression.ts';
import { parseFrom } from './parse-from.ts';
import { parseHints } from './parse-hints.ts';
import { atName, couldBeAlias, parseName } from './parse-names.ts';
import { parseWindow, takeBy } from './parse-window.ts';
import type { TokenCursor } from './token-cursor.ts';

/** Parses `SELECT …` without the clauses that belong to the whole query. */
export function parseSelect(cursor: TokenCursor): Select {
  const { start } = cursor.advance();
  const hints = parseHints(cursor);
  takeStream(cursor);
  const quantifier = cursor.takeOneOf(['DISTINCT', 'ALL']);
  const items = parseItems(cursor);
  const from = cursor.takeWords('FROM') ? parseFrom(cursor) : undefined;
  if (from === undefined) requireFrom(cursor);
  recover(cursor);
  const where = cursor.takeWords('WHERE') ? parseExpression(cursor) : undefined;
  recover(cursor);
  const groupBy = parseGroupBy(cursor);
  recover(cursor);
  const having = cursor.takeWords('HAVING') ? parseExpression(cursor) : undefined;
  recover(cursor);
  const windows = cursor.takeWords('WINDOW') ? parseList(cursor, () => parseNamedWindow(cursor)) : [];
  const qualify = cursor.takeWords('QUALIFY') ? parseExpression(cursor) : undefined;
  recover(cursor);
  return {
    kind: 'select',
    hints,
    quantifier,
    items,
    from,
    where,
    groupBy,
    having,
    windows,
    qualify,
    start,
    end: cursor.lastEnd,
  };
}

/** Takes the place of a missing query. */
export function emptySelect(cursor: TokenCursor): Select {
  const at = cursor.token.start;
  return {
    kind: 'select',
    hints: [],
    quantifier: undefined,
    items: [],
    from: undefined,
    where: undefined,
    groupBy: undefined,
    having: undefined,
    windows: [],
    qualify: undefined,
    start: at,
    end: at,
  };
}

/** The grammar has `SELECT STREAM` without a meaning. STREAM may also be a column. */
function takeStream(cursor: TokenCursor): void {
  const next = cursor.peek(1);
  const afterName =
    next.kind === 'symbol' || next.kind === 'end' || ['FROM', 'AS'].some((word) => cursor.isWord(1, word));
  if (!afterName || cursor.atSymbol('*', 1)) cursor.takeWords('STREAM');
}

function parseItems(cursor: TokenCursor): SelectItem[] {
  const items = parseList(cursor, () => parseItem(cursor));
  recover(cursor, '"," or FROM');
  return items;
}

function parseItem(cursor: TokenCursor): SelectItem {
  const { start, end } = cursor.token;
  if (cursor.takeSymbol('*')) {
    skipStarExcept(cursor);
    const alias = parseAlias(cursor);
    return {
      kind: 'select-item',
      expression: { kind: 'star', qualifier: [], start, end },
      alias,
      start,
      end: cursor.lastEnd,
    };
  }
  if (cursor.atWords('FROM') && items(cursor)) {
    cursor.fail('an expression', 'remove the comma before FROM');
  }
  const expression = parseExpression(cursor);
  const alias = parseAlias(cursor);
  return { kind: 'select-item', expression, alias, start, end: Math.max(start, cursor.lastEnd) };
}

/** Whether FROM here starts the next clause after a superfluous comma. Otherwise it is a column named "from". */
function items(cursor: TokenCursor): boolean {
  const next = cursor.peek(1);
  return next.kind !== 'symbol' || next.value === '(';
}

/** `* EXCEPT (a)` and `* EXCLUDE (a)` belong to other dialects. */
function skipStarExcept(cursor: TokenCursor): void {
  const first = cursor.peek(2);
  const isName =
    first.kind === 'quoted' || (first.kind === 'word' && !/^(SELECT|VALUES|WITH|TABLE)$/.test(first.keyword));
  if (!cursor.atSymbol('(', 1) || !isName) return;
  if (!['EXCEPT', 'EXCLUDE', 'REPLACE'].some((word) => cursor.atWords(word))) return;
  const { value, start, end } = cursor.advance();
  cursor.advance();
  skipTo(cursor, ')');
  cursor.takeSymbol(')');
  cursor.warnOf({
    code: 'sql-dialect',
    message: `"* ${value}", which the engine does not have`,
    hint: 'name the columns one by one',
    start,
    end,
  });
}

function parseAlias(cursor: TokenCursor): SelectItem['alias'] {
  if (cursor.takeWords('AS')) {
    const hint = cursor.token.kind === 'string' ? `write \`${cursor.token.value}\` in backticks` : undefined;
    if (hint === undefined) return parseName(cursor, 'an alias');
    cursor.fail('an alias', hint);
    cursor.advance();
    return undefined;
  }
  return atName(cursor) || couldBeAlias(cursor) ? parseName(cursor) : undefined;
}

function requireFrom(cursor: TokenCursor): void {
  for (const word of ['WHERE', 'GROUP', 'HAVING', 'WINDOW', 'QUALIFY']) {
    if (cursor.atWords(word)) cursor.fail('FROM');
  }
}

function parseNamedWindow(cursor: TokenCursor): NamedWindow {
  const { start } = cursor.token;
  const name = parseName(cursor, 'the name of a window');
  cursor.expectWords('AS');
  const window = parseWindow(cursor);
  return { kind: 'named-window', name, window, start, end: cursor.lastEnd };
}

const NEXT = new Set([
  'FROM',
  'WHERE',
  'GROUP',
  'HAVING',
  'WINDOW',
  'QUALIFY',
  'ORDER',
  'LIMIT',
  'OFFSET',
  'FETCH',
  'UNION',
  'INTERSECT',
  'EXCEPT',
  'MINUS',
]);

/** Reports and skips what cannot follow, so that the next clause is parsed. */
function recover(cursor: TokenCursor, expected = 'the next clause or the end'): void {
  const { token } = cursor;
  if (token.kind === 'end' || (token.kind === 'word' && NEXT.has(token.keyword))) return;
  if (token.kind === 'symbol' && (token.value === ')' || token.value === ';')) return;
  cursor.fail(expected, slipHint(cursor));
  skipTo(cursor);
}

const MISTYPED = ['FROM', 'WHERE', 'GROUP', 'HAVING', 'ORDER', 'LIMIT', 'UNION', 'JOIN', 'WINDOW'] as const;

/** Hints at a mistyped keyword that has been parsed as an alias. */
function slipHint(cursor: TokenCursor): string | undefined {
  for (const { kind, value } of [cursor.peek(-1), cursor.token]) {
    const word = kind === 'word' ? nearestName(value, MISTYPED) : undefined;
    if (word !== undefined) return `write ${word} for "${value}"`;
  }
  return undefined;
}

/** Parses `GROUP BY a, ROLLUP(b)`; undefined if absent. */
function parseGroupBy(cursor: TokenCursor): GroupBy | undefined {
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
