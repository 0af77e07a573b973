import type { Span } from '../text/span.ts';
import type { FromItem, Join } from '../tree/table.ts';
import { parseExpression } from './parse-expression.ts';
import { parseNameList } from './parse-names.ts';
import { parseTable } from './parse-table.ts';
import type { TokenCursor } from './token-cursor.ts';

type JoinWords = Pick<Join, 'type' | 'natural'>;

const JOINS: readonly { readonly words: string; readonly type: Join['type'] }[] = [
  { words: 'JOIN', type: 'INNER' },
  { words: 'INNER JOIN', type: 'INNER' },
  { words: 'LEFT OUTER JOIN', type: 'LEFT' },
  { words: 'LEFT JOIN', type: 'LEFT' },
  { words: 'RIGHT OUTER JOIN', type: 'RIGHT' },
  { words: 'RIGHT JOIN', type: 'RIGHT' },
  { words: 'FULL OUTER JOIN', type: 'FULL' },
  { words: 'FULL JOIN', type: 'FULL' },
  { words: 'CROSS JOIN', type: 'CROSS' },
];

/** Parses tables and their joins, left-associative. Between parentheses the engine accepts no comma. */
export function parseFrom(cursor: TokenCursor, commas = true): FromItem {
  const { start } = cursor.token;
  let left = parseTable(cursor);
  for (;;) {
    const operatorStart = cursor.token.start;
    const words = takeJoin(cursor, commas);
    if (words === undefined) return left;
    const operatorEnd = cursor.lastEnd;
    const right = parseTable(cursor);
    const condition = words.type !== 'COMMA' && cursor.takeWords('ON') ? parseExpression(cursor) : undefined;
    const using = words.type !== 'COMMA' && cursor.takeWords('USING') ? parseNameList(cursor) : [];
    const named = using[0];
    if (words.natural && (condition !== undefined || named !== undefined)) {
      const end = cursor.lastEnd;
      reportNatural(cursor, { start: condition?.start ?? named?.start ?? end, end });
    }
    left = {
      kind: 'join',
      ...words,
      left,
      right,
      condition,
      using,
      operatorStart,
      operatorEnd,
      start,
      end: cursor.lastEnd,
    };
    cursor.grow();
  }
}

/** NATURAL implies the join condition. */
function reportNatural(cursor: TokenCursor, place: Span): void {
  cursor.warnOf({
    code: 'sql-dialect',
    message: 'NATURAL JOIN with a condition of its own, which the engine does not have',
    hint: 'write JOIN without NATURAL, or leave the condition out',
    ...place,
  });
}

function takeJoin(cursor: TokenCursor, commas: boolean): JoinWords | undefined {
  if (commas && cursor.takeSymbol(',')) return { type: 'COMMA', natural: false };
  const natural = cursor.takeWords('NATURAL');
  const row = JOINS.find(({ words }) => cursor.takeWords(...words.split(' ')));
  if (row !== undefined) return { type: row.type, natural };
  if (natural) cursor.fail('JOIN');
  const foreign = takeForeignJoin(cursor);
  return foreign ?? (natural ? { type: 'INNER', natural } : undefined);
}

const FOREIGN: readonly (JoinWords & { readonly words: string; readonly hint: string })[] = [
  { words: 'CROSS APPLY', type: 'CROSS', natural: false, hint: 'write CROSS JOIN LATERAL TABLE(...)' },
  { words: 'OUTER APPLY', type: 'LEFT', natural: false, hint: 'write LEFT JOIN LATERAL TABLE(...) ON TRUE' },
  { words: 'LEFT SEMI JOIN', type: 'INNER', natural: false, hint: 'write WHERE EXISTS (SELECT ...)' },
  { words: 'LEFT ANTI JOIN', type: 'LEFT', natural: false, hint: 'write WHERE NOT EXISTS (SELECT ...)' },
  { words: 'OUTER JOIN', type: 'FULL', natural: false, hint: 'write LEFT, RIGHT or FULL before it' },
];

function takeForeignJoin(cursor: TokenCursor): JoinWords | undefined {
  const { start } = cursor.token;
  const row = FOREIGN.find(({ words }) => cursor.takeWords(...words.split(' ')));
  if (row === undefined) return undefined;
  const { words, hint, type, natural } = row;
  cursor.warnOf({
    code: 'sql-dialect',
    message: `"${words}", which the engine does not have`,
    hint,
    start,
    end: cursor.lastEnd,
  });
  return { type, natural };
}
