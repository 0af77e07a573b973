import type { TokenCursor } from './token-cursor.ts';

/** Keywords that start the next part of a query. Error recovery stops before them. */
const CLAUSES = new Set([
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
  'SELECT',
]);

/** Parses items separated by commas, at least one. */
export function parseList<T>(cursor: TokenCursor, parseItem: () => T): T[] {
  const items: T[] = [];
  do {
    const before = cursor.index;
    items.push(parseItem());
    if (cursor.index === before && !cursor.atSymbol(',')) break;
  } while (cursor.takeSymbol(','));
  return items;
}

/** Parses the content of parentheses. Undefined if there is no opening one. */
export function parseParenthesized<T>(cursor: TokenCursor, parse: () => T): T | undefined {
  if (!cursor.expectSymbol('(')) return undefined;
  const content = cursor.parseNested(parse);
  closeParenthesis(cursor);
  return content;
}

/** Skips what could not be parsed up to the closing parenthesis, and passes that. Stops at the next part of the query. */
export function closeParenthesis(cursor: TokenCursor): void {
  if (cursor.takeSymbol(')')) return;
  cursor.fail('")"');
  skipTo(cursor, ')');
  cursor.takeSymbol(')');
}

/** Skips to this symbol, a clause or the end of the surrounding parentheses. Inner parentheses are skipped with their content. */
export function skipTo(cursor: TokenCursor, symbol?: string): void {
  for (let open = 0; ; cursor.advance()) {
    const { token } = cursor;
    if (token.kind === 'end' || (token.kind === 'symbol' && token.value === ';')) return;
    if (open === 0) {
      if (token.kind === 'word' && CLAUSES.has(token.keyword)) return;
      if (token.kind === 'symbol' && (token.value === ')' || token.value === symbol)) return;
    }
    if (token.kind === 'symbol' && token.value === '(') open++;
    if (token.kind === 'symbol' && token.value === ')') open--;
  }
}
