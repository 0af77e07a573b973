import type { Argument, Call, JsonBehaviour, JsonClauses, JsonPassing } from '../tree/call.ts';
import { parseList } from './lists.ts';
import { plainArgument } from './parse-argument.ts';
import { parseDataType } from './parse-data-type.ts';
import { parseExpression } from './parse-expression.ts';
import { parseName } from './parse-names.ts';
import { parseOrderItems } from './parse-order.ts';
import type { TokenCursor } from './token-cursor.ts';

interface JsonContent {
  readonly arguments: readonly Argument[];
  readonly orderBy?: Call['orderBy'];
  readonly json: JsonClauses | undefined;
}

/** The functions of JSON that take more than arguments between their parentheses. */
export const jsonArguments: ReadonlyMap<string, (cursor: TokenCursor) => JsonContent> = new Map([
  ['JSON_EXISTS', parseAccess],
  ['JSON_VALUE', parseAccess],
  ['JSON_QUERY', parseAccess],
  ['JSON_OBJECT', parseObject],
  ['JSON_OBJECTAGG', parseObject],
  ['JSON_ARRAY', parseArray],
  ['JSON_ARRAYAGG', parseArray],
]);

/** `JSON_VALUE(a, '$.b' RETURNING INT DEFAULT 0 ON EMPTY)` */
function parseAccess(cursor: TokenCursor): JsonContent {
  const input = plainArgument(parseExpression(cursor));
  cursor.expectSymbol(',');
  const path = plainArgument(parseExpression(cursor));
  return { arguments: [input, path], json: parseClauses(cursor) };
}

/** `JSON_OBJECT(KEY 'a' VALUE b, 'c' : d NULL ON NULL)` */
function parseObject(cursor: TokenCursor): JsonContent {
  if (cursor.atWords('NULL', 'ON', 'NULL') || cursor.atWords('ABSENT', 'ON', 'NULL')) {
    return { arguments: [], json: parseClauses(cursor) };
  }
  const pairs = parseList(cursor, () => parsePair(cursor));
  return { arguments: pairs.flat(), json: parseClauses(cursor) };
}

function parsePair(cursor: TokenCursor): Argument[] {
  const { start } = cursor.token;
  const keyed = cursor.takeWords('KEY');
  const key = parseExpression(cursor);
  const valueStart = cursor.token.start;
  if (keyed || !cursor.takeSymbol(':')) cursor.expectWords('VALUE');
  const value = parseExpression(cursor);
  return [
    { ...plainArgument(key), keyword: 'KEY', start },
    {
      ...plainArgument(value),
      keyword: 'VALUE',
      start: valueStart,
      end: Math.max(valueStart, cursor.lastEnd),
    },
  ];
}

/** `JSON_ARRAY(a, b ABSENT ON NULL)`, `JSON_ARRAYAGG(a ORDER BY b)` */
function parseArray(cursor: TokenCursor): JsonContent {
  const values = parseList(cursor, () => plainArgument(parseExpression(cursor)));
  const orderBy = parseOrderItems(cursor);
  return { arguments: values, orderBy, json: parseClauses(cursor) };
}

function parseClauses(cursor: TokenCursor): JsonClauses | undefined {
  const { start } = cursor.token;
  if (cursor.atSymbol(')')) return undefined;
  const passing = cursor.takeWords('PASSING') ? parseList(cursor, () => parsePassing(cursor)) : [];
  const returning = cursor.takeWords('RETURNING') ? parseDataType(cursor) : undefined;
  const wrapper = parseWrapper(cursor);
  const behaviours: JsonBehaviour[] = [];
  for (let next = parseBehaviour(cursor); next !== undefined; next = parseBehaviour(cursor)) {
    behaviours.push(next);
  }
  return { kind: 'json-clauses', passing, returning, wrapper, behaviours, start, end: cursor.lastEnd };
}

function parsePassing(cursor: TokenCursor): JsonPassing {
  const { start } = cursor.token;
  const value = parseExpression(cursor);
  cursor.expectWords('AS');
  const name = parseName(cursor);
  return { kind: 'json-passing', value, name, start, end: cursor.lastEnd };
}

function parseWrapper(cursor: TokenCursor): JsonClauses['wrapper'] {
  const kept = cursor.takeWords('WITHOUT');
  if (!kept && !cursor.takeWords('WITH')) return undefined;
  const condition = kept ? undefined : cursor.takeOneOf(['CONDITIONAL', 'UNCONDITIONAL']);
  cursor.takeWords('ARRAY');
  cursor.expectWords('WRAPPER');
  return kept ? 'WITHOUT' : (condition ?? 'UNCONDITIONAL');
}

const ACTIONS: readonly JsonBehaviour['action'][] = [
  'NULL',
  'ERROR',
  'ABSENT',
  'TRUE',
  'FALSE',
  'UNKNOWN',
  'EMPTY ARRAY',
  'EMPTY OBJECT',
  'DEFAULT',
];

function parseBehaviour(cursor: TokenCursor): JsonBehaviour | undefined {
  const { start } = cursor.token;
  const action = cursor.takeOneOf(ACTIONS);
  if (action === undefined) return undefined;
  const value = action === 'DEFAULT' ? parseExpression(cursor) : undefined;
  const on = cursor.takeWords('ON') ? cursor.takeOneOf(['EMPTY', 'ERROR', 'NULL']) : undefined;
  if (on === undefined) cursor.fail('ON EMPTY, ON ERROR or ON NULL');
  return { kind: 'json-behaviour', action, value, on: on ?? 'ERROR', start, end: cursor.lastEnd };
}
