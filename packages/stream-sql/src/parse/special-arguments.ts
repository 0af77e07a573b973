import type { Argument, Call, JsonBehaviour, JsonClauses, JsonPassing } from '../tree/call.ts';
import { parseList } from './lists.ts';
import { POWER } from './operators.ts';
import { parseArgument, plainArgument } from './parse-call.ts';
import { parseDataType } from './parse-data-type.ts';
import { parseExpression } from './parse-expression.ts';
import { parseTimeUnit } from './parse-interval.ts';
import { parseName } from './parse-names.ts';
import { parseOrderItems } from './parse-window.ts';
import type { TokenCursor } from './token-cursor.ts';

type ParseArguments = (cursor: TokenCursor) => Argument[];

/** Functions with keywords between their arguments, or with a unit of time as an argument. */
export const specialArguments: ReadonlyMap<string, ParseArguments> = new Map<string, ParseArguments>([
  ['EXTRACT', (cursor) => [parseUnit(cursor), parseAfter(cursor, 'FROM')]],
  ['TIMESTAMPADD', (cursor) => [parseUnit(cursor), ...parseMoreValues(cursor)]],
  ['TIMESTAMPDIFF', (cursor) => [parseUnit(cursor), ...parseMoreValues(cursor)]],
  ['FLOOR', parseRounding],
  ['CEIL', parseRounding],
  ['CEILING', parseRounding],
  ['TRIM', parseTrim],
  // The first operand ends before IN
  ['POSITION', (cursor) => [parseUpToIn(cursor), parseAfter(cursor, 'IN'), ...parseOptional(cursor, 'FROM')]],
  [
    'SUBSTRING',
    (cursor) => [parseValue(cursor), parseSeparated(cursor), ...parseOptional(cursor, 'FOR', ',')],
  ],
  [
    'OVERLAY',
    (cursor) => [
      parseValue(cursor),
      parseAfter(cursor, 'PLACING'),
      parseAfter(cursor, 'FROM'),
      ...parseOptional(cursor, 'FOR'),
    ],
  ],
  ['CONVERT', parseCharset],
  ['TRANSLATE', parseCharset],
  ...['DATE_DIFF', 'DATETIME_DIFF', 'TIMESTAMP_DIFF', 'TIME_DIFF', ...truncations()].map(
    (name): [string, ParseArguments] => [name, (cursor) => parseList(cursor, () => parseValueOrUnit(cursor))],
  ),
]);

function truncations(): string[] {
  return ['DATE_TRUNC', 'DATETIME_TRUNC', 'TIMESTAMP_TRUNC', 'TIME_TRUNC'];
}

function parseValue(cursor: TokenCursor): Argument {
  return plainArgument(parseExpression(cursor));
}

function parseUpToIn(cursor: TokenCursor): Argument {
  return plainArgument(parseExpression(cursor, POWER.LIKE + 1));
}

function parseUnit(cursor: TokenCursor): Argument {
  return plainArgument(parseTimeUnit(cursor));
}

function parseMoreValues(cursor: TokenCursor): Argument[] {
  if (!cursor.expectSymbol(',')) return [];
  return parseList(cursor, () => parseValue(cursor));
}

/** Parses an argument after a required keyword. */
function parseAfter(cursor: TokenCursor, keyword: string): Argument {
  const { start } = cursor.token;
  cursor.expectWords(keyword);
  const parsed = parseExpression(cursor);
  return { ...plainArgument(parsed), keyword, start, end: Math.max(start, cursor.lastEnd) };
}

/** Parses an optional argument after a keyword or symbol. */
function parseOptional(cursor: TokenCursor, keyword: string, symbol?: string): Argument[] {
  if (symbol !== undefined && cursor.takeSymbol(symbol)) return [parseValue(cursor)];
  return cursor.atWords(keyword) ? [parseAfter(cursor, keyword)] : [];
}

/** `FROM a` or `, a` */
function parseSeparated(cursor: TokenCursor): Argument {
  return cursor.takeSymbol(',') ? parseValue(cursor) : parseAfter(cursor, 'FROM');
}

/** `FLOOR(a)`, `FLOOR(ts TO HOUR)` */
function parseRounding(cursor: TokenCursor): Argument[] {
  const first = parseValue(cursor);
  const { start } = cursor.token;
  if (!cursor.takeWords('TO')) return [first];
  return [first, { ...parseUnit(cursor), keyword: 'TO', start }];
}

/** `TRIM(a)`, `TRIM(BOTH a)`, `TRIM('x' FROM a)`, `TRIM(BOTH 'x' FROM a)`, `TRIM(LEADING FROM a)` */
function parseTrim(cursor: TokenCursor): Argument[] {
  const { start } = cursor.token;
  const side = cursor.takeOneOf(['BOTH', 'LEADING', 'TRAILING']);
  if (side !== undefined && cursor.atWords('FROM'))
    return [{ ...parseAfter(cursor, 'FROM'), keyword: `${side} FROM` }];
  const first = parseValue(cursor);
  const named = side === undefined ? first : { ...first, keyword: side, start };
  return [named, ...parseOptional(cursor, 'FROM')];
}

/** `TRANSLATE(a USING utf8)`, or a list as in any other function. */
function parseCharset(cursor: TokenCursor): Argument[] {
  const first = parseArgument(cursor);
  if (cursor.atWords('USING')) return [first, parseAfter(cursor, 'USING')];
  return cursor.takeSymbol(',') ? [first, ...parseList(cursor, () => parseArgument(cursor))] : [first];
}

/** `DAY` as the last argument is a unit, not a column. */
function parseValueOrUnit(cursor: TokenCursor): Argument {
  const isUnit = cursor.token.kind === 'word' && (cursor.atSymbol(')', 1) || cursor.atSymbol('(', 1));
  return isUnit && /^(WEEK|DAY|HOUR|MINUTE|SECOND|MONTH|QUARTER|YEAR)$/.test(cursor.token.value.toUpperCase())
    ? parseUnit(cursor)
    : parseValue(cursor);
}

interface JsonContent {
  readonly arguments: readonly Argument[];
  readonly orderBy?: Call['orderBy'];
  readonly json: JsonClauses | undefined;
}

/** JSON functions with clauses between their parentheses. */
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
