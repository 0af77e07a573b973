import { isEarlierReservedWord, isReservedWord } from '../text/reserved-words.ts';
import type { MacroToken, WordToken } from '../tokens/token.ts';
import type { Identifier, Macro, TableName } from '../tree/names.ts';
import { parseList, parseParenthesized } from './lists.ts';
import type { TokenCursor } from './token-cursor.ts';

/** Whether a valid name comes next. */
export function atName(cursor: TokenCursor, distance = 0): boolean {
  const token = cursor.peek(distance);
  if (token.kind === 'word') return !isReservedWord(token.keyword);
  return token.kind === 'quoted';
}

/** Parses a name. A reserved word is reported and used as a name. Anything else is reported and not passed; the name is empty. */
export function parseName(cursor: TokenCursor, expected = 'a name'): Identifier {
  const { token } = cursor;
  if (token.kind === 'quoted') {
    cursor.advance();
    return { kind: 'identifier', name: token.value, quoted: true, start: token.start, end: token.end };
  }
  if (token.kind === 'word') {
    if (isReservedWord(token.keyword)) reportReserved(cursor, token);
    cursor.advance();
    const { value: name, start, end } = token;
    const identifier: Identifier = { kind: 'identifier', name, quoted: false, start, end };
    if (isEarlierReservedWord(token.keyword)) cursor.earlierReserved.push(identifier);
    return identifier;
  }
  cursor.fail(expected);
  return { kind: 'identifier', name: '', quoted: false, start: token.start, end: token.start };
}

/** Reports that this word needs backticks. Parsing continues with it as a name. */
function reportReserved(cursor: TokenCursor, { value, start, end }: WordToken): void {
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

/** Reserved words that structure a query. Before one of them something is more likely missing. */
const STRUCTURAL = new Set(
  `ALL AND AS ASYMMETRIC BETWEEN BY CASE CROSS DEFINE DISTINCT ELSE END ESCAPE EXCEPT FETCH FILTER FOR FROM FULL GROUP
  HAVING IN INNER INTERSECT INTO IS JOIN LATERAL LEFT LIKE LIMIT MATCH_RECOGNIZE MEASURES NATURAL NOT OFFSET ON OR ORDER
  OUTER OVER PARTITION PATTERN QUALIFY RANGE RIGHT ROWS SELECT SET SIMILAR TABLE TABLESAMPLE THEN TO UNION UNNEST USING VALUES
  WHEN WHERE WINDOW WITH WITHIN`.split(/\s+/),
);

/** Keywords that often follow a name, and seldom a word that structures a query. */
const AFTER_NAMES = new Set(['AS', 'FROM', 'IS', 'IN', 'BETWEEN', 'LIKE', 'ASC', 'DESC', 'THEN']);

/** Whether the reserved word at the cursor is probably meant as a name: a column `value`, a table `order`. */
export function couldBeName(cursor: TokenCursor): boolean {
  const { token } = cursor;
  if (token.kind !== 'word' || !isReservedWord(token.keyword)) return false;
  if (!STRUCTURAL.has(token.keyword)) return true;
  const next = cursor.peek(1);
  if (next.kind === 'symbol') return !['(', '*', ';', '[', '{'].includes(next.value);
  if (next.kind === 'word') return AFTER_NAMES.has(next.keyword) && token.keyword !== 'SELECT';
  return false;
}

/** Whether the reserved word at the cursor is probably meant as an alias without AS. */
export function couldBeAlias(cursor: TokenCursor): boolean {
  const { token } = cursor;
  if (token.kind !== 'word' || !isReservedWord(token.keyword) || STRUCTURAL.has(token.keyword)) return false;
  const next = cursor.peek(1);
  if (next.kind === 'symbol') return next.value === ',' || next.value === ')';
  return (
    next.kind === 'end' || (next.kind === 'word' && ['FROM', 'JOIN', 'WHERE', 'ON'].includes(next.keyword))
  );
}
