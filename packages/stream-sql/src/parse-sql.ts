import { parseNullableType } from './parse/parse-data-type.ts';
import { macroOf } from './parse/parse-names.ts';
import { parseQuery } from './parse/parse-query.ts';
import { TokenCursor } from './parse/token-cursor.ts';
import { nearestName } from './text/nearest-name.ts';
import type { Span } from './text/span.ts';
import { createSqlReport, type SqlDiagnostic } from './text/sql-diagnostic.ts';
import { tokenize } from './tokens/tokenize-sql.ts';
import type { DataType } from './tree/data-type.ts';
import type { Identifier, Macro } from './tree/names.ts';
import type { Query } from './tree/query.ts';

/** The result of parsing a query, complete or not. */
export interface ParsedSql {
  /** Undefined if the text has nothing like a query. If there are diagnostics, the part that could be parsed. */
  readonly query: Query | undefined;
  /** In order of their places. Empty if the engine accepts the text. */
  readonly diagnostics: readonly SqlDiagnostic[];
  /** Every macro of the text, in order, even if the text around it could not be parsed. */
  readonly macros: readonly Macro[];
  readonly comments: readonly Span[];
  /** Unquoted names that earlier versions of the engine reserve, such as `model` in 1.20. */
  readonly earlierReserved: readonly Identifier[];
}

/**
 * Parses one query of the engine's dialect. It continues after mistakes, never throws, and takes time linear in the length
 * of the text. One semicolon may end the text.
 */
export function parseSql(text: string): ParsedSql {
  const { diagnostics, report } = createSqlReport();
  const { tokens, comments, complete } = tokenize(text, report);
  // The missing rest of a truncated text would look like mistakes
  const cursor = new TokenCursor(tokens, report);
  const query = complete ? parseStatement(cursor) : undefined;
  diagnostics.sort((one, other) => one.start - other.start);
  const macros = tokens.flatMap((token) => (token.kind === 'macro' ? [macroOf(token)] : []));
  return { query, diagnostics, macros, comments, earlierReserved: cursor.earlierReserved };
}

function parseStatement(cursor: TokenCursor): Query | undefined {
  const { token } = cursor;
  if (token.kind === 'end') {
    cursor.fail('a query');
    return undefined;
  }
  if (!startsQuery(cursor)) {
    rejectStatement(cursor);
    return undefined;
  }
  const query = parseQuery(cursor);
  endStatement(cursor);
  return query;
}

function startsQuery(cursor: TokenCursor): boolean {
  const words = ['SELECT', 'WITH', 'VALUES', 'TABLE', 'FROM'];
  return cursor.atSymbol('(') || words.some((word) => cursor.atWords(word));
}

function rejectStatement(cursor: TokenCursor): void {
  const { kind, value, start, end } = cursor.token;
  if (kind !== 'word' || cursor.peek(1).kind === 'symbol') {
    cursor.fail('a query (SELECT, VALUES, WITH)');
    return;
  }
  cursor.report({
    code: 'sql-statement',
    message: `statement "${value}", a query (SELECT, VALUES, WITH) was expected`,
    ...statementHint(cursor),
    start,
    end,
  });
}

function statementHint(cursor: TokenCursor): { hint?: string } {
  if (cursor.atWords('INSERT') || cursor.atWords('UPSERT')) {
    return { hint: 'write the SELECT alone; where its rows go is said beside it' };
  }
  const { value } = cursor.token;
  const word = nearestName(value, ['SELECT', 'VALUES', 'WITH']);
  return word === undefined ? {} : { hint: `write ${word} for "${value}"` };
}

/** The engine accepts semicolons at the end, but no second statement. */
function endStatement(cursor: TokenCursor): void {
  let ended = false;
  while (cursor.takeSymbol(';')) ended = true;
  const { kind, start, end } = cursor.token;
  if (kind === 'end') return;
  if (!ended) cursor.fail('the end of the query');
  else {
    const message = 'second statement, the end of the text was expected';
    cursor.report({ code: 'sql-statement', message, start, end });
  }
}

/** The result of parsing a type. */
export interface ParsedType {
  /** Unreliable if there are diagnostics. */
  readonly type: DataType;
  /** Empty if the engine's grammar has this type. */
  readonly diagnostics: readonly SqlDiagnostic[];
}

/** Parses the type of a column, such as `DECIMAL(10, 2)` or `ROW<a INT NOT NULL>`. Nothing may follow it. Never throws. */
export function parseSqlType(text: string): ParsedType {
  const { diagnostics, report } = createSqlReport();
  const cursor = new TokenCursor(tokenize(text, report).tokens, report);
  const type = parseNullableType(cursor);
  if (cursor.token.kind !== 'end') cursor.fail('the end of the type');
  return { type, diagnostics };
}
