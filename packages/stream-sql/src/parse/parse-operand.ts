import { isReservedFunction, isReservedWord, isValueWord } from '../text/reserved-words.ts';
import type { NumberToken, Token, WordToken } from '../tokens/token.ts';
import type { Expression, Literal } from '../tree/expression.ts';
import { keywordOperands } from './keyword-operands.ts';
import { parseParenthesized, skipTo } from './lists.ts';
import { parseArguments, parseCallSuffix } from './parse-call.ts';
import { parseExpression } from './parse-expression.ts';
import { parseStringLiteral } from './parse-literal.ts';
import { couldBeName, macroOf, parseName } from './parse-names.ts';
import { parseContent } from './parse-query.ts';
import type { TokenCursor } from './token-cursor.ts';

/** Parses an operand: a literal, a name, a call or parentheses, with the elements and fields selected from it. */
export function parseOperand(cursor: TokenCursor): Expression {
  const { start } = cursor.token;
  let operand = parseSimpleOperand(cursor);
  for (;;) {
    if (cursor.takeSymbol('[')) {
      const index = cursor.parseNested(() => parseExpression(cursor));
      if (!cursor.expectSymbol(']')) skipTo(cursor, ']');
      operand = { kind: 'element', operand, index, start, end: cursor.lastEnd };
    } else if (cursor.atSymbol('.') && cursor.peek(1).kind !== 'symbol') {
      operand = parseField(cursor, operand, start);
    } else return operand;
    cursor.grow();
  }
}

function parseField(cursor: TokenCursor, operand: Expression, start: number): Expression {
  cursor.takeSymbol('.');
  const name = parseName(cursor);
  if (!cursor.atSymbol('(')) return { kind: 'field', operand, name, start, end: cursor.lastEnd };
  // A method of a structured type. Its object is an ordinary argument
  const call = parseCallSuffix(cursor, { name: [name], start, ...parseArguments(cursor, name.name) });
  const self = { kind: 'argument', name: undefined, keyword: undefined, value: operand } as const;
  return { ...call, arguments: [{ ...self, start: operand.start, end: operand.end }, ...call.arguments] };
}

function parseSimpleOperand(cursor: TokenCursor): Expression {
  const { token } = cursor;
  const { start, end } = token;
  switch (token.kind) {
    case 'number':
      cursor.advance();
      return { kind: 'literal', type: numberType(token), value: token.value, start, end };
    case 'string':
      return parseStringLiteral(cursor, token);
    case 'quoted':
      return parsePath(cursor);
    case 'word':
      return parseWord(cursor, token);
    case 'symbol':
      return parseSymbol(cursor, token);
    case 'macro':
      cursor.advance();
      cursor.warnOf({
        code: 'sql-template',
        message: `macro "${token.macro}" where a value was expected, it names a table`,
        hint: 'give the table an alias in FROM, and write alias.column',
        start,
        end,
      });
      return macroOf(token);
    case 'invalid':
      cursor.advance();
      return { kind: 'invalid', start, end };
    case 'end':
      return reportMissingOperand(cursor);
  }
}

function numberType({ form }: NumberToken): Literal['type'] {
  return form;
}

function parseSymbol(cursor: TokenCursor, { value, start, end }: Token): Expression {
  if (value === '(') return parseRow(cursor);
  if (value === '{') return parseEscape(cursor);
  if (value === '?') {
    cursor.advance();
    return { kind: 'parameter', start, end };
  }
  if (value === '*') {
    cursor.advance();
    cursor.warnOf({
      code: 'sql-syntax',
      message: 'unexpected "*", an expression was expected',
      start,
      end,
    });
    return { kind: 'star', qualifier: [], start, end };
  }
  return reportMissingOperand(cursor);
}

/** `(a)` is `a`; `(a, b)` is a row, `(SELECT …)` a subquery. */
function parseRow(cursor: TokenCursor): Expression {
  const { start } = cursor.token;
  const content = parseParenthesized(cursor, () => parseContent(cursor));
  const end = cursor.lastEnd;
  if (content === undefined) return { kind: 'invalid', start, end };
  if ('kind' in content) return { kind: 'subquery', query: content, start, end };
  const [first] = content;
  if (content.length === 1 && first !== undefined) return first;
  return { kind: 'row', fields: content, start, end };
}

function parseWord(cursor: TokenCursor, token: WordToken): Expression {
  const special = keywordOperands.get(token.keyword)?.(cursor);
  if (special !== undefined) return special;
  const { keyword, start, end } = token;
  if (!isReservedWord(keyword)) return parsePath(cursor);
  if (cursor.atSymbol('(', 1) && isReservedFunction(keyword)) return parsePath(cursor, true);
  if (isValueWord(keyword)) {
    cursor.advance();
    const name = [{ kind: 'identifier', name: token.value, quoted: false, start, end }] as const;
    return parseCallSuffix(cursor, {
      name,
      start,
      quantifier: undefined,
      arguments: [],
      orderBy: [],
      json: undefined,
    });
  }
  return couldBeName(cursor) ? parsePath(cursor) : reportMissingOperand(cursor);
}

/** Parses a column, the star of a table, or a call. `trusted`: the first word is a function even if reserved. */
function parsePath(cursor: TokenCursor, trusted = false): Expression {
  const { start } = cursor.token;
  const first = cursor.token;
  const path = [trusted ? wordAsName(cursor) : parseName(cursor)];
  while (cursor.atSymbol('.')) {
    if (cursor.atSymbol('*', 1)) {
      cursor.advance();
      cursor.advance();
      return { kind: 'star', qualifier: path, start, end: cursor.lastEnd };
    }
    cursor.advance();
    path.push(parseName(cursor, 'a name after the dot'));
  }
  if (!cursor.atSymbol('(')) return { kind: 'column', path, start, end: cursor.lastEnd };
  const name = path.length === 1 && first.kind === 'word' ? first.keyword : '';
  return parseCallSuffix(cursor, { name: path, start, ...parseArguments(cursor, name) });
}

/** Passes a function name, reserved or not. */
function wordAsName(cursor: TokenCursor): {
  kind: 'identifier';
  name: string;
  quoted: false;
  start: number;
  end: number;
} {
  const { value, start, end } = cursor.advance();
  return { kind: 'identifier', name: value, quoted: false, start, end };
}

/** Reports a missing expression. The token is not passed; it probably belongs to the next part. */
function reportMissingOperand(cursor: TokenCursor): Expression {
  const { start } = cursor.token;
  cursor.fail('an expression');
  return { kind: 'invalid', start, end: start };
}

const LITERALS: Readonly<Record<string, Literal['type']>> = { D: 'date', T: 'time', TS: 'timestamp' };

/** Parses JDBC escapes, which the engine accepts: `{d '2026-01-01'}`, `{fn ABS(a)}`. */
function parseEscape(cursor: TokenCursor): Expression {
  const { start } = cursor.token;
  const word = cursor.peek(1);
  const text = cursor.peek(2);
  const keyword = word.kind === 'word' ? word.keyword : '';
  const type = LITERALS[keyword];
  if (type !== undefined && text.kind === 'string' && cursor.atSymbol('}', 3)) {
    for (let passed = 0; passed < 4; passed++) cursor.advance();
    return { kind: 'literal', type, value: text.value, start, end: cursor.lastEnd };
  }
  if (keyword !== 'FN') {
    cursor.fail('an expression');
    return { kind: 'invalid', start, end: start };
  }
  cursor.advance();
  cursor.advance();
  const { token } = cursor;
  const call = cursor.parseNested(() =>
    parsePath(cursor, token.kind === 'word' && isReservedWord(token.keyword)),
  );
  cursor.expectSymbol('}');
  return call.kind === 'call' ? { ...call, start, end: cursor.lastEnd } : call;
}
