import type { Argument, Call } from '../tree/call.ts';
import type { Identifier } from '../tree/names.ts';
import { jsonArguments } from './json-arguments.ts';
import { closeParenthesis, parseList, parseParenthesized } from './lists.ts';
import { parseArgument, plainArgument } from './parse-argument.ts';
import { parseExpression } from './parse-expression.ts';
import { atName, parseName } from './parse-names.ts';
import { parseOrderItems } from './parse-order.ts';
import { parseWindow } from './parse-window.ts';
import { specialArguments } from './special-arguments.ts';
import type { TokenCursor } from './token-cursor.ts';

/** What stands between the parentheses of a call. */
export interface CallContent {
  readonly quantifier: Call['quantifier'];
  readonly arguments: readonly Argument[];
  readonly orderBy: Call['orderBy'];
  readonly json: Call['json'];
}

/** A call before what may follow its parentheses. */
export interface CallHead extends CallContent {
  readonly name: readonly Identifier[];
  readonly start: number;
}

/** Parses the parentheses of a call. `name` is the function's, empty where it stands in backticks. */
export function parseArguments(cursor: TokenCursor, name: string): CallContent {
  cursor.expectSymbol('(');
  const content = cursor.nested(() => parseContent(cursor, name.toUpperCase()));
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
    cursor.fail('")"', 'write WITHIN GROUP (ORDER BY ...) behind the parentheses');
  }
  return { ...none, quantifier, arguments: parsed, orderBy: parseOrderItems(cursor) };
}

/** Functions that take ORDER BY between their parentheses. */
const ORDERED = new Set(['ARRAY_AGG', 'ARRAY_CONCAT_AGG', 'GROUP_CONCAT', 'STRING_AGG']);

function starArgument(cursor: TokenCursor): Argument {
  const { start, end } = cursor.advance();
  return plainArgument({ kind: 'star', qualifier: [], start, end });
}

/** A call that nothing follows. */
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

/** Parses what may follow the parentheses of a call: `WITHIN GROUP`, `FILTER`, `OVER` and the like. */
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
