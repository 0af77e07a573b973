import { isReservedWord } from '../tokens/reserved-words.ts';
import type { TokenCursor } from './token-cursor.ts';

/** Reserved words that shape a query: where one of them stands, something before it is more likely to be missing. */
const STRUCTURAL = new Set(
  `ALL AND AS ASYMMETRIC BETWEEN BY CASE CROSS DEFINE DISTINCT ELSE END ESCAPE EXCEPT FETCH FILTER FOR FROM FULL GROUP
  HAVING IN INNER INTERSECT INTO IS JOIN LATERAL LEFT LIKE LIMIT MATCH_RECOGNIZE MEASURES NATURAL NOT OFFSET ON OR ORDER
  OUTER OVER PARTITION PATTERN QUALIFY RANGE RIGHT ROWS SELECT SET SIMILAR TABLE TABLESAMPLE THEN TO UNION UNNEST USING VALUES
  WHEN WHERE WINDOW WITH WITHIN`.split(/\s+/),
);

/** What may stand behind a name, and hardly ever behind a word that shapes a query. */
const BEHIND_NAMES = new Set(['AS', 'FROM', 'IS', 'IN', 'BETWEEN', 'LIKE', 'ASC', 'DESC', 'THEN']);

/** Whether the reserved word at hand is most likely meant as a name: a column called `value`, a table called `order`. */
export function couldBeName(cursor: TokenCursor): boolean {
  const { token } = cursor;
  if (token.kind !== 'word' || !isReservedWord(token.keyword)) return false;
  if (!STRUCTURAL.has(token.keyword)) return true;
  const next = cursor.peek(1);
  if (next.kind === 'symbol') return !['(', '*', ';', '[', '{'].includes(next.value);
  if (next.kind === 'word') return BEHIND_NAMES.has(next.keyword) && token.keyword !== 'SELECT';
  return false;
}

/** Whether the reserved word at hand is most likely meant as an alias without AS. */
export function couldBeAlias(cursor: TokenCursor): boolean {
  const { token } = cursor;
  if (token.kind !== 'word' || !isReservedWord(token.keyword) || STRUCTURAL.has(token.keyword)) return false;
  const next = cursor.peek(1);
  if (next.kind === 'symbol') return next.value === ',' || next.value === ')';
  return (
    next.kind === 'end' || (next.kind === 'word' && ['FROM', 'JOIN', 'WHERE', 'ON'].includes(next.keyword))
  );
}
