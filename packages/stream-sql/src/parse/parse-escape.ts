import { isReservedWord } from '../tokens/reserved-words.ts';
import type { Expression, Literal } from '../tree/expression.ts';
import { parsePath } from './parse-operand.ts';
import type { TokenCursor } from './token-cursor.ts';

const LITERALS: Readonly<Record<string, Literal['type']>> = { D: 'date', T: 'time', TS: 'timestamp' };

/** Parses the escapes of JDBC, which the engine takes: `{d '2026-01-01'}`, `{fn ABS(a)}`. */
export function parseEscape(cursor: TokenCursor): Expression {
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
  const call = cursor.nested(() => parsePath(cursor, token.kind === 'word' && isReservedWord(token.keyword)));
  cursor.expectSymbol('}');
  return call.kind === 'call' ? { ...call, start, end: cursor.lastEnd } : call;
}
