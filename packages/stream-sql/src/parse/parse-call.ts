import type { Argument, Call, TableArgument } from '../tree/call.ts';
import type { Identifier, Macro, TableName } from '../tree/names.ts';
import type { Query } from '../tree/query.ts';
import { closeParenthesis, parseList, parseParenthesized } from './lists.ts';
import { parseExpression } from './parse-expression.ts';
import { atName, parseName, parseTableName } from './parse-names.ts';
import { parseQueryOrExpression } from './parse-query.ts';
import { parseOrderItem, parseOrderItems, parseWindow, takeBy } from './parse-window.ts';
import { jsonArguments, specialArguments } from './special-arguments.ts';
import type { TokenCursor } from './token-cursor.ts';

/** The content of a call's parentheses. */
interface CallContent {
  readonly quantifier: Call['quantifier'];
  readonly arguments: readonly Argument[];
  readonly orderBy: Call['orderBy'];
  readonly json: Call['json'];
}

/** A call up to its closing parenthesis. */
interface CallHead extends CallContent {
  readonly name: readonly Identifier[];
  readonly start: number;
}

/** Parses the parentheses of a call. `name` is that of the function; empty if it is in backticks. */
export function parseArguments(cursor: TokenCursor, name: string): CallContent {
  cursor.expectSymbol('(');
  const content = cursor.parseNested(() => parseContent(cursor, name.toUpperCase()));
  closeParenthesis(cursor);
  return content;
}

function parseContent(cursor: TokenCursor, name: string): CallContent {
  const none = { quantifier: undefined, arguments: [], orderBy: [], json: undefined };
  if (cursor.atSymbol(')')) return none;
  const special = specialArguments.get(name);
  if (special !== undefined) return { ...none, arguments: special(cursor) };
  const json = jsonArguments.get(name);
  if (json !== undefined) return { ...none, ...json(cursor) };
  if (cursor.atSymbol('*')) return { ...none, arguments: [starArgument(cursor)] };
  const quantifier = cursor.takeOneOf(['DISTINCT', 'ALL']);
  const parsed = parseList(cursor, () => parseArgument(cursor));
  if (cursor.atWords('ORDER') && !ORDERED.has(name)) {
    cursor.fail('")"', 'write WITHIN GROUP (ORDER BY ...) after the parentheses');
  }
  return { ...none, quantifier, arguments: parsed, orderBy: parseOrderItems(cursor) };
}

/** Functions that accept ORDER BY between their parentheses. */
const ORDERED = new Set(['ARRAY_AGG', 'ARRAY_CONCAT_AGG', 'GROUP_CONCAT', 'STRING_AGG']);

function starArgument(cursor: TokenCursor): Argument {
  const { start, end } = cursor.advance();
  return plainArgument({ kind: 'star', qualifier: [], start, end });
}

/** A call with nothing after its parentheses. */
export function bareCall(cursor: TokenCursor, head: CallHead): Call {
  const { name, quantifier, orderBy, json, start } = head;
  return {
    kind: 'call',
    name,
    quantifier,
    arguments: head.arguments,
    orderBy,
    json,
    withinDistinct: [],
    filter: undefined,
    nulls: undefined,
    over: undefined,
    semantics: undefined,
    start,
    end: cursor.lastEnd,
  };
}

/** Parses the clauses after a call's parentheses: `WITHIN GROUP`, `FILTER`, `OVER` and others. */
export function parseCallSuffix(cursor: TokenCursor, head: CallHead): Call {
  const withinDistinct = cursor.takeWords('WITHIN', 'DISTINCT')
    ? (parseParenthesized(cursor, () => parseList(cursor, () => parseExpression(cursor))) ?? [])
    : [];
  const withinGroup = cursor.takeWords('WITHIN', 'GROUP')
    ? (parseParenthesized(cursor, () => parseOrderItems(cursor)) ?? [])
    : [];
  const filter = cursor.takeWords('FILTER') ? parseFilter(cursor) : undefined;
  const nulls = cursor.takeOneOf(['IGNORE NULLS', 'RESPECT NULLS']);
  const over = cursor.takeWords('OVER') ? parseOver(cursor) : undefined;
  return {
    ...bareCall(cursor, head),
    orderBy: head.orderBy.length > 0 ? head.orderBy : withinGroup,
    withinDistinct,
    filter,
    nulls: nulls === undefined ? undefined : nulls === 'IGNORE NULLS' ? 'IGNORE' : 'RESPECT',
    over,
  };
}

function parseFilter(cursor: TokenCursor): Call['filter'] {
  return parseParenthesized(cursor, () => {
    cursor.expectWords('WHERE');
    return parseExpression(cursor);
  });
}

function parseOver(cursor: TokenCursor): Call['over'] {
  if (atName(cursor)) return parseName(cursor);
  return parseWindow(cursor);
}

/** An argument without name or keyword. */
export function plainArgument(value: Argument['value']): Argument {
  const { start, end } = value;
  return { kind: 'argument', name: undefined, keyword: undefined, value, start, end };
}

/** Parses `a`, `name => a`, `TABLE t`, `MODEL m`, `DEFAULT` or a query. */
export function parseArgument(cursor: TokenCursor): Argument {
  const { start } = cursor.token;
  const name = argumentName(cursor);
  const value = parseValue(cursor);
  return { kind: 'argument', name, keyword: undefined, value, start, end: Math.max(start, cursor.lastEnd) };
}

function argumentName(cursor: TokenCursor): Identifier | undefined {
  const { kind } = cursor.token;
  if ((kind !== 'word' && kind !== 'quoted') || !cursor.atSymbol('=>', 1)) return undefined;
  const name = parseName(cursor);
  cursor.takeSymbol('=>');
  return name;
}

function parseValue(cursor: TokenCursor): Argument['value'] {
  const { start } = cursor.token;
  if (cursor.takeWords('DEFAULT')) return { kind: 'default', start, end: cursor.lastEnd };
  if (cursor.atWords('MODEL') && (atName(cursor, 1) || cursor.peek(1).kind === 'macro')) {
    cursor.advance();
    return { kind: 'model-argument', model: parseTableName(cursor), start, end: cursor.lastEnd };
  }
  if (cursor.takeWords('TABLE')) return tableArgument(cursor, start, parseTableName(cursor));
  if (cursor.token.kind === 'macro') return bareMacro(cursor);
  const value = parseQueryOrExpression(cursor);
  if (value.kind === 'query') return tableArgument(cursor, start, value);
  if (value.kind === 'subquery' && cursor.atWords('PARTITION'))
    return tableArgument(cursor, start, value.query);
  return value;
}

/** `TUMBLE({{ ref("x") }}, …)` lacks `TABLE`; the meaning is clear. */
function bareMacro(cursor: TokenCursor): TableArgument {
  const { start, end } = cursor.token;
  cursor.warnOf({
    code: 'sql-syntax',
    message: 'unexpected macro as an argument, TABLE was expected before it',
    hint: 'write TABLE before the macro',
    start,
    end,
  });
  return tableArgument(cursor, start, parseTableName(cursor));
}

function tableArgument(cursor: TokenCursor, start: number, table: TableName | Macro | Query): TableArgument {
  const partitionBy = takeBy(cursor, 'PARTITION') ? oneOrList(cursor, () => parseExpression(cursor)) : [];
  const orderBy = takeBy(cursor, 'ORDER') ? oneOrList(cursor, () => parseOrderItem(cursor)) : [];
  return { kind: 'table-argument', table, partitionBy, orderBy, start, end: cursor.lastEnd };
}

/** A comma ends the argument, so several columns need parentheses: `PARTITION BY (a, b)`. */
function oneOrList<T>(cursor: TokenCursor, parseItem: () => T): T[] {
  if (!cursor.atSymbol('(')) return [parseItem()];
  return parseParenthesized(cursor, () => parseList(cursor, parseItem)) ?? [];
}
