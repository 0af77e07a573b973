import type { CaseBranch, Collection, Expression } from '../tree/expression.ts';
import { closeParenthesis, parseList, parseParenthesized, skipTo } from './lists.ts';
import { parseDataType } from './parse-data-type.ts';
import { parseExpression } from './parse-expression.ts';
import { parseInterval } from './parse-interval.ts';
import { parseTimedLiteral } from './parse-literal.ts';
import { parseContent, parseQuery } from './parse-query.ts';
import type { TokenCursor } from './token-cursor.ts';

/** Parses an operand that starts with a keyword. Undefined if the keyword is not one here. */
type ParseKeyword = (cursor: TokenCursor) => Expression | undefined;

/** Keywords that start an operand, apart from names and ordinary calls. */
export const keywordOperands: ReadonlyMap<string, ParseKeyword> = new Map<string, ParseKeyword>([
  ['CASE', parseCase],
  ['CAST', parseCast],
  ['TRY_CAST', parseCast],
  ['NULL', (cursor) => constant(cursor, 'null')],
  ['TRUE', (cursor) => constant(cursor, 'boolean')],
  ['FALSE', (cursor) => constant(cursor, 'boolean')],
  ['UNKNOWN', (cursor) => constant(cursor, 'boolean')],
  ['DATE', parseTimedLiteral],
  ['TIME', parseTimedLiteral],
  ['TIMESTAMP', parseTimedLiteral],
  ['DATETIME', parseTimedLiteral],
  ['DECIMAL', parseTimedLiteral],
  ['INTERVAL', (cursor) => (startsInterval(cursor) ? parseInterval(cursor) : undefined)],
  ['EXISTS', parseExists],
  ['UNIQUE', parseExists],
  ['ROW', parseRow],
  ['PERIOD', parseRow],
  ['ARRAY', parseCollection],
  ['MAP', parseCollection],
  ['MULTISET', parseCollection],
  ['RUNNING', parseSemantics],
  ['FINAL', parseSemantics],
]);

function constant(cursor: TokenCursor, type: 'null' | 'boolean'): Expression {
  const { value, start, end } = cursor.advance();
  return { kind: 'literal', type, value: value.toUpperCase(), start, end };
}

/** After a column named "interval" comes no value. */
function startsInterval(cursor: TokenCursor): boolean {
  const next = cursor.peek(1);
  if (next.kind === 'symbol') return ['+', '-', '(', '?'].includes(next.value);
  return (
    next.kind === 'quoted' ||
    next.kind === 'string' ||
    next.kind === 'number' ||
    (next.kind === 'word' && next.keyword !== 'FROM')
  );
}

function parseCase(cursor: TokenCursor): Expression | undefined {
  const next = cursor.peek(1);
  if (next.kind === 'end' || (next.kind === 'symbol' && next.value === ',')) return undefined;
  const { start } = cursor.advance();
  const operand = cursor.atWords('WHEN') ? undefined : parseExpression(cursor);
  const branches: CaseBranch[] = [];
  while (cursor.atWords('WHEN')) branches.push(parseBranch(cursor));
  if (branches.length === 0) cursor.fail('WHEN');
  const otherwise = cursor.takeWords('ELSE') ? parseExpression(cursor) : undefined;
  cursor.expectWords('END');
  return { kind: 'case', operand, branches, otherwise, start, end: cursor.lastEnd };
}

function parseBranch(cursor: TokenCursor): CaseBranch {
  const { start } = cursor.advance();
  const when = parseList(cursor, () => parseExpression(cursor));
  cursor.expectWords('THEN');
  const result = parseExpression(cursor);
  return { kind: 'case-branch', when, result, start, end: cursor.lastEnd };
}

function parseCast(cursor: TokenCursor): Expression | undefined {
  if (!cursor.atSymbol('(', 1)) return undefined;
  const { start, value } = cursor.advance();
  cursor.takeSymbol('(');
  const content = cursor.parseNested(() => {
    const operand = parseExpression(cursor);
    cursor.expectWords('AS');
    return { operand, type: parseDataType(cursor) };
  });
  closeParenthesis(cursor);
  const attempt = value.toUpperCase() === 'TRY_CAST';
  return { kind: 'cast', attempt, ...content, start, end: cursor.lastEnd };
}

function parseExists(cursor: TokenCursor): Expression | undefined {
  if (!cursor.atSymbol('(', 1)) return undefined;
  const { start, value } = cursor.advance();
  const query = parseParenthesized(cursor, () => {
    const content = parseContent(cursor);
    if ('kind' in content) return content;
    const [only] = content;
    if (content.length === 1 && only?.kind === 'subquery') return only.query;
    cursor.fail('a query');
    return parseQuery(cursor);
  });
  const end = cursor.lastEnd;
  if (query === undefined) return { kind: 'invalid', start, end };
  return { kind: 'exists', test: value.toUpperCase() === 'UNIQUE' ? 'UNIQUE' : 'EXISTS', query, start, end };
}

/** `ROW(a, b)` */
function parseRow(cursor: TokenCursor): Expression | undefined {
  if (!cursor.atSymbol('(', 1)) return undefined;
  const { start } = cursor.advance();
  const content = parseParenthesized(cursor, () => parseContent(cursor)) ?? [];
  const fields: readonly Expression[] =
    'kind' in content
      ? [{ kind: 'subquery', query: content, start: content.start, end: content.end }]
      : content;
  return { kind: 'row', fields, start, end: cursor.lastEnd };
}

/** `ARRAY[a, b]`, `ARRAY(SELECT a …)`; `ARRAY(a, b)` is a call. */
function parseCollection(cursor: TokenCursor): Expression | undefined {
  const { start, value } = cursor.token;
  const type = value.toUpperCase() as Collection['type'];
  if (cursor.atSymbol('[', 1)) {
    cursor.advance();
    cursor.advance();
    const content = cursor.parseNested(() =>
      cursor.atSymbol(']') ? [] : parseList(cursor, () => parseExpression(cursor)),
    );
    if (!cursor.expectSymbol(']')) {
      skipTo(cursor, ']');
      cursor.takeSymbol(']');
    }
    return { kind: 'collection', type, content, start, end: cursor.lastEnd };
  }
  if (!cursor.atSymbol('(', 1)) return undefined;
  cursor.advance();
  const parsed = parseParenthesized(cursor, () => (cursor.atSymbol(')') ? [] : parseContent(cursor))) ?? [];
  const [only] = 'kind' in parsed ? [] : parsed;
  const content = only?.kind === 'subquery' ? only.query : parsed;
  return { kind: 'collection', type, content, start, end: cursor.lastEnd };
}

/** `FINAL LAST(A.x)` in the measures of MATCH_RECOGNIZE. */
function parseSemantics(cursor: TokenCursor): Expression | undefined {
  const next = cursor.peek(1);
  if (next.kind !== 'word' || !cursor.atSymbol('(', 2)) return undefined;
  const { start, value } = cursor.advance();
  const call = parseExpression(cursor, Number.POSITIVE_INFINITY);
  if (call.kind !== 'call') return call;
  return { ...call, semantics: value.toUpperCase() === 'FINAL' ? 'FINAL' : 'RUNNING', start };
}
