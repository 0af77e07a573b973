import type { Query } from '../tree/query.ts';
import type { FromItem, Table, TableSource } from '../tree/table.ts';
import { closeParenthesis, parseParenthesized } from './lists.ts';
import { bareCall, parseArguments } from './parse-call.ts';
import { parseExpression } from './parse-expression.ts';
import { parseFrom } from './parse-from.ts';
import { parseHints } from './parse-hints.ts';
import { parseMatchRecognize } from './parse-match-recognize.ts';
import {
  atName,
  couldBeAlias,
  couldBeName,
  parseName,
  parseNameList,
  parseTableName,
} from './parse-names.ts';
import { atQuery, continuesQuery, parseContent, parseQuery } from './parse-query.ts';
import type { TokenCursor } from './token-cursor.ts';

/** Parses one table of `FROM` with its clauses, or a join in parentheses. */
export function parseTable(cursor: TokenCursor): FromItem {
  const { start } = cursor.token;
  const lateral = cursor.takeWords('LATERAL');
  if (lateral && !cursor.atSymbol('(') && !cursor.atWords('TABLE') && !cursor.atWords('UNNEST')) {
    cursor.fail('TABLE(, UNNEST( or a query in parentheses', 'write LATERAL TABLE(f(...))');
  }
  if (cursor.atSymbol('(')) {
    const item = cursor.parseNested(() => parseParenthesizedTable(cursor));
    if ('kind' in item && item.kind === 'join') return rejectAlias(cursor, item);
    const source: TableSource =
      item.kind === 'query'
        ? { kind: 'derived-table', query: item, start, end: cursor.lastEnd }
        : item.source;
    return parseRest(cursor, { source, lateral, start });
  }
  return parseRest(cursor, { source: parseSource(cursor), lateral, start });
}

function parseSource(cursor: TokenCursor): TableSource {
  const { start } = cursor.token;
  if (cursor.takeWords('UNNEST')) return parseUnnest(cursor, start);
  if (cursor.atWords('TABLE') && cursor.atSymbol('(', 1)) {
    cursor.advance();
    cursor.advance();
    const call = cursor.parseNested(() => parseTableCall(cursor));
    if (call.kind !== 'table-function')
      cursor.fail('a call of a table function', 'write the name of a table without TABLE()');
    closeParenthesis(cursor);
    return call.kind === 'table-function' ? { ...call, start, end: cursor.lastEnd } : call;
  }
  if (cursor.token.kind === 'macro' || atName(cursor) || couldBeTable(cursor)) return parseTableCall(cursor);
  cursor.fail('a table', cursor.atWords('TABLE') ? 'write the name of the table alone' : undefined);
  return { kind: 'table-name', path: [], start, end: start };
}

/** Whether a reserved word is meant as a table: `FROM order`, `FROM user u`. */
function couldBeTable(cursor: TokenCursor): boolean {
  if (couldBeName(cursor)) return true;
  return ['ORDER', 'GROUP'].some((word) => cursor.atWords(word) && !cursor.isWord(1, 'BY'));
}

/** Parses a table name, or a call of a table function. */
function parseTableCall(cursor: TokenCursor): TableSource {
  const { start } = cursor.token;
  const table = parseTableName(cursor);
  if (table.kind === 'macro' || !cursor.atSymbol('(')) return table;
  const name = table.path.at(-1)?.name ?? '';
  const call = bareCall(cursor, { name: table.path, start, ...parseArguments(cursor, name) });
  return { kind: 'table-function', call, start, end: cursor.lastEnd };
}

function parseUnnest(cursor: TokenCursor, start: number): TableSource {
  const content = parseParenthesized(cursor, () => parseContent(cursor)) ?? [];
  const collections =
    'kind' in content
      ? [{ kind: 'subquery' as const, query: content, start: content.start, end: content.end }]
      : content;
  const ordinality = cursor.takeWords('WITH', 'ORDINALITY');
  return { kind: 'unnest', collections, ordinality, start, end: cursor.lastEnd };
}

/** Parses a table in parentheses: a query, a join, or a single table, which the engine refuses. */
function parseParenthesizedTable(cursor: TokenCursor): FromItem | Query {
  cursor.takeSymbol('(');
  const item = atQuery(cursor) ? parseQuery(cursor) : parseFrom(cursor, false);
  if (item.kind === 'table') {
    const { source, alias } = item;
    if (source.kind === 'derived-table' && alias === undefined) {
      const query = continuesQuery(cursor) ? parseQuery(cursor, source.query) : source.query;
      closeParenthesis(cursor);
      return query;
    }
    cursor.fail('a join', 'remove the parentheses around the table');
  }
  closeParenthesis(cursor);
  return item;
}

/** A join in parentheses cannot have an alias. */
function rejectAlias(cursor: TokenCursor, join: FromItem): FromItem {
  if (!cursor.atWords('AS') && !atName(cursor)) return join;
  cursor.fail('the next join or clause', 'a join has no alias, its tables have');
  cursor.takeWords('AS');
  parseName(cursor);
  return join;
}

function parseRest(cursor: TokenCursor, head: Pick<Table, 'source' | 'lateral' | 'start'>): Table {
  const named = head.source.kind === 'table-name' || head.source.kind === 'macro';
  const hints = named ? parseHints(cursor) : [];
  const fixed = !named && cursor.atWords('FOR', 'SYSTEM_TIME');
  if (fixed)
    cursor.fail('the next join or clause', 'FOR SYSTEM_TIME AS OF needs the name of a table before it');
  let asOf = parseAsOf(cursor);
  const matchable = named || head.source.kind === 'derived-table';
  const matchRecognize =
    matchable && cursor.atWords('MATCH_RECOGNIZE') ? parseMatchRecognize(cursor) : undefined;
  const alias = parseTableAlias(cursor);
  const columns = alias !== undefined && cursor.atSymbol('(') ? parseNameList(cursor) : [];
  if (alias !== undefined && cursor.atWords('FOR', 'SYSTEM_TIME')) {
    cursor.fail('the next join or clause', 'FOR SYSTEM_TIME AS OF comes before the alias');
    asOf ??= parseAsOf(cursor);
  }
  return {
    kind: 'table',
    source: head.source,
    lateral: head.lateral,
    hints,
    asOf,
    matchRecognize,
    alias,
    columns,
    start: head.start,
    end: Math.max(head.start, cursor.lastEnd),
  };
}

function parseAsOf(cursor: TokenCursor): Table['asOf'] {
  if (!cursor.takeWords('FOR', 'SYSTEM_TIME')) return undefined;
  cursor.expectWords('AS', 'OF');
  return parseExpression(cursor);
}

function parseTableAlias(cursor: TokenCursor): Table['alias'] {
  if (cursor.takeWords('AS')) return parseName(cursor, 'an alias');
  return atName(cursor) || couldBeAlias(cursor) ? parseName(cursor) : undefined;
}
