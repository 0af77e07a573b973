import { isReservedWord } from '../tokens/reserved-words.ts';
import type { MacroToken, WordToken } from '../tokens/token.ts';
import type { Identifier, Macro, TableName } from '../tree/names.ts';
import { parseList, parseParenthesized } from './lists.ts';
import type { TokenCursor } from './token-cursor.ts';

/** Whether a name comes next that needs no mending. */
export function atName(cursor: TokenCursor, distance = 0): boolean {
  const token = cursor.peek(distance);
  if (token.kind === 'word') return !isReservedWord(token.keyword);
  return token.kind === 'quoted';
}

/** Parses a name. A reserved word is reported and taken for one; anything else is reported and left, with an empty name. */
export function parseName(cursor: TokenCursor, expected = 'a name'): Identifier {
  const { token } = cursor;
  if (token.kind === 'quoted') {
    cursor.advance();
    return { kind: 'identifier', name: token.value, quoted: true, start: token.start, end: token.end };
  }
  if (token.kind === 'word') {
    if (isReservedWord(token.keyword)) reportReserved(cursor, token);
    cursor.advance();
    return { kind: 'identifier', name: token.value, quoted: false, start: token.start, end: token.end };
  }
  cursor.fail(expected);
  return { kind: 'identifier', name: '', quoted: false, start: token.start, end: token.start };
}

/** Says that this word needs backticks, which does not keep anyone from reading it as a name. */
export function reportReserved(cursor: TokenCursor, { value, start, end }: WordToken): void {
  cursor.warnOf({
    code: 'sql-reserved-word',
    message: `"${value}" is a reserved word, a name was expected`,
    hint: `write \`${value}\` in backticks`,
    fix: `\`${value}\``,
    start,
    end,
  });
}

/** `(a, b)` */
export function parseNameList(cursor: TokenCursor): Identifier[] {
  return parseParenthesized(cursor, () => parseList(cursor, () => parseName(cursor))) ?? [];
}

/** `a.b.c`, or a macro. */
export function parseTableName(cursor: TokenCursor): TableName | Macro {
  const { token } = cursor;
  if (token.kind === 'macro') {
    cursor.advance();
    return macroOf(token);
  }
  const path = [parseName(cursor, 'the name of a table')];
  while (cursor.takeSymbol('.')) path.push(parseName(cursor));
  return { kind: 'table-name', path, start: token.start, end: Math.max(token.start, cursor.lastEnd) };
}

export function macroOf({ macro, value, nameStart, nameEnd, start, end }: MacroToken): Macro {
  return { kind: 'macro', macro, name: value, nameStart, nameEnd, start, end };
}
