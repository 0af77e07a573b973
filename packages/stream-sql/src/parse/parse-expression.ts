import type { Expression, IsTest, Like, UnaryOperator } from '../tree/expression.ts';
import type { Query } from '../tree/query.ts';
import { parseParenthesized } from './lists.ts';
import { type OperatorRow, operatorAt, POWER, takeOperator } from './operators.ts';
import { parseOperand } from './parse-operand.ts';
import { parseContent } from './parse-query.ts';
import type { TokenCursor } from './token-cursor.ts';

/** The expression parsed so far. `start` is before its first parenthesis. */
interface Left {
  readonly start: number;
  readonly operand: Expression;
}

/**
 * Parses an expression whose operators bind at least as tightly as `power`. A missing expression is reported and becomes an
 * invalid node.
 */
export function parseExpression(cursor: TokenCursor, power: number = POWER.MULTISET_SUM): Expression {
  return cursor.parseNested(() => {
    const { start } = cursor.token;
    let operand = parsePrefix(cursor);
    for (;;) {
      const next = parseSuffix(cursor, { start, operand }, power);
      if (next === undefined) return operand;
      operand = next;
      cursor.grow();
    }
  });
}

const PREFIXES: readonly { readonly operator: UnaryOperator; readonly power: number }[] = [
  { operator: '+', power: POWER.SIGN },
  { operator: '-', power: POWER.SIGN },
  { operator: 'NOT', power: POWER.NOT },
];

function parsePrefix(cursor: TokenCursor): Expression {
  const { start } = cursor.token;
  for (const { operator, power } of PREFIXES) {
    if (!cursor.takeSymbol(operator) && !cursor.takeWords(operator)) continue;
    const operand = parseExpression(cursor, power);
    return { kind: 'unary', operator, operand, start, end: cursor.lastEnd };
  }
  return parseOperand(cursor);
}

/** Parses an operator and its right operand if the operator binds tightly enough. */
function parseSuffix(cursor: TokenCursor, left: Left, power: number): Expression | undefined {
  const row = operatorAt(cursor);
  if (row !== undefined) return row.power < power ? undefined : parseBinary(cursor, left, row);
  if (cursor.token.kind !== 'word') return undefined;
  if (power <= POWER.LIKE) {
    const found = parseBetween(cursor, left) ?? parseIn(cursor, left) ?? parseLike(cursor, left);
    if (found !== undefined) return found;
  }
  if (power <= POWER.IS) {
    const found = parseIs(cursor, left) ?? parseFormat(cursor, left) ?? parseTimeZone(cursor, left);
    if (found !== undefined) return found;
  }
  if (power <= POWER.AND && cursor.atWords('AND')) return parseLogical(cursor, left, 'AND');
  return power <= POWER.OR && cursor.atWords('OR') ? parseLogical(cursor, left, 'OR') : undefined;
}

/** Operands of one operator become siblings, in any number. */
function parseLogical(cursor: TokenCursor, { start, operand }: Left, operator: 'AND' | 'OR'): Expression {
  const operands = [operand];
  while (cursor.takeWords(operator)) operands.push(parseExpression(cursor, POWER[operator] + 1));
  return { kind: 'logical', operator, operands, start, end: cursor.lastEnd };
}

function parseBinary(cursor: TokenCursor, { start, operand }: Left, row: OperatorRow): Expression {
  takeOperator(cursor, row);
  const { operator } = row;
  if (row.quantified && cursor.atSymbol('(', 1)) {
    const quantifier = cursor.takeOneOf(['ANY', 'SOME', 'ALL']);
    if (quantifier !== undefined) {
      const candidates = parseCandidates(cursor);
      return {
        kind: 'quantified',
        operator,
        quantifier: quantifier === 'ALL' ? 'ALL' : 'ANY',
        operand,
        candidates,
        start,
        end: cursor.lastEnd,
      };
    }
  }
  const quantifier = operator.startsWith('MULTISET') ? cursor.takeOneOf(['ALL', 'DISTINCT']) : undefined;
  const right = parseExpression(cursor, row.power + 1);
  return { kind: 'binary', operator, left: operand, right, quantifier, start, end: cursor.lastEnd };
}

/** `(SELECT …)` or `(a, b)` */
function parseCandidates(cursor: TokenCursor): readonly Expression[] | Query {
  return parseParenthesized(cursor, () => parseContent(cursor)) ?? [];
}

/** Takes `keyword` or `NOT keyword`. */
function takeNegatable(cursor: TokenCursor, keyword: string): { negated: boolean } | undefined {
  if (cursor.takeWords(keyword)) return { negated: false };
  return cursor.takeWords('NOT', keyword) ? { negated: true } : undefined;
}

function parseBetween(cursor: TokenCursor, { start, operand }: Left): Expression | undefined {
  const taken = takeNegatable(cursor, 'BETWEEN');
  if (taken === undefined) return undefined;
  const symmetric = cursor.takeOneOf(['SYMMETRIC', 'ASYMMETRIC']) === 'SYMMETRIC';
  const low = parseExpression(cursor, POWER.LIKE + 1);
  cursor.expectWords('AND');
  const high = parseExpression(cursor, POWER.LIKE + 1);
  return { kind: 'between', ...taken, symmetric, operand, low, high, start, end: cursor.lastEnd };
}

function parseIn(cursor: TokenCursor, { start, operand }: Left): Expression | undefined {
  const taken = takeNegatable(cursor, 'IN');
  if (taken === undefined) return undefined;
  const candidates = parseCandidates(cursor);
  return { kind: 'in', ...taken, operand, candidates, start, end: cursor.lastEnd };
}

const LIKE_OPERATORS: readonly Like['operator'][] = ['LIKE', 'SIMILAR TO', 'ILIKE', 'RLIKE'];

/** The engine's grammar has `ILIKE` and `RLIKE`, but no function implements them. */
const WITHOUT_FUNCTION: Readonly<Record<string, string>> = {
  ILIKE: 'write LOWER(a) LIKE LOWER(b)',
  RLIKE: 'write REGEXP(a, b)',
};

function parseLike(cursor: TokenCursor, { start, operand }: Left): Expression | undefined {
  const place = cursor.peek(cursor.atWords('NOT') ? 1 : 0);
  const negated = cursor.atWords('NOT');
  const operator = LIKE_OPERATORS.find((like) =>
    cursor.takeWords(...(negated ? ['NOT'] : []), ...like.split(' ')),
  );
  if (operator === undefined) return undefined;
  const hint = WITHOUT_FUNCTION[operator];
  if (hint !== undefined) {
    const message = `operator "${operator}", which the engine does not have`;
    cursor.warnOf({ code: 'sql-dialect', message, hint, start: place.start, end: place.end });
  }
  // Right-associative, as in the engine: a LIKE (b LIKE c)
  const pattern = parseExpression(cursor, POWER.LIKE);
  const escapedBy = cursor.takeWords('ESCAPE') ? parseExpression(cursor, POWER.LIKE) : undefined;
  return { kind: 'like', operator, negated, operand, pattern, escape: escapedBy, start, end: cursor.lastEnd };
}

const IS_TESTS: readonly IsTest[] = [
  'NULL',
  'TRUE',
  'FALSE',
  'UNKNOWN',
  'A SET',
  'EMPTY',
  'JSON VALUE',
  'JSON OBJECT',
  'JSON ARRAY',
  'JSON SCALAR',
];

function parseIs(cursor: TokenCursor, { start, operand }: Left): Expression | undefined {
  if (!cursor.takeWords('IS')) return undefined;
  const negated = cursor.takeWords('NOT');
  const test = cursor.takeOneOf(IS_TESTS) ?? (cursor.takeWords('JSON') ? 'JSON VALUE' : undefined);
  if (test === undefined) cursor.fail('NULL, TRUE, FALSE, UNKNOWN, DISTINCT FROM or JSON');
  return { kind: 'is', negated, test: test ?? 'NULL', operand, start, end: cursor.lastEnd };
}

/** `a FORMAT JSON` is `a`: it declares text that contains JSON already. */
function parseFormat(cursor: TokenCursor, { operand }: Left): Expression | undefined {
  return cursor.takeWords('FORMAT', 'JSON') ? operand : undefined;
}

/** Other dialects convert timestamps with `AT TIME ZONE 'x'`. */
function parseTimeZone(cursor: TokenCursor, { operand }: Left): Expression | undefined {
  if (!cursor.atWords('AT', 'TIME', 'ZONE')) return undefined;
  const { start } = cursor.token;
  cursor.takeWords('AT', 'TIME', 'ZONE');
  parseExpression(cursor, POWER.SIGN);
  cursor.warnOf({
    code: 'sql-dialect',
    message: 'AT TIME ZONE, which the engine does not have',
    hint: 'write CONVERT_TZ, or cast to TIMESTAMP_LTZ',
    start,
    end: cursor.lastEnd,
  });
  return operand;
}
