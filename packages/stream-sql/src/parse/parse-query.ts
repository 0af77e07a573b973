import type { Expression, Literal, Parameter } from '../tree/expression.ts';
import type { CommonTable, Limit, Query, QueryBody, SetOperation } from '../tree/query.ts';
import { closeParenthesis, parseList, parseParenthesized, skipTo } from './lists.ts';
import { parseExpression } from './parse-expression.ts';
import { parseName, parseNameList, parseTableName } from './parse-names.ts';
import { emptySelect, parseSelect } from './parse-select.ts';
import { parseOrderItems } from './parse-window.ts';
import type { TokenCursor } from './token-cursor.ts';

/** Whether a query comes next, judged without the content of parentheses. */
export function atQuery(cursor: TokenCursor): boolean {
  const { token } = cursor;
  if (token.kind !== 'word') return false;
  if (token.keyword === 'TABLE') return !cursor.atSymbol('(', 1);
  return token.keyword === 'SELECT' || token.keyword === 'WITH' || token.keyword === 'VALUES';
}

/** Parses a query. `first` is its first operand if that has been parsed already. */
export function parseQuery(cursor: TokenCursor, first?: Query): Query {
  return cursor.parseNested(() => {
    const start = first?.start ?? cursor.token.start;
    const commonTables = first === undefined && cursor.atWords('WITH') ? parseWith(cursor) : [];
    const body = parseSetOperations(cursor, SUM, first);
    const orderBy = parseOrderItems(cursor);
    const limit = parseLimit(cursor);
    return {
      kind: 'query',
      with: commonTables,
      body,
      orderBy,
      limit,
      start,
      end: Math.max(start, cursor.lastEnd),
    };
  });
}

/** Parses a query or an expression: `(SELECT …) UNION …` is ambiguous up to UNION. */
export function parseQueryOrExpression(cursor: TokenCursor): Query | Expression {
  if (atQuery(cursor)) return parseQuery(cursor);
  const parenthesized = cursor.atSymbol('(');
  const expression = parseExpression(cursor);
  if (!parenthesized || expression.kind !== 'subquery' || !continuesQuery(cursor)) return expression;
  return parseQuery(cursor, expression.query);
}

/** Parses the content of parentheses: a query or a list of expressions. */
export function parseContent(cursor: TokenCursor): Query | readonly Expression[] {
  const first = parseQueryOrExpression(cursor);
  if (first.kind === 'query') return first;
  return cursor.takeSymbol(',') ? [first, ...parseList(cursor, () => parseExpression(cursor))] : [first];
}

/** Whether the next token makes the parentheses before it part of a query. */
export function continuesQuery(cursor: TokenCursor): boolean {
  return ['UNION', 'INTERSECT', 'EXCEPT', 'ORDER', 'LIMIT', 'OFFSET', 'FETCH'].some((word) =>
    cursor.atWords(word),
  );
}

function parseWith(cursor: TokenCursor): CommonTable[] {
  cursor.advance();
  const { start, end } = cursor.token;
  if (cursor.takeWords('RECURSIVE')) {
    cursor.warnOf({
      code: 'sql-recursive',
      message: 'RECURSIVE, which the engine refuses',
      hint: 'write it without recursion',
      start,
      end,
    });
  }
  return parseList(cursor, () => parseCommonTable(cursor));
}

function parseCommonTable(cursor: TokenCursor): CommonTable {
  const { start } = cursor.token;
  const name = parseName(cursor, 'the name of a common table');
  const columns = cursor.atSymbol('(') ? parseNameList(cursor) : [];
  cursor.expectWords('AS');
  const query = parseParenthesized(cursor, () => parseQuery(cursor)) ?? emptyQuery(cursor);
  return { kind: 'common-table', name, columns, query, start, end: cursor.lastEnd };
}

/** Takes the place of a missing query, which has been reported. */
function emptyQuery(cursor: TokenCursor): Query {
  const body = emptySelect(cursor);
  const { start, end } = body;
  return { kind: 'query', with: [], body, orderBy: [], limit: undefined, start, end };
}

type Operators = readonly SetOperation['operator'][];
const SUM: Operators = ['UNION', 'EXCEPT'];
const PRODUCT: Operators = ['INTERSECT'];

/** INTERSECT binds more tightly than the others. Operands with the same operator and quantifier become siblings. */
function parseSetOperations(cursor: TokenCursor, operators: Operators, first?: Query): QueryBody {
  const { start } = first ?? cursor.token;
  const parseOperand = (given?: Query): QueryBody =>
    operators === SUM ? parseSetOperations(cursor, PRODUCT, given) : (given ?? parseSimpleQuery(cursor));
  let body = parseOperand(first);
  for (let next = takeSetOperator(cursor, operators); next !== undefined; ) {
    const { operator, quantifier, operatorStart, operatorEnd } = next;
    const operands = [body];
    while (next?.operator === operator && next.quantifier === quantifier) {
      operands.push(parseOperand());
      next = takeSetOperator(cursor, operators);
    }
    const end = operands.at(-1)?.end ?? cursor.lastEnd;
    body = { kind: 'set-operation', operator, quantifier, operands, operatorStart, operatorEnd, start, end };
    cursor.grow();
  }
  return body;
}

type SetOperator = Pick<SetOperation, 'operator' | 'quantifier' | 'operatorStart' | 'operatorEnd'>;

function takeSetOperator(cursor: TokenCursor, operators: Operators): SetOperator | undefined {
  if (operators === SUM && cursor.atWords('MINUS')) reportMinus(cursor);
  const operatorStart = cursor.token.start;
  const operator =
    cursor.takeOneOf(operators) ?? (operators === SUM && cursor.takeWords('MINUS') ? 'EXCEPT' : undefined);
  if (operator === undefined) return undefined;
  const quantifier = cursor.takeOneOf(['ALL', 'DISTINCT']);
  return { operator, quantifier, operatorStart, operatorEnd: cursor.lastEnd };
}

function reportMinus(cursor: TokenCursor): void {
  const { start, end } = cursor.token;
  const message = 'operator "MINUS", which the engine does not have';
  cursor.warnOf({ code: 'sql-dialect', message, hint: 'write EXCEPT', fix: 'EXCEPT', start, end });
}

function parseSimpleQuery(cursor: TokenCursor): QueryBody {
  const { start } = cursor.token;
  if (cursor.atWords('SELECT')) return parseSelect(cursor);
  if (cursor.takeWords('VALUES')) {
    const rows = parseList(cursor, () => parseExpression(cursor));
    return { kind: 'values', rows, start, end: cursor.lastEnd };
  }
  if (cursor.takeWords('TABLE')) {
    return { kind: 'explicit-table', table: parseTableName(cursor), start, end: cursor.lastEnd };
  }
  if (cursor.takeSymbol('(')) {
    const query = parseQuery(cursor);
    closeParenthesis(cursor);
    return query;
  }
  cursor.fail('a query (SELECT, VALUES, WITH)');
  const missing = emptySelect(cursor);
  skipTo(cursor);
  return missing;
}

type Count = Literal | Parameter | undefined;

/** Parses `LIMIT n OFFSET m` or `OFFSET m ROWS FETCH FIRST n ROWS ONLY`; undefined if absent. */
function parseLimit(cursor: TokenCursor): Limit | undefined {
  const { start } = cursor.token;
  if (cursor.takeWords('LIMIT')) {
    const count = cursor.takeWords('ALL') ? undefined : parseCount(cursor);
    if (cursor.atSymbol(',')) return { ...foreignLimit(cursor, count), start, end: cursor.lastEnd };
    const offset = cursor.takeWords('OFFSET') ? parseRows(cursor) : undefined;
    return { kind: 'limit', count, offset, start, end: cursor.lastEnd };
  }
  const offset = cursor.takeWords('OFFSET') ? parseRows(cursor) : undefined;
  const hasOffset = cursor.lastEnd > start;
  if (cursor.takeWords('FETCH')) {
    const count = parseFetch(cursor);
    return { kind: 'limit', count, offset, start, end: cursor.lastEnd };
  }
  if (!hasOffset) return undefined;
  if (cursor.atWords('LIMIT')) {
    cursor.fail('LIMIT before OFFSET', 'write LIMIT n OFFSET m');
    cursor.takeWords('LIMIT');
    return { kind: 'limit', count: parseCount(cursor), offset, start, end: cursor.lastEnd };
  }
  return { kind: 'limit', count: undefined, offset, start, end: cursor.lastEnd };
}

/** `LIMIT 5, 10` of other dialects. */
function foreignLimit(cursor: TokenCursor, offset: Count): Omit<Limit, 'start' | 'end'> {
  const { start, end } = cursor.advance();
  cursor.warnOf({
    code: 'sql-dialect',
    message: '"LIMIT start, count", which the engine does not have',
    hint: 'write LIMIT count OFFSET start',
    start,
    end,
  });
  return { kind: 'limit', count: parseCount(cursor), offset };
}

function parseFetch(cursor: TokenCursor): Count {
  if (cursor.takeOneOf(['FIRST', 'NEXT']) === undefined) cursor.fail('FIRST or NEXT');
  const count = parseCount(cursor);
  if (cursor.takeOneOf(['ROWS', 'ROW']) === undefined) cursor.fail('ROWS');
  cursor.expectWords('ONLY');
  return count;
}

function parseRows(cursor: TokenCursor): Count {
  const count = parseCount(cursor);
  cursor.takeOneOf(['ROWS', 'ROW']);
  return count;
}

function parseCount(cursor: TokenCursor): Count {
  const { token } = cursor;
  const { start, end } = token;
  if (cursor.takeSymbol('?')) return { kind: 'parameter', start, end };
  if (token.kind === 'number') {
    cursor.advance();
    return { kind: 'literal', type: token.form, value: token.value, start, end };
  }
  cursor.fail('a number of rows');
  return undefined;
}
