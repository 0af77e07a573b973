import type { Literal, Parameter } from '../tree/expression.ts';
import type { Limit } from '../tree/query.ts';
import type { TokenCursor } from './token-cursor.ts';

type Count = Literal | Parameter | undefined;

/** Parses `LIMIT n OFFSET m` or `OFFSET m ROWS FETCH FIRST n ROWS ONLY`, or nothing where there is none. */
export function parseLimit(cursor: TokenCursor): Limit | undefined {
  const { start } = cursor.token;
  if (cursor.takeWords('LIMIT')) {
    const count = cursor.takeWords('ALL') ? undefined : parseCount(cursor);
    if (cursor.atSymbol(',')) return { ...foreignLimit(cursor, count), start, end: cursor.lastEnd };
    const offset = cursor.takeWords('OFFSET') ? parseRows(cursor) : undefined;
    return { kind: 'limit', count, offset, start, end: cursor.lastEnd };
  }
  const offset = cursor.takeWords('OFFSET') ? parseRows(cursor) : undefined;
  const hasOffset = cursor.lastEnd > start;
  if (cursor.takeWords('FETCH')) {
    const count = parseFetch(cursor);
    return { kind: 'limit', count, offset, start, end: cursor.lastEnd };
  }
  if (!hasOffset) return undefined;
  if (cursor.atWords('LIMIT')) {
    cursor.fail('LIMIT before OFFSET', 'write LIMIT n OFFSET m');
    cursor.takeWords('LIMIT');
    return { kind: 'limit', count: parseCount(cursor), offset, start, end: cursor.lastEnd };
  }
  return { kind: 'limit', count: undefined, offset, start, end: cursor.lastEnd };
}

/** `LIMIT 5, 10` of other dialects. */
function foreignLimit(cursor: TokenCursor, offset: Count): Omit<Limit, 'start' | 'end'> {
  const { start, end } = cursor.advance();
  cursor.warnOf({
    code: 'sql-dialect',
    message: '"LIMIT start, count", which the engine does not have',
    hint: 'write LIMIT count OFFSET start',
    start,
    end,
  });
  return { kind: 'limit', count: parseCount(cursor), offset };
}

function parseFetch(cursor: TokenCursor): Count {
  if (cursor.takeOneOf(['FIRST', 'NEXT']) === undefined) cursor.fail('FIRST or NEXT');
  const count = parseCount(cursor);
  if (cursor.takeOneOf(['ROWS', 'ROW']) === undefined) cursor.fail('ROWS');
  cursor.expectWords('ONLY');
  return count;
}

function parseRows(cursor: TokenCursor): Count {
  const count = parseCount(cursor);
  cursor.takeOneOf(['ROWS', 'ROW']);
  return count;
}

function parseCount(cursor: TokenCursor): Count {
  const { token } = cursor;
  const { start, end } = token;
  if (cursor.takeSymbol('?')) return { kind: 'parameter', start, end };
  if (token.kind === 'number') {
    cursor.advance();
    return { kind: 'literal', type: token.form, value: token.value, start, end };
  }
  cursor.fail('a number of rows');
  return undefined;
}
